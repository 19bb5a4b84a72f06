// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_constitutive_law_h
#define tessera_apps_elasticity_constitutive_law_h

#include <deal.II/base/point.h>
#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/tensor.h>
#include <deal.II/base/types.h>

#include <cmath>

#include "elasticity/material.h"

namespace tessera::elasticity
{
  /**
   * Stresses and energies at a point from the displacement gradient
   * $H_{iJ} = \partial u_i / \partial X_J$.
   *
   * linear: $\psi = \lambda/2\, \mathrm{tr}(\varepsilon)^2
   *          + \mu\, \varepsilon:\varepsilon$,
   * $P = \sigma = \lambda\, \mathrm{tr}(\varepsilon) I + 2\mu\varepsilon$.
   *
   * Neo-Hookean, $F = I + H$, $C = F^T F$, $J = \det F > 0$:
   * $\psi = \mu/2\, (\mathrm{tr}\, C - 3) - \mu \ln J + \lambda/2\, (\ln J)^2$,
   * $P = \mu (F - F^{-T}) + \lambda \ln J\, F^{-T}$,
   * $\sigma = J^{-1} P F^T$;
   * its limit for small H is the linear law.
   *
   * 2D is plane strain: the third principal stretch is one, so that
   * $\mathrm{tr}\, C - 3 = C_{11} + C_{22} - 2$, and
   * $\sigma_{33} = \lambda\, \mathrm{tr}(\varepsilon)$ or
   * $\lambda \ln J / J$.
   */
  template <int dim>
  struct StressState
  {
    /** J, 1 in the linear law. Unless it is positive and finite, the rest is
     * not set. */
    double determinant = 1.;

    /** $\psi$, per volume of the undeformed body. */
    double energy_density = 0.;

    /** P, force in the deformed per area of the undeformed body. */
    dealii::Tensor<2, dim> first_piola;

    /** $\sigma$, force per area of the deformed body, with the components out
     * of the plane. */
    dealii::SymmetricTensor<2, 3> cauchy;

    bool
    is_valid() const
    {
      return determinant > 0. && std::isfinite(determinant);
    }
  };



  /** The state of @p material, whose moduli are multiplied by @p factor. */
  template <int dim>
  StressState<dim>
  evaluate_stress(const MaterialModel           model,
                  const Material               &material,
                  const double                  factor,
                  const dealii::Tensor<2, dim> &displacement_gradient);



  /** The state at a point of the undeformed body. */
  template <int dim>
  StressState<dim>
  evaluate_stress(const Constitution              &constitution,
                  const dealii::types::material_id material_id,
                  const dealii::Point<dim>        &point,
                  const dealii::Tensor<2, dim>    &displacement_gradient);



  /**
   * $(\mathrm{Div} P)_i = \partial P_{iJ} / \partial X_J
   *  = A_{iJkL}\, \partial_J \partial_L u_k + P_{iJ}\, \partial_J f / f$
   * with the factor f of the moduli and $A = \partial P / \partial F$,
   * $A_{iJkL} = \mu\, \delta_{ik} \delta_{JL}
   *  + (\mu - \lambda \ln J)\, F^{-1}_{Jk} F^{-1}_{Li}
   *  + \lambda\, F^{-1}_{Ji} F^{-1}_{Lk}$; in the linear law F = I there.
   *
   * @param[in] second_derivatives $\partial_J \partial_L u_k$ at [k][J][L].
   * @return NaN where the deformation is not invertible.
   */
  template <int dim>
  dealii::Tensor<1, dim>
  stress_divergence(const Constitution              &constitution,
                    const dealii::types::material_id material_id,
                    const dealii::Point<dim>        &point,
                    const dealii::Tensor<2, dim>    &displacement_gradient,
                    const dealii::Tensor<3, dim>    &second_derivatives);



  /** $\sqrt{3/2\, s:s}$ with the deviator $s = \sigma - \mathrm{tr}\sigma/3\,
   * I$. */
  double
  von_mises_stress(const dealii::SymmetricTensor<2, 3> &stress);
} // namespace tessera::elasticity

#endif
