// SPDX-License-Identifier: LGPL-2.1-or-later
// Throughput of deal.II's conjugate gradients and operator on the product of
// sines with elements of degree 3: with deal.II's matrix-free multigrid, the
// comparison solver of poisson_q3, and with patch multigrid as preconditioner.
// Float levels. Run under mpirun for several ranks.
#include <tessera/base/communication_mpi.h>
#include <tessera/base/exceptions.h>
#include <tessera/base/memory.h>
#include <tessera/base/progress.h>
#include <tessera/base/version.h>
#include <tessera/dealii/precondition_patch_multigrid.h>

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
    "residual\nof 1e-9, N times (default 5), with deal.II's multigrid and with "
    "patch multigrid\nas preconditioner, and print the medians.\n";

  struct Settings
  {
    unsigned int       n_refinements = 5;
    benchmark::Repeats repeats       = {1, 5};
    std::string        json;
  };

  struct Result
  {
    unsigned int          n_iterations;
    double                L2_error;
    double                setup_seconds;
    benchmark::Statistics seconds;
  };

  /** A discrete problem, and how long it takes to solve it. */
  class Comparison
  {
  public:
    Comparison(const Settings &program_settings, const Communicator &ranks)
      : settings(program_settings)
      , communicator(ranks)
      , parameters(make_parameters(settings))
      , problem(make_problem_data<3>(parameters))
      , progress(communicator)
      , discretization(parameters,
                       mpi_communicator(communicator),
                       communicator,
                       progress)
    {
      discretization.reinit(problem);
      discretization.assemble(problem, rhs, lift);
      solution.reinit(rhs);
    }

    /** @param[in] initialize Sets up the preconditioner. */
    template <typename Preconditioner, typename Initialize>
    Result
    measure(Preconditioner &M, const Initialize &initialize)
    {
      communicator.barrier();
      const double setup_start = benchmark::wall_clock();
      initialize();
      const double setup_seconds =
        communicator.max(benchmark::wall_clock() - setup_start);

      SolverResult        result;
      std::vector<double> seconds = benchmark::measure(
        settings.repeats,
        [&] { communicator.barrier(); },
        [&] {
          result =
            solve(discretization.get_operator(), M, solution, rhs, parameters);
        });
      communicator.max(seconds.data(), seconds.size());
      if (!result.converged)
        throw SolverBreakdown("The solver did not converge; its time means "
                              "nothing.");

      solution += lift;
      solution.update_ghost_values();
      const double error = discretization.compute_errors(problem, solution).L2;
      solution.zero_out_ghost_values();
      return {result.n_iterations,
              error,
              setup_seconds,
              benchmark::statistics(seconds)};
    }

    const Settings       settings;
    const Communicator   communicator;
    const Parameters     parameters;
    const ProblemData<3> problem;
    Progress             progress;
    Discretization<3>    discretization;

  private:
    static Parameters
    make_parameters(const Settings &settings)
    {
      Parameters parameters;
      parameters.box.lower_corner = {0., 0., 0.};
      parameters.box.upper_corner = {1., 1., 1.};
      parameters.box.coarse_cells = {1, 1, 1};
      parameters.n_refinements    = settings.n_refinements;
      return parameters;
    }

    typename Discretization<3>::VectorType rhs, lift, solution;
  };

  void
  print(const std::string &name,
        const Result      &result,
        const double       n_dofs,
        const unsigned int n_ranks)
  {
    const double rate = n_dofs / result.seconds.median * 1e-6;
    std::cout << "  " << name << ": " << result.n_iterations
              << " iterations to 1e-9, L2 error " << result.L2_error << ", "
              << result.seconds.median << " s (" << result.seconds.min << " to "
              << result.seconds.max << "), " << rate << " MDoF/s, "
              << rate / n_ranks << " a rank; set-up " << result.setup_seconds
              << " s\n";
  }

  void
  run(const Settings &settings, const Communicator &communicator)
  {
    Comparison  comparison(settings, communicator);
    const auto &dof_handler = comparison.discretization.get_dof_handler();
    const auto &mapping     = comparison.discretization.get_mapping();

    ChebyshevMultigrid<3, float> peer;
    const Result                 of_peer = comparison.measure(peer, [&] {
      peer.initialize(mapping,
                      dof_handler,
                      {comparison.problem.dirichlet_ids()});
    });
    const auto                   n_dofs  = dof_handler.n_dofs();
    const double                 memory =
      double(communicator.sum(peak_resident_bytes())) / n_dofs;

    dealii_adapters::PreconditionPatchMultigrid<3> patch;
    const Result of_patch = comparison.measure(patch, [&] {
      dealii_adapters::PreconditionPatchMultigrid<3>::AdditionalData data;
      data.dirichlet_ids = comparison.problem.dirichlet_ids();
      patch.initialize(mapping, dof_handler, data);
    });
    if (communicator.rank() != 0)
      return;

    constexpr unsigned int vector_bits =
      dealii::VectorizedArray<double>::size() * 64;
    std::cout << std::setprecision(4) << "Conjugate gradients of deal.II "
              << DEAL_II_PACKAGE_VERSION << ", " << vector_bits
              << "-bit vectors (a scalar is 64), " << communicator.n_ranks()
              << " rank" << (communicator.n_ranks() == 1 ? "" : "s") << ", "
              << (1u << settings.n_refinements) << "^3 cells, " << n_dofs
              << " degrees of freedom, peak memory of the first " << memory
              << " bytes a degree of freedom\n";
    print("deal.II's multigrid", of_peer, n_dofs, communicator.n_ranks());
    print("patch multigrid", of_patch, n_dofs, communicator.n_ranks());

    if (settings.json.empty())
      return;
    const auto to_json = [&](const Result &result) {
      return nlohmann::ordered_json(
        {{"iterations", result.n_iterations},
         {"L2_error", result.L2_error},
         {"solve_seconds", benchmark::to_json(result.seconds)},
         {"setup_seconds", result.setup_seconds},
         {"dofs_per_second", n_dofs / result.seconds.median}});
    };
    nlohmann::ordered_json record = {
      {"benchmark", "poisson_q3_peer"},
      {"peer", "deal.II " DEAL_II_PACKAGE_VERSION},
      {"git_revision", git_revision()},
      {"vector_bits", vector_bits},
      {"mpi_ranks", communicator.n_ranks()},
      {"n_cells_per_direction", 1u << settings.n_refinements},
      {"n_dofs", n_dofs},
      {"tolerance", comparison.parameters.tolerance},
      {"n_repeats", settings.repeats.n_repeats},
      {"peak_memory_bytes_per_dof", memory}};
    record.update(to_json(of_peer));
    record["with_patch_multigrid"] = to_json(of_patch);
    benchmark::write_json(settings.json, record);
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
