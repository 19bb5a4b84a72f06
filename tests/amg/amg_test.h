// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_amg_amg_test_h
#define tessera_tests_amg_amg_test_h

// Small problems for algebraic multigrid, and dense matrices to compare with.

#include <tessera/amg/near_null_space.h>
#include <tessera/base/dense_matrix.h>
#include <tessera/sparse/block_matrix.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "sparse/random_matrices.h"

namespace amg_test
{
  using namespace tessera;
  using namespace tessera::amg;
  using namespace tessera::sparse;
  using sparse_test::GlobalMatrix;
  using sparse_test::random_value;

  /** Of owned rows and all local columns. */
  inline DenseMatrix
  dense(const BlockMatrix<double> &A)
  {
    const BlockShape shape = A.shape();
    DenseMatrix      result(std::size_t(A.pattern().n_rows()) * shape.rows,
                       std::size_t(A.pattern().n_columns()) * shape.columns);
    for (LocalIndex i = 0; i < A.pattern().n_rows(); ++i)
      for (std::int64_t k = A.pattern().row_begin()[i];
           k < A.pattern().row_begin()[i + 1];
           ++k)
        for (int r = 0; r < shape.rows; ++r)
          for (int c = 0; c < shape.columns; ++c)
            result(i * shape.rows + r,
                   A.pattern().column_indices()[k] * shape.columns + c) =
              A.block(k)[r * shape.columns + c];
    return result;
  }

  inline DenseMatrix
  dense(const NearNullSpace &B)
  {
    const std::size_t n = std::size_t(B.layout().n_owned()) * B.block_size();
    DenseMatrix       result(n, B.n_modes());
    for (std::size_t i = 0; i < n; ++i)
      for (int m = 0; m < B.n_modes(); ++m)
        result(i, m) = B.data()[i * B.n_modes() + m];
    return result;
  }

  inline double
  largest_entry(const DenseMatrix &A)
  {
    double result = 0.;
    for (std::size_t v = 0; v < A.n_rows() * A.n_columns(); ++v)
      result = std::fmax(result, std::abs(A.data()[v]));
    return result;
  }

  /** NaN if an entry is not a number, or if sizes differ. */
  inline double
  largest_difference(const DenseMatrix &A, const DenseMatrix &B)
  {
    if (A.n_rows() != B.n_rows() || A.n_columns() != B.n_columns())
      return NAN;
    double result = 0.;
    for (std::size_t v = 0; v < A.n_rows() * A.n_columns(); ++v)
      {
        const double difference = std::abs(A.data()[v] - B.data()[v]);
        if (!(difference <= result))
          result = difference;
      }
    return result;
  }

  inline std::vector<double>
  random_points(std::mt19937 &random, const LocalIndex n, const int dim)
  {
    return sparse_test::random_values(random, std::size_t(n) * dim);
  }

  /** The stiffness of springs between points: whatever they are, rigid motions
   * need no force. Blocks dim x dim, of all nodes and their partners. */
  inline GlobalMatrix
  springs(const std::vector<double>                            &points,
          const int                                             dim,
          const std::vector<std::pair<LocalIndex, LocalIndex>> &pairs)
  {
    const std::size_t n = points.size() / dim;
    GlobalMatrix      result{n, n, {dim, dim}, {}};
    const auto        block = [&](const std::uint64_t i,
                           const std::uint64_t j) -> double        *{
      std::vector<double> &values = result.blocks[{i, j}];
      values.resize(dim * dim, 0.);
      return values.data();
    };
    for (const auto &pair : pairs)
      {
        const std::uint64_t i = pair.first, j = pair.second;
        std::vector<double> direction(dim);
        double              square = 0.;
        for (int d = 0; d < dim; ++d)
          {
            direction[d] = points[i * dim + d] - points[j * dim + d];
            square += direction[d] * direction[d];
          }
        double *const ii = block(i, i), *const jj = block(j, j),
                      *const ij = block(i, j), *const ji = block(j, i);
        for (int r = 0; r < dim; ++r)
          for (int c = 0; c < dim; ++c)
            {
              const double value = direction[r] * direction[c] / square;
              ii[r * dim + c] += value;
              jj[r * dim + c] += value;
              ij[r * dim + c] -= value;
              ji[r * dim + c] -= value;
            }
      }
    return result;
  }

  /** Each point with those that come next. */
  inline std::vector<std::pair<LocalIndex, LocalIndex>>
  chain_of_pairs(const LocalIndex n, const LocalIndex n_next)
  {
    std::vector<std::pair<LocalIndex, LocalIndex>> result;
    for (LocalIndex i = 0; i < n; ++i)
      for (LocalIndex j = i + 1; j < n && j <= i + n_next; ++j)
        result.emplace_back(i, j);
    return result;
  }

  /** The matrix in one process. */
  inline BlockMatrix<double>
  block_matrix(const GlobalMatrix &matrix)
  {
    return sparse_test::distribute<double>(Communicator(),
                                           matrix,
                                           {matrix.n_rows},
                                           {matrix.n_columns});
  }

  /** A symmetric positive definite matrix: couplings at random, and diagonal
   * blocks that dominate. */
  inline GlobalMatrix
  random_definite_matrix(std::mt19937 &random, const int n, const int b)
  {
    GlobalMatrix result{std::uint64_t(n), std::uint64_t(n), {b, b}, {}};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        if (i == j || random() % 3 == 0)
          {
            std::vector<double> block =
              sparse_test::random_values(random, b * b);
            if (i == j)
              for (int r = 0; r < b; ++r)
                for (int c = 0; c <= r; ++c)
                  block[r * b + c] = block[c * b + r] =
                    r == c ? (n * b + 1.) * (1. + std::abs(block[r * b + c])) :
                             block[r * b + c];
            std::vector<double> transposed(b * b);
            for (int r = 0; r < b; ++r)
              for (int c = 0; c < b; ++c)
                transposed[c * b + r] = block[r * b + c];
            result.blocks[{i, j}] = block;
            result.blocks[{j, i}] = transposed;
          }
    return result;
  }

  /** Modes of random numbers. */
  inline NearNullSpace
  random_modes(std::mt19937      &random,
               const IndexLayout &layout,
               const int          b,
               const int          q)
  {
    NearNullSpace result(layout, b, q);
    std::generate_n(result.data(), std::size_t(layout.n_owned()) * b * q, [&] {
      return random_value(random);
    });
    return result;
  }
} // namespace amg_test

#endif
