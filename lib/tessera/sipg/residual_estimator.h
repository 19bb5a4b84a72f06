// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_residual_estimator_h
#define tessera_sipg_residual_estimator_h

#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/field.h>
#include <tessera/sipg/problem_data.h>

#include <vector>

namespace tessera
{
  namespace sipg
  {
    /**
     * Residual-based error indicators,
     * $$ \eta_K^2 = \frac{h^2}{p^2 k} \|f + k \Delta u_h\|_K^2
     *   + \sum_{F \subset \partial K} \frac12 \left[
     *     \frac{h_F}{p\,\bar k_F} \|[k \partial_n u_h]\|_F^2
     *     + C \frac{\gamma\kappa_F}{h_F} \|[u_h]\|_F^2 \right]
     *   + \sum_{F \subset \Gamma_D} \beta\,C \frac{\gamma k}{h_F}
     *     \|u_h - g\|_F^2
     *   + \sum_{F \subset \Gamma_N} \frac{h_F}{p\,k}
     *     \|q - k \partial_n u_h\|_F^2, $$
     * h the shortest side of K, faces those of the finer cells with $h_F$ and
     * $\kappa_F$ as in ElementMatrices, $\bar k_F$ the arithmetic mean of k of
     * both sides; a coarse cell gets the sum over the parts of its face. The
     * root of the sum of their squares bounds the error in the energy norm up
     * to a constant, and terms of higher order of the data, and is itself
     * bounded by the error, whatever the contrast of k: the method averages
     * fluxes with more weight on the side of the smaller k, so test functions
     * that meet the jump of the flux are averaged with more on that of the
     * larger one, where they are small. Of the kind of P. Houston, D.
     * Schoetzau, T. Wihler (Math. Models Methods Appl. Sci. 17, 2007).
     *
     * Jumps are integrated exactly, terms with data by Gauss formulas.
     *
     * Cost: about an application of the operator, and the calls of functions,
     * one for each quadrature point.
     *
     * @param[in] u consistent
     * @param[in] n_points of the Gauss formulas; 0 stands for p+2.
     * @return $\eta_K$ in the order of Forest::active_cells(). Not a number
     * where u is not.
     *
     * @throws InputError if a function is not finite at a quadrature point.
     */
    template <int dim>
    std::vector<double>
    residual_indicators(const LevelHierarchy<dim> &levels,
                        const ElementMatrices     &matrices,
                        const ProblemData<dim>    &data,
                        const PrimalField<double> &u,
                        int                        n_points = 0);
  } // namespace sipg
} // namespace tessera

#endif
