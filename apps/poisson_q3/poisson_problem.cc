// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/poisson_problem.h"

#include <tessera/base/memory.h>
#include <tessera/base/progress.h>

#include <deal.II/numerics/vector_tools_interpolate.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/tables.h"
#include "common/text_of_numbers.h"

namespace tessera::poisson_q3
{
  using namespace dealii;
  using apps::counted;
  using apps::short_number;

  template <int dim>
  PoissonProblem<dim>::PoissonProblem(const Parameters             &param,
                                      const apps::CommonParameters &common_p,
                                      apps::RunContext             &run_context)
    : parameters(param)
    , common(common_p)
    , context(run_context)
    , problem(make_problem_data<dim>(parameters))
    , discretization(parameters,
                     context.mpi_communicator,
                     context.communicator,
                     context.progress)
    , solver(make_multigrid_solver<dim>(parameters,
                                        context.communicator,
                                        context.progress,
                                        context.backend))
    , field_output(context.results_directory,
                   "solution",
                   context.mpi_communicator,
                   parameters.field_output)
    , timed(context.timers, context.communicator)
  {}



  template <int dim>
  ExitStatus
  PoissonProblem<dim>::run()
  {
    for (const std::string &warning : parameters.warnings)
      context.warn(warning);
    print_problem();
    bool all_converged = true;
    for (unsigned int cycle = 0; cycle < parameters.n_cycles; ++cycle)
      {
        if (cycle > 0)
          discretization.refine();
        all_converged = run_cycle(cycle) && all_converged;
      }
    write_tables();
    return all_converged ? ExitStatus::success : ExitStatus::not_converged;
  }



  template <int dim>
  void
  PoissonProblem<dim>::print_problem() const
  {
    const bool is_cg = parameters.iteration == Iteration::cg;
    context.out << "-div grad u = f on " << parameters.box.in_words()
                << ", continuous elements of degree " << parameters.degree
                << '\n'
                << (is_cg ? "Conjugate gradients" : "Stationary iteration")
                << " with " << solver->description() << ", levels in "
                << (parameters.level_precision ==
                        LevelPrecision::single_precision ?
                      "float" :
                      "double")
                << ", ";
    if (parameters.fixed_iterations > 0)
      context.out << counted(parameters.fixed_iterations, "iteration");
    else
      context.out << "to a residual of " << parameters.tolerance << " ("
                  << name(solver->residual_measure()) << ")";
    const std::string options = solver->options_in_words();
    if (!options.empty())
      context.out << '\n' << options;
    context.out << '\n' << std::endl;
  }



  template <int dim>
  bool
  PoissonProblem<dim>::run_cycle(const unsigned int cycle)
  {
    timed.clear();
    const CounterSnapshot counted_before = Counters::process().snapshot();
    timed("setup", [&] { discretization.reinit(problem); });
    const auto &triangulation = discretization.get_triangulation();
    const auto  n_dofs        = discretization.get_dof_handler().n_dofs();
    context.out << "Cycle " << cycle << ": "
                << counted(triangulation.n_global_active_cells(), "cell")
                << ", " << n_dofs << " degrees of freedom" << std::endl;

    VectorType         solution;
    const SolverResult result =
      solver->solve(discretization, problem, solution, timed);
    solution.update_ghost_values();
    if (result.stagnation)
      report_stagnation(cycle, result);

    std::optional<ErrorNorms> errors;
    if (problem.has_exact_solution())
      timed("errors",
            [&] { errors = discretization.compute_errors(problem, solution); });
    if (common.write_vtu)
      timed("output", [&] { write_fields(cycle, result, solution); });
    print_cycle(result);
    record_cycle(result,
                 errors,
                 Counters::process().snapshot().since(counted_before));
    add_table_row(result, errors);
    return result.converged;
  }



