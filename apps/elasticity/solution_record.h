// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_solution_record_h
#define tessera_apps_elasticity_solution_record_h

#include <tessera/amg/hierarchy_record.h>
#include <tessera/base/run_record.h>

#include <vector>

#include "elasticity/load_stepping.h"
#include "elasticity/solve_sequence.h"

namespace tessera::elasticity
{
  /** Entry of `solves` in run.json. */
  RunRecord::json
  to_json(const SolveRecord &solve);

  /** Entry of `load_steps` in run.json. */
  RunRecord::json
  to_json(const LoadStepRecord &step);

  /** `hierarchy` in run.json: one entry for each level. */
  RunRecord::json
  to_json(const amg::HierarchyRecord &hierarchy);

  /**
   * The real number of iterations that reduce the residual to the tolerance
   * $\tau$ at the mean rate of a history: $\log\tau / \log\rho$ with $\rho =
   * (\|r_n\| / \|r_0\|)^{1/n}$. n where the last residual is zero or there were
   * no iterations.
   */
  double
  fractional_iterations(const std::vector<double> &residual_history,
                        const double               tolerance);
} // namespace tessera::elasticity

#endif
