// SPDX-License-Identifier: LGPL-2.1-or-later
// Elasticity by conjugate gradients with algebraic multigrid methods: ours,
// Trilinos ML and PETSc GAMG, on the same systems of equations.
#include <tessera/base/communication_session.h>
#include <tessera/base/instruction_set.h>
#include <tessera/base/version.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "child_process.h"
#include "elasticity_amg/measure.h"
#include "elasticity_amg/solver.h"
#include "machine_kernels.h"
#include "program.h"

namespace benchmark
{
  using namespace tessera;

  constexpr char usage[] =
    "Usage: elasticity_amg [--k K] [--degree D] [--scalar N] [--repeats N]\n"
    "                      [--solvers LIST] [--no-peer] [--json FILE]\n"
    "\n"
    "Elasticity with elements of degree D (1 or 2, default 2) on a beam of 10 K "
    "x K x K\ncubes (default 8), or, with --scalar, Poisson's equation with "
    "quadratic elements\non N^3 cubes: conjugate gradients to 1e-8 with our "
    "algebraic multigrid method\n(levels in float and double, filter 0 and "
    "0.03), Trilinos ML and PETSc GAMG.\n"
    "Cold set-up: everything from the matrix. Hot: other values, interpolation "
    "kept.\nEach solver runs in a process of its own, all of them in turns, N "
    "times (default\n5); medians are printed. Seconds are those of the "
    "processor, so that other\nprograms that share it do not count, but in what "
    "they take of caches and memory\n(of Galerkin products: seconds of the clock). "
    "MB: the peak of memory, without the\nmatrix and vectors that the solver is "
    "given; with A: with one matrix.\n"
    "--solvers: those whose names contain a word of the list, separated by "
    "commas.\n--no-peer: ours only. Not to be started by mpirun.\n"
    "\n"
    "The environment variable PETSC_OPTIONS is stronger than our options for "
    "GAMG.\nTESSERA_SIMD (generic, avx2, avx512) selects the instruction set; "
    "the default is\nthe widest.\n";

  struct Settings
  {
    int         k      = 8;
    int         degree = 2;
    int         scalar = 0;
    Repeats     repeats{0, 5};
    std::string solvers;
    bool        no_peer = false;
    std::string json;

    Problem
    problem() const
    {
      return scalar > 0 ? poisson_problem(scalar) : beam_problem(k, degree);
    }
  };

  /** A solver, and what was measured of it in all repeats. */
  struct Row
  {
    SolverKind                                 kind;
    std::map<std::string, std::vector<double>> samples;
    std::string                                error;

    /** NaN if there is none. */
    double
    median(const std::string &name) const
    {
      const auto entry = samples.find(name);
      return entry != samples.end() ? statistics(entry->second).median :
                                      std::nan("");
    }
  };

  /** Bytes of a copy and operations of chains of fused multiply-adds, a second:
   * the bounds. */
  Figures
  measure_machine()
  {
    const auto seconds = [](const auto &f) {
      std::vector<double> samples;
      for (int repeat = 0; repeat < 6; ++repeat)
        {
          const double start = process_seconds();
          f();
          if (repeat > 0)
            samples.push_back(process_seconds() - start);
        }
      return statistics(samples).median;
    };
    Figures                     result;
    const std::size_t           n = 16000000;
    const AlignedVector<double> from(n, 1.);
    AlignedVector<double>       to(n, 0.);
    result["copy"]            = 16. * n / seconds([&] {
                       TESSERA_CALL_SIMD(copy(to.data(), from.data(), n));
                     });
    const std::size_t n_steps = 4000000;
    const auto        rate    = [&](auto x) {
      decltype(x)  y = 0.5, z = 0.5;
      const int    lanes = TESSERA_CALL_SIMD(n_lanes<decltype(x)>());
      const double time  = seconds([&] {
        do_not_optimize(x);
        auto sum = TESSERA_CALL_SIMD(fma_chains(n_steps, x, y, z));
        do_not_optimize(sum);
      });
      return 2. * lanes * n_fma_chains * n_steps / time;
    };
    result["FMA double"] = rate(1.);
    result["FMA float"]  = rate(1.f);
    return result;
  }

