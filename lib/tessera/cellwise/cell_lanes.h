// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_cell_lanes_h
#define tessera_cellwise_cell_lanes_h

#include <tessera/base/lanes_transpose.h>

namespace tessera
{
  namespace cellwise
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      /** Size of a cache line in bytes, or a guess of it that does no harm. */
      constexpr int cache_line = 64;

      /**
       * Bring the memory of a later L::load(p) or L::store(p) into the cache.
       * Processors see a stream that runs through memory coming; they lose the
       * many that a block consists of. Any address will do, also one behind
       * the end of an array.
       */
      template <typename L>
      TESSERA_ALWAYS_INLINE void
      prefetch(const typename L::T *p)
      {
        constexpr int step = cache_line / int(sizeof(typename L::T));
        TESSERA_UNROLL
        for (int i = 0; i < L::width; i += step)
          __builtin_prefetch(p + i);
      }

      /**
       * @name From contiguous storage to one cell a lane, and back
       *
       * `cells` holds n_nodes values of each of n_cells cells, cell by cell
       * (Layout::contiguous). Up to W = L::width of these cells become lanes,
       * by transpositions of W nodes x W cells. Any number of nodes; with less
       * than W cells the other lanes are zero when read, and are not written.
       * Cost: log2(W) shuffles, one load or store for each W values.
       * @{
       */

      /** Call f(k, v) for all nodes k in ascending order, v of type L::V. */
      template <typename L, typename F>
      TESSERA_ALWAYS_INLINE void
      for_each_node(const typename L::T *cells,
                    const int            n_cells,
                    const int            n_nodes,
                    const F             &f)
      {
        constexpr int W = L::width;
        for (int first = 0; first < n_nodes; first += W)
          {
            const int     n = n_nodes - first < W ? n_nodes - first : W;
            typename L::V v[W];
            if (n == W && n_cells >= W)
              {
                TESSERA_UNROLL
                for (int c = 0; c < W; ++c)
                  {
                    v[c] = L::load(cells + c * n_nodes + first);
                    prefetch<L>(cells + (c + W) * n_nodes + first);
                  }
              }
            else
              {
                TESSERA_UNROLL
                for (int c = 0; c < W; ++c)
                  v[c] = c < n_cells ?
                           L::load_partial(cells + c * n_nodes + first, n) :
                           L::zero();
              }
            tessera::TESSERA_SIMD_NAMESPACE::transpose<L>(v);
            TESSERA_UNROLL
            for (int k = 0; k < W; ++k)
              if (k < n)
                f(first + k, v[k]);
          }
      }

      /** Store f(k), of type L::V, for all nodes k in ascending order. */
      template <typename L, typename F>
      TESSERA_ALWAYS_INLINE void
      store_each_node(typename L::T *cells,
                      const int      n_cells,
                      const int      n_nodes,
                      const F       &f)
      {
        constexpr int W = L::width;
        for (int first = 0; first < n_nodes; first += W)
          {
            const int     n = n_nodes - first < W ? n_nodes - first : W;
            typename L::V v[W];
            TESSERA_UNROLL
            for (int k = 0; k < W; ++k)
              v[k] = k < n ? f(first + k) : L::zero();
            tessera::TESSERA_SIMD_NAMESPACE::transpose<L>(v);
            if (n == W && n_cells >= W)
              {
                TESSERA_UNROLL
                for (int c = 0; c < W; ++c)
                  L::store(cells + c * n_nodes + first, v[c]);
              }
            else
              {
                TESSERA_UNROLL
                for (int c = 0; c < W; ++c)
                  if (c < n_cells)
                    L::store_partial(cells + c * n_nodes + first, v[c], n);
              }
          }
      }

      /** @} */
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace cellwise
} // namespace tessera

#endif
