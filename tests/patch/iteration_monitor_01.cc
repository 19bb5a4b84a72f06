// SPDX-License-Identifier: LGPL-2.1-or-later
// When an iteration stops: given sequences of the monitor.
#include <tessera/base/exceptions.h>
#include <tessera/patch/iteration_monitor.h>

#include <cmath>
#include <limits>
#include <vector>

#include "check.h"

using namespace tessera;
using namespace tessera::patch;

namespace
{
  /** eta_k = f(k), until the monitor ends the iteration. */
  template <typename F>
  SolverStatistics
  run(const SolverOptions &options, const F &f)
  {
    IterationMonitor monitor(options, "test iteration", {});
    while (monitor.goes_on(f(monitor.n_iterations())) && monitor.advance())
      if (monitor.n_iterations() > 1000) // a test must end
        break;
    return monitor.statistics();
  }

  SolverOptions
  options_of(const Iteration iteration)
  {
    SolverOptions options;
    options.iteration = iteration;
    options.tolerance = 1e-9;
    return options;
  }

  double
  reduce_by_100(const unsigned int k)
  {
    return 3. * std::pow(0.01, k);
  }

  void
  check_convergence()
  {
    // eta_5 / eta_0 = 1e-10 is the first below the tolerance: measured in one
    // case, extrapolated from eta_3 and eta_4 in the other.
    const SolverStatistics cg = run(options_of(Iteration::cg), reduce_by_100);
    CHECK(cg.converged);
    CHECK(!cg.stagnation);
    CHECK_EQUAL(cg.n_iterations, 5u);
    CHECK_EQUAL(cg.eta.size(), 6u);
    CHECK(!cg.extrapolated_eta);

    const SolverStatistics stationary =
      run(options_of(Iteration::stationary), reduce_by_100);
    CHECK(stationary.converged);
    CHECK_EQUAL(stationary.n_iterations, 5u);
    CHECK_EQUAL(stationary.eta.size(), 5u);
    CHECK(stationary.extrapolated_eta.has_value());
    CHECK_NEAR(*stationary.extrapolated_eta / 3e-10, 1., 1e-12);
  }

  /** Where rounding may take over, the last monitor is measured. */
  void
  check_trust_in_extrapolation()
  {
    // What is reduced by 1e-3 twice, and then no more.
    const auto reduce_to_1e_6 = [](const unsigned int k) {
      return k < 3 ? std::pow(0.001, k) : 1e-6;
    };
    SolverOptions options  = options_of(Iteration::stationary);
    options.tolerance      = 2e-9;
    options.max_iterations = 20;
    CHECK(run(options, reduce_to_1e_6).converged);
    options.rebalance_every  = 3;
    const SolverStatistics s = run(options, reduce_to_1e_6);
    CHECK(!s.converged);
    CHECK(s.stagnation.has_value());
    CHECK_EQUAL(s.eta.size(), s.n_iterations + 1);
    options.level_precision = LevelPrecision::double_precision;
    CHECK(run(options, reduce_to_1e_6).converged);

    options                       = options_of(Iteration::stationary);
    options.tolerance             = 1e-13;
    const SolverStatistics strict = run(options, reduce_by_100);
    CHECK(strict.converged);
    CHECK(!strict.extrapolated_eta);
    CHECK_EQUAL(strict.n_iterations, 7u);
    CHECK_EQUAL(strict.eta.size(), 8u);
  }

