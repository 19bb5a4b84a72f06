// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_sweep_patches_h
#define tessera_patch_sweep_patches_h

#include <tessera/cellwise/indexed_cell_lanes.h>
#include <tessera/patch/level_kernels.h>
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

      /** Bits of the lanes whose cells are inside of the box. */
      template <int dim, int width>
      TESSERA_ALWAYS_INLINE unsigned int
      present_lanes(const unsigned int mirrored)
      {
        unsigned int lanes = 0;
        for (int lane = 0; lane < width; ++lane)
          {
            bool is_present = true;
            for (int d = 0; d < dim; ++d)
              if (mirrored & (1u << (2 * d + ((lane >> d) & 1))))
                is_present = false;
            if (is_present)
              lanes |= 1u << lane;
          }
        return lanes;
      }

      /**
       * Apply an update to all patches of a list, in its order, as many side by
       * side as the lanes L of the update hold.
       *
       * @param[in] update Called as update(mirrored, b, u) with the N values of
       * each cell in lanes, see PatchUpdate.
       */
      template <int dim, int N, typename L, typename Update>
      TESSERA_ALWAYS_INLINE void
      sweep_patches(typename L::T       *u,
                    const typename L::T *b,
                    const PatchList     &patches,
                    const Update        &update)
      {
        using V                = typename L::V;
        constexpr int n_cells  = 1 << dim;
        constexpr int n_beside = L::width / n_cells; // patches

        for (std::size_t i = 0; i < patches.n_runs; ++i)
          {
            const PatchRun run =
              patches.runs[patches.reversed ? patches.n_runs - 1 - i : i];
            const unsigned int present =
              present_lanes<dim, L::width>(run.mirrored);
            for (std::int32_t patch = run.begin; patch < run.end;
                 patch += n_beside)
              {
                // Places without a patch repeat the last one, and are not
                // written.
                const CellIndex *cells =
                  patches.cells + std::size_t(patch) * n_cells;
                unsigned int stored = present;
                CellIndex    repeated[L::width];
                const int    n_patches =
                  run.end - patch < n_beside ? run.end - patch : n_beside;
                if (n_patches < n_beside)
                  {
                    for (int l = 0; l < L::width; ++l)
                      repeated[l] =
                        cells[l < n_patches * n_cells ? l : l % n_cells];
                    cells = repeated;
                    stored &= (1u << (n_patches * n_cells)) - 1u;
                  }

                V values[N], rhs[N];
                cellwise::TESSERA_SIMD_NAMESPACE::load_cells<N, L>(u,
                                                                   cells,
                                                                   values);
                cellwise::TESSERA_SIMD_NAMESPACE::load_cells<N, L>(b,
                                                                   cells,
                                                                   rhs);
                update(run.mirrored, rhs, values);
                cellwise::TESSERA_SIMD_NAMESPACE::store_cells<N, L>(u,
                                                                    cells,
                                                                    stored,
                                                                    values);
              }
          }
      }
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace patch
} // namespace tessera

#endif