  /** The solvers that were asked for. @throws InputError if there is none. */
  std::vector<Row>
  chosen_solvers(const Settings &settings)
  {
    std::vector<Row> rows;
    std::string      names;
    const auto       add = [&](const std::vector<SolverKind> &kinds) {
      for (const SolverKind &kind : kinds)
        {
          names += (names.empty() ? "'" : ", '") + kind.name + "'";
          bool               is_chosen = settings.solvers.empty();
          std::istringstream words(settings.solvers);
          for (std::string word; std::getline(words, word, ',');)
            is_chosen |= kind.name.find(word) != std::string::npos;
          if (is_chosen)
            rows.push_back({kind, {}, {}});
        }
    };
    add(our_solvers());
    if (!settings.no_peer)
      {
        add(ml_solvers());
        add(gamg_solvers());
      }
    if (rows.empty())
      throw InputError("No solver has a name with '" + settings.solvers +
                       "'; there are " + names + ".");
    return rows;
  }

  /** One more measurement of each solver that has not failed. */
  void
  measure_all(const Settings &settings, std::vector<Row> &rows)
  {
    for (Row &row : rows)
      if (row.error.empty())
        {
          const ChildResult result = in_child_process([&] {
            int                        argc = 0;
            char                     **argv = nullptr;
            const CommunicationSession session(argc, argv);
            return measure_solver(row.kind, [&] { return settings.problem(); });
          });
          row.error                = result.error;
          for (const auto &figure : result.figures)
            row.samples[figure.first].push_back(figure.second);
          if (row.error.empty() && row.median("iterations") == 0)
            row.error = "no convergence in " +
                        std::to_string(solve_max_iterations) + " iterations";
          if (row.kind.is_ours && !row.error.empty())
            throw std::runtime_error("'" + row.kind.name + "': " + row.error);
        }
  }

  /** Times of what gives different results are not comparable.
   * @throws std::runtime_error */
  void
  require_equal_results(const std::vector<Row> &rows)
  {
    const Row *first = nullptr;
    for (const Row &row : rows)
      if (row.error.empty())
        {
          // A residual of another norm, or one that is updated, may be smaller.
          if (!(row.median("residual") <= 10 * solve_tolerance))
            throw std::runtime_error(
              "'" + row.kind.name + "' has a residual of " +
              std::to_string(row.median("residual")) + ".");
          if (first && !(std::abs(row.median("work") - first->median("work")) <=
                         1e-4 * std::abs(first->median("work"))))
            throw std::runtime_error("'" + row.kind.name +
                                     "' gives another solution than '" +
                                     first->kind.name + "'.");
          first = first ? first : &row;
        }
  }

  /** The least of the peers'; NaN if there are none. */
  double
  best_of_peers(const std::vector<Row> &rows, const std::string &name)
  {
    double best = std::nan("");
    for (const Row &row : rows)
      if (!row.kind.is_ours && row.error.empty())
        best = std::fmin(best, row.median(name));
    return best;
  }

  /** Or a dash for what is not known. */
  std::string
  decimals(const double value, const int n_decimals)
  {
    char text[32];
    std::snprintf(text, sizeof(text), "%.*f", n_decimals, value);
    return std::isfinite(value) ? text : "-";
  }

  constexpr char memory_figure[] = "memory with matrix bytes";

  /** Figures that are compared with those of peers, and what they are called.
   */
  const std::pair<const char *, const char *> compared[] = {
    {"cold seconds", "cold"},
    {"hot seconds", "hot"},
    {"galerkin seconds", "PtAP"},
    {"solve seconds", "solve"},
    {memory_figure, "memory"}};

