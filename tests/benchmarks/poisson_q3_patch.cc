// SPDX-License-Identifier: LGPL-2.1-or-later
// Throughput of patch multigrid on the product of sines with elements of degree
// 3, float levels: the stationary iteration and conjugate gradients. Run under
// mpirun for several ranks; each has an equal piece of a Morton curve through
// the cells.
#include <tessera/base/communication_session.h>
#include <tessera/base/instruction_set.h>
#include <tessera/base/memory.h>
#include <tessera/base/timer.h>
#include <tessera/base/version.h>
#include <tessera/patch/poisson_solver.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "cellwise/partitions.h"
#include "patch/product_of_sines.h"
#include "program.h"

namespace benchmark
{
  using namespace tessera;
  using namespace tessera::patch;
  using cellwise::DualField;
  using cellwise::PrimalField;

  constexpr char usage[] =
    "Usage: poisson_q3_patch [--refinements L] [--repeats N] [--json FILE]\n"
    "\n"
    "Solve on a cube of 2^L cells a direction (default 5) until the monitor is "
    "1e-9 of\nits first value, N times (default 5), and print the median.\n"
    "\n"
    "The environment variable TESSERA_SIMD (generic, avx2, avx512) selects "
    "the\ninstruction set; the default is the widest.\n";

  struct Settings
  {
    int         n_refinements = 5;
    Repeats     repeats       = {1, 5};
    std::string json;
  };

  struct Phase
  {
    std::string name;
    double      seconds; ///< of one solve
  };

  struct Result
  {
    std::string                   iteration;
    unsigned int                  rebalance_every;
    SolverStatistics              statistics;
    product_of_sines::Convergence convergence;
    double                        published_L2_error; ///< four Gauss points
    double                        L2_error;
    double                        setup_seconds;
    Statistics                    seconds;
    double                        partition_efficiency;
    double                        bytes_per_dof; ///< of all arrays
    std::vector<Phase>            phases;
  };

  /** Over the cells of all ranks. */
  double
  L2_error(const cellwise::DistributedGrid<3> &grid,
           const cellwise::ReferenceCell      &cell,
           const PrimalField<double>          &u,
           const int                           n_points)
  {
    const double mine =
      product_of_sines::L2_error(grid.cells(), cell, u, n_points);
    return std::sqrt(grid.communicator().sum(mine * mine));
  }

  Result
  measure_solver(const Settings      &settings,
                 const SolverOptions &options,
                 const Communicator  &ranks)
  {
    const auto box = product_of_sines::unit_cube(settings.n_refinements);
    ranks.barrier();
    const double setup_start = wall_clock();
    const auto   grid =
      reference::distribute<3>(reference::Partition::curve, box, ranks);
    PoissonSolver<3> solver(grid, 3, options);
    Result           result;
    result.setup_seconds        = ranks.max(wall_clock() - setup_start);
    result.partition_efficiency = solver.partition_efficiency();

    const cellwise::ReferenceCell cell(3);
    PrimalField<double>           u(grid.cells().n_local(), 64);
    DualField<double> b = product_of_sines::right_hand_side(grid.cells(), cell);
    result.bytes_per_dof =
      ranks.sum(double(solver.memory_consumption() + u.memory_consumption() +
                       b.memory_consumption())) /
      product_of_sines::n_dofs(box, 3);

    Timers::process().reset();
    std::vector<double> seconds = measure(
      settings.repeats,
      [&] {
        u.set_zero();
        ranks.barrier();
      },
      [&] { result.statistics = solver.solve(u, b); });
    ranks.max(seconds.data(), seconds.size());
    result.seconds = statistics(seconds);
    if (!result.statistics.converged)
      throw SolverBreakdown("The solver did not converge; its time means "
                            "nothing.");
    const unsigned int n_runs =
      settings.repeats.n_warm_ups + settings.repeats.n_repeats;
    for (const TimerEntry &entry : Timers::process().entries())
      result.phases.push_back({entry.path, entry.seconds / n_runs});

    result.iteration =
      options.iteration == Iteration::cg ? "conjugate gradients" : "stationary";
    result.rebalance_every = options.rebalance_every;
    result.convergence =
      product_of_sines::convergence(result.statistics, options.tolerance);
    result.published_L2_error = L2_error(grid, cell, u, 4);
    result.L2_error           = L2_error(grid, cell, u, 7);
    return result;
  }

