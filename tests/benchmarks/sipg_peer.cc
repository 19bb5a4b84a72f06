// SPDX-License-Identifier: LGPL-2.1-or-later
// The interior penalty method of degree 3 in three dimensions on uniform meshes
// and on one that is refined along a sphere: our conjugate gradients with local
// multigrid, and deal.II's with its matrix-free multigrid, geometric and by
// global coarsening. All solve the same discrete problem, in one run, to the
// same algebraic error. On one process.
#include <tessera/base/instruction_set.h>
#include <tessera/base/memory.h>
#include <tessera/base/version.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/vectorization.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/sipg_peer/solver.h"
#include "process_clock.h"
#include "process_memory.h"
#include "program.h"

namespace
{
  using namespace benchmark;
  using namespace benchmark::sipg_peer;

  constexpr char usage[] =
    "Usage: sipg_peer [--refinements L] [--passes P] [--solvers NAMES]\n"
    "                 [--repeats N] [--json FILE]\n"
    "\n"
    "The interior penalty method of degree 3, by our local multigrid and by "
    "deal.II's\nmultigrid, on cubes of 2^(L-1) and 2^L cells a direction "
    "(default L = 5), and on\none of 2^(L-2) cells with P levels more along a "
    "sphere (default 3). Ours stops at\n1e-10 of its norm, peers where their "
    "distance to the exact solution of the discrete\nproblem is no larger than "
    "that of ours. Solvers take turns, N times (default 5)\nafter one warm-up; "
    "medians are printed, of seconds of the process. It fails\nunless all find "
    "the same solution.\n"
    "\n"
    "NAMES: parts of the names of peers, separated by commas (default deal.II, "
    "all of\nthem); 'ours' is ours alone, which always takes part.\n";

  struct Settings
  {
    int         n_refinements = 5;
    int         n_passes      = 3;
    std::string solvers       = "deal.II";
    Repeats     repeats       = {1, 5};
    std::string json;
  };

  /** In its own norm, for ours; for the solution to compare with, in that of
   * each. */
  constexpr double tolerance = 1e-10, round_off = 1e-15;

  /** How far solutions may be from one another, relatively. */
  constexpr double agreement = 1e-8;

  struct Result
  {
    std::string mesh;
    std::size_t n_cells;
    SolverKind  kind;
    double      n_dofs;
    int         n_iterations;
    double      algebraic_error, L2_error, functional;
    double      setup_seconds, peak_bytes;
    Statistics  seconds;

    double
    rate() const
    {
      return n_dofs / seconds.median;
    }
  };

  double
  distance(const Coefficients &x, const Coefficients &exact)
  {
    Coefficients difference(x);
    difference -= exact;
    return difference.l2_norm() / exact.l2_norm();
  }

  /** A solver that takes part, and what is known of it. */
  struct Participant
  {
    SolverKind              kind;
    std::unique_ptr<Solver> solver;
    double                  setup_seconds;
    double                  peak_bytes;
    Coefficients            exact; ///< to round-off

    /** $\|x_k - x\| / \|x\|$ after k iterations. */
    std::vector<double> errors;
    int                 n_iterations;
    std::vector<double> seconds;

    Participant(const SolverKind &the_kind, const Problem &problem)
      : kind(the_kind)
    {
      restart_peak_resident_bytes();
      const double before = tessera::peak_resident_bytes();
      const double start  = process_seconds();
      solver              = kind.make(problem);
      setup_seconds       = process_seconds() - start;
      solver->assemble();
      solver->solve(0., 1);
      peak_bytes = tessera::peak_resident_bytes() - before;

      constexpr int max_iterations = 60;
      const int     n              = solver->solve(round_off, max_iterations);
      exact                        = solver->solution();
      errors.push_back(1.);
      solver->solve(0., n, [&](int, const Coefficients &x) {
        errors.push_back(distance(x, exact));
      });
    }

