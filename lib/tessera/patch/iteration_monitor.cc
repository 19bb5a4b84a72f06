// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/patch/iteration_monitor.h>

#include <cmath>
#include <string>

namespace tessera
{
  namespace patch
  {
    namespace
    {
      // Rounding to float stops the iteration below the first level only,
      // rounding to double below the second. Above, what looks alike is slow
      // convergence, on cells far from cubes.
      constexpr double       float_level          = 1e-5;
      constexpr double       double_level         = 1e-9;
      constexpr double       breakdown_level      = 1e-3;
      constexpr double       stagnation_reduction = 0.98;
      constexpr unsigned int stagnation_window    = 6;
      constexpr double       divergence_level     = 1e8;

      /** Down to this tolerance, double has digits to spare. */
      constexpr double safe_tolerance = 1e-12;
    } // namespace



    IterationMonitor::IterationMonitor(const SolverOptions &solver_options,
                                       const std::string   &iteration_name,
                                       const Report        &report_function)
      : options(solver_options)
      , name(iteration_name)
      , report(report_function)
      , is_near_rounding(options.tolerance < safe_tolerance)
      , loses_to_float(options.level_precision ==
                         LevelPrecision::single_precision &&
                       options.rebalance_every != 1)
      , extrapolates(options.iteration == Iteration::stationary &&
                     !is_near_rounding && !loses_to_float)
    {}



    unsigned int
    IterationMonitor::n_iterations() const
    {
      return result.n_iterations;
    }



    bool
    IterationMonitor::goes_on(const double eta)
    {
      if (!std::isfinite(eta))
        throw SolverBreakdown(
          "The residual is not finite in iteration " +
          std::to_string(n_iterations()) + " of the " + name +
          ". The right-hand side or the boundary values may be, or too large: "
          "check the data of the problem and its units.");
      result.eta.push_back(eta);
      if (!extrapolates && n_iterations() > 0)
        report_iteration(eta);

      const double first = result.eta.front();
      if (eta <= stagnation_reduction * result.eta[best_iteration])
        best_iteration = n_iterations();
      if (eta == 0.)
        result.converged = true;
      else if (options.fixed_iterations > 0)
        return true;
      else if (eta <= options.tolerance * first)
        result.converged = true;
      else if (n_iterations() < options.max_iterations &&
               eta < divergence_level * first && !has_stagnated())
        return true;
      return false;
    }



    bool
    IterationMonitor::advance()
    {
      ++result.n_iterations;
      const unsigned int n = n_iterations();
      if (extrapolates)
        {
          const double last = result.eta.back();
          if (n >= 2)
            result.extrapolated_eta = last / result.eta[n - 2] * last;
          report_iteration(result.extrapolated_eta.value_or(last));
        }

      if (options.fixed_iterations > 0)
        {
          result.converged = n >= options.fixed_iterations;
          return !result.converged;
        }
      if (extrapolates)
        {
          result.converged =
            result.extrapolated_eta &&
            *result.extrapolated_eta <= options.tolerance * result.eta.front();
          return !result.converged && n < options.max_iterations;
        }
      return true;
    }



    const SolverStatistics &
    IterationMonitor::statistics() const
    {
      return result;
    }



    bool
    IterationMonitor::stagnates_at_breakdown()
    {
      if (result.eta[best_iteration] > breakdown_level * result.eta.front())
        return false;
      set_stagnation();
      // A fixed number of iterations has done what there was to do.
      result.converged = options.fixed_iterations > 0;
      return true;
    }



    bool
    IterationMonitor::needs_confirmation() const
    {
      return options.iteration == Iteration::cg && is_near_rounding &&
             options.fixed_iterations == 0 && result.converged &&
             result.eta.back() > 0.;
    }



    void
    IterationMonitor::confirm(const double eta)
    {
      result.eta.back() = eta;
      result.converged  = eta <= options.tolerance * result.eta.front();
      if (!result.converged)
        {
          best_iteration = n_iterations();
          set_stagnation();
        }
    }



    bool
    IterationMonitor::has_stagnated()
    {
      const double level = loses_to_float ? float_level : double_level;
      if (result.eta.back() > level * result.eta.front() ||
          n_iterations() < best_iteration + stagnation_window)
        return false;
      set_stagnation();
      return true;
    }



    void
    IterationMonitor::set_stagnation()
    {
      result.stagnation = {best_iteration,
                           result.eta[best_iteration] / result.eta.front()};
    }



    void
    IterationMonitor::report_iteration(const double eta) const
    {
      if (report)
        report(n_iterations(), eta / result.eta.front());
    }
  } // namespace patch
} // namespace tessera
