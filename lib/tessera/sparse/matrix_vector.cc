// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sparse/matrix_vector.h>
#include <tessera/sparse/vector_kernels.h>
#include <tessera/sparse/vector_sizes.h>

#include <algorithm>
#include <string>

namespace tessera
{
  namespace sparse
  {
    namespace
    {
      template <typename Number>
      BlockRows<Number>
      owned_part(const BlockMatrix<Number> &A)
      {
        const BlockPattern &pattern = A.pattern();
        return {A.shape(),
                A.values(),
                pattern.column_indices(),
                pattern.row_begin(),
                pattern.ghost_begin(),
                nullptr,
                pattern.n_rows()};
      }

      /** Of the rows that have one. */
      template <typename Number>
      BlockRows<Number>
      ghost_part(const BlockMatrix<Number> &A)
      {
        const BlockPattern &pattern = A.pattern();
        return {A.shape(),
                A.values(),
                pattern.column_indices(),
                pattern.ghost_begin(),
                pattern.row_begin() + 1,
                pattern.rows_with_ghosts().data(),
                static_cast<LocalIndex>(pattern.rows_with_ghosts().size())};
      }

      template <typename Number>
      std::size_t
      first_ghost_value(const BlockVector<Number> &x)
      {
        return x.n_owned_values();
      }
    } // namespace



    template <typename Number>
    MatrixVector<Number>::MatrixVector(const IndexLayout &column_layout,
                                       const int          block_size)
      : columns(column_layout)
      , exchange(column_layout.ghosts(), checked_block_size(block_size))
    {}



    template <typename Number>
    MatrixVector<Number>::MatrixVector(const BlockMatrix<Number> &A)
      : MatrixVector(A.pattern().columns(), A.shape().columns)
    {}



    template <typename Number>
    void
    MatrixVector<Number>::check_matrix(const BlockMatrix<Number> &A) const
    {
      if (A.shape().columns != static_cast<int>(exchange.n_components()) ||
          !(A.pattern().columns() == columns))
        throw InputError(
          "A product was prepared for a matrix of " +
          std::to_string(columns.n_global()) + " block columns, " +
          std::to_string(columns.n_local()) + " of this rank, of " +
          std::to_string(exchange.n_components()) +
          " entries, and asked for with one of " +
          std::to_string(A.pattern().columns().n_global()) + ", " +
          std::to_string(A.pattern().n_columns()) + " of this rank, of " +
          std::to_string(A.shape().columns) + " entries.");
    }



    template <typename Number>
    void
    MatrixVector<Number>::start_update(const BlockVector<Number> &x)
    {
      exchange.update_ghosts_start(x.data());
    }



    template <typename Number>
    void
    MatrixVector<Number>::finish_update(BlockVector<Number> &x)
    {
      exchange.update_ghosts_finish(x.data() + first_ghost_value(x));
    }



    template <typename Number>
    void
    MatrixVector<Number>::multiply(const BlockMatrix<Number> &A,
                                   BlockVector<Number>       &x,
                                   BlockVector<Number>       &y)
    {
      check_matrix(A);
      check_local_vector("x", x, columns, A.shape().columns);
      check_owned_vector("y", y, A.pattern().rows(), A.shape().rows);
      check_different("x", x, "y", y);

      start_update(x);
      TESSERA_CALL_SIMD(multiply_rows<Number>(
        owned_part(A), x.data(), RowUpdate::set, nullptr, y.data()));
      finish_update(x);
      TESSERA_CALL_SIMD(multiply_rows<Number>(
        ghost_part(A), x.data(), RowUpdate::add, y.data(), y.data()));
    }



    template <typename Number>
    void
    MatrixVector<Number>::residual(const BlockMatrix<Number> &A,
                                   const BlockVector<Number> &b,
                                   BlockVector<Number>       &x,
                                   BlockVector<Number>       &r)
    {
      check_matrix(A);
      check_local_vector("x", x, columns, A.shape().columns);
      check_owned_vector("b", b, A.pattern().rows(), A.shape().rows);
      check_owned_vector("r", r, A.pattern().rows(), A.shape().rows);
      check_different("x", x, "r", r);

      start_update(x);
      TESSERA_CALL_SIMD(multiply_rows<Number>(
        owned_part(A), x.data(), RowUpdate::subtract, b.data(), r.data()));
      finish_update(x);
      TESSERA_CALL_SIMD(multiply_rows<Number>(
        ghost_part(A), x.data(), RowUpdate::subtract, r.data(), r.data()));
    }



