// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_patch_groups_h
#define tessera_patch_patch_groups_h

#include <tessera/base/lanes.h>
#include <tessera/patch/level_kernels.h>

#include <cstddef>

namespace tessera
{
  namespace patch
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      /** Bits of the lanes with the lower (upper, end = 1) cells of a
       * direction. */
      template <int width>
      constexpr unsigned int
      lanes_of_end(const int direction, const int end)
      {
        unsigned int lanes = 0;
        for (int lane = 0; lane < width; ++lane)
          if (((lane >> direction) & 1) == end)
            lanes |= 1u << lane;
        return lanes;
      }

      /** Bits of the lanes whose cells are inside of the box. */
      template <int dim, int width>
      TESSERA_ALWAYS_INLINE unsigned int
      present_lanes(const unsigned int mirrored)
      {
        unsigned int lanes =
          lanes_of_end<width>(0, 0) | lanes_of_end<width>(0, 1);
        TESSERA_UNROLL
        for (int d = 0; d < dim; ++d)
          {
            if (mirrored & (1u << (2 * d)))
              lanes &= ~lanes_of_end<width>(d, 0);
            if (mirrored & (1u << (2 * d + 1)))
              lanes &= ~lanes_of_end<width>(d, 1);
          }
        return lanes;
      }

      /** Whether the values of the cells of two groups, of two fields, fit into
       * the first cache. */
      template <int N, typename L>
      constexpr bool
      two_groups_fit()
      {
        return 4 * N * L::width * int(sizeof(typename L::T)) <= 32 * 1024;
      }

      /** Patches of a run that are updated side by side, one cell a lane. */
      struct PatchGroup
      {
        const CellIndex *cells;    ///< of all lanes; null: there is no group
        unsigned int     stored;   ///< bits of the lanes that are written
        unsigned int     mirrored; ///< see PatchRun
      };

      /** The patches of a list, in its order, in groups of as many as lanes
       * hold; the last group of a run may be of less. */
      template <int dim, int width>
      class PatchGroups
      {
      public:
        TESSERA_ALWAYS_INLINE explicit PatchGroups(const PatchList &list)
          : patches(list)
          , n_started(0)
          , rest{0, 0, 0}
          , present(0)
        {}

        /**
         * The next group, or none.
         * @param[in] repeated Memory for cells: lanes without a patch repeat
         * the first one, and are not written.
         */
        TESSERA_ALWAYS_INLINE PatchGroup
        next(CellIndex (&repeated)[width])
        {
          while (rest.begin >= rest.end)
            {
              if (n_started == patches.n_runs)
                return {nullptr, 0, 0};
              rest =
                patches.runs[patches.reversed ? patches.n_runs - 1 - n_started :
                                                n_started];
              present = present_lanes<dim, width>(rest.mirrored);
              ++n_started;
            }

          constexpr int n_cells = 1 << dim;
          const int     n_rest  = (rest.end - rest.begin) * n_cells;
          PatchGroup    group{patches.cells + std::size_t(rest.begin) * n_cells,
                           present,
                           rest.mirrored};
          if (n_cells < width && n_rest < width)
            {
              for (int l = 0; l < width; ++l)
                repeated[l] = group.cells[l < n_rest ? l : l % n_cells];
              group.cells = repeated;
              group.stored &= (1u << n_rest) - 1u;
            }
          rest.begin += width / n_cells;
          return group;
        }

      private:
        const PatchList patches;
        std::size_t     n_started; ///< runs
        PatchRun        rest;      ///< of the last one of them
        unsigned int    present;
      };
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace patch
} // namespace tessera

#endif
