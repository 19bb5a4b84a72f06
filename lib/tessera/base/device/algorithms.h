// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_device_algorithms_h
#define tessera_base_device_algorithms_h

#include <tessera/base/device/stream.h>

#include <cstddef>

namespace tessera
{
  namespace device
  {
    /** @name Scans and sorts on the device, for the set-up of tables
     * All arrays are on the device. Both wait for the stream and allocate
     * memory of the size of the arrays; not to be recorded in a Graph.
     *
     * @throws DeviceError if there is no memory; InputError if n is not below
     * 2^31.
     * @{ */

    /**
     * $out_i = \sum_{j<i} in_j$, i = 0, ..., n-1, for T = int or long long:
     * offsets from counts. In place if in == out. Cost: two passes.
     */
    template <typename T>
    void
    exclusive_scan(const T *in, T *out, std::size_t n, const Stream &stream);

    /**
     * Sort n pairs (key, value) by key, ascending; pairs of equal keys keep
     * their order. Key is unsigned int or unsigned long long, out arrays are
     * not in arrays. Cost: one pass for each 8 bits of the key.
     */
    template <typename Key>
    void
    stable_sort_by_key(const Key    *keys_in,
                       Key          *keys_out,
                       const int    *values_in,
                       int          *values_out,
                       std::size_t   n,
                       const Stream &stream);
    /** @} */

    /** @name The host's twins
     * The same on arrays of the host. @{ */
    template <typename T>
    void
    host_exclusive_scan(const T *in, T *out, std::size_t n);

    template <typename Key>
    void
    host_stable_sort_by_key(const Key  *keys_in,
                            Key        *keys_out,
                            const int  *values_in,
                            int        *values_out,
                            std::size_t n);
    /** @} */
  } // namespace device
} // namespace tessera

#endif
