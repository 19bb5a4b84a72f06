// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_elasticity_problem_h
#define tessera_apps_elasticity_elasticity_problem_h

#include <tessera/base/run_record.h>

#include <deal.II/base/convergence_table.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/vector.h>

#include <memory>
#include <string>
#include <vector>

#include "common/application.h"
#include "common/field_output.h"
#include "common/phase_timer.h"
#include "elasticity/body.h"
#include "elasticity/equation_system.h"
#include "elasticity/load_stepping.h"
#include "elasticity/nodal_forces.h"
#include "elasticity/parameters.h"
#include "elasticity/problem_data.h"
#include "elasticity/solve_sequence.h"

namespace tessera::elasticity
{
  /**
   * Displacements and stresses of a body under loads, on a sequence of
   * adaptively refined meshes; reported on the screen, in a table, in the run
   * record, and as VTU files.
   */
  template <int dim>
  class ElasticityProblem
  {
  public:
    /** @throws InputError on more than one process. */
    ElasticityProblem(const Parameters             &parameters,
                      const apps::CommonParameters &common,
                      apps::RunContext             &context);

    /** All cycles. See apps::Application::run(). */
    ExitStatus
    run();

  private:
    using VectorType = dealii::Vector<double>;

    void
    print_problem() const;

    /** @return whether all solvers converged. */
    bool
    run_cycle(const unsigned int cycle);

    /** Model::linear: all solves of a cycle. */
    bool
    solve_linear(EquationSystem<dim> &system);

    /** Model::neo_hookean: all load steps of a cycle. */
    bool
    solve_nonlinear(EquationSystem<dim> &system, const unsigned int cycle);

    void
    print_solve(const SolveRecord &solve) const;

    void
    print_load_step(const LoadStepRecord &step,
                    const std::size_t     n_solves) const;

    /** @param[in] time Place in the list of files. */
    void
    write_fields(const bool converged, const double time);

    /** Displacements, energies and forces. */
    RunRecord::json
    quantities(const EquationSystem<dim> &system) const;

    void
    record_cycle(const EquationSystem<dim> &system, const bool converged);

    void
    print_quantities(const RunRecord::json &values) const;

    void
    add_table_row(const RunRecord::json &cycle);

    void
    write_tables();

    const Parameters             &parameters;
    const apps::CommonParameters &common;
    apps::RunContext             &context;

    ProblemData<dim>           problem;
    dealii::Triangulation<dim> triangulation;
    dealii::FESystem<dim>      fe;
    dealii::MappingQ1<dim>     mapping;
    dealii::DoFHandler<dim>    dof_handler;
    Body<dim>                  body;
    std::vector<Support>       supports;

    SolveSequence solves;

    VectorType                  displacement;
    double                      load_factor = 0.; ///< of the displacement
    std::vector<double>         maxima;           ///< of each linear solve
    std::vector<LoadStepRecord> load_steps;
    double                      estimate = 0.;
    dealii::Vector<float>       indicators; ///< [n_active_cells]

    apps::FieldOutput<dim>   field_output;
    unsigned int             n_outputs = 0;
    apps::PhaseTimer         timed; ///< of the present cycle
    dealii::ConvergenceTable table;
  };
} // namespace tessera::elasticity

#endif
