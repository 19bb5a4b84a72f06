// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_element_matrices_h
#define tessera_sipg_element_matrices_h

#include <tessera/base/dense_matrix.h>
#include <tessera/sipg/types.h>

#include <array>
#include <vector>

namespace tessera
{
  namespace sipg
  {
    /** Weights of the penalty; see ElementMatrices. */
    struct Penalty
    {
      /**
       * C in $\sigma_F = C\,p(p+1)\,\kappa_F / h_F$. 2 leaves a margin of at
       * least 2.5 to what positive definiteness needs for p = 1, 2, 3; 1 is
       * deal.II's `compute_penalty` at interior faces.
       */
      double factor = 2.;

      /** $\beta$: Dirichlet faces carry $\beta\sigma_F$. 2 is what the mirror
       * principle gives, and deal.II's choice. */
      double boundary_factor = 2.;
    };

    /**
     * One-dimensional matrices of the symmetric interior penalty method (SIPG)
     * on [0, 1] in the Hermite-like basis, n = p+1.
     *
     * The form, with a diffusion coefficient k constant on each cell, is
     * $$ a(u,v) = \sum_K \int_K k \nabla u \cdot \nabla v
     *  + \sum_F \int_F \sigma_F [u][v] - \kappa_F\{\partial_n u\}[v]
     *                  - \kappa_F[u]\{\partial_n v\}
     *  + \sum_{F \subset \Gamma_D} \int_F \beta\sigma_F u v
     *                  - k\,\partial_n u\,v - k\,u\,\partial_n v, $$
     * $\sigma_F = \gamma \kappa_F / h_F$, $\gamma = C p (p+1)$; $h_F$ is the
     * size normal to F of the finer cell, $\{\cdot\}$ the arithmetic mean, and
     * $\kappa_F$ the harmonic mean of k of both sides, k itself at the
     * boundary. This is the arithmetic mean of the fluxes for constant k, and
     * the weighted one of Ern, Stephansen, Zunino (IMA J. Numer. Anal. 29,
     * 2009) otherwise, robust in the contrast. Neumann faces have no term.
     *
     * On a box cell with sides $h_a$ and with tangential mass
     * $T_a = \bigotimes_{b \neq a} h_b M$ the terms are, for each axis a,
     * - cell: $k\,(K/h_a) \otimes T_a$,
     * - face between L (below) and R (above) of equal size, test side s, trial
     *   side t: $\kappa_F\,(F_{st}/h_a) \otimes T_a$,
     * - Dirichlet face: $k\,(N/h_a) \otimes T_a$.
     *
     * All are computed in extended precision and rounded. Entries that vanish
     * by construction (beyond two layers) are exact zeros.
     */
    struct ElementMatrices
    {
      /**
       * @throws InputError for degrees other than 1 to 7, and for weights that
       * are not positive numbers.
       */
      explicit ElementMatrices(int degree, const Penalty &penalty = Penalty());

      int     degree;
      int     n; ///< p+1
      Penalty penalty;
      double  gamma; ///< $\gamma = C p (p+1)$

      DenseMatrix mass;         ///< $M_{ij} = \int \phi_i \phi_j$
      DenseMatrix inverse_mass; ///< $M^{-1}$
      DenseMatrix stiffness;    ///< $K_{ij} = \int \phi_i' \phi_j'$

      /** $e^s_i = \phi_i(s)$, s = 0, 1. */
      std::array<std::vector<double>, 2> end_value;

      /** $d^s_i = \phi_i'(s)$. */
      std::array<std::vector<double>, 2> end_derivative;

      /**
       * face[s][t] is $F_{st}$, 0 the cell below the face (L), 1 the one above
       * (R). With $s_0 = 1$, $s_1 = -1$ and the traces $(e, d)$ of the cell
       * below at 1, of the cell above at 0:
       * $F_{st} = \gamma s_s s_t e_s e_t^T - \frac12 s_s e_s d_t^T
       *           - \frac12 s_t d_s e_t^T$.
       * Rows of side 0 are in layers {p-1, p}, of side 1 in {0, 1}; columns
       * likewise with t. $F_{10} = F_{01}^T$.
       */
      std::array<std::array<DenseMatrix, 2>, 2> face;

      /** nitsche[s] at the lower (0) and upper (1) end:
       * $N = \beta\gamma\,e e^T \pm (e d^T + d e^T)$, + at the lower one. */
      std::array<DenseMatrix, 2> nitsche;

      /**
       * Coefficients of the parent to those of the child c = 0, 1:
       * $\phi_j((x + c)/2) = \sum_i (P_c)_{ij} \phi_i(x)$. Rows 0 and 1 of
       * $P_0$ have entries in columns 0 and 1 only, rows p-1 and p of $P_1$ in
       * columns p-1 and p only.
       */
      std::array<DenseMatrix, 2> child;

      /**
       * The matrix of one axis of the diagonal block of a cell,
       * $$ K_b = k K + w_0 E_0 + w_1 E_1, $$
       * where the end s has $E_s = F_{RR}$ or $F_{LL}$ for a neighbour (a cell
       * or a shadow), with w_s the weight $\kappa_F$ of the face, N for a
       * Dirichlet face with w_s = k, and no term for a Neumann face.
       */
      enum class End
      {
        neighbour,
        dirichlet,
        neumann
      };
      DenseMatrix
      cell_matrix(End    lower,
                  End    upper,
                  double coefficient  = 1.,
                  double lower_weight = 1.,
                  double upper_weight = 1.) const;
    };
  } // namespace sipg
} // namespace tessera

#endif
