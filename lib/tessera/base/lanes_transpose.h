// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_lanes_transpose_h
#define tessera_base_lanes_transpose_h

#include <tessera/base/lanes.h>

namespace tessera
{
  namespace TESSERA_SIMD_NAMESPACE
  {
    // Every pattern below is one instruction of SSE, AVX and AVX-512. These
    // registers are rows of 16-byte blocks; most shuffles act alike on every
    // block, and a few move whole blocks.

    /**
     * In every block: groups of `group` lanes of the lower (upper) half of the
     * block, alternately from the first and second argument
     * (unpcklps, unpckhps, unpcklpd, unpckhpd).
     */
    template <int W, int block, int group, bool upper>
    struct InterleavePattern
    {
      static constexpr int
      at(const int lane)
      {
        const int in_block = lane % block, n = in_block / group;
        return (lane - in_block) + (upper ? block / 2 : 0) + (n / 2) * group +
               in_block % group + (n % 2) * W;
      }
    };

    /**
     * Blocks of even (odd) number of the first argument, then those of the
     * second (vperm2f128, vshuff32x4).
     */
    template <int W, int block, bool odd>
    struct BlockPattern
    {
      static constexpr int
      at(const int lane)
      {
        const int n = lane / block, n_half = W / block / 2;
        return (n / n_half) * W + (2 * (n % n_half) + (odd ? 1 : 0)) * block +
               lane % block;
      }
    };

    /**
     * Transpose rows of whole blocks: the rows first, first + stride, ... of
     * n_rows blocks each.
     */
    template <typename L, int block, int n_rows, int stride>
    TESSERA_ALWAYS_INLINE void
    transpose_blocks(typename L::V *r)
    {
      using Even = BlockPattern<L::width, block, false>;
      using Odd  = BlockPattern<L::width, block, true>;
      if constexpr (n_rows == 2)
        {
          const typename L::V a = r[0], b = r[stride];
          r[0]      = L::template shuffle<Even>(a, b);
          r[stride] = L::template shuffle<Odd>(a, b);
        }
      else if constexpr (n_rows == 4)
        {
          const typename L::V a = L::template shuffle<Even>(r[0], r[stride]);
          const typename L::V b = L::template shuffle<Odd>(r[0], r[stride]);
          const typename L::V c =
            L::template shuffle<Even>(r[2 * stride], r[3 * stride]);
          const typename L::V d =
            L::template shuffle<Odd>(r[2 * stride], r[3 * stride]);
          r[0]          = L::template shuffle<Even>(a, c);
          r[stride]     = L::template shuffle<Even>(b, d);
          r[2 * stride] = L::template shuffle<Odd>(a, c);
          r[3 * stride] = L::template shuffle<Odd>(b, d);
        }
    }

    /** A W x W block of which each row is one register. */
    template <typename L>
    TESSERA_ALWAYS_INLINE void
    transpose_registers(typename L::V *r)
    {
      constexpr int W     = L::width;
      constexpr int block = 16 / int(sizeof(typename L::T)) < W ?
                              16 / int(sizeof(typename L::T)) :
                              W;

      // Transpose the small squares of one block by one block ...
      TESSERA_UNROLL
      for (int i = 0; i < W; i += block)
        {
          using Lower = InterleavePattern<W, block, 1, false>;
          using Upper = InterleavePattern<W, block, 1, true>;
          if constexpr (block == 2)
            {
              const typename L::V a = r[i], b = r[i + 1];
              r[i]     = L::template shuffle<Lower>(a, b);
              r[i + 1] = L::template shuffle<Upper>(a, b);
            }
          else if constexpr (block == 4)
            {
              using Lower2 = InterleavePattern<W, block, 2, false>;
              using Upper2 = InterleavePattern<W, block, 2, true>;
              const typename L::V a =
                L::template shuffle<Lower>(r[i], r[i + 1]);
              const typename L::V b =
                L::template shuffle<Upper>(r[i], r[i + 1]);
              const typename L::V c =
                L::template shuffle<Lower>(r[i + 2], r[i + 3]);
              const typename L::V d =
                L::template shuffle<Upper>(r[i + 2], r[i + 3]);
              r[i]     = L::template shuffle<Lower2>(a, c);
              r[i + 1] = L::template shuffle<Upper2>(a, c);
              r[i + 2] = L::template shuffle<Lower2>(b, d);
              r[i + 3] = L::template shuffle<Upper2>(b, d);
            }
        }

      // ... then the matrix of these squares.
      if constexpr (W > block)
        {
          TESSERA_UNROLL
          for (int i = 0; i < block; ++i)
            transpose_blocks<L, block, W / block, block>(r + i);
        }
    }

    /**
     * Transpose a square block of W x W numbers in place:
     * lane j of r[i] and lane i of r[j] change places, for W = L::width.
     *
     * The way from storage that is contiguous in a cell to one cell per lane:
     * load W numbers of W cells, transpose, compute, transpose, store.
     *
     * L is Lanes<T, W>. Where a row is one register this takes W log2(W)
     * shuffles of one instruction each (16 x 16 float: 64), and no memory but
     * what the compiler spills of more than its registers; where a row is a
     * pair, the four quadrants are transposed, and two change places by name.
     */
    template <typename L>
    TESSERA_ALWAYS_INLINE void transpose(typename L::V (&r)[L::width])
    {
      constexpr int W = L::width;
      if constexpr (W == 1)
        return;
      else if constexpr (W * int(sizeof(typename L::T)) <= native_bytes)
        transpose_registers<L>(r);
      else
        {
          using Half = Lanes<typename L::T, W / 2>;
          typename Half::V a[W / 2], b[W / 2], c[W / 2], d[W / 2];
          TESSERA_UNROLL
          for (int i = 0; i < W / 2; ++i)
            {
              a[i] = L::low(r[i]);
              b[i] = L::high(r[i]);
              c[i] = L::low(r[W / 2 + i]);
              d[i] = L::high(r[W / 2 + i]);
            }
          transpose<Half>(a);
          transpose<Half>(b);
          transpose<Half>(c);
          transpose<Half>(d);
          TESSERA_UNROLL
          for (int i = 0; i < W / 2; ++i)
            {
              r[i]         = L::join(a[i], c[i]);
              r[W / 2 + i] = L::join(b[i], d[i]);
            }
        }
    }
  } // namespace TESSERA_SIMD_NAMESPACE
} // namespace tessera

#endif
