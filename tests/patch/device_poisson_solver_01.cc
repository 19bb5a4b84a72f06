// SPDX-License-Identifier: LGPL-2.1-or-later
// Both iterations on a device: iterates, monitors and decisions have the bits
// of the host's, in one process and on several ranks, however the work is given
// to the device. Nothing of the size of a field crosses during iterations.
#include <tessera/base/communication_session.h>
#include <tessera/base/counters.h>
#include <tessera/base/exact_sum.h>
#include <tessera/patch/poisson_solver.h>

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
    CHECK(expected_statistics.n_iterations > 2);

    const device::Stream stream;
    for (const Partition partition :
         world.n_ranks() == 1 ?
           std::vector<Partition>{Partition::slabs} :
           std::vector<Partition>(all_partitions.begin(), all_partitions.end()))
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
                         world.n_ranks() == 1);
            compare(statistics, expected_statistics);
            problem.u.copy_to_host(problem.problem.u, stream);
            compare(grid.cells(), problem.problem.u, whole.cells(), expected.u);
          }
      }
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  return device_test::run([] {
    const GridDescription<3> cube = {{{8, 8, 8}},
                                     {{1., 1., 1.}},
                                     {{{{D, D}}, {{D, D}}, {{D, D}}}}};
    check_solver(cube, 3, options_of(Iteration::stationary, 1, 1));
  });
}