  void
  check_limits()
  {
    for (const Iteration iteration : {Iteration::stationary, Iteration::cg})
      {
        SolverOptions options  = options_of(iteration);
        options.max_iterations = 3;
        SolverStatistics s     = run(options, reduce_by_100);
        CHECK(!s.converged);
        CHECK(!s.stagnation);
        CHECK_EQUAL(s.n_iterations, 3u);

        options.fixed_iterations = 7;
        s                        = run(options, reduce_by_100);
        CHECK(s.converged);
        CHECK_EQUAL(s.n_iterations, 7u);
        CHECK_EQUAL(s.eta.size(), 7u);

        // Nothing to solve.
        s = run(options, [](unsigned int) { return 0.; });
        CHECK(s.converged);
        CHECK_EQUAL(s.n_iterations, 0u);

        // Divergence ends before the maximum.
        options = options_of(iteration);
        s = run(options, [](const unsigned int k) { return std::pow(10., k); });
        CHECK(!s.converged);
        CHECK(!s.stagnation);
        CHECK_EQUAL(s.n_iterations, 8u);

        for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<double>::infinity()})
          CHECK_THROWS(SolverBreakdown, run(options, [&](const unsigned int k) {
                         return k == 2 ? bad : reduce_by_100(k);
                       }));
      }
  }

  void
  check_stagnation()
  {
    for (const Iteration iteration : {Iteration::stationary, Iteration::cg})
      {
        // From the third iterate on, noise at 5e-8.
        const auto noise = [](const unsigned int k) {
          return k < 3 ? std::pow(0.01, k) : 5e-8 * (1. + 0.3 * (k % 3));
        };
        SolverOptions options   = options_of(iteration);
        options.tolerance       = 1e-12;
        options.rebalance_every = 3;
        SolverStatistics s      = run(options, noise);
        CHECK(!s.converged);
        CHECK(s.stagnation.has_value());
        CHECK_EQUAL(s.stagnation->since, 3u);
        CHECK_NEAR(s.stagnation->level / 5e-8, 1., 1e-12);
        CHECK_EQUAL(s.n_iterations, 9u);

        // Slow is not stagnating, and neither is a plateau high up.
        options.max_iterations = 200;
        s                      = run(options, [](const unsigned int k) {
          return 1e-5 * std::pow(0.99, k) + (k == 0 ? 1. : 0.);
        });
        CHECK(!s.stagnation);
        for (const double level : {0.5, 1e-4})
          CHECK(!run(options, [&](const unsigned int k) {
                   return k == 0 ? 1. : level * (1. + 0.2 * (k % 2));
                 }).stagnation);

        // What is not rounding to float, where residuals are balanced or
        // levels in double, may still be slow convergence.
        for (const bool is_balanced : {false, true})
          {
            SolverOptions exact   = options_of(iteration);
            exact.tolerance       = 1e-14;
            exact.rebalance_every = is_balanced ? 1 : 0;
            exact.level_precision = is_balanced ?
                                      LevelPrecision::single_precision :
                                      LevelPrecision::double_precision;
            CHECK(!run(exact, noise).stagnation);
            CHECK(run(exact, [&](const unsigned int k) {
                    return k == 0 ? 1. : 1e-4 * noise(k);
                  }).stagnation.has_value());
          }
      }
  }

  /** An updated residual goes on to become smaller, the true one does not. */
  void
  check_confirmation()
  {
    for (const double tolerance : {1e-9, 1e-14})
      for (const double true_eta : {1e-16, 5e-14})
        {
          SolverOptions options = options_of(Iteration::cg);
          options.tolerance     = tolerance;
          IterationMonitor monitor(options, "test iteration", {});
          while (monitor.goes_on(reduce_by_100(monitor.n_iterations())) &&
                 monitor.advance())
            CHECK(!monitor.needs_confirmation());
          CHECK(monitor.statistics().converged);
          CHECK_EQUAL(monitor.needs_confirmation(), tolerance < 1e-12);
          if (!monitor.needs_confirmation())
            continue;
          monitor.confirm(3. * true_eta);
          CHECK_EQUAL(monitor.statistics().converged, true_eta < tolerance);
          CHECK_EQUAL(monitor.statistics().stagnation.has_value(),
                      true_eta > tolerance);
          CHECK_NEAR(monitor.statistics().eta.back() / true_eta, 3., 1e-12);
        }
  }

  void
  check_breakdown()
  {
    for (const unsigned int fixed : {0u, 50u})
      for (const unsigned int last : {1u, 5u})
        {
          SolverOptions options    = options_of(Iteration::cg);
          options.tolerance        = 1e-15;
          options.fixed_iterations = fixed;
          IterationMonitor monitor(options, "test iteration", {});
          for (unsigned int k = 0; k <= last; ++k)
            {
              CHECK(monitor.goes_on(reduce_by_100(k)));
              if (k < last)
                CHECK(monitor.advance());
            }
          CHECK_EQUAL(monitor.stagnates_at_breakdown(), last == 5);
          CHECK_EQUAL(monitor.statistics().converged, last == 5 && fixed > 0);
          CHECK_EQUAL(monitor.statistics().stagnation.has_value(), last == 5);
        }
  }
} // namespace

int
main()
{
  check_convergence();
  check_trust_in_extrapolation();
  check_limits();
  check_stagnation();
  check_confirmation();
  check_breakdown();
  return check::result();
}
