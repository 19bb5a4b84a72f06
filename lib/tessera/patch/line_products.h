// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_line_products_h
#define tessera_patch_line_products_h

#include <tessera/base/macros.h>
#include <tessera/cellwise/degree.h>

namespace tessera
{
  namespace patch
  {
    /**
     * Along an axis, u <- A u, with entries A(i, j) of type L::V, for q^dim
     * values u, x fastest; `to` may be `from`. Sums over ascending j, by fused
     * multiply-adds. L is any lane policy.
     */
    template <int axis, int dim, int q, typename L, typename Matrix>
    TESSERA_ALWAYS_INLINE void
    multiply_lines(const Matrix        &A,
                   const typename L::V *from,
                   typename L::V       *to)
    {
      constexpr int stride  = cellwise::power(q, axis);
      constexpr int n_lines = cellwise::power(q, dim - 1);
      TESSERA_UNROLL_ON_DEVICE
      for (int line = 0; line < n_lines; ++line)
        {
          const int     start = line / stride * stride * q + line % stride;
          typename L::V x[q];
          TESSERA_UNROLL
          for (int j = 0; j < q; ++j)
            x[j] = from[start + j * stride];
          TESSERA_UNROLL_ON_DEVICE
          for (int i = 0; i < q; ++i)
            {
              typename L::V sum = A(i, 0) * x[0];
              TESSERA_UNROLL
              for (int j = 1; j < q; ++j)
                sum = L::fma(A(i, j), x[j], sum);
              to[start + i * stride] = sum;
            }
        }
    }
  } // namespace patch
} // namespace tessera

#endif
