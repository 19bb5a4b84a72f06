// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_dealii_node_positions_h
#define tessera_tests_dealii_node_positions_h

// Vectors whose entries depend on where they are, not on the numbering of the
// degrees of freedom or the partition.

#include <tessera/dealii/box_mesh.h>
#include <tessera/dealii/cellwise_dofs.h>

#include <deal.II/base/index_set.h>
#include <deal.II/dofs/dof_handler.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace node_positions
{
  /** The position in the lattice of the nodes of the box (x fastest) of the
   * locally owned degrees of freedom. */
  template <int dim>
  std::vector<std::uint64_t>
  positions_of_nodes(const dealii::DoFHandler<dim> &dof_handler)
  {
    const tessera::dealii_adapters::BoxMesh<dim> mesh(
      dof_handler.get_triangulation(), {});
    const tessera::cellwise::CellGrid<dim>            grid = mesh.grid();
    const tessera::dealii_adapters::CellwiseDoFs<dim> dofs(dof_handler,
                                                           mesh,
                                                           grid);
    const dealii::IndexSet    &owned = dof_handler.locally_owned_dofs();
    const int                  p     = dofs.degree();
    std::vector<std::uint64_t> positions(owned.n_elements());
    for (tessera::cellwise::CellIndex cell = 0; cell < grid.n_owned(); ++cell)
      for (int k = 0; k < dofs.n_nodes(); ++k)
        {
          const auto i = dofs.dof_indices(cell)[k];
          if (!owned.is_element(i))
            continue;
          std::uint64_t position = 0, stride = 1;
          for (int d = 0, rest = k; d < dim; ++d, rest /= p + 1)
            {
              position +=
                stride * (grid.coordinates(cell)[d] * p + rest % (p + 1));
              stride *= mesh.description().n_cells[d] * p + 1;
            }
          positions[owned.index_within_set(i)] = position;
        }
    return positions;
  }



  /** In [-1, 1); different for each position and seed. */
  inline double
  random_value(const std::uint64_t position, const unsigned int seed)
  {
    std::mt19937_64 generator(position * 1000 + seed);
    return std::ldexp(double(generator() >> 11), -52) - 1.;
  }



  template <typename VectorType>
  void
  set_random(VectorType                       &v,
             const std::vector<std::uint64_t> &positions,
             const unsigned int                seed)
  {
    for (std::size_t i = 0; i < positions.size(); ++i)
      v.begin()[i] =
        typename VectorType::value_type(random_value(positions[i], seed));
  }
} // namespace node_positions

#endif
