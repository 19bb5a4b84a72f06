// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_cellwise_keyed_values_h
#define tessera_tests_cellwise_keyed_values_h

// Numbers that look random and are the same on all ranks.

#include <cmath>
#include <cstdint>

namespace reference
{
  /** The same number for the same arguments, in [-1, 1): splitmix64 (S. Vigna).
   */
  inline double
  random_value(const std::uint64_t key, const int node)
  {
    std::uint64_t x = (key * 4099 + node + 1) * 0x9e3779b97f4a7c15u;
    x               = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x               = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    return std::ldexp(double(x >> 11), -52) - 1.;
  }
} // namespace reference

#endif
