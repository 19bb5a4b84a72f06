// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_cellwise_global_nodes_h
#define tessera_tests_cellwise_global_nodes_h

// The degrees of freedom of the assembled problem on a box: one for each node
// (i_x, i_y, i_z), 0 <= i_d <= n_d degree, and the maps G and G^T between them
// and the copies in the cells.

#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/field.h>

#include <array>
#include <vector>

namespace test
{
  using namespace tessera::cellwise;

  template <int dim>
  class GlobalNodes
  {
  public:
    GlobalNodes(const GridDescription<dim> &box, const int degree)
      : p(degree)
    {
      for (int d = 0; d < dim; ++d)
        n_nodes[d] = box.n_cells[d] * p + 1;
    }

    int
    size() const
    {
      int n = 1;
      for (int d = 0; d < dim; ++d)
        n *= n_nodes[d];
      return n;
    }

    /** (i_x, i_y, i_z) of node k in a cell. */
    std::array<int, dim>
    position(const std::array<int, dim> &cell, int k) const
    {
      std::array<int, dim> i;
      for (int d = 0; d < dim; ++d, k /= p + 1)
        i[d] = cell[d] * p + k % (p + 1);
      return i;
    }

    int
    index(const std::array<int, dim> &cell, const int k) const
    {
      const std::array<int, dim> i = position(cell, k);
      int                        n = 0;
      for (int d = dim - 1; d >= 0; --d)
        n = n * n_nodes[d] + i[d];
      return n;
    }

    /** $G^T r$, in extended precision, over the owned cells. */
    template <typename F>
    std::vector<long double>
    assemble(const CellGrid<dim> &grid, const F &r) const
    {
      std::vector<long double> sums(size(), 0.L);
      for (CellIndex c = 0; c < grid.n_owned(); ++c)
        for (int k = 0; k < r.n_nodes(); ++k)
          sums[index(grid.coordinates(c), k)] += r(c, k);
      return sums;
    }

    /** D: how many owned cells have the node. */
    std::vector<int>
    n_copies(const CellGrid<dim> &grid) const
    {
      std::vector<int> n(size(), 0);
      for (CellIndex c = 0; c < grid.n_owned(); ++c)
        for (int k = 0; k < power(p + 1, dim); ++k)
          ++n[index(grid.coordinates(c), k)];
      return n;
    }

    /** $u = G v$, in all cells of the field. */
    template <typename F, typename Number>
    void
    distribute(const CellGrid<dim>       &grid,
               const std::vector<Number> &v,
               F                         &u) const
    {
      for (CellIndex c = 0; c < u.n_cells(); ++c)
        for (int k = 0; k < u.n_nodes(); ++k)
          u(c, k) = v[index(grid.coordinates(c), k)];
    }

  private:
    int                  p;
    std::array<int, dim> n_nodes;
  };
} // namespace test

#endif
