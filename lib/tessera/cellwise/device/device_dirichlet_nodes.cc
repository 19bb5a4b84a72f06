// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/device/device_dirichlet_nodes.h>
#include <tessera/cellwise/device/field_launchers.h>

#include <vector>

namespace tessera
{
  namespace cellwise
  {
    template <int dim>
    DeviceDirichletNodes<dim>::DeviceDirichletNodes(
      const CellGrid<dim>  &grid,
      const int             degree_of_elements,
      const device::Stream &stream)
      : degree(degree_of_elements)
    {
      const DirichletNodes<dim> on_host(grid, degree);
      std::vector<CellIndex>    cells_on_host;
      std::vector<unsigned int> faces_on_host;
      for (const auto &boundary_cell : on_host.boundary_cells())
        {
          cells_on_host.push_back(boundary_cell.cell);
          faces_on_host.push_back(boundary_cell.faces);
        }
      cells = device::Memory<CellIndex>(cells_on_host.data(),
                                        cells_on_host.size(),
                                        stream);
      faces = device::Memory<unsigned int>(faces_on_host.data(),
                                           faces_on_host.size(),
                                           stream);
    }



    template <int dim>
    void
    DeviceDirichletNodes<dim>::set_zero(DeviceDualField<double> &r,
                                        const device::Stream    &stream) const
    {
      TESSERA_ASSERT(r.n_nodes() == power(degree + 1, dim),
                     "a field of this degree");
      on_device::zero_nodes_of_faces(r.data(),
                                     cells.data(),
                                     faces.data(),
                                     CellIndex(cells.size()),
                                     degree + 1,
                                     r.n_nodes(),
                                     stream);
    }



    template class DeviceDirichletNodes<2>;
    template class DeviceDirichletNodes<3>;
  } // namespace cellwise
} // namespace tessera
