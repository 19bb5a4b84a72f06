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
       * Up to W = L::width cells of fields in Layout::blocked with N values a
       * cell, one cell a lane.
       *
       * Memory is read and written in pieces: the same value of W neighbouring
       * cells, of which the first one is a multiple of W. Where the cells are a
       * piece, a value of all of them takes one load or store. Others, any W
       * consecutive ones, two short rows, or cells in any order that are of two
       * pieces, take two loads and a permutation; to store, a load, a
       * permutation and a store of each piece.
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
         * @param[in] cells One a lane, in the first n lanes. Other lanes are
         * loaded with whatever there is.
         * @param[in] stored Bits of the lanes that store() and add() write;
         * those from n on are not.
         * @return n; if these cells are of more than two pieces, the number of
         * the first ones that are not. That is two or more, and nothing is set
         * then.
         */
        TESSERA_ALWAYS_INLINE int
        set(const CellIndex (&cells)[W], const int n, const unsigned int stored)
        {
          constexpr unsigned int all            = ~0u >> (32 - W);
          const unsigned int     stored_cells   = stored & ~0u >> (32 - n);
          bool                   is_consecutive = true;
          for (int l = 1; l < n; ++l)
            is_consecutive = is_consecutive && cells[l] == cells[0] + l;
          if (!is_consecutive)
            return set_any(cells, n, stored_cells);

          const int offset = cells[0] % W;
          loads_whole      = offset == 0;
          stores_whole     = loads_whole && stored_cells == all;
          n_pieces         = offset + n > W ? 2 : 1;
          position[0]      = position_of(cells[0] - offset);
          position[1] =
            n_pieces == 2 ? position_of(cells[0] - offset + W) : position[0];
          if (!stores_whole)
            set_consecutive(offset, stored_cells);
          return n;
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
          const T *const p = field + k * cells_per_block + position[0];
          if (loads_whole)
            {
              TESSERA_UNROLL
              for (int i = 0; i < n; ++i)
                values[i] = L::load(p + i * cells_per_block);
            }
          else
            {
              const T *const      q = field + k * cells_per_block + position[1];
              const typename L::M from = from_pieces;
              TESSERA_UNROLL
              for (int i = 0; i < n; ++i)
                values[i] = L::pick(L::load(p + i * cells_per_block),
                                    L::load(q + i * cells_per_block),
                                    from);
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
          else
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
          else
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
        }

        /** Bring values k, ..., k+n-1 of the last piece into the cache: of
         * cells that follow others in their row, the piece that is new. */
        template <int n>
        TESSERA_ALWAYS_INLINE void
        prefetch(const T *field, const int k) const
        {
          const T *const p = field + k * cells_per_block + position[1];
          TESSERA_UNROLL
          for (int i = 0; i < n; ++i)
            __builtin_prefetch(p + i * cells_per_block);
        }

      private:
        static TESSERA_ALWAYS_INLINE std::size_t
                                     position_of(const CellIndex cell)
        {
          return std::size_t(cell / cells_per_block) * (N * cells_per_block) +
                 std::size_t(cell % cells_per_block);
        }

        /** The first cell is lane @p offset of its piece. */
        TESSERA_ALWAYS_INLINE void
        set_consecutive(const int offset, const unsigned int stored)
        {
          using I = typename L::I;
          typename L::M lane{};
          for (int l = 0; l < W; ++l)
            lane[l] = l;
          // Where there is one piece only, both positions are its own.
          from_pieces = lane + I(offset);
          for (int piece = 0; piece < 2; ++piece)
            {
              const unsigned int here =
                piece == 0 ? stored << offset : stored >> (W - offset);
              const typename L::M is_stored = (I(here) >> lane & 1) != 0;
              to_piece[piece] =
                is_stored ? lane + I(piece * W - offset) : lane + I(W);
            }
        }

        TESSERA_ALWAYS_INLINE int
        set_any(const CellIndex (&cells)[W],
                const int          n,
                const unsigned int stored)
        {
          CellIndex first_of[2] = {cells[0] / W * W, cells[0] / W * W};
          n_pieces              = 1;
          typename L::I from[W], to[2][W];
          for (int l = 0; l < W; ++l)
            {
              from[l]  = 0;
              to[0][l] = to[1][l] = W + l;
            }
          for (int l = 0; l < n; ++l)
            {
              const CellIndex lane  = cells[l] % W;
              const CellIndex first = cells[l] - lane;
              if (n_pieces == 1 && first != first_of[0])
                {
                  first_of[1] = first;
                  n_pieces    = 2;
                }
              const int piece = first == first_of[0] ? 0 : 1;
              if (first != first_of[piece])
                return l;
              from[l] = piece * W + lane;
              if (stored & (1u << l))
                to[piece][lane] = l;
            }
          position[0]  = position_of(first_of[0]);
          position[1]  = position_of(first_of[1]);
          loads_whole  = false;
          stores_whole = false;
          static_assert(sizeof(from_pieces) == sizeof(from), "one a lane");
          __builtin_memcpy(&from_pieces, from, sizeof(from));
          __builtin_memcpy(&to_piece, to, sizeof(to));
          return n;
        }

        std::size_t position[2]  = {}; ///< of value 0 of the pieces
        int         n_pieces     = 0;
        bool        loads_whole  = false;
        bool        stores_whole = false;

        // Where lanes come from, of the two pieces; where lanes of a piece come
        // from, W + l if lane l stays what it is. Where all is whole, they stay
        // what they were.
        typename L::M from_pieces{};
        typename L::M to_piece[2]{};
      };
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace cellwise
} // namespace tessera

#endif
