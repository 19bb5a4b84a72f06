// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_sweep_rows_h
#define tessera_patch_sweep_rows_h

#include <tessera/patch/patch_row_update.h>
#include <tessera/patch/sweep_patches.h>

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
      template <int dim, int width>
      struct PatchRows
      {
        static constexpr int n_rows = 1 << (dim - 1);

        CellIndex    cells[n_rows][width];
        unsigned int stored[n_rows]; ///< bits of the lanes that are written
        unsigned int mirrored;       ///< see PatchRun
      };

      /** The patches of a list, in its order, in groups of as many as the lanes
       * of rows hold; the last group of a run may be of less. */
      template <int dim, int width>
      class PatchRowGroups
      {
      public:
        TESSERA_ALWAYS_INLINE explicit PatchRowGroups(const PatchList &list)
          : patches(list)
          , n_started(0)
          , rest{0, 0, 0}
        {}

        /** Returns whether there is one more. Lanes without a patch repeat the
         * last one, and are not written. */
        TESSERA_ALWAYS_INLINE bool
        next(PatchRows<dim, width> &group)
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

          constexpr int      n_beside = width / 2;
          const int          n_left   = rest.end - rest.begin;
          const int          n_here   = n_left < n_beside ? n_left : n_beside;
          const unsigned int present =
            present_lanes<dim, 1 << dim>(rest.mirrored);
          group.mirrored = rest.mirrored;
          for (int c = 0; c < PatchRows<dim, width>::n_rows; ++c)
            {
              const CellIndex *cells =
                patches.cells + (std::size_t(rest.begin) << dim) + 2 * c;
              for (int l = 0; l < width; ++l)
                {
                  const int patch   = l / 2 < n_here ? l / 2 : n_here - 1;
                  group.cells[c][l] = cells[(patch << dim) + l % 2];
                }
              // The two lanes of each patch.
              group.stored[c] = 0;
              for (int l = 0; l < 2 * n_here; ++l)
                group.stored[c] |= ((present >> (2 * c + l % 2)) & 1u) << l;
            }
          rest.begin += n_here;
          return true;
        }

      private:
        const PatchList patches;
        std::size_t     n_started; ///< runs
        PatchRun        rest;      ///< of the last one of them
      };

      /**
       * Apply PatchRowUpdate to all patches of a list, in its order, as many
       * side by side as the lanes L hold. The values of the next group come
       * into the cache while one is updated, as in sweep_patches().
       */
      template <int dim, int degree, typename L>
      TESSERA_ALWAYS_INLINE void
      sweep_rows(typename L::T                        *u,
                 const typename L::T                  *b,
                 const PatchList                      &patches,
                 const PatchRowUpdate<dim, degree, L> &update)
      {
        namespace kernels         = cellwise::TESSERA_SIMD_NAMESPACE;
        using Update              = PatchRowUpdate<dim, degree, L>;
        using V                   = typename L::V;
        constexpr int  W          = L::width;
        constexpr int  N          = Update::n_nodes;
        constexpr int  slab       = Update::slab;
        constexpr int  n_rows     = Update::n_rows;
        constexpr bool is_by_slab = slab % W == 0;

        PatchRowGroups<dim, W> groups(patches);
        PatchRows<dim, W>      group[2];
        std::size_t            start[2][n_rows][is_by_slab ? W : 1];
        const auto             prepare = [&](const int i) {
          if constexpr (is_by_slab)
            for (int c = 0; c < n_rows; ++c)
              set_starts<N>(group[i].cells[c], start[i][c]);
        };

        bool has_next = groups.next(group[0]);
        prepare(0);
        for (int i = 0; has_next; i = 1 - i)
          {
            has_next = groups.next(group[1 - i]);
            if (!has_next)
              group[1 - i] = group[i];
            prepare(1 - i);
            if constexpr (is_by_slab)
              {
                using Loader    = SlabLoader<N, slab, L>;
                const auto load = [&](const typename L::T *field) {
                  return [&, field](const int c, const int z, V(&s)[slab]) {
                    return Loader{field, start[i][c], start[1 - i][c]}(z, s);
                  };
                };
                update(group[i].mirrored,
                       load(u),
                       load(b),
                       [&](const int c, const int z, const V(&s)[slab]) {
                         SlabAdder<N, slab, L>{u,
                                               start[i][c],
                                               group[i].stored[c]}(z, s);
                       });
              }
            else
              {
                V          values[n_rows][N], rhs[n_rows][N];
                const auto load = [&](const typename L::T *field, V(*rows)[N]) {
                  return
                    [&, field, rows](const int c, const int z, V(&)[slab]) {
                      if (z == 0)
                        {
                          kernels::load_cells<N, L>(field,
                                                    group[i].cells[c],
                                                    rows[c]);
                          prefetch_cells<N, L>(field, group[1 - i].cells[c]);
                        }
                      return static_cast<const V *>(rows[c] + z * slab);
                    };
                };
                update(group[i].mirrored,
                       load(u, values),
                       load(b, rhs),
                       [&](const int c, const int z, const V(&s)[slab]) {
                         PatchSlabs<dim, degree, L>::template add_to<slab>(
                           s, values[c] + z * slab);
                       });
                for (int c = 0; c < n_rows; ++c)
                  kernels::store_cells<N, L>(u,
                                             group[i].cells[c],
                                             group[i].stored[c],
                                             values[c]);
              }
          }
      }
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace patch
} // namespace tessera

#endif
