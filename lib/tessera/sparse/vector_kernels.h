// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_vector_kernels_h
#define tessera_sparse_vector_kernels_h

#include <tessera/base/instruction_set.h>
#include <tessera/sparse/block_shape.h>

#include <cstdint>

namespace tessera
{
  namespace sparse
  {
    /** Rows of a matrix of blocks, or a part of each, as plain arrays. */
    template <typename T>
    struct BlockRows
    {
      BlockShape          shape;
      const T            *values;  ///< [n_blocks][shape.rows][shape.columns]
      const std::int32_t *columns; ///< [n_blocks]

      /** Row i has the blocks [begin[i], end[i]). */
      const std::int64_t *begin;
      const std::int64_t *end;

      /** Numbers of the rows, or null for 0, ..., n_rows-1. */
      const std::int32_t *rows;
      std::int32_t        n_rows;
    };

    /** What becomes of a sum s over a row. */
    enum class RowUpdate
    {
      set,     ///< y = s
      add,     ///< y = b + s
      subtract ///< y = b - s
    };

    /** Vectors and coefficients of a Chebyshev step, see MatrixVector. */
    template <typename T>
    struct ChebyshevData
    {
      const T *inverse_diagonal;
      const T *b;
      const T *x;
      T       *d;
      T       *x_new;
      T        factor_d;
      T        factor_r;
    };

    TESSERA_DECLARE_SIMD(
      /** s_i = sum_j A_ij x_j for rows i, and then y_i; y may be b. */
      template <typename T> void multiply_rows(const BlockRows<T> &A,
                                               const T            *x,
                                               RowUpdate           update,
                                               const T            *b,
                                               T                  *y);

      /** y_j += A_ij^T x_i, rows one after the other. */
      template <typename T>
      void multiply_rows_transposed(const BlockRows<T> &A, const T *x, T *y);

      /** The Chebyshev step of rows, whose blocks from ghost_begin[i] on have
       * ghosts as columns. Without a list of rows: of those that have no
       * ghosts. */
      template <typename T>
      void chebyshev_rows(const BlockRows<T>     &A,
                          const std::int64_t     *ghost_begin,
                          const ChebyshevData<T> &data);

      /** y_i = factor M_i x_i for n_rows rows, and the same into copy unless
       * that is null; y may be x. */
      template <typename T>
      void multiply_diagonal_rows(int          block_size,
                                  std::int32_t n_rows,
                                  const T     *M,
                                  T            factor,
                                  const T     *x,
                                  T           *y,
                                  T           *copy);)
  } // namespace sparse
} // namespace tessera

#endif