    /** The first number of iterations with an error of at most @p target. */
    int
    iterations_to(const double target) const
    {
      for (std::size_t k = 0; k < errors.size(); ++k)
        if (errors[k] <= target)
          return int(k);
      throw std::runtime_error(kind.name +
                               " does not come as close to the solution as "
                               "ours.");
    }
  };

  void
  require_agreement(const char *what, const double a, const double b)
  {
    if (!(std::abs(a - b) <= agreement * std::abs(b)))
      throw std::runtime_error(std::string("The solutions differ: ") + what +
                               " is " + std::to_string(a) + " and " +
                               std::to_string(b) + ".");
  }

  void
  measure_mesh(const MeshDescription         &mesh,
               const std::vector<SolverKind> &peers,
               const Repeats                 &repeats,
               std::vector<Result>           &results)
  {
    const Problem            problem(mesh);
    std::vector<Participant> participants;
    participants.emplace_back(our_solver(), problem);
    for (const SolverKind &kind : peers)
      participants.emplace_back(kind, problem);

    Participant &ours = participants.front();
    ours.n_iterations = ours.solver->solve(tolerance, 100);
    for (Participant &p : participants)
      {
        if (&p != &ours)
          p.n_iterations = p.iterations_to(ours.errors[ours.n_iterations]);
        const double difference = distance(p.exact, ours.exact);
        if (!(difference <= agreement))
          throw std::runtime_error("The solutions of ours and of " +
                                   p.kind.name + " differ by " +
                                   std::to_string(difference) + ".");
        require_agreement("(f, u)",
                          p.exact * problem.right_hand_side(),
                          ours.exact * problem.right_hand_side());
      }

    for (unsigned int n = 0; n < repeats.n_warm_ups + repeats.n_repeats; ++n)
      for (Participant &p : participants)
        {
          const double start = process_seconds();
          p.solver->solve(0., p.n_iterations);
          if (n >= repeats.n_warm_ups)
            p.seconds.push_back(process_seconds() - start);
        }

    const double rate_of_ours =
      problem.dof_handler().n_dofs() / statistics(ours.seconds).median;
    for (const Participant &p : participants)
      {
        const Coefficients x = p.solver->solution();
        results.push_back({mesh.name(),
                           problem.triangulation().n_active_cells(),
                           p.kind,
                           double(problem.dof_handler().n_dofs()),
                           p.n_iterations,
                           distance(x, p.exact),
                           problem.L2_error(x),
                           x * problem.right_hand_side(),
                           p.setup_seconds,
                           p.peak_bytes,
                           statistics(p.seconds)});
        const Result &r = results.back();
        std::printf("%-7s %7zu  %-26s %3d %8.3f %8.4f %8.3f %6.2f %8.1e %9.3e "
                    "%6.0f\n",
                    r.mesh.c_str(),
                    r.n_cells,
                    r.kind.name.c_str(),
                    r.n_iterations,
                    r.setup_seconds,
                    r.seconds.median,
                    1e-6 * r.rate(),
                    rate_of_ours / r.rate(),
                    r.algebraic_error,
                    r.L2_error,
                    1e-6 * r.peak_bytes);
      }
    std::printf("%-7s (f, u) = %.12g, the same to %.0e\n",
                "",
                ours.exact * problem.right_hand_side(),
                agreement);
    std::fflush(stdout);
  }

  /** Peers of whose names a part was given.
   * @throws InputError for a part that no name has. */
  std::vector<SolverKind>
  chosen_peers(const std::string &parts)
  {
    const std::vector<SolverKind> all = {uniform_multigrid(),
                                         global_coarsening()};
    std::vector<bool>             is_chosen(all.size(), false);
    std::istringstream            stream(parts);
    for (std::string part; std::getline(stream, part, ',');)
      {
        bool        is_known = part == "ours";
        std::string names;
        for (std::size_t i = 0; i < all.size(); ++i)
          {
            const std::string &name = all[i].name;
            names += (i > 0 ? " and '" : "'") + name + "'";
            if (name.find(part) != std::string::npos)
              is_known = is_chosen[i] = true;
          }
        if (!is_known)
          throw InputError("No peer has a name with '" + part +
                           "'; there are " + names +
                           ", and 'ours', which stands for none of them.");
      }
    std::vector<SolverKind> chosen;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (is_chosen[i])
        chosen.push_back(all[i]);
    return chosen;
  }

