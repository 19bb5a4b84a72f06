// SPDX-License-Identifier: LGPL-2.1-or-later
// Planted fault: functions of the standard library. Whether a kernel that uses
// std::vector leaves some of them behind depends on the mood of the inliner;
// the instantiation always does.
#include <vector>

template class std::vector<float>;

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
