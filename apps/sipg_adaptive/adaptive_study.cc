// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/adaptive_study.h"

#include <tessera/base/exceptions.h>
#include <tessera/sipg/bulk_marking.h>
#include <tessera/sipg/residual_estimator.h>
#include <tessera/sipg/right_hand_side.h>
#include <tessera/sipg/solution_transfer.h>

#include <optional>
#include <string>
#include <utility>

#include "common/text_of_numbers.h"
#include "sipg_adaptive/domain.h"
#include "sipg_adaptive/refinement.h"
#include "sipg_adaptive/study_table.h"

namespace tessera::sipg_adaptive
{
  using apps::counted;
  using apps::short_number;
  using json = RunRecord::json;

  namespace
  {
    // Between uniform meshes the number of cells grows by 4 or 8.
    constexpr double uniform_excess = 1.5;



    std::string
    in_words(const RefinementParameters &refinement)
    {
      std::string text;
      switch (refinement.strategy)
        {
          case Strategy::none:
            return "all cells";
          case Strategy::shell:
            text = "cells that meet the sphere of radius " +
                   short_number(refinement.shell_radius);
            break;
          case Strategy::estimator:
            text = "cells with " + short_number(100. * refinement.fraction) +
                   " % of the squares of the error indicators";
            break;
        }
      if (refinement.max_level < sipg::max_level)
        text += ", down to level " + std::to_string(refinement.max_level);
      return text;
    }
  } // namespace



  template <int dim>
  AdaptiveStudy<dim>::AdaptiveStudy(const Parameters             &param,
                                    const apps::CommonParameters &common_p,
                                    apps::RunContext             &run_context)
    : parameters(param)
    , common(common_p)
    , context(run_context)
    , problem(parameters)
    , output(context.results_directory,
             context.mpi_communicator,
             parameters,
             problem)
    , checkpoints(parameters, context)
    , timed(context.timers, context.communicator)
  {
    const unsigned int n_ranks = context.communicator.n_ranks();
    if (n_ranks > 1)
      throw InputError("sipg_adaptive runs as one process; it was started as " +
                       std::to_string(n_ranks) +
                       ". Start it without mpirun, or with -np 1");
  }



  template <int dim>
  ExitStatus
  AdaptiveStudy<dim>::run(StartingPoint start)
  {
    for (const std::string &warning : parameters.warnings)
      context.warn(warning);
    print_problem();

    StudyState<dim> state = initial_state();
    restart(std::move(start), state);
    run_cycles(state);
    if (parameters.refinement.compare_with_uniform &&
        parameters.refinement.strategy != Strategy::none)
      run_uniform_cycles(state.discretization->n_dofs());
    return all_converged ? ExitStatus::success : ExitStatus::not_converged;
  }



  template <int dim>
  void
  AdaptiveStudy<dim>::print_problem() const
  {
    context.out
      << "-div(k grad u) = f, "
      << (problem.has_coefficient() ? "k = " + parameters.coefficient : "k = 1")
      << ", on "
      << (parameters.domain == Domain::box ?
            "" :
            "the " + name(parameters.domain) + " in ")
      << parameters.box.in_words() << "\nDiscontinuous elements of degree "
      << parameters.degree << ", interior penalty with factor "
      << short_number(parameters.penalty.factor)
      << "\nConjugate gradients with local multigrid, levels in "
      << (parameters.level_precision == LevelPrecision::single_precision ?
            "float" :
            "double")
      << ", to a residual of " << parameters.solver.tolerance
      << " (duality pairing)\nRefined are " << in_words(parameters.refinement)
      << '\n'
      << std::endl;
  }



  template <int dim>
  StudyState<dim>
  AdaptiveStudy<dim>::initial_state() const
  {
    return {Mesh<dim>(parameters, problem.boundary_conditions()),
            nullptr,
            {},
            {},
            {}};
  }



