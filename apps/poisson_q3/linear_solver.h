// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_poisson_q3_linear_solver_h
#define tessera_apps_poisson_q3_linear_solver_h

#include <tessera/base/exceptions.h>

#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/solver_control.h>
#include <deal.II/lac/solver_richardson.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "poisson_q3/parameters.h"
#include "poisson_q3/solver_result.h"

namespace tessera::poisson_q3
{
  /**
   * Solve $A x = b$ by the iteration the parameters ask for, with the
   * preconditioner M, from the initial guess x = 0.
   *
   * Stops when $\|b - A x\|_2 \le \tau \|b\|_2$ with
   * $\tau$ = Parameters::tolerance (in conjugate gradients, the recursively
   * updated residual); after exactly Parameters::fixed_iterations where that is
   * not zero (sooner only where the residual is exactly zero); and, without
   * convergence, after Parameters::max_iterations, or as soon as the residual
   * has grown by a factor of 1e8.
   *
   * @param[in] report Called on all ranks after every iteration with its number
   * and the residual norm divided by the initial one.
   * @throws SolverBreakdown, on all ranks, where a residual is not finite or A
   * or M turns out not to be positive definite.
   */
  template <typename Operator, typename Preconditioner, typename VectorType>
  SolverResult
  solve(const Operator                                  &A,
        const Preconditioner                            &M,
        VectorType                                      &x,
        const VectorType                                &b,
        const Parameters                                &parameters,
        const std::function<void(unsigned int, double)> &report = {})
  {
    std::unique_ptr<dealii::SolverControl> control;
    const bool fixed = parameters.fixed_iterations > 0;
    if (fixed)
      control = std::make_unique<dealii::IterationNumberControl>(
        parameters.fixed_iterations, 0.);
    else
      control = std::make_unique<dealii::ReductionControl>(
        parameters.max_iterations,
        /* absolute, for b = 0: */ std::numeric_limits<double>::min(),
        parameters.tolerance);
    control->set_failure_criterion(1e8);

    x                             = 0.;
    const double initial_residual = b.l2_norm();
    if (!std::isfinite(initial_residual))
      throw SolverBreakdown("The norm of the right-hand side is " +
                            std::to_string(initial_residual) +
                            "; there is nothing to solve.");

    // Not the history of the control, which lacks the last of a fixed number of
    // iterations.
    std::vector<double> history;

    const auto watch = [&](const unsigned int step,
                           const double       residual,
                           const VectorType &) {
      if (!std::isfinite(residual))
        throw SolverBreakdown(
          "The residual norm is " + std::to_string(residual) +
          " in iteration " + std::to_string(step) + " of the " +
          (parameters.iteration == Iteration::cg ? "conjugate gradient method" :
                                                   "stationary iteration") +
          ". The coefficients of the problem may be out of the range of the "
          "level precision; try 'Solver/Level precision = double'.");
      history.push_back(residual);
      if (report && step > 0)
        report(step, initial_residual > 0. ? residual / initial_residual : 0.);
      return dealii::SolverControl::success; // no opinion
    };

    try
      {
        if (parameters.iteration == Iteration::cg)
          {
            dealii::SolverCG<VectorType> solver(*control);
            solver.connect(watch);
            solver.connect_coefficients_slot(
              [](const double alpha, const double) {
                if (!(alpha > 0.))
                  throw SolverBreakdown(
                    "The operator or the preconditioner of the conjugate "
                    "gradient method is not positive definite (step length " +
                    std::to_string(alpha) +
                    "). Use 'Solver/Iteration = stationary', or the other "
                    "level precision.");
              });
            solver.solve(A, x, b, M);
          }
        else
          {
            dealii::SolverRichardson<VectorType> solver(*control);
            solver.connect(watch);
            solver.solve(A, x, b, M);
          }
      }
    catch (const dealii::SolverControl::NoConvergence &)
      {
        // Not an error: the caller goes on with what there is.
      }

    SolverResult result;
    result.n_iterations     = control->last_step();
    result.residual_history = std::move(history);
    result.n_measured       = result.residual_history.size();
    result.converged = control->last_check() == dealii::SolverControl::success;
    result.set_rates(parameters.tolerance);
    return result;
  }
} // namespace tessera::poisson_q3

#endif
