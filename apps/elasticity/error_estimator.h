// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_error_estimator_h
#define tessera_apps_elasticity_error_estimator_h

#include <deal.II/grid/tria.h>
#include <deal.II/lac/vector.h>

#include <vector>

#include "elasticity/body.h"
#include "elasticity/nodal_forces.h"

namespace tessera::elasticity
{
  /**
   * Error indicators of cells from what is left of the equations of
   * equilibrium inside of cells, between them and on the boundary,
   * $$ \eta_K^2 = \frac{h_K^2}{\pi^2 p^2 \mu_K}
   *    \int_K |s\, b + \mathrm{Div} P|^2
   *    + \sum_{F \subset \partial K}
   *    \frac{c_F h_F}{12 p\, \mu_F} \int_F |[P N]|^2, $$
   * an estimate of the error in the energy norm up to a constant. P is the
   * first Piola-Kirchhoff stress, b the body force, N the normal in the
   * undeformed body, h the diameter of cell or face, p the degree, $\mu$ the
   * shear modulus, on faces the larger of the two sides. $c_F = 1/2$ between
   * cells, where both get the term. On the boundary $c_F = 1$, and the jump is
   * $s\, t - P N$ with the traction t that is given or zero, in components
   * that are not held.
   *
   * Jumps of $\partial_n u$ alone (KellyErrorEstimator) would not do: where
   * materials differ they do not vanish for the exact solution, and for
   * elements of even degree on regular meshes they converge faster than the
   * error.
   *
   * @param[in] load_factor s
   * @param[in] supports Boundaries on which components are held.
   * @return One entry for each active cell.
   * @throws InvertedCell
   */
  template <int dim>
  dealii::Vector<float>
  estimate_error(const Body<dim>              &body,
                 const dealii::Vector<double> &displacement,
                 const double                  load_factor,
                 const std::vector<Support>   &supports);



  /** $(\sum_K \eta_K^2)^{1/2}$ */
  double
  global_estimate(const dealii::Vector<float> &indicators);



  /**
   * Flag for refinement the fewest cells that make up @p fraction of the sum of
   * squared indicators, and those with equal ones. (GridRefinement would choose
   * between those by rounding errors, and break symmetries.) Nothing is
   * coarsened.
   */
  template <int dim>
  void
  mark_for_refinement(dealii::Triangulation<dim>  &triangulation,
                      const dealii::Vector<float> &indicators,
                      const double                 fraction);
} // namespace tessera::elasticity

#endif
