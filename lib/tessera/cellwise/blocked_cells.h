// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_blocked_cells_h
#define tessera_cellwise_blocked_cells_h

#include <tessera/base/lanes.h>
#include <tessera/cellwise/layout.h>

#include <cstddef>

namespace tessera
{
  namespace cellwise
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      /**
       * W = L::width cells, in any order, of fields in Layout::blocked with N
       * values a cell; one cell a lane.
       *
       * Memory is read and written in pieces: the same value of W neighbouring
       * cells, of which the first one is a multiple of W. Where the cells are a
       * piece, a value of all of them takes one load or store. Cells of two
       * pieces, such as W consecutive ones, or two short rows, take two, and a
       * permutation. Others come and go one by one.
       *
       * Cells may repeat; of these, one may be stored. L is Lanes<T, W>, of
       * vectors of the instruction set.
       */
      template <int N, typename L>
      class BlockedCells
      {
      public:
        using T = typename L::T;
        using V = typename L::V;

        static constexpr int W = L::width;

        static_assert(cells_per_block % W == 0,
                      "a block is a number of whole pieces");

        /** Without cells. */
        BlockedCells() = default;

        /**
         * @param[in] cells One a lane.
         * @param[in] stored Bits of the lanes that store() and add() write.
         */
        TESSERA_ALWAYS_INLINE void
        set(const CellIndex (&cells)[W], const unsigned int stored)
        {
          constexpr unsigned int all     = ~0u >> (32 - W);
          const CellIndex        first   = cells[0] / W;
          CellIndex              second  = first;
          bool                   in_two  = true;
          bool                   in_line = cells[0] % W == 0;
          for (int l = 1; l < W; ++l)
            {
              const CellIndex piece = cells[l] / W;
              if (second == first)
                second = piece;
              in_two  = in_two && (piece == first || piece == second);
              in_line = in_line && cells[l] == cells[0] + l;
            }

          position[0]  = position_of(first * W);
          position[1]  = position_of(second * W);
          n_pieces     = second == first ? 1 : 2;
          loads_whole  = in_line;
          stores_whole = in_line && stored == all;
          is_in_pieces = in_two;
          stored_lanes = stored;
          if (loads_whole && stores_whole)
            return;

          for (int l = 0; l < W; ++l)
            position_of_lane[l] = position_of(cells[l]);
          if (!is_in_pieces)
            return;
          typename L::I to[2][W], present[2][W];
          for (int l = 0; l < W; ++l)
            to[0][l] = to[1][l] = present[0][l] = present[1][l] = 0;
          for (int l = 0; l < W; ++l)
            {
              const int piece = cells[l] / W == first ? 0 : 1;
              const int lane  = cells[l] % W;
              from_pieces[l]  = piece * W + lane;
              if (stored & (1u << l))
                {
                  to[piece][lane]      = l;
                  present[piece][lane] = -1;
                }
            }
          for (int piece = 0; piece < 2; ++piece)
            for (int l = 0; l < W; ++l)
              {
                to_piece[piece][l]  = to[piece][l];
                is_stored[piece][l] = present[piece][l];
              }
        }

        /** Values k of the cells. */
        TESSERA_ALWAYS_INLINE V
        load(const T *field, const int k) const
        {
          V value;
          load<1>(field, k, &value);
          return value;
        }

        /** Values k, ..., k+n-1. */
        template <int n>
        TESSERA_ALWAYS_INLINE void
        load(const T *field, const int k, V *values) const
        {
          const T *const begin = field + k * cells_per_block;
          if (loads_whole)
            {
              const T *const p = begin + position[0];
              TESSERA_UNROLL
              for (int i = 0; i < n; ++i)
                values[i] = L::load(p + i * cells_per_block);
            }
          else if (is_in_pieces)
            {
              const T *const      p    = begin + position[0];
              const T *const      q    = begin + position[1];
              const typename L::M from = from_pieces;
              TESSERA_UNROLL
              for (int i = 0; i < n; ++i)
                values[i] = L::pick(L::load(p + i * cells_per_block),
                                    L::load(q + i * cells_per_block),
                                    from);
            }
          else
            for (int i = 0; i < n; ++i)
              for (int l = 0; l < W; ++l)
                values[i][l] = begin[position_of_lane[l] + i * cells_per_block];
        }

