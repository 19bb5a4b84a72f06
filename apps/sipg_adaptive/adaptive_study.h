// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_adaptive_study_h
#define tessera_apps_sipg_adaptive_adaptive_study_h

#include <cstdint>
#include <string>

#include "common/application.h"
#include "common/phase_timer.h"
#include "sipg_adaptive/checkpoint.h"
#include "sipg_adaptive/cycle_output.h"
#include "sipg_adaptive/cycle_record.h"
#include "sipg_adaptive/linear_solver.h"
#include "sipg_adaptive/parameters.h"
#include "sipg_adaptive/problem.h"
#include "sipg_adaptive/starting_point.h"
#include "sipg_adaptive/study_state.h"

namespace tessera::sipg_adaptive
{
  /**
   * Solve, estimate, mark, refine: a sequence of meshes, each with a report on
   * the screen, in the table, in the run record, and as VTU files; and, on
   * request, a sequence of uniform meshes beside it.
   */
  template <int dim>
  class AdaptiveStudy
  {
  public:
    /** @throws InputError on several processes. */
    AdaptiveStudy(const Parameters             &parameters,
                  const apps::CommonParameters &common,
                  apps::RunContext             &context);

    /** All cycles; see apps::Application::run(). */
    ExitStatus
    run(StartingPoint start);

  private:
    void
    print_problem() const;

    /** Before the first cycle. */
    StudyState<dim>
    initial_state() const;

    /** Go on from a checkpoint if there is one. */
    void
    restart(StartingPoint start, StudyState<dim> &state);

    /** All cycles that are left. */
    void
    run_cycles(StudyState<dim> &state);

    /** Uniform meshes up to about @p n_dofs degrees of freedom. */
    void
    run_uniform_cycles(const std::uint64_t n_dofs);

    /** Solve on the mesh of the state, which becomes that after this cycle, but
     * for output of fields.
     * @param[in] title For people. */
    void
    run_cycle(StudyState<dim> &state, const std::string &title);

    /** The solution of the cycle before on the new mesh, or zero. */
    sipg::PrimalField<double>
    start_value(const StudyState<dim>     &state,
                const Discretization<dim> &discretization) const;

    void
    print_cycle(const RunRecord::json &cycle) const;

    /** Write the files of a table. After each cycle, so that a run which ends
     * early has those of the cycles before. */
    void
    write_table(const std::vector<RunRecord::json> &cycles,
                const std::string                  &name) const;

    const Parameters             &parameters;
    const apps::CommonParameters &common;
    apps::RunContext             &context;

    Problem<dim>          problem;
    CycleOutput<dim>      output;
    StudyCheckpoints<dim> checkpoints;
    apps::PhaseTimer      timed; ///< of the present cycle
    bool                  all_converged = true;
  };
} // namespace tessera::sipg_adaptive

#endif
