// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/elasticity_problem.h"

#include <tessera/base/memory.h>
#include <tessera/base/progress.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/grid/grid_tools.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/fractional_iterations.h"
#include "common/tables.h"
#include "common/text_of_numbers.h"
#include "elasticity/boundary_table.h"
#include "elasticity/error_estimator.h"
#include "elasticity/mesh.h"
#include "elasticity/probe.h"
#include "elasticity/solution_record.h"
#include "elasticity/stress_output.h"

namespace tessera::elasticity
{
  using namespace dealii;
  using apps::counted;
  using apps::short_number;
  using json = RunRecord::json;

  namespace
  {
    /** Of the change of Young's modulus between solves. */
    constexpr double modulus_amplitude = 0.2;



    MaterialTable
    make_materials(const Parameters &parameters)
    {
      std::map<types::material_id, Material> materials;
      for (const auto &[id, constants] : parameters.materials)
        materials[id] =
          Material::from_engineering_constants(constants.youngs_modulus,
                                               constants.poissons_ratio,
                                               "Materials/" +
                                                 std::to_string(id));
      return MaterialTable(materials);
    }



    /** In the order in which they prevail at nodes that they share. */
    template <int dim>
    std::vector<Support>
    make_supports(const Parameters &parameters, const ProblemData<dim> &problem)
    {
      std::vector<Support> supports;
      for (auto entry = parameters.boundary_conditions.rbegin();
           entry != parameters.boundary_conditions.rend();
           ++entry)
        {
          const types::boundary_id id = entry->first;
          ComponentMask            mask(dim, false);
          if (entry->second.type == BoundaryType::symmetry)
            supports.push_back({id, mask, true});
          else if (const auto given = problem.given_displacements().find(id);
                   given != problem.given_displacements().end())
            {
              for (const unsigned int c : given->second.components)
                mask.set(c, true);
              supports.push_back({id, mask, false});
            }
        }
      return supports;
    }



    template <int dim>
    Loads<dim>
    make_loads(const ProblemData<dim> &problem)
    {
      Loads<dim> loads;
      loads.body_force = problem.body_force();
      for (const auto &[id, traction] : problem.tractions())
        loads.tractions[id] = traction;
      return loads;
    }



    template <int n>
    json
    to_json(const Tensor<1, n> &vector)
    {
      return std::vector<double>(vector.begin_raw(), vector.end_raw());
    }



    /** xx, yy, zz, xy, xz, yz */
    json
    to_json(const SymmetricTensor<2, 3> &stress)
    {
      return {{"xx", stress[0][0]},
              {"yy", stress[1][1]},
              {"zz", stress[2][2]},
              {"xy", stress[0][1]},
              {"xz", stress[0][2]},
              {"yz", stress[1][2]}};
    }



    std::string
    in_words(const json &vector, const int digits = 6)
    {
      std::string text;
      for (const auto &x : vector)
        text += (text.empty() ? "(" : ", ") +
                short_number(x.template get<double>(), digits);
      return text + ")";
    }
  } // namespace



  template <int dim>
  ElasticityProblem<dim>::ElasticityProblem(
    const Parameters             &param,
    const apps::CommonParameters &common_p,
    apps::RunContext             &run_context)
    : parameters(param)
    , common(common_p)
    , context(run_context)
    , problem(parameters)
    , fe(FE_Q<dim>(parameters.degree), dim)
    , dof_handler(triangulation)
    , body{mapping,
           dof_handler,
           {parameters.model, make_materials(parameters), ModulusFactor()},
           make_loads(problem)}
    , supports(make_supports(parameters, problem))
    , solves(parameters.solver, context.progress)
    , field_output(context.results_directory,
                   "solution",
                   context.mpi_communicator,
                   parameters.field_output)
    , timed(context.timers, context.communicator)
  {
    const unsigned int n_ranks = context.communicator.n_ranks();
    if (n_ranks > 1)
      throw InputError("elasticity runs as one process; it was started as " +
                       std::to_string(n_ranks) +
                       ". Start it without mpirun, or with -np 1");
  }



