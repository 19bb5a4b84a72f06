// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_magnitude_bits_h
#define tessera_cellwise_device_magnitude_bits_h

// For kernel sources.

#include <tessera/base/device/cuda_port.h>
#include <tessera/base/macros.h>

#include <cstring>

namespace tessera
{
  namespace cellwise
  {
    /**
     * The largest magnitude of many numbers of a thread, as the bits of a
     * double: magnitudes are ordered as their bits are, as integers, and
     * infinity and NaN come after all others. A maximum of integers does not
     * depend on the order.
     */
    class LargestMagnitude
    {
    public:
      __device__ __forceinline__ void
      add(const double x)
      {
        unsigned long long bits;
        memcpy(&bits, &x, sizeof(bits));
        bits &= ~(1ull << 63);
        largest = largest < bits ? bits : largest;
      }

      /**
       * Give the largest one of the threads of this warp for which is_counted
       * to *result; NaN if one of their numbers was not finite. All 32 threads.
       */
      __device__ __forceinline__ void
      report(const bool is_counted, unsigned long long *result) const
      {
        constexpr unsigned long long infinity = 0x7ffull << 52;
        unsigned long long           bits     = is_counted ? largest : 0ull;
        TESSERA_UNROLL_ON_DEVICE
        for (int distance = 16; distance > 0; distance /= 2)
          {
            const unsigned long long other =
              __shfl_xor_sync(0xffffffffu, bits, distance);
            bits = bits < other ? other : bits;
          }
        if (threadIdx.x % 32 == 0 && bits > 0)
          atomicMax(result, bits < infinity ? bits : ~(1ull << 63));
      }

    private:
      unsigned long long largest = 0;
    };
  } // namespace cellwise
} // namespace tessera

#endif
