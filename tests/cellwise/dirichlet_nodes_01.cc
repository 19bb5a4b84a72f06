// SPDX-License-Identifier: LGPL-2.1-or-later
// All copies of all nodes on Dirichlet faces become zero, and nothing else
// changes, for all combinations of conditions.
#include <tessera/cellwise/dirichlet_nodes.h>

#include <array>
#include <vector>

#include "check.h"
#include "fields.h"
#include "global_nodes.h"

using namespace tessera::cellwise;

namespace
{
  template <int dim>
  void
  check_grid(const CellGrid<dim> &grid, const int degree)
  {
    using Dual                       = DualField<double>;
    const GridDescription<dim>  &box = grid.description();
    const test::GlobalNodes<dim> nodes(box, degree);

    const Dual r =
      test::random_field<Dual>(grid.n_local(), power(degree + 1, dim));
    Dual expected = test::copy(r);
    for (CellIndex c = 0; c < grid.n_local(); ++c)
      for (int k = 0; k < r.n_nodes(); ++k)
        {
          const auto i = nodes.position(grid.coordinates(c), k);
          for (int d = 0; d < dim; ++d)
            if ((i[d] == 0 &&
                 box.boundary[d][0] == BoundaryCondition::dirichlet) ||
                (i[d] == box.n_cells[d] * degree &&
                 box.boundary[d][1] == BoundaryCondition::dirichlet))
              expected(c, k) = 0.;
        }
    Dual result = test::copy(r);
    DirichletNodes<dim>(grid, degree).set_zero(result);
    CHECK(test::same_bits(result, expected));
  }

  template <int dim>
  void
  check_box(const std::array<int, dim> &n_cells, const int degree)
  {
    for (unsigned int conditions = 0; conditions < (1u << (2 * dim));
         ++conditions)
      {
        GridDescription<dim> box{};
        box.n_cells = n_cells;
        box.cell_size.fill(1.);
        for (int d = 0; d < dim; ++d)
          for (int end = 0; end < 2; ++end)
            box.boundary[d][end] = (conditions >> (2 * d + end)) % 2 ?
                                     BoundaryCondition::dirichlet :
                                     BoundaryCondition::neumann;
        const CellGrid<dim> whole(box);
        check_grid(whole, degree);

        // Some of the cells, others as ghosts.
        std::vector<std::uint64_t> owned, ghosts;
        for (std::uint64_t key = 0; key < whole.n_global(); ++key)
          if (key % 5 < 2)
            owned.push_back(key);
          else if (key % 5 < 4)
            ghosts.push_back(key);
        check_grid(CellGrid<dim>(box, owned, ghosts), degree);
      }
  }
} // namespace

int
main()
{
  for (int degree = min_degree; degree <= max_degree; ++degree)
    {
      check_box<2>({3, 4}, degree);
      check_box<3>({3, 2, 4}, degree);
    }
  check_box<2>({1, 3}, 3);
  check_box<3>({1, 1, 5}, 2);
  return check::result();
}
