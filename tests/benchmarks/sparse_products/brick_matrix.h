// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_sparse_products_brick_matrix_h
#define tessera_tests_benchmarks_sparse_products_brick_matrix_h

// Matrices of quadratic elements on bricks of equal cubes, numbered by their
// place, without a mesh.

#include <tessera/sparse/block_matrix.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace benchmark
{
  using tessera::sparse::BlockMatrix;
  using tessera::sparse::BlockPattern;
  using tessera::sparse::IndexLayout;
  using tessera::sparse::LocalIndex;

  /**
   * Cubes [0, n_x h] x [0, n_y h] x [0, n_z h] with the nodes of quadratic
   * elements, two a cube and direction. Nodes of the plane x = 0 are
   * eliminated; the others are numbered with x slowest and z fastest.
   */
  struct Brick
  {
    std::array<int, 3> n_cells;
    double             h;

    /** Nodes in a direction; in x without those that are eliminated. */
    int
    n_nodes(const int direction) const
    {
      return 2 * n_cells[direction] + (direction == 0 ? 0 : 1);
    }

    LocalIndex
    n_nodes() const
    {
      return LocalIndex(n_nodes(0)) * n_nodes(1) * n_nodes(2);
    }

    /** Number of a node at places 1, ..., 2 n_x and 0, ..., 2 n_y, 2 n_z. */
    LocalIndex
    number(const std::array<int, 3> &place) const
    {
      return (LocalIndex(place[0] - 1) * n_nodes(1) + place[1]) * n_nodes(2) +
             place[2];
    }

    std::array<int, 3>
    place(const LocalIndex node) const
    {
      const int n = n_nodes(2), m = n_nodes(1);
      return {{node / (n * m) + 1, node / n % m, node % n}};
    }

    /** First and last place that has a cube in common with one. */
    std::pair<int, int>
    neighbours(const int direction, const int place) const
    {
      const int reach = 2 - place % 2, last = 2 * n_cells[direction];
      return {std::max(place - reach, direction == 0 ? 1 : 0),
              std::min(place + reach, last)};
    }
  };

  /** The beam [0,10] x [0,1]^2 of 10 k x k x k cubes. */
  inline Brick
  beam(const int k)
  {
    return {{{10 * k, k, k}}, 1. / k};
  }

  /** Blocks where two nodes have a cube in common. */
  inline BlockPattern
  brick_pattern(const Brick &brick)
  {
    std::vector<std::int64_t> row_begin = {0};
    std::vector<LocalIndex>   columns;
    for (LocalIndex i = 0; i < brick.n_nodes(); ++i)
      {
        const auto place = brick.place(i);
        const auto x     = brick.neighbours(0, place[0]),
                   y     = brick.neighbours(1, place[1]),
                   z     = brick.neighbours(2, place[2]);
        for (int a = x.first; a <= x.second; ++a)
          for (int b = y.first; b <= y.second; ++b)
            for (int c = z.first; c <= z.second; ++c)
              columns.push_back(brick.number({{a, b, c}}));
        row_begin.push_back(columns.size());
      }
    const IndexLayout layout(brick.n_nodes());
    return BlockPattern(layout,
                        layout,
                        std::move(row_begin),
                        std::move(columns));
  }

  /** Gradients of the 27 functions of an element on [0,1]^3 in the 27 points of
   * Gauss' formula with three points a direction, x slowest: [point][function]
   * [direction], and the weights of the points. */
  struct QuadraticElement
  {
    std::array<std::array<std::array<double, 3>, 27>, 27> gradients;
    std::array<double, 27>                                weights;

    QuadraticElement()
    {
      const double g             = std::sqrt(0.15);
      const double points[3]     = {0.5 - g, 0.5, 0.5 + g};
      const double weights_1d[3] = {5. / 18, 8. / 18, 5. / 18};
      double       values[3][3], derivatives[3][3]; // [point][function]
      for (int p = 0; p < 3; ++p)
        {
          const double x    = points[p];
          values[p][0]      = (1 - x) * (1 - 2 * x);
          values[p][1]      = 4 * x * (1 - x);
          values[p][2]      = x * (2 * x - 1);
          derivatives[p][0] = 4 * x - 3;
          derivatives[p][1] = 4 - 8 * x;
          derivatives[p][2] = 4 * x - 1;
        }
      for (int p = 0; p < 27; ++p)
        {
          const int at[3] = {p / 9, p / 3 % 3, p % 3};
          weights[p] =
            weights_1d[at[0]] * weights_1d[at[1]] * weights_1d[at[2]];
          for (int f = 0; f < 27; ++f)
            {
              const int of[3] = {f / 9, f / 3 % 3, f % 3};
              for (int d = 0; d < 3; ++d)
                {
                  double product = 1.;
                  for (int e = 0; e < 3; ++e)
                    product *= (e == d ? derivatives : values)[at[e]][of[e]];
                  gradients[p][f][d] = product;
                }
            }
        }
    }
  };

  /** Element matrix [27][27][n][n], row-major. */
  using ElementMatrix = std::vector<double>;

  /** Isotropic elasticity with E = 1, Poisson's ratio 1/4, hence both of
   * Lame's constants 2/5: n = 3. */
  inline ElementMatrix
  elasticity(const double h)
  {
    const QuadraticElement element;
    const double           lambda = 0.4, mu = 0.4;
    ElementMatrix          matrix(27 * 27 * 9, 0.);
    for (int p = 0; p < 27; ++p)
      for (int i = 0; i < 27; ++i)
        for (int j = 0; j < 27; ++j)
          {
            const auto  &a  = element.gradients[p][i];
            const auto  &b  = element.gradients[p][j];
            const double ab = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            for (int r = 0; r < 3; ++r)
              for (int c = 0; c < 3; ++c)
                matrix[((i * 27 + j) * 3 + r) * 3 + c] +=
                  h * element.weights[p] *
                  (lambda * a[r] * b[c] + mu * a[c] * b[r] +
                   (r == c ? mu * ab : 0.));
          }
    return matrix;
  }

  /** The Laplace operator: n = 1. */
  inline ElementMatrix
  laplace(const double h)
  {
    const QuadraticElement element;
    ElementMatrix          matrix(27 * 27, 0.);
    for (int p = 0; p < 27; ++p)
      for (int i = 0; i < 27; ++i)
        for (int j = 0; j < 27; ++j)
          for (int d = 0; d < 3; ++d)
            matrix[i * 27 + j] += h * element.weights[p] *
                                  element.gradients[p][i][d] *
                                  element.gradients[p][j][d];
    return matrix;
  }

  /** The sum of the matrices of all elements, blocks n x n. */
  inline BlockMatrix<double>
  brick_matrix(const Brick &brick, const int n, const ElementMatrix &element)
  {
    BlockMatrix<double> A(brick_pattern(brick), {n, n});
    const std::int64_t *row_begin = A.pattern().row_begin();
    double             *values    = A.values_to_write();
    std::array<int, 3>  cell;
    for (cell[0] = 0; cell[0] < brick.n_cells[0]; ++cell[0])
      for (cell[1] = 0; cell[1] < brick.n_cells[1]; ++cell[1])
        for (cell[2] = 0; cell[2] < brick.n_cells[2]; ++cell[2])
          for (int i = 0; i < 27; ++i)
            {
              const std::array<int, 3> at = {{2 * cell[0] + i / 9,
                                              2 * cell[1] + i / 3 % 3,
                                              2 * cell[2] + i % 3}};
              if (at[0] == 0)
                continue;
              const auto x = brick.neighbours(0, at[0]),
                         y = brick.neighbours(1, at[1]),
                         z = brick.neighbours(2, at[2]);
              for (int j = 0; j < 27; ++j)
                {
                  const int a = 2 * cell[0] + j / 9,
                            b = 2 * cell[1] + j / 3 % 3,
                            c = 2 * cell[2] + j % 3;
                  if (a == 0)
                    continue;
                  const std::int64_t position =
                    row_begin[brick.number(at)] +
                    ((a - x.first) * (y.second - y.first + 1) + b - y.first) *
                      (z.second - z.first + 1) +
                    c - z.first;
                  for (int e = 0; e < n * n; ++e)
                    values[position * n * n + e] +=
                      element[(i * 27 + j) * n * n + e];
                }
            }
    return A;
  }

  /** Values of functions that the operator maps to zero, away from x = 0:
   * [node][n][q]. */
  using Modes = std::vector<double>;

  /** Three displacements and three rotations about the centre: n = 3, q = 6. */
  inline Modes
  rigid_modes(const Brick &brick)
  {
    Modes modes(std::size_t(brick.n_nodes()) * 18, 0.);
    for (LocalIndex i = 0; i < brick.n_nodes(); ++i)
      {
        const auto at = brick.place(i);
        double     x[3];
        for (int d = 0; d < 3; ++d)
          x[d] = 0.5 * brick.h * (at[d] - brick.n_cells[d]);
        double *m = &modes[std::size_t(i) * 18]; // [component][mode]
        for (int d = 0; d < 3; ++d)
          {
            const int e = (d + 1) % 3, f = (d + 2) % 3;
            m[d * 6 + d]     = 1.;
            m[e * 6 + 3 + d] = -x[f]; // rotation about direction d
            m[f * 6 + 3 + d] = x[e];
          }
      }
    return modes;
  }
} // namespace benchmark

#endif
