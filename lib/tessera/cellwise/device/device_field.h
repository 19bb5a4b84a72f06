// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_device_field_h
#define tessera_cellwise_device_device_field_h

#include <tessera/base/device/memory.h>
#include <tessera/cellwise/device/layout.h>
#include <tessera/cellwise/field.h>

#include <cstddef>
#include <vector>

namespace tessera
{
  namespace cellwise
  {
    /**
     * A cell-wise field in the memory of a device; see Field. Fields of the
     * levels are contiguous, those of the iteration blocked by
     * cells_per_device_block, and padded to whole blocks; what is in the
     * padding is arbitrary but finite once set.
     */
    template <typename Number, Space space, Layout layout>
    class DeviceField
    {
    public:
      using value_type = Number;

      DeviceField() = default;

      /** A field of zeros.
       * @throws DeviceError if there is no memory. */
      DeviceField(const CellIndex       cells,
                  const int             nodes,
                  const device::Stream &stream)
        : number_of_cells(cells)
        , number_of_nodes(nodes)
        , values(n_stored_cells() * nodes)
      {
        set_zero(stream);
      }

      CellIndex
      n_cells() const
      {
        return number_of_cells;
      }

      /** Values a cell. */
      int
      n_nodes() const
      {
        return number_of_nodes;
      }

      /** With padding. */
      std::size_t
      size() const
      {
        return values.size();
      }

      std::size_t
      memory_consumption() const
      {
        return values.size() * sizeof(Number);
      }

      Number *
      data()
      {
        return values.data();
      }

      const Number *
      data() const
      {
        return values.data();
      }

      void
      set_zero(const device::Stream &stream)
      {
        values.fill_bytes_async(0, stream);
      }

      /**
       * Become a field of the host, of either layout and precision, rounded to
       * nearest; with zeros in the padding. Waits for the stream. For the
       * beginning and the end of a solution: the values are rearranged by the
       * host.
       */
      template <typename HostNumber, Layout host_layout>
      void
      copy_from_host(const Field<HostNumber, space, host_layout> &field,
                     const device::Stream                        &stream)
      {
        TESSERA_ASSERT(field.n_cells() == n_cells() &&
                         field.n_nodes() == n_nodes(),
                       "both fields have the same cells and nodes");
        std::vector<Number> arranged(size());
        for (CellIndex c = 0; c < number_of_cells; ++c)
          for (int k = 0; k < number_of_nodes; ++k)
            arranged[position(c, k)] = Number(field(c, k));
        values.copy_from_host(arranged.data(), stream);
      }

      /** The way back. */
      template <typename HostNumber, Layout host_layout>
      void
      copy_to_host(Field<HostNumber, space, host_layout> &field,
                   const device::Stream                  &stream) const
      {
        TESSERA_ASSERT(field.n_cells() == n_cells() &&
                         field.n_nodes() == n_nodes(),
                       "both fields have the same cells and nodes");
        std::vector<Number> arranged(size());
        values.copy_to_host(arranged.data(), stream);
        for (CellIndex c = 0; c < number_of_cells; ++c)
          for (int k = 0; k < number_of_nodes; ++k)
            field(c, k) = HostNumber(arranged[position(c, k)]);
      }

    private:
      static constexpr int B = cells_per_device_block;

      std::size_t
      n_stored_cells() const
      {
        const std::size_t n = std::size_t(number_of_cells);
        return layout == Layout::blocked ? (n + B - 1) / B * B : n;
      }

      std::size_t
      position(const CellIndex cell, const int node) const
      {
        if (layout == Layout::contiguous)
          return std::size_t(cell) * number_of_nodes + node;
        return (std::size_t(cell / B) * number_of_nodes + node) * B + cell % B;
      }

      CellIndex              number_of_cells = 0;
      int                    number_of_nodes = 0;
      device::Memory<Number> values;
    };

    template <typename Number, Layout layout = Layout::blocked>
    using DevicePrimalField = DeviceField<Number, Space::primal, layout>;

    template <typename Number, Layout layout = Layout::blocked>
    using DeviceDualField = DeviceField<Number, Space::dual, layout>;

    template <typename Number, Layout layout = Layout::contiguous>
    using DeviceDualModalField = DeviceField<Number, Space::dual_modal, layout>;
  } // namespace cellwise
} // namespace tessera

#endif
