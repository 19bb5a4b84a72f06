// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_patch_lanes_h
#define tessera_patch_patch_lanes_h

#include <tessera/base/lanes.h>

namespace tessera
{
  namespace patch
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      constexpr int
      n_patch_lanes(const int native, const int n_cells)
      {
        return native > n_cells ? native : n_cells;
      }

      /**
       * Lanes for groups of 2^dim cells, the cells of a patch or the children
       * of a parent: a register of one or more whole groups, or registers for
       * one.
       */
      template <int dim, typename T>
      using PatchLanes = tessera::TESSERA_SIMD_NAMESPACE::Lanes<
        T,
        n_patch_lanes(tessera::TESSERA_SIMD_NAMESPACE::native_width<T>(),
                      1 << dim)>;
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace patch
} // namespace tessera

#endif
