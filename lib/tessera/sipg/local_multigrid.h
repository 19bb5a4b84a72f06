// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_local_multigrid_h
#define tessera_sipg_local_multigrid_h

#include <tessera/sipg/coarse_solver.h>
#include <tessera/sipg/hierarchy_tables.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace tessera
{
  namespace sipg
  {
    struct MultigridOptions
    {
      /** Steps of block-Jacobi before, and after, the coarse correction; 1 to
       * 10. The weights of many steps, one after the other in this order,
       * amplify rounding errors: 20 are useless in float. */
      int n_smoothing_steps = 3;

      /** $\alpha$: the smoother damps eigenvalues of $D^{-1} A$ in
       * $[2/\alpha, 2]$. 15 serves degrees 1 to 5. */
      double smoothing_range = 15.;

      /** @name Terms of the refinement edge
       * Without them the cycle is no longer symmetric, or the preconditioned
       * operator has eigenvalues far from one. To be switched off only in order
       * to see this.
       * @{ */
      bool edge_flux = true; ///< fluxes to shadows are restricted
      bool frozen_shadows =
        true; ///< shadows of the correction are smoothed with
      /** @} */
    };

    /**
     * One local multigrid V-cycle, Z = B R: a symmetric positive definite
     * preconditioner for the operator of the active mesh.
     *
     * On each level the smoother acts on the level cells alone, active and
     * refined, with the shadows at the refinement edge as boundary values that
     * do not change: zero before the coarse correction, the values of the
     * corrected coarse cells afterwards. Fluxes to shadows are restricted to
     * the active cells they belong to.
     *
     * The smoother is block-Jacobi with the weights of Chebyshev,
     * $$ \omega_k = 1 / \left(\tfrac{b+a}{2} + \tfrac{b-a}{2}
     *    \cos\tfrac{(2k-1)\pi}{2 n}\right), \quad
     *    [a, b] = [2/\alpha, 2], $$
     * where b = 2 bounds the spectrum of $D^{-1} A$: with cells coloured as a
     * checkerboard it is symmetric about 1, and A is positive definite.
     *
     * Number is the precision on levels. Shadows of R are assembled in double
     * before anything is rounded, since its parts are large when their sum is
     * small; shadows of Z are computed from the rounded values in double. For
     * float, R is multiplied by a power of two where its numbers would leave
     * the range of float, and Z divided by it. The matrices of levels have to
     * be in this range: volumes |K| of cells and k |K| / h^2 between 1e-30 and
     * 1e30.
     *
     * Cost a value of a level: 2 n_smoothing_steps steps of dim (2 n + 4) fused
     * multiply-adds, a residual and a prolongation. Memory: three Number a
     * value of a level.
     */
    template <int dim, typename Number>
    class LocalMultigrid
    {
    public:
      /**
       * @throws InputError for options out of range, and see CoarseSolver.
       */
      LocalMultigrid(std::shared_ptr<const LevelHierarchy<dim>> levels,
                     const ElementMatrices                     &matrices,
                     const MultigridOptions &options = MultigridOptions());

      /** z <- B r. The result depends on r through the assembled functional
       * only, and is consistent. */
      void
      apply(const DualField<double> &r, PrimalField<double> &z);

      std::size_t
      memory_consumption() const;

    private:
      ElementMatrices     matrices;
      MultigridOptions    options;
      std::vector<Number> omega;

      HierarchyTables<dim, Number>         tables;
      std::vector<LevelModes<dim, Number>> modes;
      CoarseSolver<dim>                    coarse_solver;

      /** Cells of one level at a time. */
      AlignedVector<double> assembled;

      DualField<Number>   b;
      PrimalField<Number> u;
      PrimalField<Number> v; ///< shadows: zeros

      void
      cycle(int l);

      /** From the u of a level to its v, and change their places. */
      void
      smooth(int l, const Number *shadows, Number weight);

      Number *
      iterate(int l);

      /** Whether the iterate of a level is in v. */
      std::vector<char> is_in_v;
    };
  } // namespace sipg
} // namespace tessera

#endif
