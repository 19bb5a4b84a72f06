// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_sweep_patches_h
#define tessera_patch_sweep_patches_h

#include <tessera/cellwise/cell_lanes.h>
#include <tessera/cellwise/indexed_cell_lanes.h>
#include <tessera/patch/patch_groups.h>
#include <tessera/patch/patch_lanes.h>

namespace tessera
{
  namespace patch
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      /** PatchTables::inverse_eigenvalues, lane by lane, for n_modes modes. */
      template <int dim, int n_modes, typename L>
      TESSERA_ALWAYS_INLINE void
      load_inverse_eigenvalues(const typename L::T *inverse_eigenvalues,
                               typename L::V (&lanes)[n_modes])
      {
        for (int m = 0; m < n_modes; ++m)
          {
            typename L::T values[L::width];
            for (int l = 0; l < L::width; ++l)
              values[l] = inverse_eigenvalues[(m << dim) + l % (1 << dim)];
            lanes[m] = L::load(values);
          }
      }

      /**
       * Apply an update to all patches of a list, in its order, as many side by
       * side as the lanes L hold, one cell a lane; N values a cell, contiguous
       * fields.
       *
       * While a group of patches is updated, the values of the next one come
       * into the cache: processors do not see these cells coming.
       *
       * @param[in] update Called as update(mirrored, b, u) with the N values of
       * each cell in lanes.
       */
      template <int dim, int N, typename L, typename Update>
      TESSERA_ALWAYS_INLINE void
      sweep_patches(typename L::T       *u,
                    const typename L::T *b,
                    const PatchList     &patches,
                    const Update        &update)
      {
        namespace kernels   = cellwise::TESSERA_SIMD_NAMESPACE;
        constexpr int W     = L::width;
        constexpr int cache = two_groups_fit<N, L>() ? 1 : 2;

        PatchGroups<dim, W> groups(patches);
        CellIndex           repeated[2][W];
        PatchGroup          group = groups.next(repeated[0]);
        for (int i = 0; group.cells != nullptr; i = 1 - i)
          {
            const PatchGroup next = groups.next(repeated[1 - i]);
            const CellIndex *next_cells =
              next.cells != nullptr ? next.cells : group.cells;
            typename L::V values[N], rhs[N];
            kernels::load_cells<N, L>(u, group.cells, values);
            kernels::prefetch_cells<N, W, cache>(u, next_cells);
            kernels::load_cells<N, L>(b, group.cells, rhs);
            kernels::prefetch_cells<N, W, cache>(b, next_cells);
            update(group.mirrored, rhs, values);
            kernels::store_cells<N, L>(u, group.cells, group.stored, values);
            group = next;
          }
      }
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace patch
} // namespace tessera

#endif
