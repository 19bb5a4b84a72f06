// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_solution_record_h
#define tessera_apps_elasticity_solution_record_h

#include <tessera/amg/hierarchy_record.h>
#include <tessera/base/run_record.h>

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
} // namespace tessera::elasticity

#endif
