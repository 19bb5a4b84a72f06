// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_patch_fields_h
#define tessera_tests_patch_fields_h

// Copies and comparisons of cell-wise fields.

#include <algorithm>
#include <cstring>

namespace reference
{
  template <typename Field>
  Field
  copy_of(const Field &field)
  {
    Field copy(field.n_cells(), field.n_nodes());
    std::copy(field.data(), field.data() + field.size(), copy.data());
    return copy;
  }

  /** Bit for bit, NaN included. */
  template <typename Field>
  bool
  same_bits(const Field &a, const Field &b)
  {
    return a.size() == b.size() &&
           std::memcmp(a.data(),
                       b.data(),
                       a.size() * sizeof(typename Field::value_type)) == 0;
  }
} // namespace reference

#endif
