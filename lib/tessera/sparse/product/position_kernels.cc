// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sparse/product/micro_kernel.h>
#include <tessera/sparse/product/position_kernels.h>

#include <type_traits>

namespace tessera
{
  namespace sparse
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      namespace
      {
        // Rows of P and blocks of C that are not in the first cache are asked
        // for this many entries of A and products before they are needed.
        constexpr int entries_ahead = 3;
        constexpr int blocks_ahead  = 4;

        // Bytes of a row of P that are asked for: its beginning.
        constexpr int bytes_of_row_ahead = 512;

        /** Whether a product of blocks takes long enough for that. */
        template <typename Number>
        constexpr bool
        has_large_blocks(const int size)
        {
          return size * sizeof(Number) >= 64;
        }

        template <int bytes, bool to_write>
        TESSERA_ALWAYS_INLINE void
        prefetch(const void *address)
        {
          TESSERA_UNROLL
          for (int offset = 0; offset < bytes; offset += 64)
            __builtin_prefetch(static_cast<const char *>(address) + offset,
                               to_write ? 1 : 0);
        }

        /** Row i of W into scratch memory; moves on in the positions. */
        template <typename Kernel, typename Position, typename Number>
        TESSERA_ALWAYS_INLINE void
        sum_row(const Kernel                   &kernel,
                const CompressedBlocks<Number> &A,
                const CompressedBlocks<Number> &P,
                const std::int32_t              i,
                const std::int64_t              length,
                const Position                *&positions,
                Number                         *scratch)
        {
          const int size_a = kernel.rows() * kernel.inner();
          const int size_p = kernel.inner() * kernel.columns();
          const int size_w = kernel.padded_size();

          typename Kernel::Result zero;
          kernel.set_zero(zero);
          for (std::int64_t n = 0; n < length; ++n)
            kernel.store_padded(scratch + size_w * n, zero);

          for (std::int64_t a = A.row_begin[i]; a < A.row_begin[i + 1]; ++a)
            {
              const std::int32_t                          k = A.columns[a];
              const typename Kernel::template Left<false> left(kernel,
                                                               A.values +
                                                                 size_a * a);
              if constexpr (has_large_blocks<Number>(
                              Kernel::fixed_size_of_right))
                {
                  const std::int64_t last = A.row_begin[i + 1] - 1;
                  const std::int64_t ahead =
                    a + entries_ahead < last ? a + entries_ahead : last;
                  prefetch<bytes_of_row_ahead, false>(
                    P.values + size_p * P.row_begin[A.columns[ahead]]);
                }
              for (std::int64_t p = P.row_begin[k]; p < P.row_begin[k + 1]; ++p)
                {
                  Number *const w = scratch + size_w * std::int64_t(*positions);
                  ++positions;
                  typename Kernel::Right  right;
                  typename Kernel::Result result;
                  kernel.load(right, P.values + size_p * p);
                  kernel.load_padded(result, w);
                  kernel.multiply_add(result, left, right);
                  kernel.store_padded(w, result);
                }
            }
        }
      } // namespace

      template <typename Position, typename Number>
      void
      multiply_by_positions(const ProductShape              shape,
                            const std::int32_t              n_rows,
                            const CompressedBlocks<Number> &A,
                            const CompressedBlocks<Number> &P,
                            const std::int64_t             *row_begin,
                            const Position                 *positions,
                            Number                         *scratch,
                            Number                         *w)
      {
        with_micro_kernel<Number>(shape, [&](const auto &kernel) {
          const int size_w = kernel.rows() * kernel.columns();
          for (std::int32_t i = 0; i < n_rows; ++i)
            {
              const std::int64_t length = row_begin[i + 1] - row_begin[i];
              sum_row(kernel, A, P, i, length, positions, scratch);
              for (std::int64_t n = 0; n < length; ++n)
                {
                  typename std::decay_t<decltype(kernel)>::Result result;
                  kernel.load_padded(result,
                                     scratch + kernel.padded_size() * n);
                  kernel.store(w + size_w * (row_begin[i] + n), result);
                }
            }
        });
      }

