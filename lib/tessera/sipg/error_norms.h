// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_error_norms_h
#define tessera_sipg_error_norms_h

#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/field.h>
#include <tessera/sipg/problem_data.h>

namespace tessera
{
  namespace sipg
  {
    /** Of the error $e = u - u_h$. */
    struct ErrorNorms
    {
      double L2;          ///< $\|e\|_{L_2}$
      double H1_seminorm; ///< $(\sum_K \|\nabla e\|_K^2)^{1/2}$

      /** $(\sum_K k\|\nabla e\|_K^2 + \sum_F \sigma_F\|[e]\|_F^2
       *  + \sum_{F\subset\Gamma_D} \beta\sigma_F\|e\|_F^2)^{1/2}$, faces of
       * the finer cells, see ElementMatrices. */
      double energy;
    };

    /**
     * Norms of the error of a function on the active cells, whose shadows are
     * consistent.
     *
     * Gauss formulas of @p n_points a direction; 0 stands for p+3. The exact
     * solution is taken to have no jumps, so that those of the error are those
     * of the function, which are integrated exactly. Sums are over cells in
     * their order: deterministic.
     *
     * Cost: for each cell dim+1 interpolations to the points, and a call of
     * both functions at each of them.
     *
     * @throws InputError if the exact solution, or its gradient, is not finite
     *   at a quadrature point.
     */
    template <int dim>
    ErrorNorms
    compute_errors(const LevelHierarchy<dim>   &levels,
                   const ElementMatrices       &matrices,
                   const PrimalField<double>   &u,
                   const ScalarFunction<dim>   &exact_solution,
                   const GradientFunction<dim> &exact_gradient,
                   int                          n_points = 0);
  } // namespace sipg
} // namespace tessera

#endif
