// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/reference_cell.h>
#include <tessera/dealii/cellwise_dofs.h>

#include <deal.II/dofs/dof_accessor.h>

#include <algorithm>
#include <string>

namespace tessera::dealii_adapters
{
  using namespace dealii;

  namespace
  {
    /** Where in the lexicographic order of the box each node of a cell is, in
     * the lexicographic order of the reference cell. */
    template <int dim>
    std::vector<int>
    box_nodes(const CellOrientation<dim> &orientation, const int degree)
    {
      const int        q = degree + 1;
      std::vector<int> nodes(cellwise::power(q, dim));
      for (int k = 0; k < int(nodes.size()); ++k)
        {
          nodes[k] = 0;
          for (int d = 0, rest = k; d < dim; ++d, rest /= q)
            {
              const int i = rest % q;
              nodes[k] += (orientation.reversed[d] ? degree - i : i) *
                          cellwise::power(q, orientation.axis[d]);
            }
        }
      return nodes;
    }
  } // namespace



  template <int dim>
  const FE_Q<dim> &
  lagrange_element(const DoFHandler<dim> &dof_handler)
  {
    if (!dof_handler.has_active_dofs())
      throw InputError("The DoFHandler has no degrees of freedom; call "
                       "distribute_dofs() first.");
    if (dof_handler.has_hp_capabilities())
      throw InputError(
        "The DoFHandler has a collection of elements (hp), where one FE_Q on "
        "all cells is needed. Distribute one element, or use another "
        "solver.");
    const auto       &fe       = dof_handler.get_fe();
    const auto *const lagrange = dynamic_cast<const FE_Q<dim> *>(&fe);
    // Elements with other nodes have other names.
    if (lagrange == nullptr || int(fe.degree) < cellwise::min_degree ||
        int(fe.degree) > cellwise::max_degree ||
        fe.get_name() != FE_Q<dim>(fe.degree).get_name())
      throw InputError("Cell-wise fields hold values of FE_Q of degree " +
                       std::to_string(cellwise::min_degree) + " to " +
                       std::to_string(cellwise::max_degree) +
                       " with Gauss-Lobatto nodes; the element is " +
                       fe.get_name() +
                       ". Use one of these, or another solver.");
    return *lagrange;
  }



  template <int dim>
  CellwiseDoFs<dim>::CellwiseDoFs(const DoFHandler<dim>         &dof_handler,
                                  const BoxMesh<dim>            &mesh,
                                  const cellwise::CellGrid<dim> &grid)
  {
    const auto      &triangulation = dof_handler.get_triangulation();
    const FE_Q<dim> &fe            = lagrange_element(dof_handler);
    const std::vector<unsigned int> lexicographic =
      fe.get_poly_space_numbering_inverse();
    degree_of_element = int(fe.degree);
    nodes_of_cell     = int(fe.n_dofs_per_cell());

    n_owned = grid.n_owned();
    n_local = grid.n_local();

    indices.resize(std::size_t(n_owned) * nodes_of_cell);
    cell_of_mesh.assign(triangulation.n_active_cells(), cellwise::no_cell);
    orientation_of_mesh.assign(triangulation.n_active_cells(), 0);
    cellwise::CellIndex n_found = 0;

    std::vector<types::global_dof_index> cell_indices(nodes_of_cell);
    for (const auto &cell : dof_handler.active_cell_iterators())
      if (cell->is_locally_owned())
        {
          const cellwise::CellIndex c = grid.find(mesh.coordinates(*cell));
          if (c == cellwise::no_cell || c >= n_owned)
            continue;
          ++n_found;
          const unsigned int i = cell->active_cell_index();
          cell_of_mesh[i]      = c;
          orientation_of_mesh[i] =
            number_of_orientation(mesh.orientation(*cell));
          const auto &nodes = nodes_of_orientations[orientation_of_mesh[i]];
          cell->get_dof_indices(cell_indices);
          for (int k = 0; k < nodes_of_cell; ++k)
            indices[std::size_t(c) * nodes_of_cell + nodes[k]] =
              cell_indices[lexicographic[k]];
        }
    TESSERA_ASSERT(n_found == n_owned, "a cell of the grid is not here");
  }



  template <int dim>
  unsigned char
  CellwiseDoFs<dim>::number_of_orientation(
    const CellOrientation<dim> &orientation)
  {
    const auto place =
      std::find(orientations.begin(), orientations.end(), orientation);
    const auto number =
      static_cast<unsigned char>(place - orientations.begin());
    if (place == orientations.end())
      {
        orientations.push_back(orientation);
        nodes_of_orientations.push_back(
          box_nodes(orientation, degree_of_element));
      }
    return number;
  }



  template <int dim>
  int
  CellwiseDoFs<dim>::degree() const
  {
    return degree_of_element;
  }



  template <int dim>
  cellwise::CellIndex
  CellwiseDoFs<dim>::n_cells() const
  {
    return n_local;
  }



  template <int dim>
  int
  CellwiseDoFs<dim>::n_nodes() const
  {
    return nodes_of_cell;
  }



  template <int dim>
  const types::global_dof_index *
  CellwiseDoFs<dim>::dof_indices(const cellwise::CellIndex cell) const
  {
    TESSERA_ASSERT(0 <= cell && cell < n_owned, "no such owned cell");
    return indices.data() + std::size_t(cell) * nodes_of_cell;
  }



  template <int dim>
  void
  CellwiseDoFs<dim>::gather(cellwise::PrimalField<double> &u,
                            const VectorType              &v) const
  {
    u.reinit(n_cells(), n_nodes());
    for (cellwise::CellIndex cell = 0; cell < n_owned; ++cell)
      {
        const types::global_dof_index *const dofs = dof_indices(cell);
        for (int k = 0; k < nodes_of_cell; ++k)
          u(cell, k) = v(dofs[k]);
      }
  }



  template <int dim>
  void
  CellwiseDoFs<dim>::scatter(VectorType                          &v,
                             const cellwise::PrimalField<double> &u) const
  {
    for (cellwise::CellIndex cell = 0; cell < n_owned; ++cell)
      {
        const types::global_dof_index *const dofs = dof_indices(cell);
        for (int k = 0; k < nodes_of_cell; ++k)
          if (v.in_local_range(dofs[k]))
            v(dofs[k]) = u(cell, k);
      }
  }



  template <int dim>
  void
  CellwiseDoFs<dim>::add_element_vector(cellwise::DualField<double> &b,
                                        const CellAccessor<dim>     &cell,
                                        const double *element_vector) const
  {
    const unsigned int        i = cell.active_cell_index();
    const cellwise::CellIndex c = cell_of_mesh[i];
    TESSERA_ASSERT(c != cellwise::no_cell, "the grid does not have this cell");
    const std::vector<int> &nodes =
      nodes_of_orientations[orientation_of_mesh[i]];
    for (int k = 0; k < nodes_of_cell; ++k)
      b(c, nodes[k]) += element_vector[k];
  }



  template const FE_Q<2> &
  lagrange_element(const DoFHandler<2> &);
  template const FE_Q<3> &
  lagrange_element(const DoFHandler<3> &);

  template class CellwiseDoFs<2>;
  template class CellwiseDoFs<3>;
} // namespace tessera::dealii_adapters