  template <int dim>
  void
  AdaptiveStudy<dim>::restart(StartingPoint start, StudyState<dim> &state)
  {
    for (const std::string &warning : start.warnings)
      context.warn(warning);
    if (!start.checkpoint)
      {
        if (parameters.checkpoint.restarts_automatically())
          context.out << "There is no checkpoint in '"
                      << context.results_directory
                      << "' yet; the study starts from the beginning\n"
                      << std::endl;
        return;
      }

    const apps::Checkpoint &checkpoint = *start.checkpoint;
    const unsigned int      n          = checkpoint.header.at("cycles").size();
    context.out << "The study goes on from '" << checkpoint.file
                << "', after cycle " << n - 1
                << (n >= parameters.refinement.n_cycles ?
                      ": all cycles are done already\n" :
                      "\n")
                << std::endl;
    context.record.log("went on from '" + checkpoint.file + "' after cycle " +
                       std::to_string(n - 1));
    timed("restart", [&] {
      checkpoints.restore(checkpoint, problem, state);
      const auto [files, directory] = checkpoints.field_files(checkpoint);
      for (const std::string &file : output.take_over(files, directory))
        context.warn("'" + directory + "/" + file +
                     "' of an earlier cycle is gone; the list for ParaView is "
                     "without it");
    });
    for (const json &cycle : state.cycles)
      all_converged = all_converged && cycle["converged"];
  }



  template <int dim>
  void
  AdaptiveStudy<dim>::run_cycles(StudyState<dim> &state)
  {
    // Of the cycles before a restart.
    write_table(state.cycles, "convergence");
    while (state.n_cycles() < parameters.refinement.n_cycles)
      {
        const unsigned int cycle = state.n_cycles();
        timed.clear();
        bool is_refined = true;
        if (cycle > 0)
          timed("mesh", [&] {
            is_refined =
              refine_mesh(parameters.refinement, state.indicators, state.mesh);
          });
        if (!is_refined)
          {
            context.warn(
              "there is no cell to refine after cycle " +
              std::to_string(cycle - 1) +
              (parameters.refinement.strategy == Strategy::shell ?
                 ": none below 'Refinement/Maximum level' meets the shell" :
                 ": those with the largest indicators have 'Refinement/Maximum "
                 "level', or all indicators are zero"));
            break;
          }
        run_cycle(state, "Cycle " + std::to_string(cycle));
        context.record.new_cycle() = state.cycles.back();
        write_table(state.cycles, "convergence");
        if (common.write_vtu)
          timed("output", [&] {
            output.write(state, cycle, state.cycles.back()["converged"]);
          });
        if (parameters.checkpoint.write)
          timed("checkpoint",
                [&] { checkpoints.write(state, output.files()); });
      }
    context.out << std::endl;
    print_study_table(state.cycles, context.out);
  }



  template <int dim>
  void
  AdaptiveStudy<dim>::run_uniform_cycles(const std::uint64_t n_dofs)
  {
    context.out << "\nUniform meshes for comparison" << std::endl;
    StudyState<dim> state  = initial_state();
    const double    limit  = uniform_excess * double(n_dofs);
    const double    growth = 1 << dim;
    do
      {
        timed.clear();
        if (state.n_cycles() > 0)
          timed("mesh", [&] { state.mesh.refine_globally(); });
        run_cycle(state, "Uniform mesh " + std::to_string(state.n_cycles()));
        context.record.data()["uniform_cycles"] = state.cycles;
        write_table(state.cycles, "convergence_uniform");
    } while (growth * double(state.discretization->n_dofs()) <= limit);

    context.out << std::endl;
    print_study_table(state.cycles, context.out);
  }



