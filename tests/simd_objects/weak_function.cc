// SPDX-License-Identifier: LGPL-2.1-or-later
// Planted fault: an inline function outside the namespace of the set, compiled
// out of line because its address is taken.
namespace planted
{
  inline float
  inline_function(const float a)
  {
    return 2 * a;
  }

  namespace TESSERA_SIMD_NAMESPACE
  {
    float (*kernel())(float)
    {
      return &inline_function;
    }
  } // namespace TESSERA_SIMD_NAMESPACE
} // namespace planted
