// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_sparse_reference_products_h
#define tessera_tests_sparse_reference_products_h

// Products of matrices and vectors in plain loops, in the order of sums that
// the library promises.

#include <tessera/sparse/block_matrix.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace sparse_test
{
  using namespace tessera;
  using namespace tessera::sparse;

  /** The sum over the blocks [begin, end) times local entries of x. */
  template <typename Number>
  std::vector<Number>
  row_sum(const BlockMatrix<Number> &A,
          const std::int64_t         begin,
          const std::int64_t         end,
          const Number              *x)
  {
    const BlockShape        shape = A.shape();
    const LocalIndex *const j     = A.pattern().column_indices();
    std::vector<Number>     result(shape.rows);
    if (shape.size() == 1)
      {
        Number chains[4] = {0, 0, 0, 0};
        for (std::int64_t k = begin; k < end; ++k)
          chains[(k - begin) % 4] =
            std::fma(A.block(k)[0], x[j[k]], chains[(k - begin) % 4]);
        result[0] = (chains[0] + chains[1]) + (chains[2] + chains[3]);
        return result;
      }
    for (int r = 0; r < shape.rows; ++r)
      for (int c = 0; c < shape.columns; ++c)
        {
          Number chain = 0;
          for (std::int64_t k = begin; k < end; ++k)
            chain =
              std::fma(A.block(k)[r * shape.columns + c],
                       x[static_cast<std::size_t>(j[k]) * shape.columns + c],
                       chain);
          result[r] = c == 0 ? chain : result[r] + chain;
        }
    return result;
  }

  /** M r for a block of n x n numbers. */
  template <typename Number>
  std::vector<Number>
  block_product(const Number *M, const std::vector<Number> &r)
  {
    const int           n = static_cast<int>(r.size());
    std::vector<Number> z(n);
    for (int e = 0; e < n; ++e)
      {
        z[e] = M[e * n] * r[0];
        for (int c = 1; c < n; ++c)
          z[e] = std::fma(M[e * n + c], r[c], z[e]);
      }
    return z;
  }
} // namespace sparse_test

#endif
