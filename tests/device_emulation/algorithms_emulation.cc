// SPDX-License-Identifier: LGPL-2.1-or-later
// In place of CUB: the host's twins, on the memory of the emulated device.
#include <tessera/base/device/algorithms.h>

#include "device_emulation/launch_emulated.h"

namespace tessera
{
  namespace device
  {
    template <typename T>
    void
    exclusive_scan(const T          *in,
                   T                *out,
                   const std::size_t n,
                   const Stream     &stream)
    {
      stream.synchronize();
      host_exclusive_scan(in, out, n);
    }



    template <typename Key>
    void
    stable_sort_by_key(const Key        *keys_in,
                       Key              *keys_out,
                       const int        *values_in,
                       int              *values_out,
                       const std::size_t n,
                       const Stream     &stream)
    {
      stream.synchronize();
      host_stable_sort_by_key(keys_in, keys_out, values_in, values_out, n);
    }



    template void
    exclusive_scan(const int *, int *, std::size_t, const Stream &);
    template void
    exclusive_scan(const long long *, long long *, std::size_t, const Stream &);
    template void
    stable_sort_by_key(const unsigned int *,
                       unsigned int *,
                       const int *,
                       int *,
                       std::size_t,
                       const Stream &);
    template void
    stable_sort_by_key(const unsigned long long *,
                       unsigned long long *,
                       const int *,
                       int *,
                       std::size_t,
                       const Stream &);
  } // namespace device
} // namespace tessera