    template <typename Number>
    void
    MatrixVector<Number>::multiply_transposed(const BlockMatrix<Number> &A,
                                              const BlockVector<Number> &x,
                                              BlockVector<Number>       &y)
    {
      check_matrix(A);
      check_owned_vector("x", x, A.pattern().rows(), A.shape().rows);
      check_local_vector("y", y, columns, A.shape().columns);
      check_different("x", x, "y", y);

      y.set_zero();
      TESSERA_CALL_SIMD(
        multiply_rows_transposed<Number>(ghost_part(A), x.data(), y.data()));
      exchange.accumulate_start(y.data() + first_ghost_value(y));
      TESSERA_CALL_SIMD(
        multiply_rows_transposed<Number>(owned_part(A), x.data(), y.data()));
      exchange.accumulate_finish(y.data());
    }



    template <typename Number>
    void
    MatrixVector<Number>::chebyshev_step(const BlockMatrix<Number>   &A,
                                         const BlockDiagonal<Number> &M,
                                         const BlockVector<Number>   &b,
                                         BlockVector<Number>         &x,
                                         const Number                 f_d,
                                         const Number                 f_r,
                                         BlockVector<Number>         &d,
                                         BlockVector<Number>         &new_x)
    {
      check_matrix(A);
      const IndexLayout &rows = A.pattern().rows();
      const int          size = A.shape().rows;
      if (size != A.shape().columns || size != M.block_size() ||
          !rows.same_owned(columns) || !rows.same_owned(M.rows()))
        throw InputError(
          "A step of Chebyshev's iteration needs square matrices of the same "
          "rows; they have " +
          std::to_string(rows.n_global()) + " x " +
          std::to_string(columns.n_global()) + " blocks of " +
          std::to_string(size) + " x " + std::to_string(A.shape().columns) +
          " entries, and " + std::to_string(M.rows().n_global()) +
          " diagonal blocks of " + std::to_string(M.block_size()) + '.');
      check_local_vector("x", x, columns, size);
      check_owned_vector("b", b, rows, size);
      check_owned_vector("d", d, rows, size);
      check_owned_vector("new_x", new_x, rows, size);
      check_different("x", x, "b", b);
      check_different("x", x, "d", d);
      check_different("x", x, "new_x", new_x);
      check_different("b", b, "d", d);
      check_different("b", b, "new_x", new_x);
      check_different("d", d, "new_x", new_x);

      const ChebyshevData<Number> data = {
        M.data(), b.data(), x.data(), d.data(), new_x.data(), f_d, f_r};
      BlockRows<Number> all         = owned_part(A);
      all.end                       = A.pattern().row_begin() + 1;
      BlockRows<Number> with_ghosts = ghost_part(A);
      with_ghosts.begin             = A.pattern().row_begin();

      start_update(x);
      TESSERA_CALL_SIMD(
        chebyshev_rows<Number>(all, A.pattern().ghost_begin(), data));
      finish_update(x);
      TESSERA_CALL_SIMD(
        chebyshev_rows<Number>(with_ghosts, A.pattern().ghost_begin(), data));
    }



    template <typename Number>
    void
    chebyshev_start(const BlockDiagonal<Number> &M,
                    const BlockVector<Number>   &b,
                    const Number                 f_r,
                    BlockVector<Number>         &d,
                    BlockVector<Number>         &x)
    {
      check_owned_vector("b", b, M.rows(), M.block_size());
      check_owned_vector("d", d, M.rows(), M.block_size());
      check_owned_vector("x", x, M.rows(), M.block_size());
      check_different("d", d, "x", x);
      TESSERA_CALL_SIMD(multiply_diagonal_rows<Number>(M.block_size(),
                                                       M.rows().n_owned(),
                                                       M.data(),
                                                       f_r,
                                                       b.data(),
                                                       d.data(),
                                                       x.data()));
    }



    template class MatrixVector<float>;
    template class MatrixVector<double>;
    template void
    chebyshev_start(const BlockDiagonal<float> &,
                    const BlockVector<float> &,
                    float,
                    BlockVector<float> &,
                    BlockVector<float> &);
    template void
    chebyshev_start(const BlockDiagonal<double> &,
                    const BlockVector<double> &,
                    double,
                    BlockVector<double> &,
                    BlockVector<double> &);
  } // namespace sparse
} // namespace tessera
