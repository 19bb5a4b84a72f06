// SPDX-License-Identifier: LGPL-2.1-or-later
// Time of the symmetric interior penalty method with local multigrid, degree 3
// in three dimensions, on uniform meshes and one that is refined along a
// sphere: the operator in its two forms, the kernels of a cycle on its levels
// of float, a cycle and a solve, against the bytes they move and the flops they
// take; and what the size of the blocks of cells changes. On one process.
#include <tessera/base/communication_session.h>
#include <tessera/base/instruction_set.h>
#include <tessera/base/version.h>
#include <tessera/sipg/conjugate_gradients.h>
#include <tessera/sipg/fused_operator.h>
#include <tessera/sipg/local_multigrid.h>
#include <tessera/sipg/operator_kernels.h>
#include <tessera/sipg/right_hand_side.h>
#include <tessera/sipg/smoother_kernels.h>
#include <tessera/sipg/split_operator.h>
#include <tessera/sipg/transfer_kernels.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "program.h"
#include "sipg/meshes.h"

namespace benchmark
{
  using namespace tessera;
  using namespace tessera::sipg;

  constexpr char usage[] =
    "Usage: sipg_passes [--refinements L] [--repeats N] [--json FILE]\n"
    "\n"
    "The interior penalty method of degree 3 on cubes of 2^(L-1) and 2^L cells "
    "a\ndirection (default L = 5), and on one of 2^(L-2) cells with three "
    "levels more\nalong a sphere; blocks of 32 cells, and of 1 to 64 on 2^(L-1) "
    "cells. Each pass is\nmeasured N times (default 5) after two warm-ups; the "
    "median is printed.\n"
    "\n"
    "The environment variable TESSERA_SIMD (generic, avx2, avx512) selects "
    "the\ninstruction set; the default is the widest.\n";

  struct Settings
  {
    int         n_refinements = 5;
    Repeats     repeats       = {2, 5};
    std::string json;
  };

  /** A pass, with what it has to read and write, and multiplications and
   * additions, for each of its unknowns; 0 where that is no fixed number. */
  struct Pass
  {
    std::string           name;
    double                n_unknowns;
    double                bytes;
    double                flops;
    std::function<void()> run;
  };

  struct Result
  {
    std::string mesh;
    int         block_size;
    std::string pass;
    double      n_unknowns, bytes, flops;
    int         n_iterations; ///< of a solve, else 0
    Statistics  seconds;
  };

  constexpr int dim = 3, degree = 3, n_values = 64;

  /** All that an adaptive solve has, and its passes one by one. */
  class Problem
  {
  public:
    Problem(const sipg::Forest<dim> &forest, const int block_size)
      : matrices(degree)
      , levels(std::make_shared<const LevelHierarchy<dim>>(forest, block_size))
      , A(levels, matrices)
      , A_split(levels, matrices)
      , B(levels, matrices)
      , b(A.layout())
      , y(A.layout())
      , x(A.layout())
      , z(A.layout())
      , residual(A.layout())
      , iterate(A.layout())
      , next(A.layout())
    {
      ProblemData<dim> data;
      data.source = [](const Point<dim> &p) {
        return dim * M_PI * M_PI * std::sin(M_PI * p[0]) *
               std::sin(M_PI * p[1]) * std::sin(M_PI * p[2]);
      };
      assemble_right_hand_side(*levels, matrices, data, b);
      // Values as a solve has them.
      B.apply(b, x);
      for (int l = 0; l < levels->n_levels(); ++l)
        {
          flags.emplace_back(levels->level(l));
          rounded.emplace_back(levels->level(l), matrices);
          modes.emplace_back(levels->level(l), matrices);
        }
      for (std::size_t i = 0; i < b.size(); ++i)
        {
          residual.data()[i] = float(b.data()[i]);
          iterate.data()[i]  = float(x.data()[i]);
        }
    }

