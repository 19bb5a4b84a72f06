// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sparse/product/micro_kernel.h>
#include <tessera/sparse/product/row_kernels.h>

#include <type_traits>

namespace tessera
{
  namespace sparse
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      namespace
      {
        /** The position of a column among [begin, end), which has it. */
        TESSERA_ALWAYS_INLINE std::int64_t
                              position(const std::int32_t *columns,
                                       std::int64_t        begin,
                                       std::int64_t        end,
                                       const std::int32_t  column)
        {
          while (end - begin > 1)
            {
              const std::int64_t middle = begin + (end - begin) / 2;
              const bool         left   = column < columns[middle];
              end                       = left ? middle : end;
              begin                     = left ? begin : middle;
            }
          TESSERA_ASSERT(columns[begin] == column, "the pattern has the block");
          return begin;
        }

        template <typename Number>
        TESSERA_ALWAYS_INLINE void
        set_zero(Number            *values,
                 const std::int64_t begin,
                 const std::int64_t end)
        {
          for (std::int64_t i = begin; i < end; ++i)
            values[i] = Number(0);
        }

        /** Row `to` of C += a times row `from` of B. */
        template <bool transposed, typename Kernel, typename Number>
        TESSERA_ALWAYS_INLINE void
        add_row(const Kernel                   &kernel,
                const Number                   *a,
                const CompressedBlocks<Number> &B,
                const std::int32_t              from,
                const CompressedRows           &C,
                const std::int32_t              to,
                Number                         *c)
        {
          const int size_b = kernel.inner() * kernel.columns();
          const int size_c = kernel.rows() * kernel.columns();
          const typename Kernel::template Left<transposed> left(kernel, a);
          for (std::int64_t n = B.row_begin[from]; n < B.row_begin[from + 1];
               ++n)
            {
              Number *const to_block =
                c + size_c * position(C.columns,
                                      C.row_begin[to],
                                      C.row_begin[to + 1],
                                      B.columns[n]);
              typename Kernel::Right  right;
              typename Kernel::Result result;
              kernel.load(right, B.values + size_b * n);
              kernel.load(result, to_block);
              kernel.multiply_add(result, left, right);
              kernel.store(to_block, result);
            }
        }
      } // namespace

      template <typename Number>
      void
      multiply_rows(const ProductShape              shape,
                    const std::int32_t              n_rows,
                    const CompressedBlocks<Number> &A,
                    const CompressedBlocks<Number> &B,
                    const CompressedRows           &C,
                    Number                         *c)
      {
        with_micro_kernel<Number>(shape, [&](const auto &kernel) {
          const int size_a = kernel.rows() * kernel.inner();
          const int size_c = kernel.rows() * kernel.columns();
          for (std::int32_t i = 0; i < n_rows; ++i)
            {
              set_zero(c, size_c * C.row_begin[i], size_c * C.row_begin[i + 1]);
              for (std::int64_t n = A.row_begin[i]; n < A.row_begin[i + 1]; ++n)
                add_row<false>(
                  kernel, A.values + size_a * n, B, A.columns[n], C, i, c);
            }
        });
      }

      template <typename Number>
      void
      multiply_transposed(const ProductShape              shape,
                          const std::int32_t              n_rows,
                          const CompressedBlocks<Number> &A,
                          const CompressedBlocks<Number> &B,
                          const std::int32_t              n_result_rows,
                          const CompressedRows           &C,
                          Number                         *c)
      {
        with_micro_kernel<Number>(shape, [&](const auto &kernel) {
          const int size_a = kernel.rows() * kernel.inner();
          const int size_c = kernel.rows() * kernel.columns();
          set_zero(c, 0, size_c * C.row_begin[n_result_rows]);
          for (std::int32_t k = 0; k < n_rows; ++k)
            for (std::int64_t n = A.row_begin[k]; n < A.row_begin[k + 1]; ++n)
              add_row<true>(
                kernel, A.values + size_a * n, B, k, C, A.columns[n], c);
        });
      }

      template <typename Number>
      void
      multiply_fused(const int                       fine,
                     const int                       coarse,
                     const std::int32_t              n_coarse_rows,
                     const std::int32_t             *order,
                     const CompressedBlocks<Number> &R,
                     const CompressedBlocks<Number> &A,
                     const CompressedBlocks<Number> &P,
                     const CompressedRows           &C,
                     Number                         *c)
      {
        with_galerkin_sizes(fine, coarse, [&](const auto &sizes) {
          constexpr int b = std::decay_t<decltype(sizes)>::fine;
          constexpr int q = std::decay_t<decltype(sizes)>::coarse;
          const MicroKernel<Number, q, b, b> first({coarse, fine, fine});
          const MicroKernel<Number, q, b, q> second({coarse, fine, coarse});
          using First = MicroKernel<Number, q, b, b>;

          const int size_a = first.inner() * first.columns();
          const int size_p = second.inner() * second.columns();
          const int size_c = second.rows() * second.columns();
          for (std::int32_t n = 0; n < n_coarse_rows; ++n)
            {
              const std::int32_t I = order != nullptr ? order[n] : n;
              set_zero(c, size_c * C.row_begin[I], size_c * C.row_begin[I + 1]);
              for (std::int64_t r = R.row_begin[I]; r < R.row_begin[I + 1]; ++r)
                {
                  const typename First::template Left<false> left(first,
                                                                  R.values +
                                                                    size_p * r);
                  const std::int32_t                         i = R.columns[r];
                  for (std::int64_t a = A.row_begin[i]; a < A.row_begin[i + 1];
                       ++a)
                    {
                      typename First::Right  right;
                      typename First::Result result;
                      first.load(right, A.values + size_a * a);
                      first.set_zero(result);
                      first.multiply_add(result, left, right);
                      Number product[36];
                      first.store(product, result);
                      add_row<false>(second, product, P, A.columns[a], C, I, c);
                    }
                }
            }
        });
      }

#define TESSERA_INSTANTIATE(Number)                                           \
  template void multiply_rows<Number>(ProductShape,                           \
                                      std::int32_t,                           \
                                      const CompressedBlocks<Number> &,       \
                                      const CompressedBlocks<Number> &,       \
                                      const CompressedRows &,                 \
                                      Number *);                              \
  template void multiply_transposed<Number>(ProductShape,                     \
                                            std::int32_t,                     \
                                            const CompressedBlocks<Number> &, \
                                            const CompressedBlocks<Number> &, \
                                            std::int32_t,                     \
                                            const CompressedRows &,           \
                                            Number *);                        \
  template void multiply_fused<Number>(int,                                   \
                                       int,                                   \
                                       std::int32_t,                          \
                                       const std::int32_t *,                  \
                                       const CompressedBlocks<Number> &,      \
                                       const CompressedBlocks<Number> &,      \
                                       const CompressedBlocks<Number> &,      \
                                       const CompressedRows &,                \
                                       Number *);
      TESSERA_INSTANTIATE(float)
      TESSERA_INSTANTIATE(double)
#undef TESSERA_INSTANTIATE
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sparse
} // namespace tessera