        /** Replace values k, ..., k+n-1 of those cells that are stored. */
        template <int n>
        TESSERA_ALWAYS_INLINE void
        store(T *field, const int k, const V *values) const
        {
          update<n>(
            field,
            k,
            values,
            [](const V, const V value) { return value; },
            [](const T, const T value) { return value; });
        }

        /** Add to them. */
        template <int n>
        TESSERA_ALWAYS_INLINE void
        add(T *field, const int k, const V *values) const
        {
          update<n>(
            field,
            k,
            values,
            [](const V old, const V value) { return old + value; },
            [](const T old, const T value) { return old + value; });
        }

        /** Bring values k, ..., k+n-1 into the first cache, or into the second
         * (level = 2), unless the cells come one by one. */
        template <int n, int level = 1>
        TESSERA_ALWAYS_INLINE void
        prefetch(const T *field, const int k) const
        {
          if (!is_in_pieces)
            return;
          const T *const begin = field + k * cells_per_block;
          prefetch_piece<n, level>(begin + position[0]);
          if (n_pieces == 2)
            prefetch_piece<n, level>(begin + position[1]);
        }

      private:
        static TESSERA_ALWAYS_INLINE std::size_t
                                     position_of(const CellIndex cell)
        {
          return std::size_t(cell / cells_per_block) * (N * cells_per_block) +
                 std::size_t(cell % cells_per_block);
        }

        template <int n, int level>
        static TESSERA_ALWAYS_INLINE void
        prefetch_piece(const T *p)
        {
          TESSERA_UNROLL
          for (int i = 0; i < n; ++i)
            __builtin_prefetch(p + i * cells_per_block, 0, 4 - level);
        }

        /** Replace values by f(old value, value), of lanes and of numbers. */
        template <int n, typename F, typename G>
        TESSERA_ALWAYS_INLINE void
        update(T *field, const int k, const V *values, const F &f, const G &g)
          const
        {
          T *const begin = field + k * cells_per_block;
          if (stores_whole)
            {
              T *const p = begin + position[0];
              TESSERA_UNROLL
              for (int i = 0; i < n; ++i)
                L::store(p + i * cells_per_block,
                         f(L::load(p + i * cells_per_block), values[i]));
            }
          else if (is_in_pieces)
            for (int piece = 0; piece < n_pieces; ++piece)
              {
                T *const            p    = begin + position[piece];
                const typename L::M to   = to_piece[piece];
                const typename L::M mask = is_stored[piece];
                TESSERA_UNROLL
                for (int i = 0; i < n; ++i)
                  {
                    const V old   = L::load(p + i * cells_per_block);
                    const V moved = L::pick(values[i], values[i], to);
                    L::store(p + i * cells_per_block,
                             L::blend(mask, f(old, moved), old));
                  }
              }
          else
            for (int i = 0; i < n; ++i)
              for (int l = 0; l < W; ++l)
                if (stored_lanes & (1u << l))
                  {
                    T &value = begin[position_of_lane[l] + i * cells_per_block];
                    value    = g(value, values[i][l]);
                  }
        }

        std::size_t  position[2]; ///< of value 0 of the pieces
        int          n_pieces;
        bool         loads_whole, stores_whole, is_in_pieces;
        unsigned int stored_lanes;

        // Not set where it is not needed.
        std::size_t   position_of_lane[W];
        typename L::M from_pieces;  ///< where lanes come from, pieces behind
                                    ///< one another
        typename L::M to_piece[2];  ///< where the lanes of a piece come from
        typename L::M is_stored[2]; ///< those of a piece that are stored
      };
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace cellwise
} // namespace tessera

#endif