    std::vector<Pass>
    passes()
    {
      const double n_active = double(levels->n_active_cells()) * n_values;
      double       n_level  = 0.;
      for (int l = 1; l < levels->n_levels(); ++l)
        n_level += double(levels->level(l).n_cells) * n_values;
      const auto on_levels = [this](const auto &kernel) {
        return [this, kernel] {
          for (int l = 1; l < levels->n_levels(); ++l)
            kernel(l);
        };
      };
      const auto sweep = [this](const int axis) {
        return [this, axis] { A_split.add_face_terms(axis, x, y); };
      };
      return {
        {"operator, double", n_active, 16, 72, [&] { A.apply(x, y); }},
        // Two-sided sweeps: the products with the mass matrix serve both sides.
        {"split volume, double",
         n_active,
         16,
         56,
         [&] { A_split.apply_volume_terms(x, y); }},
        {"split sweep x, double", n_active, 24, 11.5, sweep(0)},
        {"split sweep y, double", n_active, 24, 11.5, sweep(1)},
        {"split sweep z, double", n_active, 24, 11.5, sweep(2)},
        {"split operator, double",
         n_active,
         88,
         90.5,
         [&] { A_split.apply(x, y); }},
        {"operator, float", n_level, 8, 72, on_levels([this](const int l) {
           TESSERA_CALL_SIMD(
             apply_own_side<dim>(degree,
                                 FaceTerms::level,
                                 flags[l].view(),
                                 rounded[l].view(),
                                 static_cast<const float *>(iterate.cells(l)),
                                 static_cast<const float *>(iterate.shadows(l)),
                                 next.cells(l)));
         })},
        {"smoother step, float",
         n_level,
         12,
         72,
         on_levels([this](const int l) {
           TESSERA_CALL_SIMD(
             smooth_step<dim>(degree,
                              flags[l].view(),
                              rounded[l].view(),
                              modes[l].view(),
                              0.5f,
                              static_cast<const float *>(residual.cells(l)),
                              static_cast<const float *>(iterate.cells(l)),
                              static_cast<const float *>(iterate.shadows(l)),
                              next.cells(l)));
         })},
        {"restrict, float", n_level, 8.5, 96, on_levels([this](const int l) {
           TESSERA_CALL_SIMD(restrict_residual<dim>(
             degree,
             flags[l].view(),
             rounded[l].view(),
             modes[l].view(),
             static_cast<const float *>(residual.cells(l)),
             static_cast<const float *>(iterate.cells(l)),
             static_cast<const float *>(iterate.shadows(l)),
             next.cells(l - 1)));
         })},
        {"prolongate, float", n_level, 8.5, 25, on_levels([this](const int l) {
           TESSERA_CALL_SIMD(prolong_and_add<dim>(degree,
                                                  flags[l].view(),
                                                  modes[l].view(),
                                                  static_cast<const float *>(
                                                    iterate.cells(l - 1)),
                                                  next.cells(l)));
         })},
        {"cycle", n_active, 0, 0, [&] { B.apply(b, z); }},
        {"solve", n_active, 0, 0, [&] { n_iterations = solve(); }},
      };
    }

    /** Of the last solve. */
    int n_iterations = 0;

  private:
    ElementMatrices                            matrices;
    std::shared_ptr<const LevelHierarchy<dim>> levels;
    FusedOperator<dim>                         A;
    SplitOperator<dim>                         A_split;
    LocalMultigrid<dim, float>                 B;
    sipg::DualField<double>                    b, y;
    sipg::PrimalField<double>                  x, z;

    std::vector<LevelFlags<dim>>           flags;
    std::vector<LevelMatrices<dim, float>> rounded;
    std::vector<LevelModes<dim, float>>    modes;
    sipg::DualField<float>                 residual;
    sipg::PrimalField<float>               iterate, next;

    int
    solve()
    {
      std::fill(z.data(), z.data() + z.size(), 0.);
      const ConjugateGradientResult result = solve_conjugate_gradients(
        [&](const sipg::PrimalField<double> &u, sipg::DualField<double> &v) {
          A.apply(u, v);
        },
        [&](const sipg::DualField<double> &r, sipg::PrimalField<double> &v) {
          B.apply(r, v);
        },
        b,
        z);
      if (!result.converged)
        throw SolverBreakdown("The solve has not converged.");
      return result.n_iterations;
    }
  };

