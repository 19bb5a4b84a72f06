// SPDX-License-Identifier: LGPL-2.1-or-later
// Planted fault: a kernel that grows a std::vector.
#include <vector>

namespace planted
{
  namespace TESSERA_SIMD_NAMESPACE
  {
    void
    kernel(std::vector<float> &a, const int n)
    {
      for (int i = 0; i < n; ++i)
        a.push_back(2 * a[i]);
    }
  } // namespace TESSERA_SIMD_NAMESPACE
} // namespace planted
