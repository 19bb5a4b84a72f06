// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/constitutive_law.h"

#include <cmath>
#include <limits>

namespace tessera::elasticity
{
  using namespace dealii;

  namespace
  {
    /** $\ln(1 + x) - x$, to full relative accuracy for small x, where
     * the difference would cancel. */
    double
    log1p_minus_argument(const double x)
    {
      if (std::abs(x) > 0.01)
        return std::log1p(x) - x;
      // The series; the remainder is below the rounding error for |x| <= 0.01.
      double sum = 0.;
      for (int n = 9; n >= 2; --n)
        sum = x * sum + (n % 2 == 0 ? -1. : 1.) / n;
      return sum * x * x;
    }



    template <int dim>
    StressState<dim>
    evaluate_linear(const double          lambda,
                    const double          mu,
                    const Tensor<2, dim> &gradient)
    {
      const SymmetricTensor<2, dim> strain     = symmetrize(gradient);
      const double                  volumetric = trace(strain);

      StressState<dim> state;
      state.energy_density =
        0.5 * lambda * volumetric * volumetric + mu * (strain * strain);
      for (unsigned int i = 0; i < 3; ++i)
        state.cauchy[i][i] = lambda * volumetric;
      for (unsigned int i = 0; i < dim; ++i)
        for (unsigned int j = i; j < dim; ++j)
          state.cauchy[i][j] += 2. * mu * strain[i][j];
      for (unsigned int i = 0; i < dim; ++i)
        for (unsigned int j = 0; j < dim; ++j)
          state.first_piola[i][j] = state.cauchy[i][j];
      return state;
    }



    /** The sum of principal 2x2 minors plus the determinant of H: what J - 1
     * has besides the trace. */
    double
    nonlinear_volume_change(const Tensor<2, 2> &H)
    {
      return determinant(H);
    }



    double
    nonlinear_volume_change(const Tensor<2, 3> &H)
    {
      return H[0][0] * H[1][1] - H[0][1] * H[1][0] + H[1][1] * H[2][2] -
             H[1][2] * H[2][1] + H[0][0] * H[2][2] - H[0][2] * H[2][0] +
             determinant(H);
    }



    // Everything is computed from H, not F, so that small deformations lose no
    // digits: J - 1 = tr H + m, and
    // psi = mu/2 (tr C - 3 - 2 ln J) + lambda/2 (ln J)^2 with
    // tr C - 3 = 2 tr H + |H|^2.
    template <int dim>
    StressState<dim>
    evaluate_neo_hookean(const double          lambda,
                         const double          mu,
                         const Tensor<2, dim> &H)
    {
      StressState<dim> state;
      const double     m             = nonlinear_volume_change(H);
      const double     volume_change = trace(H) + m;
      const double     J             = 1. + volume_change;
      state.determinant              = J;
      if (!(J > 0. && std::isfinite(J)))
        return state;

      const double         log_J     = std::log1p(volume_change);
      const Tensor<2, dim> F         = H + unit_symmetric_tensor<dim>();
      const Tensor<2, dim> F_inverse = invert(F);

      state.energy_density = 0.5 * mu *
                               (H.norm_square() - 2. * m -
                                2. * log1p_minus_argument(volume_change)) +
                             0.5 * lambda * log_J * log_J;

      // F - F^{-T} = (F F^T - I) F^{-T}, with F F^T - I = H + H^T + H H^T.
      const Tensor<2, dim> strain    = H + transpose(H) + H * transpose(H);
      Tensor<2, dim>       kirchhoff = mu * strain;
      for (unsigned int i = 0; i < dim; ++i)
        kirchhoff[i][i] += lambda * log_J;
      state.first_piola = kirchhoff * transpose(F_inverse);

      for (unsigned int i = 0; i < dim; ++i)
        for (unsigned int j = i; j < dim; ++j)
          state.cauchy[i][j] = kirchhoff[i][j] / J;
      for (unsigned int i = dim; i < 3; ++i)
        state.cauchy[i][i] = lambda * log_J / J;
      return state;
    }
  } // namespace