  template <int dim>
  ExitStatus
  ElasticityProblem<dim>::run()
  {
    for (const std::string &warning : parameters.warnings)
      context.warn(warning);
    print_problem();
    bool all_converged = true;
    for (unsigned int cycle = 0; cycle <= parameters.n_adaptive_cycles; ++cycle)
      all_converged = run_cycle(cycle) && all_converged;
    write_tables();
    return all_converged ? ExitStatus::success : ExitStatus::not_converged;
  }



  template <int dim>
  void
  ElasticityProblem<dim>::print_problem() const
  {
    context.out << (parameters.model == MaterialModel::linear ?
                      "Linear elasticity" :
                      "Compressible Neo-Hookean material")
                << (dim == 2 ? " in plane strain" : "")
                << ", elements of degree " << parameters.degree << '\n'
                << solves.solver().description();
    if (parameters.solver.preconditioner != PreconditionerType::direct)
      context.out << ", to a residual of " << parameters.solver.tolerance;
    context.out << '\n' << std::endl;
  }



  template <int dim>
  bool
  ElasticityProblem<dim>::run_cycle(const unsigned int cycle)
  {
    timed.clear();
    timed("mesh", [&] {
      if (cycle == 0)
        {
          make_mesh(parameters, problem, triangulation);
          problem.check_finite(context.communicator);
          context.out << table_of_ids(parameters, mapping, triangulation)
                      << std::endl;
        }
      else
        {
          mark_for_refinement(triangulation,
                              indicators,
                              parameters.refinement_fraction);
          triangulation.execute_coarsening_and_refinement();
        }
    });

    std::unique_ptr<EquationSystem<dim>> system;
    timed("degrees of freedom", [&] {
      dof_handler.distribute_dofs(fe);
      system = std::make_unique<EquationSystem<dim>>(parameters,
                                                     problem,
                                                     body,
                                                     context.communicator);
    });
    if (cycle == 0)
      for (const std::string &warning : system->warnings())
        context.warn(warning);
    context.out << "Cycle " << cycle << ": "
                << counted(triangulation.n_active_cells(), "cell") << ", "
                << dof_handler.n_dofs() << " degrees of freedom, "
                << system->node_blocks().layout().n_owned()
                << " nodes with unknowns" << std::endl;

    solves.start_again();
    displacement             = system->vector();
    body.constitution.factor = ModulusFactor();
    const bool converged     = parameters.model == MaterialModel::linear ?
                                 solve_linear(*system) :
                                 solve_nonlinear(*system, cycle);

    timed("estimate", [&] {
      indicators = estimate_error(body, displacement, load_factor, supports);
      estimate   = global_estimate(indicators);
    });
    if (common.write_vtu && parameters.model == MaterialModel::linear)
      write_fields(converged, cycle);
    record_cycle(*system, converged);
    return converged;
  }



  template <int dim>
  bool
  ElasticityProblem<dim>::solve_linear(EquationSystem<dim> &system)
  {
    const BoundingBox<dim> box = GridTools::compute_bounding_box(triangulation);
    bool                   all_converged = true;
    maxima.clear();
    for (unsigned int n = 0; n < parameters.n_solves; ++n)
      {
        if (n > 0)
          body.constitution.factor = {modulus_amplitude, box.side_length(0)};
        VectorType solution = system.vector();
        timed("assemble", [&] { system.assemble(solution, 1., 1.); });
        bool converged = false;
        timed("linear solver",
              [&] { converged = system.solve(solves, solution); });
        print_solve(solves.records().back());
        if (const int kernel = solves.solver().kernel_dimension();
            kernel > 0 && n == 0)
          context.warn("the boundary conditions leave the body " +
                       counted(kernel, "rigid motion") +
                       "; the displacement is that without rigid part. If a "
                       "support is missing, add it");
        all_converged = converged && all_converged;
        maxima.push_back(solution.linfty_norm());
        // Results are those of the materials that the user has given.
        if (n == 0)
          displacement = solution;
      }
    body.constitution.factor = ModulusFactor();
    load_factor              = 1.;
    return all_converged;
  }



