// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sparse/product/micro_kernel.h>
#include <tessera/sparse/product/schedule_kernels.h>

#include <type_traits>

namespace tessera
{
  namespace sparse
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      namespace
      {
        template <typename Number, typename Kernel>
        TESSERA_ALWAYS_INLINE void
        add_product(const Kernel            &kernel,
                    typename Kernel::Result &result,
                    const Number            *a,
                    const Number            *b)
        {
          const typename Kernel::template Left<false> left(kernel, a);
          typename Kernel::Right                      right;
          kernel.load(right, b);
          kernel.multiply_add(result, left, right);
        }

        /** The blocks of a tile, with offsets of type Offset. */
        template <typename Offset, typename Number, typename Kernel>
        TESSERA_ALWAYS_INLINE void
        multiply_tile(const Kernel           &kernel,
                      const ContributionTile &tile,
                      const std::uint32_t    *n_contributions,
                      const std::uint16_t    *words,
                      const Number           *a,
                      const Number           *b,
                      Number                 *c)
        {
          const int           size_a  = kernel.rows() * kernel.inner();
          const int           size_b  = kernel.inner() * kernel.columns();
          const int           size_c  = kernel.rows() * kernel.columns();
          const Number *const first_a = a + size_a * std::int64_t(tile.first_a);
          const Number *const first_b = b + size_b * std::int64_t(tile.first_b);
          for (std::int64_t n = tile.first_block;
               n < tile.first_block + tile.n_blocks;
               ++n)
            {
              typename Kernel::Result result;
              kernel.set_zero(result);
              for (std::uint32_t i = 0; i < n_contributions[n]; ++i)
                {
                  Offset offset[2];
                  __builtin_memcpy(offset, words, sizeof(offset));
                  words += sizeof(Offset);
                  add_product(kernel,
                              result,
                              first_a + size_a * std::int64_t(offset[0]),
                              first_b + size_b * std::int64_t(offset[1]));
                }
              kernel.store(c + size_c * n, result);
            }
        }
      } // namespace

      template <typename Number>
      void
      multiply_by_lists(const ProductShape  shape,
                        const std::size_t   n_blocks,
                        const std::int64_t *begin,
                        const Contribution *contributions,
                        const Number       *a,
                        const Number       *b,
                        Number             *c)
      {
        with_micro_kernel<Number>(shape, [&](const auto &kernel) {
          using Kernel     = std::decay_t<decltype(kernel)>;
          const int size_a = kernel.rows() * kernel.inner();
          const int size_b = kernel.inner() * kernel.columns();
          const int size_c = kernel.rows() * kernel.columns();
          for (std::size_t n = 0; n < n_blocks; ++n)
            {
              typename Kernel::Result result;
              kernel.set_zero(result);
              for (std::int64_t i = begin[n]; i < begin[n + 1]; ++i)
                add_product(kernel,
                            result,
                            a + size_a * std::int64_t(contributions[i].a),
                            b + size_b * std::int64_t(contributions[i].b));
              kernel.store(c + size_c * n, result);
            }
        });
      }

      template <typename Number>
      void
      multiply_by_schedule(const ProductShape      shape,
                           const std::size_t       n_tiles,
                           const ContributionTile *tiles,
                           const std::uint32_t    *n_contributions,
                           const std::uint16_t    *offsets,
                           const Number           *a,
                           const Number           *b,
                           Number                 *c)
      {
        with_micro_kernel<Number>(shape, [&](const auto &kernel) {
          for (std::size_t t = 0; t < n_tiles; ++t)
            {
              const std::uint16_t *words = offsets + tiles[t].begin;
              if (tiles[t].is_short)
                multiply_tile<std::uint16_t>(
                  kernel, tiles[t], n_contributions, words, a, b, c);
              else
                multiply_tile<std::uint32_t>(
                  kernel, tiles[t], n_contributions, words, a, b, c);
            }
        });
      }

#define TESSERA_INSTANTIATE(Number)                                    \
  template void multiply_by_lists<Number>(ProductShape,                \
                                          std::size_t,                 \
                                          const std::int64_t *,        \
                                          const Contribution *,        \
                                          const Number *,              \
                                          const Number *,              \
                                          Number *);                   \
  template void multiply_by_schedule<Number>(ProductShape,             \
                                             std::size_t,              \
                                             const ContributionTile *, \
                                             const std::uint32_t *,    \
                                             const std::uint16_t *,    \
                                             const Number *,           \
                                             const Number *,           \
                                             Number *);
      TESSERA_INSTANTIATE(float)
      TESSERA_INSTANTIATE(double)
#undef TESSERA_INSTANTIATE
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sparse
} // namespace tessera
