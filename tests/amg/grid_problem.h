// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_amg_grid_problem_h
#define tessera_tests_amg_grid_problem_h

// Bilinear and trilinear elements on boxes of equal cells that need not be
// cubes, with a stiffness for each cell, in 2D and 3D; without boundary
// conditions, and constraints of single components in the matrix.

#include <tessera/amg/near_null_space.h>
#include <tessera/sparse/block_matrix.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace grid_problem
{
  using tessera::sparse::BlockMatrix;
  using tessera::sparse::BlockPattern;
  using tessera::sparse::IndexLayout;
  using tessera::sparse::LocalIndex;

  /** Numbers of cells, and their lengths. In 2D the last direction has no
   * cells. Nodes are numbered with the first direction fastest. */
  struct Grid
  {
    int                   dim;
    std::array<int, 3>    n_cells;
    std::array<double, 3> h;

    int
    n_nodes(const int d) const
    {
      return d < dim ? n_cells[d] + 1 : 1;
    }

    LocalIndex
    n_nodes() const
    {
      return n_nodes(0) * n_nodes(1) * n_nodes(2);
    }

    LocalIndex
    node(const int x, const int y, const int z = 0) const
    {
      return (z * n_nodes(1) + y) * n_nodes(0) + x;
    }

    /** [node][dim] */
    std::vector<double>
    coordinates() const
    {
      std::vector<double> result;
      for (int z = 0; z < n_nodes(2); ++z)
        for (int y = 0; y < n_nodes(1); ++y)
          for (int x = 0; x < n_nodes(0); ++x)
            {
              const double point[3] = {x * h[0], y * h[1], z * h[2]};
              result.insert(result.end(), point, point + dim);
            }
      return result;
    }
  };

  /** Blocks where two nodes have a cell in common. */
  inline BlockPattern
  pattern(const Grid &grid)
  {
    std::vector<std::int64_t> row_begin = {0};
    std::vector<LocalIndex>   columns;
    for (int z = 0; z < grid.n_nodes(2); ++z)
      for (int y = 0; y < grid.n_nodes(1); ++y)
        for (int x = 0; x < grid.n_nodes(0); ++x)
          {
            for (int c = z - 1; c <= z + 1; ++c)
              for (int b = y - 1; b <= y + 1; ++b)
                for (int a = x - 1; a <= x + 1; ++a)
                  if (a >= 0 && a < grid.n_nodes(0) && b >= 0 &&
                      b < grid.n_nodes(1) && c >= 0 && c < grid.n_nodes(2))
                    columns.push_back(grid.node(a, b, c));
            row_begin.push_back(columns.size());
          }
    const IndexLayout layout(grid.n_nodes());
    return BlockPattern(layout, layout, row_begin, columns);
  }

  /** Of a cell of stiffness 1: the Laplace operator (one component), or
   * elasticity with both of Lame's constants 2/5 (as many as directions).
   * [i][j][r][c] */
  inline std::vector<double>
  element_matrix(const Grid &grid, const int n_components)
  {
    const int           dim = grid.dim, m = 1 << dim;
    std::vector<double> matrix(m * m * n_components * n_components, 0.);
    for (int p = 0; p < m; ++p)
      {
        double volume = 1;
        for (int d = 0; d < dim; ++d)
          volume *= grid.h[d];
        std::vector<std::array<double, 3>> gradients(m);
        for (int i = 0; i < m; ++i)
          for (int d = 0; d < dim; ++d)
            {
              double product = 1;
              for (int e = 0; e < dim; ++e)
                {
                  const double x = 0.5 + ((p >> e & 1) - 0.5) / std::sqrt(3.);
                  const bool   upper = (i >> e & 1) != 0;
                  product *=
                    e == d ? (upper ? 1 : -1) / grid.h[e] : (upper ? x : 1 - x);
                }
              gradients[i][d] = product;
            }
        for (int i = 0; i < m; ++i)
          for (int j = 0; j < m; ++j)
            {
              const auto &a  = gradients[i];
              const auto &b  = gradients[j];
              double      ab = 0;
              for (int d = 0; d < dim; ++d)
                ab += a[d] * b[d];
              for (int r = 0; r < n_components; ++r)
                for (int c = 0; c < n_components; ++c)
                  matrix[((i * m + j) * n_components + r) * n_components + c] +=
                    volume / m *
                    (n_components == 1 ?
                       ab :
                       0.4 * (a[r] * b[c] + a[c] * b[r] + (r == c ? ab : 0.)));
            }
      }
    return matrix;
  }

  /** @param[in] stiffness A factor for the cell (x, y, z). */
  inline BlockMatrix<double>
  matrix(
    const Grid                                 &grid,
    const int                                   n_components,
    const std::function<double(int, int, int)> &stiffness = [](int, int, int) {
      return 1.;
    })
  {
    const int                 n = n_components, m = 1 << grid.dim;
    const std::vector<double> element = element_matrix(grid, n);
    BlockMatrix<double>       A(pattern(grid), {n, n});
    double                   *values = A.values_to_write();
    const auto                node_of =
      [&](const int x, const int y, const int z, const int i) {
        return grid.node(x + (i & 1), y + (i >> 1 & 1), z + (i >> 2));
      };
    for (int z = 0; z < (grid.dim == 3 ? grid.n_cells[2] : 1); ++z)
      for (int y = 0; y < grid.n_cells[1]; ++y)
        for (int x = 0; x < grid.n_cells[0]; ++x)
          for (int i = 0; i < m; ++i)
            for (int j = 0; j < m; ++j)
              {
                const std::int64_t k =
                  A.pattern().find(node_of(x, y, z, i), node_of(x, y, z, j));
                for (int e = 0; e < n * n; ++e)
                  values[k * n * n + e] +=
                    stiffness(x, y, z) * element[(i * m + j) * n * n + e];
              }
    return A;
  }

  /** Clear the row of a component, and with_column its column, but for a
   * number on the diagonal. */
  inline void
  constrain(BlockMatrix<double> &A,
            const LocalIndex     node,
            const int            component,
            const double         diagonal    = 1,
            const bool           with_column = true)
  {
    const int     n       = A.shape().rows;
    const auto   &pattern = A.pattern();
    double *const values  = A.values_to_write();
    for (std::int64_t k = pattern.row_begin()[node];
         k < pattern.row_begin()[node + 1];
         ++k)
      {
        for (int c = 0; c < n; ++c)
          values[(k * n + component) * n + c] = 0;
        const LocalIndex j = pattern.column_indices()[k];
        if (with_column)
          for (int r = 0; r < n; ++r)
            values[(pattern.find(j, node) * n + r) * n + component] = 0;
      }
    values[(pattern.find(node, node) * n + component) * n + component] =
      diagonal;
  }

  /** Of all components of the nodes x = 0. */
  inline void
  clamp(BlockMatrix<double> &A, const Grid &grid, const double diagonal = 1)
  {
    for (int z = 0; z < grid.n_nodes(2); ++z)
      for (int y = 0; y < grid.n_nodes(1); ++y)
        for (int c = 0; c < A.shape().rows; ++c)
          constrain(A, grid.node(0, y, z), c, diagonal);
  }
} // namespace grid_problem

#endif
