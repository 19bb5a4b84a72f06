// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_dense_matrix_h
#define tessera_base_dense_matrix_h

#include <cstddef>
#include <vector>

namespace tessera
{
  /**
   * A small dense matrix on the host, row-major, for the set-up of kernels:
   * one-dimensional element matrices, eigenvectors, transfers. Number is double
   * or, where results should be as good as rounded ones, long double.
   */
  template <typename Number>
  class BasicDenseMatrix
  {
  public:
    BasicDenseMatrix() = default;

    /** A zero matrix. */
    BasicDenseMatrix(const std::size_t n_rows, const std::size_t n_columns)
      : rows(n_rows)
      , columns(n_columns)
      , values(n_rows * n_columns, Number())
    {}

    /** The same matrix, rounded. */
    template <typename Other>
    explicit BasicDenseMatrix(const BasicDenseMatrix<Other> &A)
      : rows(A.n_rows())
      , columns(A.n_columns())
      , values(A.data(), A.data() + rows * columns)
    {}

    std::size_t
    n_rows() const
    {
      return rows;
    }

    std::size_t
    n_columns() const
    {
      return columns;
    }

    Number &
    operator()(const std::size_t i, const std::size_t j)
    {
      return values[i * columns + j];
    }

    Number
    operator()(const std::size_t i, const std::size_t j) const
    {
      return values[i * columns + j];
    }

    /** Row-major entries. */
    const Number *
    data() const
    {
      return values.data();
    }

  private:
    std::size_t         rows    = 0;
    std::size_t         columns = 0;
    std::vector<Number> values;
  };

  using DenseMatrix = BasicDenseMatrix<double>;

  template <typename Number = double>
  BasicDenseMatrix<Number>
  identity_matrix(std::size_t n);

  template <typename Number>
  BasicDenseMatrix<Number>
  transpose(const BasicDenseMatrix<Number> &A);

  /** $A B$; sums run over ascending indices. */
  template <typename Number>
  BasicDenseMatrix<Number>
  operator*(const BasicDenseMatrix<Number> &A,
            const BasicDenseMatrix<Number> &B);

  /** Rows and columns [begin, end) of A. */
  template <typename Number>
  BasicDenseMatrix<Number>
  diagonal_block(const BasicDenseMatrix<Number> &A,
                 std::size_t                     begin,
                 std::size_t                     end);
} // namespace tessera

#endif
