// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_cycle_record_h
#define tessera_apps_sipg_adaptive_cycle_record_h

#include <tessera/base/run_record.h>
#include <tessera/sipg/error_norms.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "common/phase_timer.h"
#include "sipg_adaptive/discretization.h"
#include "sipg_adaptive/linear_solver.h"

namespace tessera::sipg_adaptive
{
  /** What is known at the end of a cycle. */
  template <int dim>
  struct CycleOutcome
  {
    const Discretization<dim>      &discretization;
    SolverResult                    solver;
    std::size_t                     solver_bytes = 0;
    std::optional<sipg::ErrorNorms> errors;
    double                          estimate = 0.;
  };

  /**
   * The entry of a cycle in `cycles` of run.json. Rates are those against
   * $h \sim N^{-1/d}$, N the number of degrees of freedom, from the cycle
   * before to this one: $-d \log(e/e') / \log(N/N')$.
   *
   * @param[in] before Entries of the cycles before.
   * @param[in] tolerance Of the solver, relative to the reference residual.
   */
  template <int dim>
  RunRecord::json
  to_json(const CycleOutcome<dim>            &outcome,
          const double                        tolerance,
          const apps::PhaseTimer             &timed,
          const std::vector<RunRecord::json> &before);
} // namespace tessera::sipg_adaptive

#endif
