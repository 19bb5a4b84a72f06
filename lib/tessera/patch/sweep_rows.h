// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_sweep_rows_h
#define tessera_patch_sweep_rows_h

#include <tessera/cellwise/blocked_cells.h>
#include <tessera/cellwise/cell_lanes.h>
#include <tessera/patch/patch_groups.h>
#include <tessera/patch/patch_row_update.h>

namespace tessera
{
  namespace patch
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      /** The inverse eigenvalues that PatchRowUpdate takes. */
      template <int dim, int degree, typename L>
      TESSERA_ALWAYS_INLINE void
      load_row_eigenvalues(
        const typename L::T *inverse_eigenvalues,
        typename L::V (&lanes)[PatchRowUpdate<dim, degree, L>::n_modes])
      {
        constexpr int n = PatchRowUpdate<dim, degree, L>::n;
        for (int m = 0; m < PatchRowUpdate<dim, degree, L>::n_modes; ++m)
          {
            // Even modes of a direction come first; the odd ones have the
            // numbers of upper cells in the table.
            int mode = m % degree, lane = 0;
            for (int d = 1, rest = m / degree; d < dim; ++d, rest /= n)
              {
                const int i      = rest % n;
                const int is_odd = i < degree ? 0 : 1;
                mode += power(degree, d) * (i - is_odd * degree);
                lane |= is_odd << d;
              }
            typename L::T values[L::width];
            for (int l = 0; l < L::width; ++l)
              values[l] = inverse_eigenvalues[(mode << dim) + lane + l % 2];
            lanes[m] = L::load(values);
          }
      }

      /** Patches of a run side by side along x, in rows: see PatchRowUpdate. */
      template <int dim, int N, typename L>
      struct PatchRows
      {
        static constexpr int n_rows = 1 << (dim - 1);

        cellwise::TESSERA_SIMD_NAMESPACE::BlockedCells<N, L> cells[n_rows];
        unsigned int mirrored; ///< see PatchRun
      };

      /** The patches of a list, in its order, in groups of as many as the lanes
       * of rows hold; the last group of a run may be of less. */
      template <int dim, int N, typename L>
      class PatchRowGroups
      {
      public:
        static constexpr int W = L::width;

        /** Cells whose numbers are in a line of the cache. */
        static constexpr int line =
          cellwise::TESSERA_SIMD_NAMESPACE::cache_line / int(sizeof(CellIndex));

        TESSERA_ALWAYS_INLINE explicit PatchRowGroups(const PatchList &list)
          : patches(list)
          , n_started(0)
          , rest{0, 0, 0}
        {}

        /** Returns whether there is one more. Lanes without a patch
         * are not written. */
        TESSERA_ALWAYS_INLINE bool
        next(PatchRows<dim, N, L> &group)
        {
          while (rest.begin >= rest.end)
            {
              if (n_started == patches.n_runs)
                return false;
              rest =
                patches.runs[patches.reversed ? patches.n_runs - 1 - n_started :
                                                n_started];
              ++n_started;
            }

          const unsigned int present =
            present_lanes<dim, 1 << dim>(rest.mirrored);
          group.mirrored    = rest.mirrored;
          const int n_left  = rest.end - rest.begin;
          int       n_lanes = n_left < W / 2 ? 2 * n_left : W;
          // Once more with less of them where cells are of too many pieces.
          for (int n_tried = 0; n_tried != n_lanes;)
            {
              n_tried = n_lanes;
              for (int c = 0; c < PatchRows<dim, N, L>::n_rows; ++c)
                {
                  const CellIndex *const first =
                    patches.cells + (std::size_t(rest.begin) << dim) + 2 * c;
                  CellIndex cells[W] = {};
                  for (int l = 0; l < n_tried; ++l)
                    cells[l] = first[(l / 2 << dim) + l % 2];
                  // The two lanes of each patch.
                  const unsigned int pair = (present >> (2 * c)) & 3u;
                  const int          n_set =
                    group.cells[c].set(cells, n_tried, 0x55555555u * pair);
                  if (n_set < n_lanes)
                    n_lanes = n_set & ~1;
                }
            }
          rest.begin += n_lanes / 2;
          for (int l = 0; l < (W / 2 << dim); l += line)
            __builtin_prefetch(patches.cells +
                               (std::size_t(rest.begin + W / 2) << dim) + l);
          return true;
        }

      private:
        const PatchList patches;
        std::size_t     n_started; ///< runs
        PatchRun        rest;      ///< of the last one of them
      };

      /**
       * Apply PatchRowUpdate to all patches of a list, in its order, as many
       * side by side as the lanes L hold.
       *
       * While a group of patches is updated, the values of the next one come
       * into the cache: processors do not see these cells coming.
       */
      template <int dim, int degree, typename L>
      TESSERA_ALWAYS_INLINE void
      sweep_rows(typename L::T                        *u,
                 const typename L::T                  *b,
                 const PatchList                      &patches,
                 const PatchRowUpdate<dim, degree, L> &update)
      {
        using Update       = PatchRowUpdate<dim, degree, L>;
        using V            = typename L::V;
        constexpr int N    = Update::n_nodes;
        constexpr int q    = degree + 1;
        constexpr int slab = Update::slab;

        PatchRowGroups<dim, N, L> groups(patches);
        PatchRows<dim, N, L>      group[2];
        bool                      has_next = groups.next(group[0]);
        for (int i = 0; has_next; i = 1 - i)
          {
            has_next          = groups.next(group[1 - i]);
            const auto &cells = group[i].cells;
            const auto &next  = has_next ? group[1 - i].cells : cells;

            const auto load = [&](const typename L::T *field) {
              return [&, field](const int c, const int z, V(&s)[slab]) {
                cells[c].template load<slab>(field, z * slab, s);
                next[c].template prefetch<slab>(field, z * slab);
                return static_cast<const V *>(s);
              };
            };
            update(group[i].mirrored,
                   load(u),
                   load(b),
                   [&](const int c, const int k, const V(&line)[q]) {
                     cells[c].template add<q>(u, k, line);
                   });
          }
      }
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace patch
} // namespace tessera

#endif
