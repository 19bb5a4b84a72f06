// SPDX-License-Identifier: LGPL-2.1-or-later
// On CUB, which comes with the CUDA toolkit. It takes long to compile: no other
// source includes it. The emulation has the host's twins instead.
#include <tessera/base/device/algorithms.h>
#include <tessera/base/device/check_call.h>
#include <tessera/base/device/memory.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <limits>

namespace tessera
{
  namespace device
  {
    namespace
    {
      int
      checked_size(const std::size_t n)
      {
        if (n > std::size_t(std::numeric_limits<int>::max()))
          throw InputError("scans and sorts on the device have less than 2^31 "
                           "values; found " +
                           std::to_string(n));
        return int(n);
      }



      /** Call a function of CUB twice: for the size of its workspace, and to do
       * the work. */
      template <typename Function>
      void
      run(const char *what, const Stream &stream, const Function &function)
      {
        std::size_t n_bytes = 0;
        check_call(function(nullptr, n_bytes), what);
        Memory<char> workspace(n_bytes);
        check_call(function(workspace.data(), n_bytes), what);
        stream.synchronize();
      }
    } // namespace



    template <typename T>
    void
    exclusive_scan(const T          *in,
                   T                *out,
                   const std::size_t n,
                   const Stream     &stream)
    {
      if (n > 0)
        run("a scan", stream, [&](void *workspace, std::size_t &n_bytes) {
          return cub::DeviceScan::ExclusiveSum(
            workspace, n_bytes, in, out, checked_size(n), stream.handle());
        });
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
      if (n > 0)
        run("a sort", stream, [&](void *workspace, std::size_t &n_bytes) {
          return cub::DeviceRadixSort::SortPairs(workspace,
                                                 n_bytes,
                                                 keys_in,
                                                 keys_out,
                                                 values_in,
                                                 values_out,
                                                 checked_size(n),
                                                 0,
                                                 8 * int(sizeof(Key)),
                                                 stream.handle());
        });
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