  template <int dim>
  void
  PoissonProblem<dim>::report_stagnation(const unsigned int  cycle,
                                         const SolverResult &result)
  {
    const bool is_float =
      parameters.level_precision == LevelPrecision::single_precision;
    // The last cycle has the say.
    context.record.set_status(
      "not converged",
      "in cycle " + std::to_string(cycle) + " the residual stagnates at " +
        short_number(result.stagnation->level) +
        " times its first value since iteration " +
        std::to_string(result.stagnation->since) +
        (is_float && parameters.rebalance_every != 1 ?
           "; set 'Solver/Rebalance every = 1' or 'Solver/Level precision = "
           "double'" :
           "; that is what the precision allows, use a larger "
           "'Solver/Tolerance'"));
  }



  template <int dim>
  void
  PoissonProblem<dim>::write_fields(const unsigned int  cycle,
                                    const SolverResult &result,
                                    const VectorType   &solution)
  {
    // ParaView shows the name wherever it shows the field.
    field_output.add_field(discretization.get_dof_handler(),
                           solution,
                           result.converged ? "solution" :
                                              "solution_not_converged");
    if (problem.has_exact_solution())
      {
        VectorType error(solution);
        error.zero_out_ghost_values();
        VectorTools::interpolate(discretization.get_mapping(),
                                 discretization.get_dof_handler(),
                                 problem.exact_solution(),
                                 error);
        problem.check_finite(context.communicator);
        error -= solution;
        error.update_ghost_values();
        field_output.add_field(discretization.get_dof_handler(),
                               error,
                               "error");
      }
    field_output.write(discretization.get_mapping(), cycle);
  }



  template <int dim>
  void
  PoissonProblem<dim>::print_cycle(const SolverResult &result) const
  {
    context.out << "  " << counted(result.n_iterations, "iteration")
                << (result.converged ? "" : ", NOT CONVERGED") << " in "
                << short_number(timed.seconds("solve")) << " s on "
                << counted(result.n_levels, "level");
    if (result.partition_efficiency && context.communicator.n_ranks() > 1)
      context.out << " with a partition efficiency of "
                  << short_number(*result.partition_efficiency);
    const double reduction =
      result.residual_history.front() / result.residual_history.back();
    if (std::isnan(result.contraction))
      context.out << ", residual not known";
    else if (!std::isfinite(reduction))
      context.out << ", residual zero";
    else
      context.out << ", residual reduced by " << short_number(reduction);
    if (result.n_iterations > 0 && std::isfinite(result.fractional_iterations))
      context.out << " (" << short_number(result.fractional_iterations)
                  << " iterations to the tolerance)";
    context.out << std::endl;
  }



  template <int dim>
  void
  PoissonProblem<dim>::record_cycle(const SolverResult              &result,
                                    const std::optional<ErrorNorms> &errors,
                                    const CounterSnapshot           &counted)
  {
    const auto n_dofs = discretization.get_dof_handler().n_dofs();

    RunRecord::json &cycle = context.record.new_cycle();
    cycle["n_cells"] =
      discretization.get_triangulation().n_global_active_cells();
    cycle["n_dofs"]   = n_dofs;
    cycle["n_levels"] = result.n_levels;
    if (result.partition_efficiency)
      cycle["partition_efficiency"] = *result.partition_efficiency;
    cycle["iterations"]            = result.n_iterations;
    cycle["fractional_iterations"] = result.fractional_iterations;
    cycle["contraction"]           = result.contraction;
    cycle["converged"]             = result.converged;
    cycle["residual_measure"]      = name(result.residual_measure);
    cycle["residual_history"]      = result.residual_history;
    if (result.residual_measure == ResidualMeasure::duality_pairing)
      cycle["eta_history"] =
        std::vector<double>(result.residual_history.begin(),
                            result.residual_history.begin() +
                              result.n_measured);
    cycle["errors"] = RunRecord::json::object();
    cycle["rates"]  = RunRecord::json::object();
    if (errors)
      {
        cycle["errors"]["L2"]          = errors->L2;
        cycle["errors"]["H1_seminorm"] = errors->H1_seminorm;
        const unsigned int n           = context.record.n_cycles();
        if (n > 1)
          for (const std::string name : {"L2", "H1_seminorm"})
            cycle["rates"][name] =
              std::log2(context.record.cycle(n - 2)["errors"][name]
                          .template get<double>() /
                        cycle["errors"][name].template get<double>());
      }
    cycle["estimator"]  = nullptr;
    cycle["quantities"] = RunRecord::json::object();
    cycle["seconds"]    = RunRecord::json::object();
    for (const auto &[phase, time] : timed.seconds())
      cycle["seconds"][phase] = time;
    cycle["dofs_per_second"] = n_dofs / timed.seconds("solve");
    cycle["multigrid_memory_bytes"] =
      context.communicator.sum(std::uint64_t(result.memory_bytes));
    cycle["peak_memory_bytes"] =
      context.communicator.sum(peak_resident_bytes());
    record_transfers(cycle["transfers"], counted);
  }



