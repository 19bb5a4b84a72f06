// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_dense_matrix_h
#define tessera_base_dense_matrix_h

#include <cstddef>
#include <vector>

namespace tessera
{
  /**
   * A small dense matrix of double on the host, row-major, for the set-up of
   * kernels: one-dimensional element matrices, eigenvectors, transfers.
   */
  class DenseMatrix
  {
  public:
    DenseMatrix() = default;

    /** A zero matrix. */
    DenseMatrix(const std::size_t n_rows, const std::size_t n_columns)
      : rows(n_rows)
      , columns(n_columns)
      , values(n_rows * n_columns, 0.)
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

    double &
    operator()(const std::size_t i, const std::size_t j)
    {
      return values[i * columns + j];
    }

    double
    operator()(const std::size_t i, const std::size_t j) const
    {
      return values[i * columns + j];
    }

    /** Row-major entries. */
    const double *
    data() const
    {
      return values.data();
    }

  private:
    std::size_t         rows    = 0;
    std::size_t         columns = 0;
    std::vector<double> values;
  };

  DenseMatrix
  identity_matrix(std::size_t n);

  DenseMatrix
  transpose(const DenseMatrix &A);

  /** $A B$; sums run over ascending indices. */
  DenseMatrix
  operator*(const DenseMatrix &A, const DenseMatrix &B);

  /** Rows and columns [begin, end) of A. */
  DenseMatrix
  diagonal_block(const DenseMatrix &A, std::size_t begin, std::size_t end);
} // namespace tessera

#endif
