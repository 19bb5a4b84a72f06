// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_iteration_monitor_h
#define tessera_patch_iteration_monitor_h

#include <tessera/patch/solver_options.h>

#include <functional>
#include <string>

namespace tessera
{
  namespace patch
  {
    /**
     * Decides when an iteration stops, and keeps its history: see SolverOptions
     * and SolverStatistics.
     *
     * The extrapolated monitor of the stationary iteration knows the reduction
     * of the last cycle only, not that the next one may be lost to rounding. It
     * ends the iteration only where that is out of question: where residuals
     * are balanced whenever they are rounded to float, and for tolerances of at
     * least 1e-12. Otherwise the monitor of the last iterate is measured.
     *
     * Besides convergence, the maximum and the fixed number of iterations, an
     * iteration ends without convergence
     * - if it stagnates: the residual has been reduced to what rounding allows,
     *   which shows in a monitor below 1e-9 of its first value of which the
     *   smallest has not become smaller by 2 per cent in 6 iterations (below
     *   1e-5 where residuals are rounded to float without being balanced each
     *   time);
     * - if it diverges: the monitor has grown by a factor of 1e8.
     */
    class IterationMonitor
    {
    public:
      using Report = std::function<void(unsigned int, double)>;

      /** @param[in] name Of the iteration, for messages. */
      IterationMonitor(const SolverOptions &options,
                       const std::string   &name,
                       const Report        &report);

      /** Number of the present iterate. */
      unsigned int
      n_iterations() const;

      /**
       * Whether to go on from the present iterate, with monitor @p eta.
       * @throws SolverBreakdown if eta is not finite.
       */
      bool
      goes_on(double eta);

      /**
       * Count the next iterate.
       * @return whether to go on from there: asked before the cycle that it
       * takes to measure its monitor, for which alone its residual is needed.
       */
      bool
      advance();

      /**
       * To be asked where the iteration cannot go on because a quantity that
       * is positive in exact arithmetic is not. If the monitor has been reduced
       * below 1e-3 of its first value, rounding is the reason: the iteration
       * stagnates. Otherwise, something is wrong.
       */
      bool
      stagnates_at_breakdown();

      /**
       * Whether convergence has to be confirmed by the residual of the
       * solution: the one that conjugate gradients update goes to zero whatever
       * rounding does to the solution. Only for tolerances below 1e-12.
       */
      bool
      needs_confirmation() const;

      /** The monitor of the residual $b - A u$ at the end, in place of the one
       * of the updated residual. */
      void
      confirm(double eta);

      const SolverStatistics &
      statistics() const;

    private:
      bool
      has_stagnated();

      void
      set_stagnation();

      void
      report_iteration(double eta) const;

      const SolverOptions options;
      const std::string   name;
      const Report        report;
      const bool          is_near_rounding;
      const bool          loses_to_float;
      const bool          extrapolates;

      SolverStatistics result;
      unsigned int     best_iteration = 0;
    };
  } // namespace patch
} // namespace tessera

#endif
