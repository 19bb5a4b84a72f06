// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_sparse_products_matrix_bytes_h
#define tessera_tests_benchmarks_sparse_products_matrix_bytes_h

#include <tessera/sparse/block_matrix.h>

#include <vector>

namespace benchmark
{
  /** As they are stored. */
  template <typename Number>
  std::vector<double>
  values_of(const tessera::sparse::BlockMatrix<Number> &A)
  {
    return std::vector<double>(A.values(), A.values() + A.n_values());
  }

  /** Of values and column indices. */
  template <typename Number>
  double
  bytes_of(const tessera::sparse::BlockMatrix<Number> &A)
  {
    return sizeof(Number) * double(A.n_values()) +
           4. * double(A.pattern().n_blocks());
  }

  /** Bytes of compressed rows of numbers: 8 of the number, 4 of its column. */
  inline double
  bytes_as_numbers(const tessera::sparse::BlockMatrix<double> &A)
  {
    return 12. * double(A.n_values());
  }
} // namespace benchmark

#endif
