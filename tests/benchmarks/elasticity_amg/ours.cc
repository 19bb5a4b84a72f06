// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/block_amg.h>
#include <tessera/amg/conjugate_gradients.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "benchmarks/elasticity_amg/solver.h"

namespace benchmark
{
  namespace
  {
    using namespace tessera;

    /** Products with the matrix for the estimate of an eigenvalue. */
    constexpr double n_eigenvalue_steps = 10.;

    class BlockAMGSolver : public Solver
    {
    public:
      BlockAMGSolver(Problem the_problem, const amg::Options &amg_options)
        : problem(std::move(the_problem))
        , options(amg_options)
        , A(&problem.A)
        , b(problem.A.pattern().rows(), problem.A.shape().rows)
        , x(problem.A.pattern().columns(), problem.A.shape().columns)
      {
        std::copy(problem.b.begin(), problem.b.end(), b.data());
      }

      void
      set_up_cold() override
      {
        // Modes and keys are made from coordinates, by whoever calls.
        const sparse::IndexLayout &nodes = problem.A.pattern().rows();
        const amg::NearNullSpace   modes =
          problem.n_modes == 1 ?
              amg::constant_modes(nodes, 1) :
              amg::rigid_body_modes(nodes, 3, problem.coordinates);
        preconditioner.clear();
        preconditioner.initialize(*A,
                                  modes,
                                  amg::keys_of_coordinates(nodes,
                                                           3,
                                                           problem.coordinates),
                                  options);
      }

      void
      use_changed(const bool use) override
      {
        A = use ? &problem.changed : &problem.A;
      }

      void
      set_up_hot() override
      {
        preconditioner.update(*A);
      }

      unsigned int
      solve() override
      {
        amg::SolveOptions solve_options;
        solve_options.tolerance      = solve_tolerance;
        solve_options.max_iterations = solve_max_iterations;
        x.set_zero();
        const amg::SolveResult result =
          amg::solve(*A, preconditioner, b, x, solve_options);
        return result.converged ? result.n_iterations : 0;
      }

      std::vector<double>
      solution() const override
      {
        return std::vector<double>(x.data(), x.data() + x.n_owned_values());
      }

      Figures
      figures() override
      {
        const amg::HierarchyRecord &record = preconditioner.record();
        const amg::LevelRecord     &first  = record.levels.front();
        Figures result = {{"galerkin seconds", record.seconds.galerkin},
                          {"levels", double(record.levels.size())},
                          {"operator complexity", record.operator_complexity()},
                          {"block rows", double(first.n_block_rows)},
                          {"blocks", double(first.n_blocks)},
                          {"aggregates", double(first.n_aggregates)},
                          {"prolongator blocks",
                           double(first.n_prolongator_blocks)},
                          {"matrix bytes", matrix_bytes(first, 8)},
                          {"counted memory bytes", double(record.memory)}};
        add_floors(record, result);
        return result;
      }

    private:
      static double
      matrix_bytes(const amg::LevelRecord &level, const double number_bytes)
      {
        return double(level.n_blocks) *
               (4 + number_bytes * level.block_size * level.block_size);
      }

      /** What has to be moved and computed, see doc/developer/benchmarks.md. */
      void
      add_floors(const amg::HierarchyRecord &record, Figures &result) const
      {
        const double number_bytes =
          options.level_precision == amg::LevelPrecision::single_precision ? 4 :
                                                                             8;
        double hot_bytes = 0., hot_flops = 0.;

        // A product with A in double, and a cycle.
        double iteration_bytes = matrix_bytes(record.levels.front(), 8);
        for (std::size_t l = 0; l + 1 < record.levels.size(); ++l)
          {
            const amg::LevelRecord &level  = record.levels[l];
            const int               coarse = record.levels[l + 1].block_size;
            hot_bytes += level.predicted_bytes +
                         n_eigenvalue_steps * matrix_bytes(level, number_bytes);
            // Converted.
            if (number_bytes < 8)
              hot_bytes += double(level.n_blocks) * level.block_size *
                           level.block_size * (8 + number_bytes);
            hot_flops += level.predicted_flops +
                         2 * n_eigenvalue_steps * double(level.n_blocks) *
                           level.block_size * level.block_size;
            iteration_bytes +=
              2 * options.smoother_degree * matrix_bytes(level, number_bytes) +
              2 * double(level.n_prolongator_blocks) *
                (4 + number_bytes * level.block_size * coarse);
          }
        result["hot floor bytes"]       = hot_bytes;
        result["hot floor flops"]       = hot_flops;
        result["iteration floor bytes"] = iteration_bytes;
      }

      Problem                            problem;
      amg::Options                       options;
      const sparse::BlockMatrix<double> *A;
      sparse::BlockVector<double>        b, x;
      amg::BlockAMG                      preconditioner;
    };
  } // namespace



  std::vector<SolverKind>
  our_solvers()
  {
    std::vector<SolverKind> result;
    for (const double filter : {0., 0.03})
      for (const amg::LevelPrecision precision :
           {amg::LevelPrecision::double_precision,
            amg::LevelPrecision::single_precision})
        {
          amg::Options options;
          options.prolongator_filter = filter;
          options.level_precision    = precision;
          const std::string number =
            precision == amg::LevelPrecision::double_precision ? "double" :
                                                                 "float";
          char name[64];
          std::snprintf(
            name, sizeof(name), "ours, %s, filter %g", number.c_str(), filter);
          result.push_back(
            {name,
             true,
             "levels in " + number + ", filter as named, else defaults",
             [options](Problem problem) {
               return std::make_unique<BlockAMGSolver>(std::move(problem),
                                                       options);
             }});
        }
    return result;
  }
} // namespace benchmark