  template <int dim>
  bool
  ElasticityProblem<dim>::solve_nonlinear(EquationSystem<dim> &system,
                                          const unsigned int   cycle)
  {
    LoadStepping<dim> stepping(parameters, system, solves);
    bool              is_done  = false;
    std::size_t       n_before = 0;
    timed("load steps", [&] {
      is_done = stepping.run(displacement, [&](const LoadStepRecord &step) {
        print_load_step(step, solves.records().size() - n_before);
        n_before = solves.records().size();
        if (step.converged && common.write_vtu)
          write_fields(true, cycle + step.load_factor);
      });
    });
    load_steps  = stepping.records();
    load_factor = stepping.load_factor();
    if (!is_done)
      // The last cycle has the say.
      context.record.set_status(
        "not converged",
        "the load could be applied up to the factor " +
          short_number(load_factor, 6) +
          " only; the next step failed: " + load_steps.back().failure +
          ". Use more 'Nonlinear/Load steps' or 'Nonlinear/Maximum step "
          "halvings', or see whether the body buckles");
    return is_done;
  }



  template <int dim>
  void
  ElasticityProblem<dim>::print_solve(const SolveRecord &solve) const
  {
    const LinearSolverResult &result = solve.result;
    context.out << "  " << name(solve.kind) << " set-up "
                << short_number(solve.setup_seconds) << " s, "
                << counted(result.n_iterations, "iteration")
                << (result.converged ? "" : ", NOT CONVERGED") << " in "
                << short_number(result.seconds) << " s";
    if (result.residual_history.size() > 1 && result.residual_history[0] > 0.)
      context.out << ", residual reduced by "
                  << short_number(result.residual_history.front() /
                                  result.residual_history.back());
    context.out << std::endl;
  }



  template <int dim>
  void
  ElasticityProblem<dim>::print_load_step(const LoadStepRecord &step,
                                          const std::size_t     n_solves) const
  {
    context.out << "  load factor " << short_number(step.load_factor, 6)
                << ": ";
    std::size_t n_iterations = 0;
    const auto &all          = solves.records();
    for (std::size_t i = all.size() - n_solves; i < all.size(); ++i)
      n_iterations += all[i].result.n_iterations;
    context.out << counted(n_solves, "Newton step") << ", "
                << counted(n_iterations, "iteration");
    if (step.converged)
      {
        context.out << ", residuals";
        for (const double residual : step.residuals)
          context.out << ' ' << short_number(residual, 2);
        context.out << std::endl;
      }
    else
      context.out << ", FAILED: " << step.failure << std::endl;
  }



  template <int dim>
  void
  ElasticityProblem<dim>::write_fields(const bool converged, const double time)
  {
    timed("output", [&] {
      const StressOutput<dim> stress(body.constitution);
      field_output.add_field(dof_handler, displacement, stress);
      Vector<float> mark(converged ? 0 : triangulation.n_active_cells());
      if (!converged)
        {
          // ParaView shows the name wherever it lists fields.
          mark = 1.f;
          field_output.add_cell_field(mark, "not_converged");
        }
      if (indicators.size() == triangulation.n_active_cells())
        field_output.add_cell_field(indicators, "error_indicator");
      field_output.write(mapping, n_outputs++, time);
    });
  }