      template <typename Position, typename CoarsePosition, typename Number>
      void
      galerkin_by_positions(const int                       fine,
                            const int                       coarse,
                            const std::int32_t              n_rows,
                            const std::int32_t              n_coarse_rows,
                            const CompressedBlocks<Number> &A,
                            const CompressedBlocks<Number> &P,
                            const std::int32_t             *row_lengths,
                            const Position                 *positions,
                            const CoarsePosition           *coarse_positions,
                            const std::int64_t             *coarse_row_begin,
                            Number                         *scratch,
                            Number                         *c)
      {
        with_galerkin_sizes(fine, coarse, [&](const auto &sizes) {
          constexpr int b = std::decay_t<decltype(sizes)>::fine;
          constexpr int q = std::decay_t<decltype(sizes)>::coarse;

          // Copies, so that the compiler need not fear that writing results
          // changes them.
          const CompressedBlocks<Number>     matrix         = A;
          const CompressedBlocks<Number>     prolongator    = P;
          const std::int64_t *const          row_begin_of_C = coarse_row_begin;
          Number *const                      values         = c;
          Number *const                      row_of_W       = scratch;
          const MicroKernel<Number, b, b, q> first({fine, fine, coarse});
          const MicroKernel<Number, q, b, q> second({coarse, fine, coarse});
          using Second = MicroKernel<Number, q, b, q>;

          const Position       *position        = positions;
          const CoarsePosition *coarse_position = coarse_positions;
          const int             size_p = second.rows() * second.inner();
          const int             size_w = first.padded_size();
          const int             size_c = second.rows() * second.columns();
          for (std::int64_t n = 0; n < size_c * row_begin_of_C[n_coarse_rows];
               ++n)
            values[n] = Number(0);

          for (std::int32_t i = 0; i < n_rows; ++i)
            {
              const std::int32_t length = row_lengths[i];
              sum_row(
                first, matrix, prolongator, i, length, position, row_of_W);
              for (std::int64_t p = prolongator.row_begin[i];
                   p < prolongator.row_begin[i + 1];
                   ++p)
                {
                  Number *const row =
                    values + size_c * row_begin_of_C[prolongator.columns[p]];
                  const typename Second::template Left<true> left(
                    second, prolongator.values + size_p * p);
                  for (std::int32_t n = 0; n < length; ++n)
                    {
                      Number *const to =
                        row + size_c * std::int64_t(*coarse_position);
                      if constexpr (has_large_blocks<Number>(q * q))
                        {
                          const int left_in_row = length - 1 - n;
                          const int ahead       = left_in_row < blocks_ahead ?
                                                    left_in_row :
                                                    blocks_ahead;
                          prefetch<q * q * sizeof(Number), true>(
                            row +
                            size_c * std::int64_t(coarse_position[ahead]));
                        }
                      ++coarse_position;
                      typename Second::Right  right;
                      typename Second::Result result;
                      second.load_padded(right, row_of_W + size_w * n);
                      second.load(result, to);
                      second.multiply_add(result, left, right);
                      second.store(to, result);
                    }
                }
            }
        });
      }

#define TESSERA_INSTANTIATE_PRODUCT(Position, Number)    \
  template void multiply_by_positions<Position, Number>( \
    ProductShape,                                        \
    std::int32_t,                                        \
    const CompressedBlocks<Number> &,                    \
    const CompressedBlocks<Number> &,                    \
    const std::int64_t *,                                \
    const Position *,                                    \
    Number *,                                            \
    Number *);

#define TESSERA_INSTANTIATE_GALERKIN(Position, CoarsePosition, Number)   \
  template void galerkin_by_positions<Position, CoarsePosition, Number>( \
    int,                                                                 \
    int,                                                                 \
    std::int32_t,                                                        \
    std::int32_t,                                                        \
    const CompressedBlocks<Number> &,                                    \
    const CompressedBlocks<Number> &,                                    \
    const std::int32_t *,                                                \
    const Position *,                                                    \
    const CoarsePosition *,                                              \
    const std::int64_t *,                                                \
    Number *,                                                            \
    Number *);

#define TESSERA_INSTANTIATE(Number)                                  \
  TESSERA_INSTANTIATE_PRODUCT(std::uint8_t, Number)                  \
  TESSERA_INSTANTIATE_PRODUCT(std::uint16_t, Number)                 \
  TESSERA_INSTANTIATE_PRODUCT(std::uint32_t, Number)                 \
  TESSERA_INSTANTIATE_GALERKIN(std::uint8_t, std::uint8_t, Number)   \
  TESSERA_INSTANTIATE_GALERKIN(std::uint8_t, std::uint16_t, Number)  \
  TESSERA_INSTANTIATE_GALERKIN(std::uint16_t, std::uint16_t, Number) \
  TESSERA_INSTANTIATE_GALERKIN(std::uint32_t, std::uint32_t, Number)
      TESSERA_INSTANTIATE(float)
      TESSERA_INSTANTIATE(double)
#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_GALERKIN
#undef TESSERA_INSTANTIATE_PRODUCT
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sparse
} // namespace tessera