  void
  print(const std::vector<Row> &rows)
  {
    std::printf("\n%-25s %8s %8s %8s %8s %5s %8s %8s %7s %8s\n",
                "solver",
                "cold, s",
                "hot, s",
                "PtAP, s",
                "solve, s",
                "its",
                "MB",
                "with A",
                "levels",
                "op.cmpl.");
    for (const Row &row : rows)
      if (!row.error.empty())
        std::printf("%-25s %s\n", row.kind.name.c_str(), row.error.c_str());
      else
        std::printf(
          "%-25s %8.4f %8.4f %8s %8.4f %5.0f %8.1f %8.1f %7.0f %8.3f\n",
          row.kind.name.c_str(),
          row.median("cold seconds"),
          row.median("hot seconds"),
          decimals(row.median("galerkin seconds"), 4).c_str(),
          row.median("solve seconds"),
          row.median("iterations"),
          1e-6 * row.median("memory bytes"),
          1e-6 * row.median("memory with matrix bytes"),
          row.median("levels"),
          row.median("operator complexity"));

    std::printf("\n");
    for (const Row &row : rows)
      if (row.kind.is_ours)
        std::printf("%-25s %.0f aggregates, %.2f blocks in a row of P\n",
                    row.kind.name.c_str(),
                    row.median("aggregates"),
                    row.median("prolongator blocks") /
                      row.median("block rows"));

    std::printf("\nThe best peer, in times of ours (memory with A: ours in "
                "parts of the best\npeer's):\n");
    for (const Row &row : rows)
      if (row.kind.is_ours)
        {
          std::printf("%-25s", row.kind.name.c_str());
          for (const auto &figure : compared)
            {
              const bool   is_memory = figure.first == memory_figure;
              const double peer      = best_of_peers(rows, figure.first),
                           ours      = row.median(figure.first);
              std::printf(
                " %s %s,",
                figure.second,
                decimals(is_memory ? ours / peer : peer / ours, 2).c_str());
            }
          std::printf("\n");
        }
  }

  /** Seconds that the machine needs at least for what is counted. */
  struct Floors
  {
    double hot_bytes, hot_flops, iteration;
  };

  Floors
  floors(const Row &row, const Figures &machine)
  {
    // Products and eigenvalues are computed in double.
    return {row.median("hot floor bytes") / machine.at("copy"),
            row.median("hot floor flops") / machine.at("FMA double"),
            row.median("iteration floor bytes") / machine.at("copy")};
  }

  void
  print_floors(const std::vector<Row> &rows, const Figures &machine)
  {
    std::printf("\nCopy %.1f GB/s, FMA double %.0f, float %.0f GFLOP/s. "
                "Against the floors of bytes and operations:\n",
                1e-9 * machine.at("copy"),
                1e-9 * machine.at("FMA double"),
                1e-9 * machine.at("FMA float"));
    for (const Row &row : rows)
      if (row.kind.is_ours)
        {
          const Floors f = floors(row, machine);
          const double iteration =
            row.median("solve seconds") / row.median("iterations");
          std::printf("%-25s hot: %.3f GB, %.3f s, %.2f GFLOP, %.3f s; "
                      "measured %.1f of their sum\n"
                      "%-25s an iteration: %.3f GB, %.4f s; measured %.4f s, "
                      "%.1f of it\n",
                      row.kind.name.c_str(),
                      1e-9 * row.median("hot floor bytes"),
                      f.hot_bytes,
                      1e-9 * row.median("hot floor flops"),
                      f.hot_flops,
                      row.median("hot seconds") / (f.hot_bytes + f.hot_flops),
                      "",
                      1e-9 * row.median("iteration floor bytes"),
                      f.iteration,
                      iteration,
                      iteration / f.iteration);
        }
  }

#ifdef TESSERA_HAVE_JSON
  nlohmann::ordered_json
  to_json(const Row &row)
  {
    nlohmann::ordered_json result = {{"name", row.kind.name},
                                     {"is_ours", row.kind.is_ours},
                                     {"configuration", row.kind.configuration}};
    if (!row.error.empty())
      {
        result["error"] = row.error;
        return result;
      }
    for (const auto &entry : row.samples)
      {
        const Statistics s    = statistics(entry.second);
        std::string      name = entry.first;
        std::replace(name.begin(), name.end(), ' ', '_');
        if (std::isfinite(s.median))
          {
            if (s.min == s.max && s.median == std::floor(s.median))
              result[name] = std::int64_t(s.median);
            else if (s.min == s.max)
              result[name] = s.median;
            else
              result[name] = benchmark::to_json(s);
          }
      }
    return result;
  }
#endif

