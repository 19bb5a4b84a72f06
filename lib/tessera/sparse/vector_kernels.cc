// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sparse/row_sum.h>
#include <tessera/sparse/vector_kernels.h>

namespace tessera
{
  namespace sparse
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      namespace
      {
        template <typename T, typename F>
        TESSERA_ALWAYS_INLINE void
        for_each_row(const BlockRows<T> &A, const F &f)
        {
          if (A.rows == nullptr)
            for (std::int32_t i = 0; i < A.n_rows; ++i)
              f(i);
          else
            for (std::int32_t l = 0; l < A.n_rows; ++l)
              f(A.rows[l]);
        }

        template <typename T, typename Shape>
        TESSERA_ALWAYS_INLINE void
        multiply_rows_of_shape(const Shape         shape,
                               const BlockRows<T> &A,
                               const T            *x,
                               const RowUpdate     update,
                               const T            *b,
                               T                  *y)
        {
          for_each_row(A, [&](const std::int32_t i) {
            T s[Shape::max_rows];
            RowSum<T, Shape>::sum(
              shape, A.values, A.columns, A.begin[i], A.end[i], x, s);
            const std::int64_t first =
              static_cast<std::int64_t>(i) * shape.rows();
            if (update == RowUpdate::set)
              for (int r = 0; r < shape.rows(); ++r)
                y[first + r] = s[r];
            else if (update == RowUpdate::add)
              for (int r = 0; r < shape.rows(); ++r)
                y[first + r] = b[first + r] + s[r];
            else
              for (int r = 0; r < shape.rows(); ++r)
                y[first + r] = b[first + r] - s[r];
          });
        }

        template <typename T, typename Shape>
        TESSERA_ALWAYS_INLINE void
        multiply_transposed_of_shape(const Shape         shape,
                                     const BlockRows<T> &A,
                                     const T            *x,
                                     T                  *y)
        {
          using L        = RowLanes<T, Shape::max_columns>;
          const int size = shape.rows() * shape.columns();
          for_each_row(A, [&](const std::int32_t i) {
            const T *const xi = x + static_cast<std::int64_t>(i) * shape.rows();
            typename L::V  xr[Shape::max_rows];
            for (int r = 0; r < shape.rows(); ++r)
              xr[r] = L::set(xi[r]);
            const T *a = A.values + A.begin[i] * size;
            for (std::int64_t k = A.begin[i]; k < A.end[i]; ++k, a += size)
              {
                if constexpr (Shape::max_rows > 1)
                  fetch_ahead(a, size);
                // No lane of another block is touched, so that loads wait for
                // stores to the same block only.
                T *const yk =
                  y + static_cast<std::int64_t>(A.columns[k]) * shape.columns();
                typename L::V sum = L::load_partial(yk, shape.columns());
                if constexpr (Shape::is_fixed)
                  {
                    TESSERA_UNROLL
                    for (int r = 0; r < Shape::max_rows; ++r)
                      sum =
                        L::fma(L::load(a + r * shape.columns()), xr[r], sum);
                  }
                else
                  for (int r = 0; r < shape.rows(); ++r)
                    sum = L::fma(L::load(a + r * shape.columns()), xr[r], sum);
                L::store_partial(yk, sum, shape.columns());
              }
          });
        }

        /** z = M r for a block M. */
        template <typename T, typename Shape>
        TESSERA_ALWAYS_INLINE void
        multiply_block(const Shape shape,
                       const T    *M,
                       const T (&r)[Shape::max_rows],
                       T (&z)[Shape::max_rows])
        {
          using L     = tessera::TESSERA_SIMD_NAMESPACE::Lanes<T, 1>;
          const int n = shape.rows();
          for (int e = 0; e < n; ++e)
            {
              z[e] = M[e * n] * r[0];
              for (int c = 1; c < n; ++c)
                z[e] = L::fma(M[e * n + c], r[c], z[e]);
            }
        }

        template <typename T, typename Shape>
        TESSERA_ALWAYS_INLINE void
        chebyshev_rows_of_shape(const Shape             shape,
                                const BlockRows<T>     &A,
                                const std::int64_t     *ghost_begin,
                                const ChebyshevData<T> &data)
        {
          using L     = tessera::TESSERA_SIMD_NAMESPACE::Lanes<T, 1>;
          const int n = shape.rows();
          for_each_row(A, [&](const std::int32_t i) {
            const bool has_ghosts = ghost_begin[i] < A.end[i];
            if (has_ghosts && A.rows == nullptr)
              return;
            const std::int64_t first = static_cast<std::int64_t>(i) * n;
            T                  s[Shape::max_rows], r[Shape::max_rows];
            RowSum<T, Shape>::sum(shape,
                                  A.values,
                                  A.columns,
                                  A.begin[i],
                                  ghost_begin[i],
                                  data.x,
                                  s);
            for (int e = 0; e < n; ++e)
              r[e] = data.b[first + e] - s[e];
            if (has_ghosts)
              {
                RowSum<T, Shape>::sum(shape,
                                      A.values,
                                      A.columns,
                                      ghost_begin[i],
                                      A.end[i],
                                      data.x,
                                      s);
                for (int e = 0; e < n; ++e)
                  r[e] -= s[e];
              }
            multiply_block<T>(shape, data.inverse_diagonal + first * n, r, s);
            T *const d = data.d + first;
            // The first step finds no direction there, perhaps not a number.
            if (data.factor_d == T(0))
              for (int e = 0; e < n; ++e)
                d[e] = data.factor_r * s[e];
            else
              for (int e = 0; e < n; ++e)
                d[e] = L::fma(data.factor_d, d[e], data.factor_r * s[e]);
            for (int e = 0; e < n; ++e)
              data.x_new[first + e] = data.x[first + e] + d[e];
          });
        }

        template <typename T, typename Shape>
        TESSERA_ALWAYS_INLINE void
        multiply_diagonal_of_shape(const Shape        shape,
                                   const std::int32_t n_rows,
                                   const T           *M,
                                   const T            factor,
                                   const T           *x,
                                   T                 *y,
                                   T                 *copy)
        {
          const int n = shape.rows();
          for (std::int32_t i = 0; i < n_rows; ++i)
            {
              const std::int64_t first = static_cast<std::int64_t>(i) * n;
              T                  r[Shape::max_rows], z[Shape::max_rows];
              for (int e = 0; e < n; ++e)
                r[e] = x[first + e];
              multiply_block<T>(shape, M + first * n, r, z);
              for (int e = 0; e < n; ++e)
                y[first + e] = factor * z[e];
              if (copy != nullptr)
                for (int e = 0; e < n; ++e)
                  copy[first + e] = factor * z[e];
            }
        }
      } // namespace



