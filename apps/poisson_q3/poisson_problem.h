// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_poisson_q3_poisson_problem_h
#define tessera_apps_poisson_q3_poisson_problem_h

#include <tessera/base/counters.h>
#include <tessera/base/run_record.h>

#include <deal.II/base/convergence_table.h>

#include <memory>
#include <optional>
#include <string>

#include "common/application.h"
#include "common/field_output.h"
#include "common/phase_timer.h"
#include "poisson_q3/discretization.h"
#include "poisson_q3/multigrid_solver.h"
#include "poisson_q3/parameters.h"
#include "poisson_q3/problem_data.h"
#include "poisson_q3/solver_result.h"

namespace tessera::poisson_q3
{
  /**
   * A refinement study: solve on a sequence of globally refined meshes, and
   * report each cycle on the screen, in the convergence table, in the run
   * record, and as VTU files.
   */
  template <int dim>
  class PoissonProblem
  {
  public:
    PoissonProblem(const Parameters             &parameters,
                   const apps::CommonParameters &common,
                   apps::RunContext             &context);

    /** All cycles. Collective. See apps::Application::run(). */
    ExitStatus
    run();

  private:
    using VectorType = typename Discretization<dim>::VectorType;

    void
    print_problem() const;

    /** @return whether the solver converged. */
    bool
    run_cycle(const unsigned int cycle);

    void
    write_fields(const unsigned int  cycle,
                 const SolverResult &result,
                 const VectorType   &solution);

    /** Note, for the end of the run, at what the residual of a cycle stays. */
    void
    report_stagnation(const unsigned int cycle, const SolverResult &result);

    void
    print_cycle(const SolverResult &result) const;

    void
    record_cycle(const SolverResult              &result,
                 const std::optional<ErrorNorms> &errors,
                 const CounterSnapshot           &counted);

    /** Bytes copied between host and device, of all ranks; and the largest copy
     * during iterations (or a larger one of an earlier cycle). */
    void
    record_transfers(RunRecord::json       &transfers,
                     const CounterSnapshot &counted) const;

    void
    add_table_row(const SolverResult              &result,
                  const std::optional<ErrorNorms> &errors);

    void
    write_tables();

    const Parameters             &parameters;
    const apps::CommonParameters &common;
    apps::RunContext             &context;

    ProblemData<dim>                      problem;
    Discretization<dim>                   discretization;
    std::unique_ptr<MultigridSolver<dim>> solver;
    apps::FieldOutput<dim>                field_output;

    PhaseTimer timed; ///< of the present cycle

    dealii::ConvergenceTable table;
  };
} // namespace tessera::poisson_q3

#endif