  void
  run(const Settings &settings)
  {
    const InstructionSet set     = active_instruction_set();
    std::vector<Row>     rows    = chosen_solvers(settings);
    const ChildResult    machine = in_child_process(measure_machine);
    if (!machine.error.empty())
      throw std::runtime_error("The machine was not measured: " +
                               machine.error);
    for (unsigned int n = 0; n < settings.repeats.n_repeats; ++n)
      measure_all(settings, rows);
    const ChildResult sizes = in_child_process([&] {
      const Problem p = settings.problem();
      std::printf("%s: %d block rows, %zu blocks %d x %d. Instruction set %s, "
                  "medians of %u.\n",
                  p.name.c_str(),
                  int(p.A.pattern().n_rows()),
                  std::size_t(p.A.pattern().n_blocks()),
                  p.A.shape().rows,
                  p.A.shape().rows,
                  to_string(set).c_str(),
                  settings.repeats.n_repeats);
      return Figures{{"n_block_rows", p.A.pattern().n_rows()},
                     {"n_blocks", double(p.A.pattern().n_blocks())},
                     {"block_size", p.A.shape().rows}};
    });
    print(rows);
    print_floors(rows, machine.figures);
    require_equal_results(rows);
    for (const Row &row : rows)
      if (row.error.empty())
        {
          std::printf("\nThe solution at the probe: %.8g\n",
                      row.median("probe"));
          break;
        }

#ifdef TESSERA_HAVE_JSON
    if (settings.json.empty())
      return;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Row &row : rows)
      list.push_back(to_json(row));
    nlohmann::ordered_json record = {{"benchmark", "elasticity_amg"},
                                     {"git_revision", git_revision()},
                                     {"instruction_set", to_string(set)},
                                     {"simd_bits", simd_bits(set)},
                                     {"clock", "seconds of the process"},
                                     {"k", settings.k},
                                     {"degree", settings.degree},
                                     {"scalar_n_cells", settings.scalar},
                                     {"tolerance", solve_tolerance},
                                     {"n_repeats", settings.repeats.n_repeats},
                                     {"machine", machine.figures}};
    for (const auto &entry : sizes.figures)
      record[entry.first] = std::int64_t(entry.second);
    record["solvers"] = list;
    write_json(settings.json, record);
#endif
  }
} // namespace benchmark

int
main(int argc, char **argv)
{
  // MPI is started by the processes that measure, each for itself.
  const tessera::Communicator ranks;
  return benchmark::run_program(ranks, [&] {
    benchmark::Settings settings;
    benchmark::Options  options(benchmark::usage);
    options.add_number("--k", settings.k, 16);
    options.add_number("--degree", settings.degree, 2);
    options.add_number("--scalar", settings.scalar, 64);
    options.add_number("--repeats", settings.repeats.n_repeats, 100);
    options.add_text("--solvers", settings.solvers);
    options.add_flag("--no-peer", settings.no_peer);
    options.add_json(settings.json);
    if (!options.parse(argc, argv, ranks))
      return;
    benchmark::run(settings);
  });
}
