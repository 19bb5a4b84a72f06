// SPDX-License-Identifier: LGPL-2.1-or-later
// Planted fault: a variable shared by all instruction sets.
namespace planted
{
  template <typename T>
  T table[4] = {1, 2, 3, 4};

  namespace TESSERA_SIMD_NAMESPACE
  {
    float
    kernel(const int i)
    {
      return table<float>[i];
    }
  } // namespace TESSERA_SIMD_NAMESPACE
} // namespace planted
