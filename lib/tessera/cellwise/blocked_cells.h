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

        /**
         * @param[in] cells One a lane, in the first n lanes; others are loaded
         * with whatever finite values there are.
         * @param[in] stored Bits of the lanes that store() and add() write,
         * among the first n.
         */
        TESSERA_ALWAYS_INLINE void
        set(const CellIndex (&cells)[W], const int n, const unsigned int stored)
        {
          constexpr unsigned int all            = ~0u >> (32 - W);
          bool                   is_consecutive = true;
          for (int l = 1; l < n; ++l)
            is_consecutive = is_consecutive && cells[l] == cells[0] + l;

          const int offset = cells[0] % W;
          position[0]      = position_of(cells[0] - offset);
          loads_whole      = is_consecutive && offset == 0;
          stores_whole     = loads_whole && stored == all;
          stored_lanes     = stored;
          if (is_consecutive)
            {
              is_in_pieces = true;
              n_pieces     = offset + n > W ? 2 : 1;
              position[1] = n_pieces == 2 ? position_of(cells[0] - offset + W) :
                                            position[0];
              if (!stores_whole)
                set_consecutive(offset, stored);
            }
          else
            set_any(cells, n, stored);
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
              {
                T lanes[W];
                for (int l = 0; l < W; ++l)
                  lanes[l] =
                    begin[position_of(cell_of_lane[l]) + i * cells_per_block];
                values[i] = L::load(lanes);
              }
        }

        /** Replace values k, ..., k+n-1 of those cells that are stored. */
        template <int n>
        TESSERA_ALWAYS_INLINE void
        store(T *field, const int k, const V *values) const
        {
          T *const begin = field + k * cells_per_block;
          if (stores_whole)
            {
              TESSERA_UNROLL
              for (int i = 0; i < n; ++i)
                L::store(begin + position[0] + i * cells_per_block, values[i]);
            }
          else if (is_in_pieces)
            for (int piece = 0; piece < n_pieces; ++piece)
              {
                T *const            p  = begin + position[piece];
                const typename L::M to = to_piece[piece];
                // Beyond the lanes of the values are those that stay.
                TESSERA_UNROLL
                for (int i = 0; i < n; ++i)
                  L::store(p + i * cells_per_block,
                           L::pick(values[i],
                                   L::load(p + i * cells_per_block),
                                   to));
              }
          else
            for (int i = 0; i < n; ++i)
              {
                T lanes[W];
                L::store(lanes, values[i]);
                for (int l = 0; l < W; ++l)
                  if (stored_lanes & (1u << l))
                    begin[position_of(cell_of_lane[l]) + i * cells_per_block] =
                      lanes[l];
              }
        }

        /** Add to them. */
        template <int n>
        TESSERA_ALWAYS_INLINE void
        add(T *field, const int k, const V *values) const
        {
          T *const begin = field + k * cells_per_block;
          if (stores_whole)
            {
              T *const p = begin + position[0];
              TESSERA_UNROLL
              for (int i = 0; i < n; ++i)
                L::store(p + i * cells_per_block,
                         L::load(p + i * cells_per_block) + values[i]);
            }
          else if (is_in_pieces)
            {
              // What nothing is added to stays what it is, also a zero with a
              // sign. All is read before anything is written: the pieces may be
              // a power of two apart, for which processors take the loads of
              // one for loads of what is on its way to the other.
              const V  nothing = L::set(T(-0.));
              T *const p = begin + position[0], *const q = begin + position[1];
              V sum[2][n];
              TESSERA_UNROLL
              for (int i = 0; i < n; ++i)
                {
                  sum[0][i] = L::load(p + i * cells_per_block) +
                              L::pick(values[i], nothing, to_piece[0]);
                  sum[1][i] = L::load(q + i * cells_per_block) +
                              L::pick(values[i], nothing, to_piece[1]);
                }
              TESSERA_UNROLL
              for (int i = 0; i < n; ++i)
                L::store(p + i * cells_per_block, sum[0][i]);
              if (n_pieces == 2)
                {
                  TESSERA_UNROLL
                  for (int i = 0; i < n; ++i)
                    L::store(q + i * cells_per_block, sum[1][i]);
                }
            }
          else
            for (int i = 0; i < n; ++i)
              {
                T lanes[W];
                L::store(lanes, values[i]);
                for (int l = 0; l < W; ++l)
                  if (stored_lanes & (1u << l))
                    begin[position_of(cell_of_lane[l]) + i * cells_per_block] +=
                      lanes[l];
              }
        }

        /** Bring values k, ..., k+n-1 into the cache, unless the cells come one
         * by one. */
        template <int n>
        TESSERA_ALWAYS_INLINE void
        prefetch(const T *field, const int k) const
        {
          if (!is_in_pieces)
            return;
          prefetch_piece<n>(field + k * cells_per_block + position[0]);
          if (n_pieces == 2)
            prefetch_piece<n>(field + k * cells_per_block + position[1]);
        }

        /** The same of cells that follow others, which are being loaded: the
         * last piece of these need not be brought again. */
        template <int n>
        TESSERA_ALWAYS_INLINE void
        prefetch_after(const BlockedCells &before,
                       const T            *field,
                       const int           k) const
        {
          if (!is_in_pieces)
            return;
          if (position[0] != before.position[1])
            prefetch_piece<n>(field + k * cells_per_block + position[0]);
          if (n_pieces == 2)
            prefetch_piece<n>(field + k * cells_per_block + position[1]);
        }

      private:
        static TESSERA_ALWAYS_INLINE std::size_t
                                     position_of(const CellIndex cell)
        {
          return std::size_t(cell / cells_per_block) * (N * cells_per_block) +
                 std::size_t(cell % cells_per_block);
        }

        template <int n>
        static TESSERA_ALWAYS_INLINE void
        prefetch_piece(const T *p)
        {
          TESSERA_UNROLL
          for (int i = 0; i < n; ++i)
            __builtin_prefetch(p + i * cells_per_block);
        }

        static TESSERA_ALWAYS_INLINE void
        copy(typename L::M &lanes, const typename L::I (&numbers)[W])
        {
          static_assert(sizeof(lanes) == sizeof(numbers), "one a lane");
          __builtin_memcpy(&lanes, numbers, sizeof(lanes));
        }

        /** The first cell is lane @p offset of its piece. */
        TESSERA_ALWAYS_INLINE void
        set_consecutive(const int offset, const unsigned int stored)
        {
          using I = typename L::I;
          typename L::M lane{};
          for (int l = 0; l < W; ++l)
            lane[l] = l;
          from_pieces = lane + I(offset);
          if (n_pieces == 1)
            from_pieces = from_pieces & I(W - 1);
          for (int piece = 0; piece < 2; ++piece)
            {
              const unsigned int here =
                piece == 0 ? stored << offset : stored >> (W - offset);
              const typename L::M is_stored = (I(here) >> lane & 1) != 0;
              to_piece[piece] =
                is_stored ? lane + I(piece * W - offset) : lane + I(W);
            }
        }

        TESSERA_ALWAYS_INLINE void
        set_any(const CellIndex (&cells)[W],
                const int          n,
                const unsigned int stored)
        {
          const CellIndex piece_of[2] = {cells[0] / W, second_piece(cells, n)};
          is_in_pieces                = true;
          n_pieces                    = piece_of[1] == piece_of[0] ? 1 : 2;
          position[1]                 = position_of(piece_of[1] * W);
          typename L::I from[W], to[2][W];
          for (int l = 0; l < W; ++l)
            {
              const CellIndex cell = cells[l < n ? l : 0];
              cell_of_lane[l]      = cell;
              from[l]      = cell % W + (cell / W == piece_of[0] ? 0 : W);
              is_in_pieces = is_in_pieces && (cell / W == piece_of[0] ||
                                              cell / W == piece_of[1]);
              to[0][l] = to[1][l] = W + l;
            }
          for (int l = 0; l < W; ++l)
            if (stored & (1u << l))
              to[cells[l] / W == piece_of[0] ? 0 : 1][cells[l] % W] = l;
          copy(from_pieces, from);
          copy(to_piece[0], to[0]);
          copy(to_piece[1], to[1]);
        }

        /** The first piece other than that of the first cell, if there is
         * one. */
        static TESSERA_ALWAYS_INLINE CellIndex
        second_piece(const CellIndex (&cells)[W], const int n)
        {
          for (int l = 1; l < n; ++l)
            if (cells[l] / W != cells[0] / W)
              return cells[l] / W;
          return cells[0] / W;
        }

        std::size_t  position[2]; ///< of value 0 of the pieces
        int          n_pieces;
        bool         loads_whole, stores_whole, is_in_pieces;
        unsigned int stored_lanes;

        // Where they are not needed, they stay what they were.
        CellIndex     cell_of_lane[W] = {};
        typename L::M from_pieces{}; ///< where lanes come from: the two pieces
        typename L::M to_piece[2]{}; ///< where the lanes of a piece come from;
                                     ///< W + l where lane l stays what it is
      };
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace cellwise
} // namespace tessera

#endif
