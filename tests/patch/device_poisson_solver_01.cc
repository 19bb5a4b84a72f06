// SPDX-License-Identifier: LGPL-2.1-or-later
// Both iterations on a device: iterates, monitors and decisions have the bits
// of the host's, in one process and on several ranks, however the work is given
// to the device. Nothing of the size of a field crosses during iterations.
#include <tessera/base/communication_session.h>
#include <tessera/base/counters.h>
#include <tessera/base/exact_sum.h>
#include <tessera/patch/poisson_solver.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "../cellwise/partitions.h"
#include "device_emulation/device_test.h"
#include "keyed_problem.h"

using namespace tessera;
using namespace tessera::patch;
using namespace reference;
using cellwise::BoundaryCondition;
using cellwise::DistributedGrid;
using cellwise::GridDescription;

namespace
{
  constexpr auto D = BoundaryCondition::dirichlet;
  constexpr auto N = BoundaryCondition::neumann;

  using execution::Device;

  /** A problem on the device. */
  template <int dim>
  struct DeviceProblem
  {
    DeviceProblem(const CellGrid<dim>  &grid,
                  const int             degree,
                  const device::Stream &stream)
      : problem(grid, degree)
      , u(grid.n_local(), problem.u.n_nodes(), stream)
      , b(grid.n_local(), problem.u.n_nodes(), stream)
    {
      u.copy_from_host(problem.u, stream);
      b.copy_from_host(problem.b, stream);
    }

    Problem<dim>                        problem;
    cellwise::DevicePrimalField<double> u;
    cellwise::DeviceDualField<double>   b;
  };

  /** No copy in a phase was larger than the numbers that decide, unless it was
   * messages. */
  void
  check_copies(const CounterSnapshot &counted, const bool is_alone)
  {
    for (const char *const counter :
         {Counters::host_to_device_bytes, Counters::device_to_host_bytes})
      {
        const CounterValue copies = counted.value(counter, "iterations");
        if (is_alone)
          CHECK(copies.largest <= ExactSum::n_entries * sizeof(std::int64_t));
        else
          {
            const std::uint64_t messages =
              counted.value(Counters::exchange_bytes, "iterations").total;
            CHECK(copies.total <=
                  2 * messages + copies.n_events * ExactSum::n_entries * 8);
          }
      }
  }

  template <int dim>
  void
  check_solver(const GridDescription<dim> &box,
               const int                   degree,
               const SolverOptions        &options)
  {
    const Communicator         world = Communicator::world();
    const DistributedGrid<dim> whole(box);
    PoissonSolver<dim>         on_host(whole, degree, options);
    Problem<dim>               expected(whole.cells(), degree);
    const SolverStatistics     expected_statistics =
      on_host.solve(expected.u, expected.b);
    CHECK(expected_statistics.n_iterations > 0);

    const bool           is_alone = world.n_ranks() == 1;
    const device::Stream stream;
    for (const Partition partition : all_partitions)
      {
        const auto                 grid = distribute(partition, box, world);
        PoissonSolver<dim, Device> solver(grid, degree, options, stream);
        CHECK_EQUAL(solver.n_levels(), on_host.n_levels());
        // Twice: the second time from records.
        for (int repeat = 0; repeat < 2; ++repeat)
          {
            DeviceProblem<dim>     problem(grid.cells(), degree, stream);
            const CounterSnapshot  before = Counters::process().snapshot();
            const SolverStatistics statistics =
              solver.solve(problem.u, problem.b);
            check_copies(Counters::process().snapshot().since(before),
                         is_alone);
            compare(statistics, expected_statistics);
            problem.u.copy_to_host(problem.problem.u, stream);
            compare(grid.cells(), problem.problem.u, whole.cells(), expected.u);
          }
        // All partitions are the same.
        if (is_alone)
          break;
      }
  }

