// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/algorithms.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace tessera
{
  namespace device
  {
    template <typename T>
    void
    host_exclusive_scan(const T *in, T *out, const std::size_t n)
    {
      std::exclusive_scan(in, in + n, out, T(0));
    }



    template <typename Key>
    void
    host_stable_sort_by_key(const Key        *keys_in,
                            Key              *keys_out,
                            const int        *values_in,
                            int              *values_out,
                            const std::size_t n)
    {
      std::vector<std::size_t> order(n);
      std::iota(order.begin(), order.end(), std::size_t(0));
      std::stable_sort(order.begin(),
                       order.end(),
                       [&](const std::size_t i, const std::size_t j) {
                         return keys_in[i] < keys_in[j];
                       });
      for (std::size_t i = 0; i < n; ++i)
        {
          keys_out[i]   = keys_in[order[i]];
          values_out[i] = values_in[order[i]];
        }
    }



    template void
    host_exclusive_scan(const int *, int *, std::size_t);
    template void
    host_exclusive_scan(const long long *, long long *, std::size_t);
    template void
    host_stable_sort_by_key(const unsigned int *,
                            unsigned int *,
                            const int *,
                            int *,
                            std::size_t);
    template void
    host_stable_sort_by_key(const unsigned long long *,
                            unsigned long long *,
                            const int *,
                            int *,
                            std::size_t);
  } // namespace device
} // namespace tessera
