// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>
#include <tessera/base/exact_sum_digits.h>
#include <tessera/cellwise/device/exact_sum_launchers.h>

#include <algorithm>

namespace tessera
{
  namespace cellwise
  {
    namespace
    {
      constexpr int n_entries = internal::ExactSumEntries::n_entries;

      /** One warp a block. Every lane has entries of its own, in banks of its
       * own: numbers of a field have much the same exponents, and would all
       * meet in the same entries. */
      __global__ void __launch_bounds__(32)
        add_exactly_kernel(unsigned long long *entries,
                           const double       *numbers,
                           const std::size_t   n)
      {
        TESSERA_SHARED(std::int64_t, of_lanes, [n_entries][32]);
        const int lane = int(threadIdx.x);
        for (int i = 0; i < n_entries; ++i)
          of_lanes[i][lane] = 0;
        for (std::size_t j = std::size_t(blockIdx.x) * 32 + threadIdx.x; j < n;
             j += std::size_t(gridDim.x) * 32)
          internal::for_each_exact_sum_entry(
            numbers[j],
            [&](const int i, const std::int64_t y) { of_lanes[i][lane] += y; });
        __syncwarp();
        for (int i = lane; i < n_entries; i += 32)
          {
            std::int64_t sum = 0;
            for (int l = 0; l < 32; ++l)
              sum += of_lanes[i][(l + lane) % 32];
            if (sum != 0)
              atomicAdd(entries + i, (unsigned long long)(sum));
          }
      }
    } // namespace



    void
    on_device::add_exactly(unsigned long long   *entries,
                           const double         *numbers,
                           const std::size_t     n,
                           const device::Stream &stream)
    {
      // At least 32 numbers a lane, and blocks for every multiprocessor.
      const std::size_t n_blocks =
        std::min((n + 1023) / 1024, std::size_t(2048));
      device::launch(add_exactly_kernel,
                     (unsigned int)(n_blocks),
                     32,
                     0,
                     stream,
                     entries,
                     numbers,
                     n);
    }
  } // namespace cellwise
} // namespace tessera