  template <int dim>
  json
  ElasticityProblem<dim>::quantities(const EquationSystem<dim> &system) const
  {
    json values = json::object();
    if (parameters.mesh_type == MeshType::beam)
      {
        Point<dim> tip;
        tip[0]       = beam_length;
        const auto u = evaluate_at_point(body, displacement, tip).displacement;
        unsigned int largest = 0;
        for (unsigned int d = 1; d < dim; ++d)
          if (std::abs(u[d]) > std::abs(u[largest]))
            largest = d;
        values["tip_displacement"] = u[largest];
      }
    values["strain_energy"]        = system.strain_energy(displacement);
    values["maximum_displacement"] = displacement.linfty_norm();

    const VectorType loads = system.loads();
    values["work"]         = load_factor * (loads * displacement);
    if (parameters.model == MaterialModel::neo_hookean)
      values["load_factor"] = load_factor;
    const Resultant<dim> resultant =
      compute_resultant(mapping, dof_handler, loads);
    values["load"]["force"]  = to_json(load_factor * resultant.force);
    values["load"]["moment"] = to_json(load_factor * resultant.moment);

    const auto reactions =
      compute_reactions(mapping,
                        dof_handler,
                        supports,
                        system.nodal_forces(displacement, load_factor));
    values["reactions"] = json::object();
    for (std::size_t i = supports.size(); i-- > 0;)
      values["reactions"][std::to_string(supports[i].boundary)] =
        to_json(reactions[i]);

    values["probes"] = json::array();
    for (const std::vector<double> &coordinates : parameters.probe_points())
      {
        Point<dim> point;
        for (unsigned int d = 0; d < dim; ++d)
          point[d] = coordinates[d];
        const ProbeValue<dim> probe =
          evaluate_at_point(body, displacement, point);
        values["probes"].push_back(
          {{"point", coordinates},
           {"displacement", to_json(probe.displacement)},
           {"stress", to_json(probe.stress)},
           {"von_mises", probe.von_mises},
           {"material_id", probe.material_id}});
      }
    return values;
  }



  template <int dim>
  void
  ElasticityProblem<dim>::record_cycle(const EquationSystem<dim> &system,
                                       const bool                 converged)
  {
    json values;
    timed("quantities", [&] { values = quantities(system); });

    const auto n_dofs = dof_handler.n_dofs();
    // There is none where the first linear solve of a load step broke down.
    SolveRecord shown;
    if (!solves.records().empty())
      shown = parameters.model == MaterialModel::linear ?
                solves.records().front() :
                solves.records().back();
    const amg::HierarchyRecord *hierarchy = solves.solver().hierarchy();

    json &cycle         = context.record.new_cycle();
    cycle["n_cells"]    = triangulation.n_active_cells();
    cycle["n_dofs"]     = n_dofs;
    cycle["n_unknowns"] = dim * system.node_blocks().layout().n_owned() -
                          system.node_blocks().n_constrained_components();
    cycle["n_levels"]   = hierarchy == nullptr ? 1 : hierarchy->levels.size();
    cycle["iterations"] = shown.result.n_iterations;
    cycle["fractional_iterations"] =
      apps::fractional_iterations(shown.result.residual_history,
                                  parameters.solver.tolerance);
    cycle["converged"]        = converged;
    cycle["residual_history"] = shown.result.residual_history;
    cycle["errors"]           = json::object();
    cycle["estimator"]        = estimate;
    cycle["quantities"]       = values;
    cycle["solves"]           = json::array();
    double n_solved           = 0.;
    double solve_seconds      = 0.;
    for (const SolveRecord &solve : solves.records())
      {
        cycle["solves"].push_back(elasticity::to_json(solve));
        if (parameters.model == MaterialModel::linear)
          cycle["solves"].back()["maximum_displacement"] =
            maxima[cycle["solves"].size() - 1];
        ++n_solved;
        solve_seconds += solve.result.seconds;
      }
    if (parameters.model == MaterialModel::neo_hookean)
      {
        cycle["load_steps"] = json::array();
        for (const LoadStepRecord &step : load_steps)
          cycle["load_steps"].push_back(elasticity::to_json(step));
      }
    if (hierarchy != nullptr)
      {
        cycle["hierarchy"]           = elasticity::to_json(*hierarchy);
        cycle["grid_complexity"]     = hierarchy->grid_complexity();
        cycle["operator_complexity"] = hierarchy->operator_complexity();
      }
    // Phases by their names, and those of all solves together.
    json &seconds = cycle["seconds"];
    for (const auto &[phase, time] : timed.seconds())
      seconds[phase] = timed.seconds(phase);
    for (const char *phase : {"assemble", "setup", "galerkin", "solve"})
      {
        double sum = 0.;
        for (const auto &solve : cycle["solves"])
          sum += solve["seconds"][phase].template get<double>();
        seconds[phase] = sum;
      }
    cycle["dofs_per_second"] =
      n_solved > 0. ? n_dofs * n_solved / solve_seconds : 0.;
    cycle["preconditioner_memory_bytes"] = solves.solver().memory_consumption();
    cycle["peak_memory_bytes"]           = peak_resident_bytes();
    cycle["transfers"] = {{"host_to_device", 0}, {"device_to_host", 0}};

    if (hierarchy != nullptr)
      context.out << '\n' << amg::print_hierarchy(*hierarchy) << std::endl;
    print_quantities(values);
    add_table_row(cycle);
  }



