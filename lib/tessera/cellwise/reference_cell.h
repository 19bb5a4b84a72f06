// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_reference_cell_h
#define tessera_cellwise_reference_cell_h

#include <tessera/base/dense_matrix.h>
#include <tessera/cellwise/degree.h>

#include <array>
#include <cstddef>
#include <vector>

namespace tessera
{
  namespace cellwise
  {
    /**
     * One-dimensional matrices of Lagrange elements of degree p on [0, 1] with
     * q = p+1 Gauss-Lobatto nodes, and the cell eigenbasis.
     *
     * With $M_{ij} = \int \phi_i \phi_j$, $K_{ij} = \int \phi_i' \phi_j'$
     * (exact integration), the element matrix of the Laplacian on a box cell
     * with sides $h_d$ is
     * $$ A_K = s_z\, K \otimes M \otimes M + s_y\, M \otimes K \otimes M
     *        + s_x\, M \otimes M \otimes K, \qquad
     *    s_d = \prod_e h_e / h_d^2, $$
     * and with $K S = M S \,\mathrm{diag}(\lambda)$, $S^T M S = I$
     * it is $A_K = (S^{-T})^{\otimes 3} \Lambda_K (S^{-1})^{\otimes 3}$,
     * $\Lambda_K = s_z \lambda_i + s_y \lambda_j + s_x \lambda_k$. Modes
     * alternate in parity: $J S = S \,\mathrm{diag}(\tau)$ with the reversal J
     * and $\tau_i = (-1)^i$, bit for bit.
     *
     * All matrices are q x q and row-major. They are computed in extended
     * precision and then rounded: an operator made of them is as accurate as
     * its evaluation. (With errors of a few units in the last place of
     * $S^{-1}$, the residual of a smooth function can be four times as
     * inaccurate for some degrees.)
     */
    struct ReferenceCell
    {
      /** @param[in] degree min_degree to max_degree.
       * @throws InputError for other degrees. */
      explicit ReferenceCell(int degree);

      int degree;
      int n_nodes; ///< q

      std::vector<double> nodes; ///< ascending in [0, 1]

      DenseMatrix mass;      ///< M
      DenseMatrix stiffness; ///< K

      std::vector<double> eigenvalues;          ///< $\lambda$, ascending
      DenseMatrix         eigenvectors;         ///< S, one column a mode
      DenseMatrix         inverse_eigenvectors; ///< $S^{-1} = S^T M$

      /**
       * Prolongation to the child c = 0, 1 of a cell that is cut in halves:
       * $(P_c)_{ij} = \phi_j((x_i + c)/2)$. Rows of nodes that the parent has,
       * too, are rows of the identity; $P_1 = J P_0 J$ bit for bit.
       */
      std::array<DenseMatrix, 2> embedding;

      /** The same in the eigenbasis: $\hat P_c = S^{-1} P_c S$. */
      std::array<DenseMatrix, 2> modal_embedding;
    };

    /** The matrix of n_cells cells in a row from that of one cell, q x q:
     * copies of A that overlap, and are added, in one row and column; (q-1)
     * n_cells + 1 rows. */
    DenseMatrix
    assemble_row_of_cells(const DenseMatrix &A, std::size_t n_cells);

    /** The Lagrange polynomials of @p nodes at the points: one row a point.
     * @tparam Number double or long double. */
    template <typename Number>
    BasicDenseMatrix<Number>
    lagrange_values(const std::vector<Number> &nodes,
                    const std::vector<Number> &points);

    /** Their derivatives. */
    template <typename Number>
    BasicDenseMatrix<Number>
    lagrange_derivatives(const std::vector<Number> &nodes,
                         const std::vector<Number> &points);

    /** Points and weights on [0, 1]. */
    template <typename Number>
    struct BasicQuadrature
    {
      std::vector<Number> points;
      std::vector<Number> weights;
    };

    using Quadrature = BasicQuadrature<double>;

    /** The Gauss formula of n >= 1 points; exact to degree 2n-1. */
    template <typename Number = double>
    BasicQuadrature<Number>
    gauss_quadrature(int n);
  } // namespace cellwise
} // namespace tessera

#endif
