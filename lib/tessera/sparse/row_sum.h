// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_row_sum_h
#define tessera_sparse_row_sum_h

#include <tessera/base/lanes.h>
#include <tessera/sparse/dispatch_shape.h>

#include <cstdint>

namespace tessera
{
  namespace sparse
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      /** Lanes that hold a row of a block: four for three columns, ... */
      template <typename T, int columns>
      using RowLanes =
        tessera::TESSERA_SIMD_NAMESPACE::Lanes<T,
                                               (columns > 4 ? 8 :
                                                columns > 2 ? 4 :
                                                              16 / sizeof(T))>;

      /**
       * Ask for cache lines of n numbers that are needed 8 KB later. A matrix
       * is read once from memory, and the processor's own prefetching stops at
       * pages: it leaves a third of the bandwidth unused. Nothing happens where
       * there is no memory. Less than half a line at the end is left to the
       * next call.
       */
      template <typename T>
      TESSERA_ALWAYS_INLINE void
      fetch_ahead(const T *a, const int n)
      {
        constexpr int distance = 8192, line = 64;
        const int     n_bytes = n * static_cast<int>(sizeof(T));
        const char   *ahead   = reinterpret_cast<const char *>(a) + distance;
        __builtin_prefetch(ahead);
        for (int q = line; q + line / 2 <= n_bytes; q += line)
          __builtin_prefetch(ahead + q);
      }

      /**
       * The sum over some blocks of a row, $s_r = \sum_k \sum_c A_k[r][c]
       * x_{j(k)}[c]$.
       *
       * Each (r, c) is a chain of fused multiply-adds over the blocks in their
       * order, in a lane of its own; the chains of a row are added with c
       * ascending. So the bits depend neither on the instruction set nor on
       * whether the shape is known to the compiler.
       *
       * Reads up to BlockMatrix::n_values_behind numbers behind a block, which
       * meet a zero of x in a lane that is dropped.
       */
      template <typename T, typename Shape>
      struct RowSum
      {
        using L = RowLanes<T, Shape::max_columns>;

        TESSERA_ALWAYS_INLINE static void
        sum(const Shape         shape,
            const T            *values,
            const std::int32_t *columns,
            const std::int64_t  begin,
            const std::int64_t  end,
            const T            *x,
            T (&result)[Shape::max_rows])
        {
          typename L::V chains[Shape::max_rows];
          for (int r = 0; r < shape.rows(); ++r)
            chains[r] = L::zero();
          const int size = shape.rows() * shape.columns();
          const T  *a    = values + begin * size;
          for (std::int64_t k = begin; k < end; ++k, a += size)
            {
              fetch_ahead(a, size);
              const typename L::V xk =
                L::load_partial(x + static_cast<std::int64_t>(columns[k]) *
                                      shape.columns(),
                                shape.columns());
              if constexpr (Shape::is_fixed)
                {
                  TESSERA_UNROLL
                  for (int r = 0; r < Shape::max_rows; ++r)
                    chains[r] =
                      L::fma(L::load(a + r * shape.columns()), xk, chains[r]);
                }
              else
                for (int r = 0; r < shape.rows(); ++r)
                  chains[r] =
                    L::fma(L::load(a + r * shape.columns()), xk, chains[r]);
            }
          for (int r = 0; r < shape.rows(); ++r)
            {
              T lanes[L::width];
              L::store(lanes, chains[r]);
              result[r] = lanes[0];
              for (int c = 1; c < shape.columns(); ++c)
                result[r] += lanes[c];
            }
        }
      };

      /** Numbers: four chains over every fourth entry, (0 + 1) + (2 + 3), for
       * a processor to work on several at once. */
      template <typename T>
      struct RowSum<T, FixedShape<1, 1>>
      {
        using L = tessera::TESSERA_SIMD_NAMESPACE::Lanes<T, 1>;

        TESSERA_ALWAYS_INLINE static void
        sum(const FixedShape<1, 1>,
            const T            *values,
            const std::int32_t *columns,
            const std::int64_t  begin,
            const std::int64_t  end,
            const T            *x,
            T (&result)[1])
        {
          T            chains[4] = {T(0), T(0), T(0), T(0)};
          std::int64_t k         = begin;
          for (; k + 4 <= end; k += 4)
            {
              fetch_ahead(values + k, 4);
              TESSERA_UNROLL
              for (int q = 0; q < 4; ++q)
                chains[q] = L::fma(values[k + q], x[columns[k + q]], chains[q]);
            }
          TESSERA_UNROLL
          for (int q = 0; q < 3; ++q)
            if (k + q < end)
              chains[q] = L::fma(values[k + q], x[columns[k + q]], chains[q]);
          result[0] = (chains[0] + chains[1]) + (chains[2] + chains[3]);
        }
      };
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sparse
} // namespace tessera

#endif
