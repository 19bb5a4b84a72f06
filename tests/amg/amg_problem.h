// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_amg_amg_problem_h
#define tessera_tests_amg_amg_problem_h

// A matrix with what multigrid wants to know of its nodes.

#include <tessera/amg/block_amg.h>
#include <tessera/amg/conjugate_gradients.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "amg/grid_problem.h"
#include "brick/beam_load.h"
#include "brick/brick_matrix.h"

namespace amg_problem
{
  using tessera::amg::BlockAMG;
  using tessera::amg::NearNullSpace;
  using tessera::amg::Options;
  using tessera::amg::SolveOptions;
  using tessera::amg::SolveResult;
  using tessera::sparse::BlockMatrix;
  using tessera::sparse::BlockVector;

  struct Problem
  {
    BlockMatrix<double>        A;
    NearNullSpace              B;
    std::vector<std::uint64_t> keys;
    BlockVector<double>        b;
  };

  inline void
  fill_random(BlockVector<double> &x, const unsigned int seed)
  {
    std::mt19937                     generator(seed);
    std::uniform_real_distribution<> uniform(-1, 1);
    for (std::size_t i = 0; i < x.n_owned_values(); ++i)
      x.data()[i] = uniform(generator);
  }

  /** The beam of elasticity, clamped by elimination, with a force and a moment
   * at its end. */
  inline Problem
  beam(const int k, const int degree = 2)
  {
    const brick::Brick        brick = brick::beam(k, degree);
    Problem                   problem;
    const std::vector<double> x = brick::coordinates(brick);
    problem.A = brick::brick_matrix(brick, 3, brick::elasticity(brick));
    const auto &layout = problem.A.pattern().rows();
    problem.B          = tessera::amg::rigid_body_modes(layout, 3, x);
    problem.keys       = tessera::amg::keys_of_coordinates(layout, 3, x);
    problem.b          = BlockVector<double>(layout, 3);
    const std::vector<double> load = brick::beam_load(brick, 1, 1);
    std::copy(load.begin(), load.end(), problem.b.data());
    return problem;
  }

  /** A matrix on a grid: rigid-body modes, or a constant where nodes have one
   * component; and a random right-hand side. */
  inline Problem
  on_grid(const grid_problem::Grid &grid, BlockMatrix<double> A)
  {
    Problem problem;
    problem.A          = std::move(A);
    const auto &layout = problem.A.pattern().rows();
    const int   n      = problem.A.shape().rows;
    problem.B =
      n == 1 ?
        tessera::amg::constant_modes(layout, 1) :
        tessera::amg::rigid_body_modes(layout, grid.dim, grid.coordinates());
    problem.keys =
      tessera::amg::keys_of_coordinates(layout, grid.dim, grid.coordinates());
    problem.b = BlockVector<double>(layout, n);
    fill_random(problem.b, 1);
    return problem;
  }

  inline void
  initialize(BlockAMG &C, const Problem &problem, const Options &options = {})
  {
    C.initialize(problem.A, problem.B, problem.keys, options);
  }

  /** From 0. The solution was NaN before. */
  inline SolveResult
  solve(const Problem       &problem,
        const BlockAMG      &C,
        BlockVector<double> &x,
        const double         tolerance = 1e-8)
  {
    x = BlockVector<double>(problem.A.pattern().columns(),
                            problem.A.shape().rows);
    SolveOptions options;
    options.tolerance = tolerance;
    return tessera::amg::solve(problem.A, C, problem.b, x, options);
  }

  /** Iterations to 1e-8; 0 if it does not converge. */
  inline unsigned int
  n_iterations(const Problem &problem, const Options &options = {})
  {
    BlockAMG C;
    initialize(C, problem, options);
    BlockVector<double> x;
    const SolveResult   result = solve(problem, C, x);
    return result.converged ? result.n_iterations : 0;
  }

  /** C r, into memory that was NaN. */
  inline BlockVector<double>
  apply(const BlockAMG &C, const BlockVector<double> &r)
  {
    BlockVector<double> z(r.layout(), r.block_size());
    std::fill_n(z.data(),
                z.n_values(),
                std::numeric_limits<double>::quiet_NaN());
    C.vmult(z, r);
    return z;
  }

  inline double
  dot(const BlockVector<double> &x, const BlockVector<double> &y)
  {
    double sum = 0;
    for (std::size_t i = 0; i < x.n_owned_values(); ++i)
      sum += x.data()[i] * y.data()[i];
    return sum;
  }

  inline bool
  same_bits(const BlockVector<double> &x, const BlockVector<double> &y)
  {
    bool same = x.n_owned_values() == y.n_owned_values();
    for (std::size_t i = 0; same && i < x.n_owned_values(); ++i)
      same = x.data()[i] == y.data()[i];
    return same;
  }

  /** The largest difference, relative to the largest entry of y. */
  inline double
  distance(const BlockVector<double> &x, const BlockVector<double> &y)
  {
    double difference = 0, largest = 0;
    for (std::size_t i = 0; i < y.n_owned_values(); ++i)
      {
        // fmax() drops NaN.
        const double d = std::abs(x.data()[i] - y.data()[i]);
        difference     = d <= difference ? difference : d;
        largest        = std::fmax(largest, std::abs(y.data()[i]));
      }
    return difference / largest;
  }
} // namespace amg_problem

#endif
