// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_patch_device_fields_h
#define tessera_tests_patch_device_fields_h

// Fields of the host on the device, contiguous there, and comparisons.

#include <tessera/base/device/memory.h>

#include <cstring>
#include <vector>

namespace reference
{
  /** A copy of any field. */
  template <typename Field>
  tessera::device::Memory<typename Field::value_type>
  to_device(const Field &field, const tessera::device::Stream &stream)
  {
    std::vector<typename Field::value_type> values;
    for (int c = 0; c < int(field.n_cells()); ++c)
      for (int k = 0; k < field.n_nodes(); ++k)
        values.push_back(field(c, k));
    return {values.data(), values.size(), stream};
  }

  template <typename Field>
  void
  from_device(const tessera::device::Memory<typename Field::value_type> &values,
              Field                                                     &field,
              const tessera::device::Stream                             &stream)
  {
    std::vector<typename Field::value_type> host(values.size());
    values.copy_to_host(host.data(), stream);
    for (int c = 0; c < int(field.n_cells()); ++c)
      for (int k = 0; k < field.n_nodes(); ++k)
        field(c, k) = host[std::size_t(c) * field.n_nodes() + k];
  }

  /** Bit for bit, NaN included, but for the sign of zero. */
  template <typename Field>
  bool
  same_numbers(const Field &a, const Field &b)
  {
    bool same = a.n_cells() == b.n_cells() && a.n_nodes() == b.n_nodes();
    for (int c = 0; same && c < int(a.n_cells()); ++c)
      for (int k = 0; k < a.n_nodes(); ++k)
        {
          const auto x = a(c, k), y = b(c, k);
          same = same && (x == y || std::memcmp(&x, &y, sizeof(x)) == 0);
        }
    return same;
  }
} // namespace reference

#endif