  void
  print(const Result &r, const double n_dofs, const unsigned int n_ranks)
  {
    std::printf("%s: %u iterations to 1e-9 (%.2f, contraction %.4f)\n"
                "  L2 error %.3e (%.3e with four points), %.4f s (%.4f to "
                "%.4f), %.3f MDoF/s, %.3f a rank; set-up %.3f s; %.0f bytes a "
                "degree of freedom; partition efficiency %.3f\n",
                r.iteration.c_str(),
                r.statistics.n_iterations,
                r.convergence.fractional_iterations,
                r.convergence.contraction,
                r.L2_error,
                r.published_L2_error,
                r.seconds.median,
                r.seconds.min,
                r.seconds.max,
                1e-6 * n_dofs / r.seconds.median,
                1e-6 * n_dofs / r.seconds.median / n_ranks,
                r.setup_seconds,
                r.bytes_per_dof,
                r.partition_efficiency);
    for (const Phase &phase : r.phases)
      std::printf("    %-25s %8.4f s\n", phase.name.c_str(), phase.seconds);
  }

  void
  run(const Settings &settings, const Communicator &ranks)
  {
    const auto   box    = product_of_sines::unit_cube(settings.n_refinements);
    const double n_dofs = product_of_sines::n_dofs(box, 3);
    const InstructionSet set = active_instruction_set();
    if (ranks.rank() == 0)
      std::printf("Patch multigrid, %s (%u bits), %u rank%s, %d^3 cells, %.0f "
                  "degrees of freedom, median of %u\n",
                  to_string(set).c_str(),
                  simd_bits(set),
                  ranks.n_ranks(),
                  ranks.n_ranks() == 1 ? "" : "s",
                  box.n_cells[0],
                  n_dofs,
                  settings.repeats.n_repeats);

    std::vector<Result> results;
    for (const Iteration iteration : {Iteration::stationary, Iteration::cg})
      {
        SolverOptions options;
        options.iteration = iteration;
        if (iteration == Iteration::cg)
          {
            options.multigrid.post_smoothing = PostSmoothing::reversed;
            options.rebalance_every          = 3;
          }
        results.push_back(measure_solver(settings, options, ranks));
        if (ranks.rank() == 0)
          print(results.back(), n_dofs, ranks.n_ranks());
      }
    const double memory = ranks.sum(double(peak_resident_bytes())) / n_dofs;

#ifndef TESSERA_HAVE_JSON
    (void)memory;
#else
    if (settings.json.empty() || ranks.rank() != 0)
      return;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Result &r : results)
      {
        nlohmann::ordered_json phases;
        for (const Phase &phase : r.phases)
          phases[phase.name] = phase.seconds;
        list.push_back(
          {{"iteration", r.iteration},
           {"rebalance_every", r.rebalance_every},
           {"iterations", r.statistics.n_iterations},
           {"fractional_iterations", r.convergence.fractional_iterations},
           {"contraction", r.convergence.contraction},
           {"L2_error", r.L2_error},
           {"L2_error_four_points", r.published_L2_error},
           {"solve_seconds", to_json(r.seconds)},
           {"setup_seconds", r.setup_seconds},
           {"dofs_per_second", n_dofs / r.seconds.median},
           {"partition_efficiency", r.partition_efficiency},
           {"array_bytes_per_dof", r.bytes_per_dof},
           {"phase_seconds", phases}});
      }
    write_json(settings.json,
               {{"benchmark", "poisson_q3_patch"},
                {"git_revision", git_revision()},
                {"instruction_set", to_string(set)},
                {"simd_bits", simd_bits(set)},
                {"mpi_ranks", ranks.n_ranks()},
                {"n_cells_per_direction", box.n_cells[0]},
                {"n_dofs", n_dofs},
                {"tolerance", SolverOptions().tolerance},
                {"n_repeats", settings.repeats.n_repeats},
                {"peak_memory_bytes_per_dof", memory},
                {"solvers", list}});
#endif
  }
} // namespace benchmark

int
main(int argc, char **argv)
{
  const tessera::CommunicationSession session(argc, argv);
  const tessera::Communicator         ranks = tessera::Communicator::world();
  return benchmark::run_program(ranks, [&] {
    benchmark::Settings settings;
    benchmark::Options  options(benchmark::usage);
    options.add_number("--refinements", settings.n_refinements, 8);
    options.add_number("--repeats", settings.repeats.n_repeats, 100);
    options.add_json(settings.json);
    if (options.parse(argc, argv, ranks))
      benchmark::run(settings, ranks);
  });
}
