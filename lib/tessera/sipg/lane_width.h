// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_lane_width_h
#define tessera_sipg_lane_width_h

#include <tessera/base/lanes.h>

namespace tessera
{
  namespace sipg
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      /** A register, and a group of siblings at least. */
      template <int dim, typename T>
      using GroupLanes = tessera::TESSERA_SIMD_NAMESPACE::Lanes<
        T,
        (tessera::TESSERA_SIMD_NAMESPACE::native_width<T>() > (1 << dim)) ?
          tessera::TESSERA_SIMD_NAMESPACE::native_width<T>() :
          (1 << dim)>;
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sipg
} // namespace tessera

#endif