  template <int dim>
  void
  AdaptiveStudy<dim>::run_cycle(StudyState<dim>   &state,
                                const std::string &title)
  {
    std::shared_ptr<const Discretization<dim>> discretization;
    std::optional<LinearSolver<dim>>           solver;
    timed("setup", [&] {
      discretization = std::make_shared<const Discretization<dim>>(parameters,
                                                                   problem,
                                                                   state.mesh);
      solver.emplace(parameters, *discretization);
    });
    const sipg::LevelHierarchy<dim> &levels   = *discretization->levels;
    const sipg::ElementMatrices     &matrices = discretization->matrices;
    const sipg::ProblemData<dim>     functions =
      problem.functions(state.mesh.cells());
    context.out << title << ": " << counted(discretization->n_cells(), "cell")
                << " on " << counted(levels.n_levels(), "level") << ", "
                << discretization->n_dofs() << " degrees of freedom"
                << std::endl;

    sipg::DualField<double> b(discretization->layout);
    timed("right hand side", [&] {
      sipg::assemble_right_hand_side(levels, matrices, functions, b);
    });
    sipg::PrimalField<double> solution;
    timed("transfer", [&] { solution = start_value(state, *discretization); });

    CycleOutcome<dim> outcome{*discretization, {}, 0, {}, 0.};
    timed("solve", [&] { outcome.solver = solver->solve(b, solution); });
    outcome.solver_bytes = solver->memory_consumption();
    all_converged        = all_converged && outcome.solver.iteration.converged;

    if (problem.data().has_exact_solution())
      timed("errors", [&] {
        outcome.errors = sipg::compute_errors<dim>(levels,
                                                   matrices,
                                                   solution,
                                                   problem.exact_solution(),
                                                   problem.exact_gradient());
      });
    timed("estimate", [&] {
      state.indicators =
        sipg::residual_indicators(levels, matrices, functions, solution);
      outcome.estimate = sipg::global_estimate(state.indicators);
    });

    state.discretization = discretization;
    state.solution       = std::move(solution);
    state.cycles.push_back(
      to_json(outcome, parameters.solver.tolerance, timed, state.cycles));
    print_cycle(state.cycles.back());
  }



  template <int dim>
  sipg::PrimalField<double>
  AdaptiveStudy<dim>::start_value(
    const StudyState<dim>     &state,
    const Discretization<dim> &discretization) const
  {
    sipg::PrimalField<double> u(discretization.layout);
    if (state.discretization && parameters.start_value == StartValue::previous)
      sipg::transfer_to_refined(*state.discretization->levels,
                                state.solution,
                                *discretization.levels,
                                discretization.matrices,
                                u);
    return u;
  }



  template <int dim>
  void
  AdaptiveStudy<dim>::print_cycle(const json &cycle) const
  {
    const std::vector<std::uint64_t> cells =
      cycle["cells_per_level"].template get<std::vector<std::uint64_t>>();
    context.out << "  active cells of levels 0, 1, ...:";
    for (const std::uint64_t n : cells)
      context.out << ' ' << n;
    context.out << "; " << counted(cycle["n_shadows"], "shadow cell");

    const auto  &history = cycle["residual_history"];
    const double first = history.front(), last = history.back();
    const double reference = cycle["reference_residual"];
    context.out << "\n  " << counted(cycle["iterations"], "iteration")
                << (cycle["converged"] ? "" : ", NOT CONVERGED") << " in "
                << short_number(cycle["seconds"]["solve"]) << " s";
    if (first > 0. && last > 0.)
      context.out << ", residual reduced by " << short_number(first / last);
    if (first > 0. && cycle["cycle"] > 0 &&
        parameters.start_value == StartValue::previous)
      context.out << "; that of the start value is 1/"
                  << short_number(reference / first) << " of that of zero";
    context.out << "\n  estimated error "
                << short_number(cycle["estimator"], 4);
    if (!cycle["errors"].empty())
      context.out << ", error in the energy norm "
                  << short_number(cycle["errors"]["energy"], 4) << ", in L2 "
                  << short_number(cycle["errors"]["L2"], 4);
    context.out << std::endl;
  }



  template <int dim>
  void
  AdaptiveStudy<dim>::write_table(const std::vector<json> &cycles,
                                  const std::string       &name) const
  {
    write_study_table(cycles, context.result_file(name), context.communicator);
  }



  template class AdaptiveStudy<2>;
  template class AdaptiveStudy<3>;
} // namespace tessera::sipg_adaptive
