// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_cell_reductions_h
#define tessera_cellwise_device_cell_reductions_h

#include <tessera/base/communication.h>
#include <tessera/base/device/memory.h>
#include <tessera/cellwise/device/layout.h>

namespace tessera
{
  namespace cellwise
  {
    /**
     * What kernels on cell-wise fields reduce to one number, on its way to the
     * host: sums of a number for each cell, and largest magnitudes.
     *
     * Both have the bits of the host's (see dot(), max_abs() of
     * field_operations.h), whatever runs when on the device, on any number of
     * ranks: sums are exact and rounded once (see ExactSum), a maximum does not
     * depend on the order.
     *
     * Device memory: 8 bytes a cell. Cost of a sum: the numbers are read once,
     * which is one hundredth of what the values of a cell take for degree 3 in
     * three dimensions; 568 bytes are copied to the host.
     */
    class CellReductions
    {
    public:
      /** For fields of up to max_n_cells cells.
       * @throws DeviceError if there is no memory. */
      explicit CellReductions(CellIndex max_n_cells);

      /** A number for each of n_cells cells, and for those of the last block,
       * on the device: written by kernels, then summed. */
      double *
      numbers_of_cells([[maybe_unused]] const CellIndex n_cells)
      {
        TESSERA_ASSERT(0 <= n_cells && std::size_t(n_cells) <= numbers.size(),
                       "more cells than were announced");
        return numbers.data();
      }

      /** Exact sum of the numbers of the first n cells of all ranks, rounded
       * once. Waits for the stream. Collective. */
      double
      sum(CellIndex             n,
          const Communicator   &communicator,
          const device::Stream &stream);

      /** Where kernels put the largest magnitude, as the bits of a double: set
       * to zero when the stream comes to it. */
      unsigned long long *
      start_largest(const device::Stream &stream);

      /** The largest magnitude that kernels have found since then, on all
       * ranks; NaN if a number was not finite. Waits for the stream.
       * Collective. */
      double
      largest(const Communicator &communicator, const device::Stream &stream);

    private:
      device::Memory<double>                   numbers;
      device::Memory<unsigned long long>       entries;
      device::Memory<unsigned long long>       largest_bits;
      device::PinnedMemory<unsigned long long> on_host;
    };
  } // namespace cellwise
} // namespace tessera

#endif