  void
  measure_mesh(const std::string       &mesh,
               const sipg::Forest<dim> &forest,
               const int                block_size,
               const Repeats           &repeats,
               std::vector<Result>     &results)
  {
    Problem problem(forest, block_size);
    for (const Pass &pass : problem.passes())
      {
        problem.n_iterations     = 0;
        const Statistics seconds = statistics(measure(repeats, pass.run));
        results.push_back({mesh,
                           block_size,
                           pass.name,
                           pass.n_unknowns,
                           pass.bytes,
                           pass.flops,
                           problem.n_iterations,
                           seconds});
        const Result &r    = results.back();
        const double  rate = r.n_unknowns / r.seconds.median;
        std::printf("%-10s %3d  %-22s %9.0f %9.3f %9.2f",
                    mesh.c_str(),
                    block_size,
                    r.pass.c_str(),
                    r.n_unknowns / n_values,
                    1e3 * r.seconds.median,
                    1e-6 * rate);
        if (r.flops > 0.)
          std::printf(" %8.2f %8.2f\n",
                      1e-9 * rate * r.bytes,
                      1e-9 * rate * r.flops);
        else if (r.n_iterations > 0)
          std::printf("  %d iterations\n", r.n_iterations);
        else
          std::printf("\n");
      }
  }

  void
  run(const Settings &settings)
  {
    const InstructionSet set = active_instruction_set();
    const int            L   = settings.n_refinements;
    std::printf(
      "Instruction set %s (%u bits), degree 3, levels in float, median "
      "of %u\n\n%-10s %3s  %-22s %9s %9s %9s %8s %8s\n",
      to_string(set).c_str(),
      simd_bits(set),
      settings.repeats.n_repeats,
      "mesh",
      "B",
      "pass",
      "cells",
      "ms",
      "MDoF/s",
      "GB/s",
      "GFlop/s");
    const auto uniform = [](const int l) {
      return sipg::Forest<dim>::uniform(sipg_tests::cube_mesh<dim>(2), l - 1);
    };
    const auto name = [](const int l) { return std::to_string(1 << l) + "^3"; };
    std::vector<Result> results;
    const auto          add = [&](const std::string       &mesh,
                         const sipg::Forest<dim> &forest,
                         const int                block_size) {
      measure_mesh(mesh, forest, block_size, settings.repeats, results);
    };
    add(name(L - 1), uniform(L - 1), 32);
    add(name(L), uniform(L), 32);
    add(name(L - 2) + " + 3", sipg_tests::shell_forest(uniform(L - 2), 3), 32);
    for (const int block_size : {1, 2, 4, 8, 16, 64})
      add(name(L - 1), uniform(L - 1), block_size);

#ifdef TESSERA_HAVE_JSON
    if (settings.json.empty())
      return;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Result &r : results)
      list.push_back({{"mesh", r.mesh},
                      {"block_size", r.block_size},
                      {"pass", r.pass},
                      {"n_unknowns", r.n_unknowns},
                      {"bytes_per_unknown", r.bytes},
                      {"flops_per_unknown", r.flops},
                      {"n_iterations", r.n_iterations},
                      {"seconds", to_json(r.seconds)}});
    write_json(settings.json,
               {{"benchmark", "sipg_passes"},
                {"git_revision", git_revision()},
                {"instruction_set", to_string(set)},
                {"simd_bits", simd_bits(set)},
                {"n_repeats", settings.repeats.n_repeats},
                {"results", list}});
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
    options.add_number("--refinements", settings.n_refinements, 7);
    options.add_number("--repeats", settings.repeats.n_repeats, 100);
    options.add_json(settings.json);
    if (!options.parse(argc, argv, ranks))
      return;
    if (settings.n_refinements < 3)
      throw benchmark::InputError("--refinements has to be 3 at least.");
    benchmark::require_one_process(ranks);
    benchmark::run(settings);
  });
}