  void
  run(const Settings &settings)
  {
    constexpr unsigned int  lanes = dealii::VectorizedArray<double>::size();
    const auto              set   = tessera::active_instruction_set();
    std::vector<SolverKind> peers = chosen_peers(settings.solvers);
    std::printf(
      "Ours: instruction set %s (%u bits). Peer: deal.II %s, vectors of %u bits "
      "(a scalar has 64).\nDegree 3, levels in float, medians of %u. ratio: "
      "throughput of ours to it.\n\n%-7s %7s  %-26s %3s %8s %8s %8s %6s %8s %9s "
      "%6s\n",
      tessera::to_string(set).c_str(),
      tessera::simd_bits(set),
      DEAL_II_PACKAGE_VERSION,
      64 * lanes,
      settings.repeats.n_repeats,
      "mesh",
      "cells",
      "solver",
      "its",
      "set-up s",
      "solve s",
      "MDoF/s",
      "ratio",
      "alg.err.",
      "L2 error",
      "MB");

    std::vector<Result> results;
    const int           L   = settings.n_refinements;
    const auto          add = [&](const MeshDescription &mesh) {
      std::vector<SolverKind> able;
      for (const SolverKind &kind : peers)
        if (kind.is_adaptive || mesh.n_passes == 0)
          able.push_back(kind);
      measure_mesh(mesh, able, settings.repeats, results);
    };
    add({1 << (L - 1), 0});
    add({1 << L, 0});
    add({1 << (L - 2), settings.n_passes});

    if (settings.json.empty())
      return;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Result &r : results)
      list.push_back({{"mesh", r.mesh},
                      {"n_cells", r.n_cells},
                      {"solver", r.kind.name},
                      {"is_ours", r.kind.is_ours},
                      {"configuration", r.kind.configuration},
                      {"n_dofs", r.n_dofs},
                      {"iterations", r.n_iterations},
                      {"algebraic_error", r.algebraic_error},
                      {"L2_error", r.L2_error},
                      {"functional", r.functional},
                      {"setup_seconds", r.setup_seconds},
                      {"solve_seconds", to_json(r.seconds)},
                      {"dofs_per_second", r.rate()},
                      {"peak_memory_bytes", r.peak_bytes}});
    write_json(settings.json,
               {{"benchmark", "sipg_peer"},
                {"git_revision", tessera::git_revision()},
                {"instruction_set", tessera::to_string(set)},
                {"simd_bits", tessera::simd_bits(set)},
                {"peer", "deal.II " DEAL_II_PACKAGE_VERSION},
                {"vector_bits_of_peer", 64 * lanes},
                {"clock", "seconds of the process"},
                {"degree", degree},
                {"penalty_factor", penalty_factor},
                {"boundary_factor", boundary_factor},
                {"tolerance_of_ours", tolerance},
                {"n_repeats", settings.repeats.n_repeats},
                {"results", list}});
  }
} // namespace

int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  const Communicator                       ranks = Communicator::world();
  return run_program(ranks, [&] {
    Settings settings;
    Options  options(usage);
    options.add_number("--refinements", settings.n_refinements, 6);
    options.add_number("--passes", settings.n_passes, 5);
    options.add_number("--repeats", settings.repeats.n_repeats, 100);
    options.add_text("--solvers", settings.solvers);
    options.add_json(settings.json);
    if (!options.parse(argc, argv, ranks))
      return;
    if (settings.n_refinements < 3)
      throw InputError("--refinements has to be 3 at least.");
    require_one_process(ranks);
    run(settings);
  });
}
