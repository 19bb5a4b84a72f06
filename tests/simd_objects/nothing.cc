// SPDX-License-Identifier: LGPL-2.1-or-later
// No fault: templates and inline functions in the namespace of the set or
// marked with it, functions inlined always, and internal linkage.
#include <tessera/base/lane_sum.h>
#include <tessera/base/lanes.h>

namespace planted
{
  template <typename L>
  typename L::T
  sum(const typename L::T *a)
  {
    return L::first(tessera::sum_lanes<L>(L::load(a)));
  }

  namespace
  {
    float
    twice(const float a)
    {
      return 2 * a;
    }
  } // namespace

  namespace TESSERA_SIMD_NAMESPACE
  {
    inline float
    inline_function(const float a)
    {
      return twice(a);
    }

    template <typename T>
    T table[4] = {1, 2, 3, 4};

    float (*kernel(const float *a, float *b))(float)
    {
      *b = sum<tessera::TESSERA_SIMD_NAMESPACE::Lanes<float, 8>>(a) +
           table<float>[int(*b)];
      return *b > 0 ? &inline_function : &twice;
    }
  } // namespace TESSERA_SIMD_NAMESPACE
} // namespace planted
