// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_indexed_cell_lanes_h
#define tessera_cellwise_indexed_cell_lanes_h

#include <tessera/base/lanes_transpose.h>
#include <tessera/cellwise/cell_lanes.h>
#include <tessera/cellwise/layout.h>

#include <cstddef>

namespace tessera
{
  namespace cellwise
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      /** Bring N values of each of W cells into the first cache, or into the
       * second (level = 2): processors do not see cells in any order coming. */
      template <int N, int W, int level = 1, typename T>
      TESSERA_ALWAYS_INLINE void
      prefetch_cells(const T *field, const CellIndex *cell)
      {
        constexpr int step = cache_line / int(sizeof(T));
        for (int l = 0; l < W; ++l)
          for (int k = 0; k < N; k += step)
            __builtin_prefetch(field + std::size_t(cell[l]) * N + k,
                               0,
                               4 - level);
      }

      /**
       * The way from Layout::contiguous to one cell a lane, for cells in any
       * order (consecutive ones: cell_lanes.h): value k of cell[l] becomes lane
       * l of values[k], for k < N and l < L::width.
       *
       * Cells may repeat. L is Lanes<T, W>. Takes ceil(N/W) transpositions of
       * W x W numbers; where N is not a multiple of W, the last one is of rows
       * that are partly zero.
       */
      template <int N, typename L>
      TESSERA_ALWAYS_INLINE void
      load_cells(const typename L::T *field,
                 const CellIndex     *cell,
                 typename L::V       *values)
      {
        constexpr int W = L::width;
        for (int k = 0; k < N / W * W; k += W)
          {
            typename L::V rows[W];
            TESSERA_UNROLL
            for (int l = 0; l < W; ++l)
              rows[l] = L::load(field + std::size_t(cell[l]) * N + k);
            tessera::TESSERA_SIMD_NAMESPACE::transpose<L>(rows);
            TESSERA_UNROLL
            for (int l = 0; l < W; ++l)
              values[k + l] = rows[l];
          }
        if constexpr (N % W != 0)
          {
            constexpr int k = N / W * W;
            typename L::V rows[W];
            TESSERA_UNROLL
            for (int l = 0; l < W; ++l)
              rows[l] =
                L::load_partial(field + std::size_t(cell[l]) * N + k, N % W);
            tessera::TESSERA_SIMD_NAMESPACE::transpose<L>(rows);
            TESSERA_UNROLL
            for (int l = 0; l < N % W; ++l)
              values[k + l] = rows[l];
          }
      }

      /** The way back, for the cells of those lanes whose bit is set in
       * @p lanes; the memory of other cells is not touched. */
      template <int N, typename L>
      TESSERA_ALWAYS_INLINE void
      store_cells(typename L::T       *field,
                  const CellIndex     *cell,
                  const unsigned int   lanes,
                  const typename L::V *values)
      {
        constexpr int W = L::width;
        for (int k = 0; k < N / W * W; k += W)
          {
            typename L::V rows[W];
            TESSERA_UNROLL
            for (int l = 0; l < W; ++l)
              rows[l] = values[k + l];
            tessera::TESSERA_SIMD_NAMESPACE::transpose<L>(rows);
            TESSERA_UNROLL
            for (int l = 0; l < W; ++l)
              if (lanes & (1u << l))
                L::store(field + std::size_t(cell[l]) * N + k, rows[l]);
          }
        if constexpr (N % W != 0)
          {
            constexpr int k = N / W * W;
            typename L::V rows[W];
            TESSERA_UNROLL
            for (int l = 0; l < W; ++l)
              rows[l] = l < N % W ? values[k + l] : L::zero();
            tessera::TESSERA_SIMD_NAMESPACE::transpose<L>(rows);
            TESSERA_UNROLL
            for (int l = 0; l < W; ++l)
              if (lanes & (1u << l))
                L::store_partial(field + std::size_t(cell[l]) * N + k,
                                 rows[l],
                                 N % W);
          }
      }
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace cellwise
} // namespace tessera

#endif