  template <int dim>
  void
  ElasticityProblem<dim>::print_quantities(const json &values) const
  {
    for (const auto &[key, title] :
         {std::pair<const char *, const char *>("tip_displacement",
                                                "displacement of the tip"),
          {"maximum_displacement", "largest component of a displacement"},
          {"strain_energy", "strain energy"},
          {"work", "load times displacement"}})
      if (values.contains(key))
        context.out << "  " << title << ": "
                    << short_number(values[key].template get<double>(), 9)
                    << '\n';
    context.out << "  force of the load: " << in_words(values["load"]["force"])
                << '\n';
    for (const auto &[id, force] : values["reactions"].items())
      context.out << "  reaction at boundary id " << id << ": "
                  << in_words(force) << '\n';
    for (const auto &probe : values["probes"])
      context.out << "  at " << in_words(probe["point"]) << ": displacement "
                  << in_words(probe["displacement"], 9) << ", von Mises stress "
                  << short_number(probe["von_mises"].template get<double>(), 6)
                  << '\n';
    context.out << std::endl;
  }



  template <int dim>
  void
  ElasticityProblem<dim>::add_table_row(const json &cycle)
  {
    const auto value = [](const json &x) { return x.template get<double>(); };
    table.add_value("cycle", context.record.n_cycles() - 1);
    table.add_value("cells", triangulation.n_active_cells());
    table.add_value("dofs", dof_handler.n_dofs());
    table.add_value("solves",
                    static_cast<unsigned int>(solves.records().size()));
    table.add_value("iterations",
                    cycle["iterations"].template get<unsigned int>());
    table.add_value("converged",
                    std::string(
                      cycle["converged"].template get<bool>() ? "yes" : "NO"));
    table.add_value("max u",
                    value(cycle["quantities"]["maximum_displacement"]));
    table.add_value("energy", value(cycle["quantities"]["strain_energy"]));
    table.add_value("estimate", estimate);
    for (const char *phase : {"assemble", "setup", "solve"})
      table.add_value(phase, value(cycle["seconds"][phase]));
  }



  template <int dim>
  void
  ElasticityProblem<dim>::write_tables()
  {
    for (const std::string column : {"max u", "energy", "estimate"})
      {
        table.set_precision(column, 5);
        table.set_scientific(column, true);
      }
    for (const std::string column : {"assemble", "setup", "solve"})
      {
        table.set_precision(column, 3);
        table.set_tex_caption(column, column + " (s)");
      }
    table.set_tex_format("converged", "c");
    table.set_tex_caption("max u", "$\\|u\\|_\\infty$");
    apps::print_table(table, context.out);
    apps::write_table(table,
                      context.result_file("convergence"),
                      context.communicator);
  }



  template class ElasticityProblem<2>;
  template class ElasticityProblem<3>;
} // namespace tessera::elasticity
