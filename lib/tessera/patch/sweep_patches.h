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

      /** Where the N values of each cell begin in a field. */
      template <int N, int width>
      TESSERA_ALWAYS_INLINE void
      set_starts(const CellIndex *cells, std::size_t (&start)[width])
      {
        for (int l = 0; l < width; ++l)
          start[l] = std::size_t(cells[l]) * N;
      }

      /**
       * Slabs of `slab` values of the cells of a group, from memory to lanes.
       * The same values of the group that comes next are brought into the cache
       * meanwhile.
       */
      template <int N, int slab, typename L>
      struct SlabLoader
      {
        static constexpr int W = L::width;

        const typename L::T *field;
        const std::size_t (&start)[W];
        const std::size_t (&next_start)[W];

        TESSERA_ALWAYS_INLINE const typename L::V *
        operator()(const int z, typename L::V (&values)[slab]) const
        {
          for (int k = 0; k < slab; k += W)
            {
              const typename L::T *const block_of_first_cell =
                cellwise::TESSERA_SIMD_NAMESPACE::in_register(field + z * slab +
                                                              k);
              TESSERA_UNROLL
              for (int l = 0; l < W; ++l)
                cellwise::TESSERA_SIMD_NAMESPACE::prefetch<L>(
                  block_of_first_cell + next_start[l]);
              typename L::V block[W];
              cellwise::TESSERA_SIMD_NAMESPACE::load_block<L>(
                block_of_first_cell, start, block);
              TESSERA_UNROLL
              for (int i = 0; i < W; ++i)
                values[k + i] = block[i];
            }
          return values;
        }
      };

      /** The way back, added to the values of those lanes whose bit is set. */
      template <int N, int slab, typename L>
      struct SlabAdder
      {
        static constexpr int W = L::width;

        typename L::T *field;
        const std::size_t (&start)[W];
        unsigned int lanes;

        TESSERA_ALWAYS_INLINE void
        operator()(const int z, const typename L::V (&values)[slab]) const
        {
          for (int k = 0; k < slab; k += W)
            {
              typename L::V block[W];
              TESSERA_UNROLL
              for (int i = 0; i < W; ++i)
                block[i] = values[k + i];
              cellwise::TESSERA_SIMD_NAMESPACE::add_block<L>(
                cellwise::TESSERA_SIMD_NAMESPACE::in_register(field + z * slab +
                                                              k),
                start,
                lanes,
                block);
            }
        }
      };

      /**
       * Apply an update to all patches of a list, in its order, as many side by
       * side as the lanes L hold; N values a cell.
       *
       * While a group of patches is updated, the values of the next one come
       * into the cache: processors do not see these cells coming.
       *
       * @tparam slab Values of a cell that the update takes at a time, see
       * PatchUpdate; N if it takes whole cells only.
       * @param[in] update Called as update(mirrored, load_u, load_b, add),
       * where the slabs are blocks to be transposed, or as update(mirrored, b,
       * u) with the N values of each cell in lanes.
       */
      template <int dim, int N, int slab, typename L, typename Update>
      TESSERA_ALWAYS_INLINE void
      sweep_patches(typename L::T       *u,
                    const typename L::T *b,
                    const PatchList     &patches,
                    const Update        &update)
      {
        namespace kernels         = cellwise::TESSERA_SIMD_NAMESPACE;
        constexpr int  W          = L::width;
        constexpr bool is_by_slab = slab < N && slab % W == 0;
        constexpr int  cache      = two_groups_fit<N, L>() ? 1 : 2;

        PatchGroups<dim, W> groups(patches);
        CellIndex           repeated[2][W];
        std::size_t         start[2][is_by_slab ? W : 1];
        PatchGroup          group = groups.next(repeated[0]);
        if constexpr (is_by_slab)
          if (group.cells != nullptr)
            set_starts<N>(group.cells, start[0]);

        for (int i = 0; group.cells != nullptr; i = 1 - i)
          {
            const PatchGroup next = groups.next(repeated[1 - i]);
            const CellIndex *next_cells =
              next.cells != nullptr ? next.cells : group.cells;
            if constexpr (is_by_slab)
              {
                set_starts<N>(next_cells, start[1 - i]);
                using Loader = SlabLoader<N, slab, L>;
                update(group.mirrored,
                       Loader{u, start[i], start[1 - i]},
                       Loader{b, start[i], start[1 - i]},
                       SlabAdder<N, slab, L>{u, start[i], group.stored});
              }
            else
              {
                typename L::V values[N], rhs[N];
                kernels::load_cells<N, L>(u, group.cells, values);
                kernels::prefetch_cells<N, W, cache>(u, next_cells);
                kernels::load_cells<N, L>(b, group.cells, rhs);
                kernels::prefetch_cells<N, W, cache>(b, next_cells);
                update(group.mirrored, rhs, values);
                kernels::store_cells<N, L>(u,
                                           group.cells,
                                           group.stored,
                                           values);
              }
            group = next;
          }
      }
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace patch
} // namespace tessera

#endif