  /** Ways to give a cycle to the device: by a graph or launches, levels in one
   * kernel or not, sweeps by colours or bricks. */
  std::vector<MultigridOptions>
  ways_of_device(MultigridOptions options)
  {
    std::vector<MultigridOptions> result;
    options.traversal = Traversal::by_colour;
    for (const bool use_graph : {false, true})
      for (const unsigned int n : {0u, 64u, 1000u})
        {
          options.device.use_graph         = use_graph;
          options.device.max_program_cells = n;
          result.push_back(options);
        }
    options.traversal                = Traversal::wavefront;
    options.device.max_program_cells = 8;
    options.device.min_brick_cells   = 64;
    result.push_back(options);
    return result;
  }

  template <int dim>
  void
  check_both_iterations(const GridDescription<dim> &box,
                        const int                   degree,
                        const LevelPrecision        precision)
  {
    for (const Iteration iteration : {Iteration::stationary, Iteration::cg})
      {
        SolverOptions options   = options_of(iteration, 1, 8);
        options.level_precision = precision;
        check_solver(box, degree, options);
      }
  }

  /** What is wrong is seen by all ranks. */
  void
  check_errors(const GridDescription<3> &box)
  {
    using DeviceSolver = PoissonSolver<3, Device>;
    const device::Stream stream;
    const Communicator   world   = Communicator::world();
    const auto           grid    = distribute(Partition::curve, box, world);
    const SolverOptions  options = options_of(Iteration::stationary, 1, 1);
    const std::string    message =
      CHECK_THROWS(InputError, DeviceSolver(grid, 4, options, stream));
    CHECK(message.find("1 to 3") != std::string::npos);

    DeviceSolver     solver(grid, 1, options, stream);
    DeviceProblem<3> problem(grid.cells(), 1, stream);
    const CellIndex  c = grid.cells().find({{1, 1, 1}});
    if (c != cellwise::no_cell && c < grid.cells().n_owned())
      problem.problem.b(c, 0) = std::numeric_limits<double>::quiet_NaN();
    problem.b.copy_from_host(problem.problem.b, stream);
    CHECK_THROWS(SolverBreakdown, solver.solve(problem.u, problem.b));
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  return device_test::run([] {
    constexpr auto floats  = LevelPrecision::single_precision;
    constexpr auto doubles = LevelPrecision::double_precision;

    const std::array<double, 3> h3    = {{0.5, 0.4, 0.6}};
    const GridDescription<3>    cube  = {{{8, 8, 8}},
                                         h3,
                                         {{{{D, D}}, {{D, D}}, {{D, D}}}}};
    const GridDescription<3>    small = {{{4, 4, 4}},
                                         h3,
                                         {{{{D, D}}, {{D, D}}, {{D, D}}}}};
    check_solver(cube, 3, options_of(Iteration::stationary, 1, 64));
    check_solver(small, 3, options_of(Iteration::cg, 2, 1));
    SolverOptions options = options_of(Iteration::cg, 1, 8);
    for (const MultigridOptions &multigrid : ways_of_device(options.multigrid))
      {
        options.multigrid = multigrid;
        check_solver(small, 2, options);
      }

    check_both_iterations(small, 3, doubles);
    check_both_iterations(cube, 1, floats);
    // Coarsest levels of more than one patch, and Neumann conditions.
    check_both_iterations<3>(
      {{{6, 4, 4}}, h3, {{{{D, N}}, {{N, D}}, {{N, N}}}}}, 2, floats);
    const std::array<double, 2> h2 = {{0.5, 0.4}};
    check_both_iterations<2>({{{16, 12}}, h2, {{{{D, D}}, {{D, D}}}}},
                             3,
                             floats);
    check_both_iterations<2>({{{5, 3}}, h2, {{{{N, D}}, {{D, D}}}}},
                             2,
                             doubles);
    options.multigrid                = {};
    options.multigrid.post_smoothing = PostSmoothing::reversed;
    options.multigrid.reaction       = 3.;
    options.tolerance                = 1e-17; // to where rounding decides
    check_solver<2>({{{8, 8}}, h2, {{{{N, N}}, {{N, N}}}}}, 1, options);
    check_errors(small);
  });
}
