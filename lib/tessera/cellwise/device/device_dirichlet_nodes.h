// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_device_dirichlet_nodes_h
#define tessera_cellwise_device_device_dirichlet_nodes_h

#include <tessera/cellwise/device/device_field.h>
#include <tessera/cellwise/dirichlet_nodes.h>

namespace tessera
{
  namespace cellwise
  {
    /** DirichletNodes on a device. Device memory: 8 bytes for each cell at such
     * a face. */
    template <int dim>
    class DeviceDirichletNodes
    {
    public:
      DeviceDirichletNodes(const CellGrid<dim>  &grid,
                           int                   degree,
                           const device::Stream &stream);

      /** All copies of these nodes. Cost: one write each. */
      void
      set_zero(DeviceDualField<double> &r, const device::Stream &stream) const;

    private:
      int                          degree;
      device::Memory<CellIndex>    cells;
      device::Memory<unsigned int> faces; ///< of each of these cells
    };
  } // namespace cellwise
} // namespace tessera

#endif
