// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_tensor_contractions_h
#define tessera_sipg_tensor_contractions_h

#include <tessera/base/macros.h>
#include <tessera/cellwise/degree.h>

namespace tessera
{
  namespace sipg
  {
    /** A row-major n x n matrix that is the same for all lanes. */
    template <typename L, int n>
    struct UniformMatrix
    {
      const typename L::T *entries;

      TESSERA_ALWAYS_INLINE typename L::V
      operator()(const int i, const int j) const
      {
        return L::set(entries[i * n + j]);
      }
    };

    /** A row-major n x n matrix for each lane: entries of type L::V. */
    template <typename L, int n>
    struct LaneMatrix
    {
      const typename L::V *entries;

      TESSERA_ALWAYS_INLINE typename L::V
      operator()(const int i, const int j) const
      {
        return entries[i * n + j];
      }
    };

    /** The transpose of one of the above. */
    template <typename Matrix>
    struct Transposed
    {
      Matrix matrix;

      TESSERA_ALWAYS_INLINE auto
      operator()(const int i, const int j) const
      {
        return matrix(j, i);
      }
    };

    /** Call f(i) for i = 0, ..., n-1: the rows of a small matrix, unrolled
     * where that is short. */
    template <int n, typename F>
    TESSERA_ALWAYS_INLINE void
    for_each_row(const F &f)
    {
      if constexpr (n <= 4)
        {
          TESSERA_UNROLL
          for (int i = 0; i < n; ++i)
            f(i);
        }
      else
        {
          TESSERA_UNROLL_ON_DEVICE
          for (int i = 0; i < n; ++i)
            f(i);
        }
    }

    /**
     * $v \leftarrow A v$ for the n values v[0], v[stride], ...; n^2
     * multiplications, fused with additions but for the first column.
     */
    template <int n, int stride, typename L, typename Matrix>
    TESSERA_ALWAYS_INLINE void
    contract_line(const Matrix &A, typename L::V *v)
    {
      typename L::V x[n];
      TESSERA_UNROLL
      for (int j = 0; j < n; ++j)
        x[j] = v[j * stride];
      for_each_row<n>([&](const int i) {
        typename L::V y = A(i, 0) * x[0];
        TESSERA_UNROLL
        for (int j = 1; j < n; ++j)
          y = L::fma(A(i, j), x[j], y);
        v[i * stride] = y;
      });
    }

    /**
     * $u \leftarrow (A_{d-1} \otimes \dots \otimes A_0)\,u$ in place, for n^dim
     * values, the first axis fastest. L is any lane policy (see Lanes); the
     * matrices are UniformMatrix, LaneMatrix or transposes of them.
     *
     * Cost: dim n fused multiply-adds a value. The order of additions is that
     * of the columns, axes in ascending order.
     */
    template <int dim, int n, typename L, typename Matrix>
    TESSERA_ALWAYS_INLINE void
    contract(const Matrix *A, typename L::V *u)
    {
      constexpr int slab = cellwise::power(n, dim - 1);
      if constexpr (dim > 1)
        {
          TESSERA_UNROLL_ON_DEVICE
          for (int k = 0; k < n; ++k)
            contract<dim - 1, n, L>(A, u + k * slab);
        }
      TESSERA_UNROLL_ON_DEVICE
      for (int i = 0; i < slab; ++i)
        contract_line<n, slab, L>(A[dim - 1], u + i);
    }
  } // namespace sipg
} // namespace tessera

#endif
