// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_elasticity_amg_problem_h
#define tessera_tests_benchmarks_elasticity_amg_problem_h

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "brick/beam_load.h"
#include "brick/brick_matrix.h"

namespace benchmark
{
  using tessera::sparse::BlockMatrix;
  using tessera::sparse::LocalIndex;

  /** A system of equations, twice: with two matrices of one pattern. */
  struct Problem
  {
    std::string         name;
    BlockMatrix<double> A;
    BlockMatrix<double> changed;
    std::vector<double> b;

    /** [node][3] */
    std::vector<double> coordinates;

    /** Rigid motions, or a constant: [node][n][q]. */
    brick::Modes modes;
    int          n_modes;

    /** A component of the solution to print. */
    std::size_t probe;
  };

  /** A matrix with the given values and the pattern of another. */
  inline BlockMatrix<double>
  with_pattern_of(const BlockMatrix<double> &A,
                  const BlockMatrix<double> &values)
  {
    BlockMatrix<double> result(A.pattern(), A.shape());
    std::copy_n(values.values(), values.n_values(), result.values_to_write());
    return result;
  }

  /** Young's modulus of the second matrix, 1 + 0.2 sin(2 pi x/L) times that of
   * the first. */
  inline auto
  changed_modulus(const brick::Brick &brick)
  {
    return [n = brick.n_cells[0]](const std::array<int, 3> &cell) {
      return 1. + 0.2 * std::sin(2 * std::acos(-1.) * (cell[0] + 0.5) / n);
    };
  }

  /**
   * The beam [0,10] x [-1/2,1/2]^2 of 10 k x k x k cubes with elements of
   * degree 1 or 2, E = 1, Poisson's ratio 1/4; clamped at x = 0, where nodes
   * are eliminated; at x = 10 a force 1 in z and a moment 1 about x.
   */
  inline Problem
  beam_problem(const int k, const int degree)
  {
    using namespace brick;
    const Brick         bar     = beam(k, degree);
    const ElementMatrix element = elasticity(bar);
    Problem             p;
    p.name = "Q" + std::to_string(degree) + " beam, k = " + std::to_string(k);
    p.A    = brick_matrix(bar, 3, element);
    p.changed =
      with_pattern_of(p.A, brick_matrix(bar, 3, element, changed_modulus(bar)));
    p.b           = beam_load(bar, 1., 1.);
    p.coordinates = coordinates(bar);
    p.modes       = rigid_modes(bar);
    p.n_modes     = 6;
    p.probe =
      3 * bar.number({{bar.last(0), bar.last(1) / 2, bar.last(2) / 2}}) + 2;
    return p;
  }

  /**
   * Poisson's equation with right-hand side 1 on a unit cube of n^3 cubes with
   * elements of degree 2. Nodes of the boundary, where the solution is 0, stay
   * in the matrix: of their rows and columns only the diagonal is left.
   */
  inline Problem
  poisson_problem(const int n)
  {
    using namespace brick;
    const Brick         cube{{{n, n, n}}, 1. / n, 2, false};
    const ElementMatrix element        = laplace(cube);
    const auto          is_on_boundary = [&](const LocalIndex i) {
      const auto at = cube.place(i);
      return std::any_of(at.begin(), at.end(), [&](const int place) {
        return place == 0 || place == 2 * n;
      });
    };
    const auto constrained = [&](BlockMatrix<double> A) {
      const auto &pattern = A.pattern();
      double     *values  = A.values_to_write();
      for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
        for (std::int64_t at = pattern.row_begin()[i];
             at < pattern.row_begin()[i + 1];
             ++at)
          {
            const LocalIndex j = pattern.column_indices()[at];
            if (j != i && (is_on_boundary(i) || is_on_boundary(j)))
              values[at] = 0.;
          }
      return A;
    };

    Problem p;
    p.name    = "Q2 Poisson, " + std::to_string(n) + "^3 cubes";
    p.A       = constrained(brick_matrix(cube, 1, element));
    p.changed = with_pattern_of(
      p.A, constrained(brick_matrix(cube, 1, element, changed_modulus(cube))));
    p.b.assign(cube.n_nodes(), 0.);
    for (LocalIndex i = 0; i < cube.n_nodes(); ++i)
      if (!is_on_boundary(i))
        {
          // The integrals of the functions of a line are 1/3 and 2/3.
          p.b[i] = 1.;
          for (const int place : cube.place(i))
            p.b[i] *= cube.h * (place % 2 == 0 ? 1 : 2) / 3.;
        }
    p.coordinates = coordinates(cube);
    p.modes.assign(cube.n_nodes(), 1.);
    p.n_modes = 1;
    p.probe   = cube.number({{n, n, n}});
    return p;
  }
} // namespace benchmark

#endif