  template <int dim>
  StressState<dim>
  evaluate_stress(const MaterialModel   model,
                  const Material       &material,
                  const double          factor,
                  const Tensor<2, dim> &displacement_gradient)
  {
    const double lambda = factor * material.lambda;
    const double mu     = factor * material.mu;
    return model == MaterialModel::linear ?
             evaluate_linear(lambda, mu, displacement_gradient) :
             evaluate_neo_hookean(lambda, mu, displacement_gradient);
  }



  template <int dim>
  StressState<dim>
  evaluate_stress(const Constitution      &constitution,
                  const types::material_id material_id,
                  const Point<dim>        &point,
                  const Tensor<2, dim>    &displacement_gradient)
  {
    return evaluate_stress(constitution.model,
                           constitution.materials[material_id],
                           constitution.factor(point),
                           displacement_gradient);
  }



  template <int dim>
  Tensor<1, dim>
  stress_divergence(const Constitution      &constitution,
                    const types::material_id material_id,
                    const Point<dim>        &point,
                    const Tensor<2, dim>    &displacement_gradient,
                    const Tensor<3, dim>    &second_derivatives)
  {
    const Material &material = constitution.materials[material_id];
    const double    factor   = constitution.factor(point);
    const double    lambda   = factor * material.lambda;
    const double    mu       = factor * material.mu;

    const StressState<dim> state =
      evaluate_stress(constitution, material_id, point, displacement_gradient);
    Tensor<1, dim> divergence;
    if (!state.is_valid())
      {
        for (unsigned int i = 0; i < dim; ++i)
          divergence[i] = std::numeric_limits<double>::quiet_NaN();
        return divergence;
      }

    Tensor<2, dim> F_inverse(unit_symmetric_tensor<dim>());
    if (constitution.model == MaterialModel::neo_hookean)
      F_inverse = invert(F_inverse + displacement_gradient);
    const double shear = mu - lambda * std::log(state.determinant);

    for (unsigned int i = 0; i < dim; ++i)
      {
        for (unsigned int J = 0; J < dim; ++J)
          {
            divergence[i] += mu * second_derivatives[i][J][J];
            for (unsigned int k = 0; k < dim; ++k)
              for (unsigned int L = 0; L < dim; ++L)
                divergence[i] += (shear * F_inverse[J][k] * F_inverse[L][i] +
                                  lambda * F_inverse[J][i] * F_inverse[L][k]) *
                                 second_derivatives[k][J][L];
          }
        divergence[i] += state.first_piola[i][0] *
                         constitution.factor.derivative(point[0]) / factor;
      }
    return divergence;
  }



  double
  von_mises_stress(const SymmetricTensor<2, 3> &stress)
  {
    return std::sqrt(1.5) * deviator(stress).norm();
  }



  template StressState<2>
  evaluate_stress<2>(const MaterialModel,
                     const Material &,
                     const double,
                     const Tensor<2, 2> &);
  template StressState<3>
  evaluate_stress<3>(const MaterialModel,
                     const Material &,
                     const double,
                     const Tensor<2, 3> &);
  template StressState<2>
  evaluate_stress<2>(const Constitution &,
                     const types::material_id,
                     const Point<2> &,
                     const Tensor<2, 2> &);
  template StressState<3>
  evaluate_stress<3>(const Constitution &,
                     const types::material_id,
                     const Point<3> &,
                     const Tensor<2, 3> &);
  template Tensor<1, 2>
  stress_divergence<2>(const Constitution &,
                       const types::material_id,
                       const Point<2> &,
                       const Tensor<2, 2> &,
                       const Tensor<3, 2> &);
  template Tensor<1, 3>
  stress_divergence<3>(const Constitution &,
                       const types::material_id,
                       const Point<3> &,
                       const Tensor<2, 3> &,
                       const Tensor<3, 3> &);
} // namespace tessera::elasticity
