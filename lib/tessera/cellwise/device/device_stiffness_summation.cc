// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/device/device_stiffness_summation.h>
#include <tessera/cellwise/device/field_launchers.h>

#include <vector>

namespace tessera
{
  namespace cellwise
  {
    template <int dim>
    DeviceStiffnessSummation<dim>::DeviceStiffnessSummation(
      const CellGrid<dim>  &grid,
      const int             degree_of_elements,
      const device::Stream &stream)
      : degree(degree_of_elements)
    {
      std::vector<CellIndex> neighbours(grid.n_local());
      for (int axis = 0; axis < dim; ++axis)
        {
          for (CellIndex c = 0; c < grid.n_local(); ++c)
            {
              auto position = grid.coordinates(c);
              ++position[axis];
              neighbours[c] = grid.find(position);
            }
          upper[axis] = device::Memory<CellIndex>(neighbours.data(),
                                                  neighbours.size(),
                                                  stream);
        }
    }



    template <int dim>
    template <typename F>
    void
    DeviceStiffnessSummation<dim>::combine(F                    &field,
                                           const double          factor,
                                           const device::Stream &stream) const
    {
      TESSERA_ASSERT(field.n_nodes() == power(degree + 1, dim),
                     "a field of this degree");
      TESSERA_ASSERT(std::size_t(field.n_cells()) == upper[0].size(),
                     "a field of this grid");
      for (int axis = 0; axis < dim; ++axis)
        on_device::combine_copies(field.data(),
                                  factor,
                                  upper[axis].data(),
                                  field.n_cells(),
                                  degree + 1,
                                  field.n_nodes(),
                                  axis,
                                  stream);
    }



    template <int dim>
    void
    DeviceStiffnessSummation<dim>::rebalance(DeviceDualField<double> &r,
                                             const device::Stream &stream) const
    {
      combine(r, 0.5, stream);
    }



    template <int dim>
    void
    DeviceStiffnessSummation<dim>::sum(DeviceDualField<double> &r,
                                       const device::Stream    &stream) const
    {
      combine(r, 1., stream);
    }



    template <int dim>
    void
    DeviceStiffnessSummation<dim>::average(DevicePrimalField<double> &u,
                                           const device::Stream &stream) const
    {
      combine(u, 0.5, stream);
    }



    template class DeviceStiffnessSummation<2>;
    template class DeviceStiffnessSummation<3>;
  } // namespace cellwise
} // namespace tessera