      template <typename T>
      void
      multiply_rows(const BlockRows<T> &A,
                    const T            *x,
                    const RowUpdate     update,
                    const T            *b,
                    T                  *y)
      {
        dispatch_shape(A.shape, [&](const auto shape) {
          multiply_rows_of_shape<T>(shape, A, x, update, b, y);
        });
      }



      template <typename T>
      void
      multiply_rows_transposed(const BlockRows<T> &A, const T *x, T *y)
      {
        dispatch_shape(A.shape, [&](const auto shape) {
          multiply_transposed_of_shape<T>(shape, A, x, y);
        });
      }



      template <typename T>
      void
      chebyshev_rows(const BlockRows<T>     &A,
                     const std::int64_t     *ghost_begin,
                     const ChebyshevData<T> &data)
      {
        dispatch_square_shape(A.shape.rows, [&](const auto shape) {
          chebyshev_rows_of_shape<T>(shape, A, ghost_begin, data);
        });
      }



      template <typename T>
      void
      multiply_diagonal_rows(const int          block_size,
                             const std::int32_t n_rows,
                             const T           *M,
                             const T            factor,
                             const T           *x,
                             T                 *y,
                             T                 *copy)
      {
        dispatch_square_shape(block_size, [&](const auto shape) {
          multiply_diagonal_of_shape<T>(shape, n_rows, M, factor, x, y, copy);
        });
      }



      template void
      multiply_rows(const BlockRows<float> &,
                    const float *,
                    RowUpdate,
                    const float *,
                    float *);
      template void
      multiply_rows(const BlockRows<double> &,
                    const double *,
                    RowUpdate,
                    const double *,
                    double *);
      template void
      multiply_rows_transposed(const BlockRows<float> &,
                               const float *,
                               float *);
      template void
      multiply_rows_transposed(const BlockRows<double> &,
                               const double *,
                               double *);
      template void
      chebyshev_rows(const BlockRows<float> &,
                     const std::int64_t *,
                     const ChebyshevData<float> &);
      template void
      chebyshev_rows(const BlockRows<double> &,
                     const std::int64_t *,
                     const ChebyshevData<double> &);
      template void
      multiply_diagonal_rows(int,
                             std::int32_t,
                             const float *,
                             float,
                             const float *,
                             float *,
                             float *);
      template void
      multiply_diagonal_rows(int,
                             std::int32_t,
                             const double *,
                             double,
                             const double *,
                             double *,
                             double *);
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sparse
} // namespace tessera