  template <int dim>
  void
  PoissonProblem<dim>::record_transfers(RunRecord::json       &transfers,
                                        const CounterSnapshot &counted) const
  {
    std::uint64_t largest = 0;
    for (const auto &[name, counter] :
         {std::pair<const char *, const char *>("host_to_device",
                                                Counters::host_to_device_bytes),
          {"device_to_host", Counters::device_to_host_bytes}})
      {
        transfers[name] =
          context.communicator.sum(counted.value(counter).total);
        largest =
          std::max(largest, counted.value(counter, "iterations").largest);
      }
    transfers["largest_in_iterations"] = context.communicator.max(largest);
  }



  template <int dim>
  void
  PoissonProblem<dim>::add_table_row(const SolverResult              &result,
                                     const std::optional<ErrorNorms> &errors)
  {
    const auto   n_dofs        = discretization.get_dof_handler().n_dofs();
    const double solve_seconds = timed.seconds("solve");

    table.add_value("cycle", context.record.n_cycles() - 1);
    table.add_value("cells",
                    discretization.get_triangulation().n_global_active_cells());
    table.add_value("dofs", n_dofs);
    table.add_value("iterations", result.n_iterations);
    table.add_value("fractional", result.fractional_iterations);
    table.add_value("contraction", result.contraction);
    table.add_value("converged", std::string(result.converged ? "yes" : "NO"));
    if (errors)
      {
        table.add_value("L2", errors->L2);
        table.add_value("H1", errors->H1_seminorm);
      }
    table.add_value("seconds", solve_seconds);
    table.add_value("MDoF/s", n_dofs / solve_seconds * 1e-6);
  }



  template <int dim>
  void
  PoissonProblem<dim>::write_tables()
  {
    table.set_precision("fractional", 2);
    table.set_precision("contraction", 4);
    table.set_precision("seconds", 3);
    table.set_precision("MDoF/s", 3);
    table.set_tex_format("converged", "c");
    table.set_tex_caption("contraction", "$\\rho$");
    table.set_tex_caption("MDoF/s", "$10^6$ DoF/s");
    if (problem.has_exact_solution())
      {
        for (const std::string name : {"L2", "H1"})
          {
            table.set_precision(name, 4);
            table.set_scientific(name, true);
          }
        // Before the rates, which put the columns into groups of two.
        table.set_tex_caption("L2", "$\\|u-u_h\\|_{L_2}$");
        table.set_tex_caption("H1", "$\\|\\nabla(u-u_h)\\|_{L_2}$");
        for (const std::string name : {"L2", "H1"})
          table.evaluate_convergence_rates(
            name, ConvergenceTable::reduction_rate_log2);
      }
    context.out << std::endl;
    apps::print_table(table, context.out);
    apps::write_table(table,
                      context.result_file("convergence"),
                      context.communicator);
  }



  template class PoissonProblem<2>;
  template class PoissonProblem<3>;
} // namespace tessera::poisson_q3
