// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_device_stiffness_summation_h
#define tessera_cellwise_device_device_stiffness_summation_h

#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/device/device_field.h>

#include <array>
#include <cstddef>

namespace tessera
{
  namespace cellwise
  {
    /**
     * StiffnessSummation on a device: direct stiffness summation of the cells
     * of a process, with the bits of the host's. One launch an axis; within
     * one, every value belongs to one pair of copies, so nothing depends on
     * the order.
     *
     * Device memory: 4 bytes a cell and axis. Cost for degree 3 in three
     * dimensions: 3 times 512 bytes a cell between device memory and registers,
     * and the lists of neighbours.
     */
    template <int dim>
    class DeviceStiffnessSummation
    {
    public:
      DeviceStiffnessSummation(const CellGrid<dim>  &grid,
                               int                   degree,
                               const device::Stream &stream);

      /** $r \leftarrow \Pi r$, $\Pi = G D^{-1} G^T$. */
      void
      rebalance(DeviceDualField<double> &r, const device::Stream &stream) const;

      /** $r \leftarrow G G^T r$. */
      void
      sum(DeviceDualField<double> &r, const device::Stream &stream) const;

      /** The mean of all copies. */
      void
      average(DevicePrimalField<double> &u, const device::Stream &stream) const;

      /** Bytes on the device. */
      std::size_t
      memory_consumption() const
      {
        return dim * upper[0].size() * sizeof(CellIndex);
      }

    private:
      template <typename F>
      void
      combine(F &field, double factor, const device::Stream &stream) const;

      int degree;

      /** For each axis, the neighbour of every cell in the positive direction,
       * or no_cell. */
      std::array<device::Memory<CellIndex>, dim> upper;
    };
  } // namespace cellwise
} // namespace tessera

#endif
