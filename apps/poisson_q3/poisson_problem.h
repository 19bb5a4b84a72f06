// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_poisson_q3_poisson_problem_h
#define tessera_apps_poisson_q3_poisson_problem_h

#include <tessera/base/run_record.h>
#include <tessera/base/timer.h>

#include <deal.II/base/convergence_table.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/application.h"
#include "common/field_output.h"
#include "poisson_q3/discretization.h"
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

    template <typename LevelNumber>
    SolverResult
    solve(VectorType &x, const VectorType &b);

    /** Run f() and add its seconds to those of a phase of the cycle. */
    template <typename F>
    void
    timed(const std::string &phase, const F &f);

    void
    write_fields(const unsigned int  cycle,
                 const SolverResult &result,
                 const VectorType   &solution);

    void
    record_cycle(const SolverResult              &result,
                 const std::optional<ErrorNorms> &errors);

    void
    write_tables();

    const Parameters             &parameters;
    const apps::CommonParameters &common;
    apps::RunContext             &context;

    ProblemData<dim>       problem;
    Discretization<dim>    discretization;
    apps::FieldOutput<dim> field_output;

    /** Phases of the present cycle in the order of their start. */
    std::vector<std::pair<std::string, double>> seconds;

    dealii::ConvergenceTable table;
  };
} // namespace tessera::poisson_q3

#endif
