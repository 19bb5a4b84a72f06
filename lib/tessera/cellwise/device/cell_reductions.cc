// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exact_sum.h>
#include <tessera/cellwise/device/cell_reductions.h>
#include <tessera/cellwise/device/exact_sum_launchers.h>
#include <tessera/cellwise/reductions.h>

#include <array>
#include <cstring>

namespace tessera
{
  namespace cellwise
  {
    CellReductions::CellReductions(const CellIndex max_n_cells)
      : numbers((std::size_t(max_n_cells) + cells_per_device_block - 1) /
                cells_per_device_block * cells_per_device_block)
      , entries(ExactSum::n_entries)
      , largest_bits(1)
      , on_host(ExactSum::n_entries)
    {}



    double
    CellReductions::sum(const CellIndex       n,
                        const Communicator   &communicator,
                        const device::Stream &stream)
    {
      TESSERA_ASSERT(0 <= n && std::size_t(n) <= numbers.size(),
                     "no such cells");
      entries.fill_bytes_async(0, stream);
      on_device::add_exactly(entries.data(),
                             numbers.data(),
                             std::size_t(n),
                             stream);
      entries.copy_to_host(on_host.data(), stream);
      std::array<std::int64_t, ExactSum::n_entries> signed_entries;
      std::memcpy(signed_entries.data(),
                  on_host.data(),
                  sizeof(signed_entries));
      ExactSum sum;
      sum.add_entries(signed_entries.data());
      sum.sum(communicator);
      return sum.value();
    }



    unsigned long long *
    CellReductions::start_largest(const device::Stream &stream)
    {
      largest_bits.fill_bytes_async(0, stream);
      return largest_bits.data();
    }



    double
    CellReductions::largest(const Communicator   &communicator,
                            const device::Stream &stream)
    {
      largest_bits.copy_to_host(on_host.data(), stream);
      double value;
      std::memcpy(&value, on_host.data(), sizeof(value));
      return max_over_ranks(value, communicator);
    }
  } // namespace cellwise
} // namespace tessera
