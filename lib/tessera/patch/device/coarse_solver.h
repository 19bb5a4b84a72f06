// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_device_coarse_solver_h
#define tessera_patch_device_coarse_solver_h

#include <tessera/base/device/memory.h>
#include <tessera/base/device/stream.h>
#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/device/device_field.h>
#include <tessera/cellwise/element_weights.h>
#include <tessera/cellwise/reference_cell.h>
#include <tessera/patch/device/coarse_launchers.h>

#include <array>
#include <cstddef>

namespace tessera
{
  namespace patch
  {
    template <int dim>
    struct CoarseFactors;

    /**
     * CoarseSolver on a device: the same factors, computed on the host, and the
     * same sums in the same order. Results are those of the host, bit for bit.
     *
     * Application: 2 dim launches, products of matrices in double. Memory: that
     * of the factors, and two arrays of a double for each entry of b.
     */
    template <int dim>
    class DeviceCoarseSolver
    {
    public:
      /** See CoarseSolver. Waits for the stream.
       * @throws InputError likewise. */
      DeviceCoarseSolver(const cellwise::CellGrid<dim>       &grid,
                         const cellwise::ReferenceCell       &cell,
                         const cellwise::ElementWeights<dim> &weights,
                         const device::Stream                &stream);

      /** $u = A^{-1} b$, in all copies, which are equal; zero at Dirichlet
       * nodes. Number is float or double. The host does not wait. */
      template <typename Number>
      void
      solve(
        cellwise::DevicePrimalField<Number, cellwise::Layout::contiguous> &u,
        const cellwise::DeviceDualModalField<Number>                      &b,
        const device::Stream &stream);

      /** Bytes of device memory. */
      std::size_t
      memory_consumption() const;

    private:
      struct Direction
      {
        device::Memory<double> eigenvalues;
        device::Memory<double> to_modes;
        device::Memory<double> to_nodes;
      };

      DeviceCoarseSolver(const CoarseFactors<dim> &factors,
                         const device::Stream     &stream);

      std::array<int, dim>       n_cells;
      int                        degree;
      double                     mass_weight;
      std::array<Direction, dim> directions;

      /** Intermediate results. */
      std::array<device::Memory<double>, 2> tensors;
    };
  } // namespace patch
} // namespace tessera

#endif
