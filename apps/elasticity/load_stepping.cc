// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/load_stepping.h"

#include <tessera/base/exceptions.h>

#include <algorithm>
#include <cmath>

#include "common/text_of_numbers.h"

namespace tessera::elasticity
{
  namespace
  {
    constexpr double       growth_of_divergence = 1e6;
    constexpr unsigned int few_newton_steps     = 5;
  } // namespace



  template <int dim>
  LoadStepping<dim>::LoadStepping(const Parameters    &param,
                                  EquationSystem<dim> &equations,
                                  SolveSequence       &linear_solves)
    : parameters(param)
    , system(equations)
    , solves(linear_solves)
  {}



  template <int dim>
  bool
  LoadStepping<dim>::run(
    VectorType                                        &displacement,
    const std::function<void(const LoadStepRecord &)> &report)
  {
    const double full_step  = 1. / parameters.n_load_steps;
    double       step       = full_step;
    unsigned int n_halvings = 0;
    while (factor < 1.)
      {
        // The end must not be missed by a rounding error.
        double target = factor + step;
        if (target > 1. - 1e-6 * step)
          target = 1.;
        VectorType     trial  = displacement;
        LoadStepRecord record = newton(target, trial);
        if (record.converged)
          {
            displacement = trial;
            factor       = target;
            if (n_halvings > 0 &&
                record.residuals.size() <= few_newton_steps + 1)
              {
                step *= 2.;
                --n_halvings;
              }
          }
        steps.push_back(record);
        report(record);
        if (!record.converged)
          {
            if (n_halvings == parameters.max_step_halvings)
              return false;
            step *= 0.5;
            ++n_halvings;
          }
      }
    return true;
  }



  template <int dim>
  LoadStepRecord
  LoadStepping<dim>::newton(const double target, VectorType &displacement)
  {
    LoadStepRecord record;
    record.load_factor = target;
    try
      {
        for (unsigned int n = 0; n < parameters.max_newton_iterations; ++n)
          {
            system.assemble(displacement,
                            target,
                            n == 0 ? target - factor : 0.);
            if (n == 0)
              record.residuals.push_back(system.norm_of_right_hand_side());
            const double first = record.residuals.front();
            if (!system.solve(solves, displacement))
              {
                record.failure = "the linear solver did not converge";
                return record;
              }
            const double residual = system.residual_norm(displacement, target);
            record.residuals.push_back(residual);
            if (!(residual <= growth_of_divergence * first))
              {
                record.failure = "Newton's method diverged";
                return record;
              }
            record.converged = residual <= parameters.newton_tolerance * first;
            if (record.converged)
              return record;
          }
        record.failure =
          "Newton's method did not converge in " +
          apps::counted(parameters.max_newton_iterations, "step");
      }
    catch (const SolverBreakdown &breakdown)
      {
        record.failure = breakdown.what();
        while (!record.failure.empty() && record.failure.back() == '.')
          record.failure.pop_back();
      }
    return record;
  }



  template <int dim>
  const std::vector<LoadStepRecord> &
  LoadStepping<dim>::records() const
  {
    return steps;
  }



  template <int dim>
  double
  LoadStepping<dim>::load_factor() const
  {
    return factor;
  }



  template class LoadStepping<2>;
  template class LoadStepping<3>;
} // namespace tessera::elasticity
