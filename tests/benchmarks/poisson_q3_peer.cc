// SPDX-License-Identifier: LGPL-2.1-or-later
// Throughput of the comparison solver of poisson_q3: conjugate gradients with
// deal.II's matrix-free multigrid, float levels, on the product of sines with
// elements of degree 3. Run under mpirun for several ranks.
#include <tessera/base/communication_mpi.h>
#include <tessera/base/exceptions.h>
#include <tessera/base/memory.h>
#include <tessera/base/progress.h>
#include <tessera/base/version.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/vectorization.h>

#include <iomanip>
#include <iostream>
#include <string>

#include "benchmark.h"
#include "poisson_q3/chebyshev_multigrid.h"
#include "poisson_q3/discretization.h"
#include "poisson_q3/linear_solver.h"
#include "program.h"

namespace
{
  using namespace tessera;
  using namespace tessera::poisson_q3;

  constexpr char usage[] =
    "Usage: poisson_q3_peer [--refinements L] [--repeats N] [--json FILE]\n"
    "\n"
    "Solve on a cube of 2^L cells a direction (default 5) to a relative "
    "residual\nof 1e-9, N times (default 5), and print the median.\n";

  struct Settings
  {
    unsigned int       n_refinements = 5;
    benchmark::Repeats repeats       = {1, 5};
    std::string        json;
  };

  void
  run(const Settings &settings, const Communicator &communicator)
  {
    Parameters parameters;
    parameters.lower_corner  = {0., 0., 0.};
    parameters.upper_corner  = {1., 1., 1.};
    parameters.coarse_cells  = {1, 1, 1};
    parameters.n_refinements = settings.n_refinements;

    const ProblemData<3> problem(parameters);
    Progress             progress(communicator);
    Discretization<3>    discretization(parameters,
                                     mpi_communicator(communicator),
                                     communicator,
                                     progress);
    discretization.reinit(problem);
    typename Discretization<3>::VectorType rhs, lift, solution;
    discretization.assemble(problem, rhs, lift);
    solution.reinit(rhs);

    const double                 setup_start = benchmark::wall_clock();
    ChebyshevMultigrid<3, float> multigrid;
    multigrid.initialize(discretization.get_mapping(),
                         discretization.get_dof_handler(),
                         {problem.dirichlet_ids()});
    const double setup_seconds =
      communicator.max(benchmark::wall_clock() - setup_start);

    SolverResult        result;
    std::vector<double> seconds = benchmark::measure(
      settings.repeats,
      [&] { communicator.barrier(); },
      [&] {
        result = solve(
          discretization.get_operator(), multigrid, solution, rhs, parameters);
      });
    communicator.max(seconds.data(), seconds.size());
    if (!result.converged)
      throw SolverBreakdown("The solver did not converge; its time means "
                            "nothing.");

    solution += lift;
    solution.update_ghost_values();
    const ErrorNorms errors = discretization.compute_errors(problem, solution);

    const auto   n_dofs = discretization.get_dof_handler().n_dofs();
    const auto   time   = benchmark::statistics(seconds);
    const double memory =
      double(communicator.sum(peak_resident_bytes())) / n_dofs;
    if (communicator.rank() != 0)
      return;

    constexpr unsigned int vector_bits =
      dealii::VectorizedArray<double>::size() * 64;
    std::cout << std::setprecision(4) << "deal.II " << DEAL_II_PACKAGE_VERSION
              << ", " << vector_bits << "-bit vectors (a scalar is 64), "
              << communicator.n_ranks() << " rank"
              << (communicator.n_ranks() == 1 ? "" : "s") << ", "
              << (1u << settings.n_refinements) << "^3 cells, " << n_dofs
              << " degrees of freedom\n  " << result.n_iterations
              << " iterations to 1e-9, L2 error " << errors.L2 << ", "
              << time.median << " s (" << time.min << " to " << time.max
              << "), " << n_dofs / time.median * 1e-6 << " MDoF/s, "
              << n_dofs / time.median * 1e-6 / communicator.n_ranks()
              << " a rank; set-up " << setup_seconds << " s; " << memory
              << " bytes a degree of freedom\n";

    if (!settings.json.empty())
      {
        benchmark::write_json(settings.json,
                              {{"benchmark", "poisson_q3_peer"},
                               {"peer", "deal.II " DEAL_II_PACKAGE_VERSION},
                               {"git_revision", git_revision()},
                               {"vector_bits", vector_bits},
                               {"mpi_ranks", communicator.n_ranks()},
                               {"n_cells_per_direction",
                                1u << settings.n_refinements},
                               {"n_dofs", n_dofs},
                               {"iterations", result.n_iterations},
                               {"tolerance", parameters.tolerance},
                               {"L2_error", errors.L2},
                               {"n_repeats", settings.repeats.n_repeats},
                               {"solve_seconds", benchmark::to_json(time)},
                               {"setup_seconds", setup_seconds},
                               {"dofs_per_second", n_dofs / time.median},
                               {"peak_memory_bytes_per_dof", memory}});
      }
  }
} // namespace

int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  const Communicator                       communicator = Communicator::world();
  return benchmark::run_program(communicator, [&] {
    Settings           settings;
    benchmark::Options options(usage);
    options.add_number("--refinements", settings.n_refinements, 8);
    options.add_number("--repeats", settings.repeats.n_repeats, 100);
    options.add_json(settings.json);
    if (options.parse(argc, argv, communicator))
      run(settings, communicator);
  });
}
