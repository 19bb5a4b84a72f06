// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_brick_brick_matrix_h
#define tessera_tests_brick_brick_matrix_h

// Matrices of linear and quadratic elements on bricks.

#include <tessera/sparse/block_matrix.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "brick/brick.h"
#include "brick/lagrange.h"

namespace brick
{
  using tessera::sparse::BlockMatrix;
  using tessera::sparse::BlockPattern;
  using tessera::sparse::IndexLayout;

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

  /** Element matrix [m][m][n][n] of m functions, row-major. */
  using ElementMatrix = std::vector<double>;

  /** Isotropic elasticity with E = 1, Poisson's ratio 1/4, hence both of
   * Lame's constants 2/5: n = 3. */
  inline ElementMatrix
  elasticity(const Brick &brick)
  {
    const Element element(brick.degree);
    const int     m      = element.n_functions;
    const double  lambda = 0.4, mu = 0.4;
    ElementMatrix matrix(m * m * 9, 0.);
    for (int p = 0; p < m; ++p)
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j)
          {
            const auto  &a  = element.gradients[p][i];
            const auto  &b  = element.gradients[p][j];
            const double ab = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            for (int r = 0; r < 3; ++r)
              for (int c = 0; c < 3; ++c)
                matrix[((i * m + j) * 3 + r) * 3 + c] +=
                  brick.h * element.weights[p] *
                  (lambda * a[r] * b[c] + mu * a[c] * b[r] +
                   (r == c ? mu * ab : 0.));
          }
    return matrix;
  }

  /** The Laplace operator: n = 1. */
  inline ElementMatrix
  laplace(const Brick &brick)
  {
    const Element element(brick.degree);
    const int     m = element.n_functions;
    ElementMatrix matrix(m * m, 0.);
    for (int p = 0; p < m; ++p)
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j)
          for (int d = 0; d < 3; ++d)
            matrix[i * m + j] += brick.h * element.weights[p] *
                                 element.gradients[p][i][d] *
                                 element.gradients[p][j][d];
    return matrix;
  }

  /** The sum of the matrices of all elements, blocks n x n.
   * @param[in] factor A number for each cube, by which its matrix is
   * multiplied; if empty, 1. */
  inline BlockMatrix<double>
  brick_matrix(
    const Brick                                                 &brick,
    const int                                                    n,
    const ElementMatrix                                         &element,
    const std::function<double(const std::array<int, 3> &cell)> &factor = {})
  {
    BlockMatrix<double> A(brick_pattern(brick), {n, n});
    const std::int64_t *row_begin = A.pattern().row_begin();
    double             *values    = A.values_to_write();
    const int           p = brick.degree, s = p + 1, m = s * s * s;
    std::array<int, 3>  cell;
    for (cell[0] = 0; cell[0] < brick.n_cells[0]; ++cell[0])
      for (cell[1] = 0; cell[1] < brick.n_cells[1]; ++cell[1])
        for (cell[2] = 0; cell[2] < brick.n_cells[2]; ++cell[2])
          for (int i = 0; i < m; ++i)
            {
              const double             scale = factor ? factor(cell) : 1.;
              const std::array<int, 3> at    = {{p * cell[0] + i / (s * s),
                                                 p * cell[1] + i / s % s,
                                                 p * cell[2] + i % s}};
              if (at[0] < brick.first(0))
                continue;
              const auto x = brick.neighbours(0, at[0]),
                         y = brick.neighbours(1, at[1]),
                         z = brick.neighbours(2, at[2]);
              for (int j = 0; j < m; ++j)
                {
                  const int a = p * cell[0] + j / (s * s),
                            b = p * cell[1] + j / s % s,
                            c = p * cell[2] + j % s;
                  if (a < brick.first(0))
                    continue;
                  const std::int64_t position =
                    row_begin[brick.number(at)] +
                    ((a - x.first) * (y.second - y.first + 1) + b - y.first) *
                      (z.second - z.first + 1) +
                    c - z.first;
                  for (int e = 0; e < n * n; ++e)
                    values[position * n * n + e] +=
                      scale * element[(i * m + j) * n * n + e];
                }
            }
    return A;
  }
} // namespace brick

#endif
