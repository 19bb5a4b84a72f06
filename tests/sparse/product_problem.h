// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_sparse_product_problem_h
#define tessera_tests_sparse_product_problem_h

// Random sparse matrices of blocks, and products of them written down as
// scalar loops: the arithmetic that the kernels must repeat bit by bit.

#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/block_pattern.h>
#include <tessera/sparse/product/product_patterns.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace product_problem
{
  using namespace tessera::sparse;

  /** Rows of ascending columns to a pattern. */
  inline BlockPattern
  make_pattern(const std::vector<std::vector<LocalIndex>> &rows,
               const LocalIndex                            n_columns)
  {
    std::vector<std::int64_t> begin{0};
    std::vector<LocalIndex>   columns;
    for (const auto &row : rows)
      {
        columns.insert(columns.end(), row.begin(), row.end());
        begin.push_back(columns.size());
      }
    const IndexLayout row_layout(rows.size());
    const IndexLayout column_layout(n_columns);
    return BlockPattern(row_layout, column_layout, begin, columns);
  }

  /**
   * Every sixth row is empty, every seventh has one block, and row 5 has all
   * columns, so that rows of products are as wide as they can be; others have
   * blocks with the given probability.
   */
  inline std::vector<std::vector<LocalIndex>>
  random_rows(const LocalIndex n_rows,
              const LocalIndex n_columns,
              const double     probability,
              std::mt19937    &random)
  {
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<std::vector<LocalIndex>>   rows(n_rows);
    for (LocalIndex i = 0; i < n_rows; ++i)
      {
        if (i % 6 == 3 || n_columns == 0)
          continue;
        if (i % 7 == 1)
          rows[i].push_back(random() % n_columns);
        else
          for (LocalIndex j = 0; j < n_columns; ++j)
            if (i == 5 || uniform(random) < probability)
              rows[i].push_back(j);
      }
    return rows;
  }

  template <typename Number>
  void
  set_random(BlockMatrix<Number> &matrix, std::mt19937 &random)
  {
    std::uniform_real_distribution<double> uniform(-1, 1);
    Number *const                          values = matrix.values_to_write();
    for (std::size_t n = 0; n < matrix.n_values(); ++n)
      values[n] = Number(uniform(random));
  }

  /** NaN in every entry, to see that products write all of them. */
  template <typename Number>
  void
  poison(BlockMatrix<Number> &matrix)
  {
    std::fill_n(matrix.values_to_write(),
                matrix.n_values(),
                std::numeric_limits<Number>::quiet_NaN());
  }

  template <typename Number>
  bool
  same_bits(const BlockMatrix<Number> &a, const BlockMatrix<Number> &b)
  {
    return a.n_values() == b.n_values() &&
           (a.n_values() == 0 ||
            std::memcmp(a.values(),
                        b.values(),
                        a.n_values() * sizeof(Number)) == 0);
  }

  /** ||a - b|| / ||b||, Frobenius; NaN where a or b has one. */
  template <typename A, typename B>
  double
  relative_difference(const BlockMatrix<A> &a, const BlockMatrix<B> &b)
  {
    double difference = 0, norm = 0;
    for (std::size_t n = 0; n < b.n_values(); ++n)
      {
        difference +=
          std::pow(double(a.values()[n]) - double(b.values()[n]), 2);
        norm += std::pow(double(b.values()[n]), 2);
      }
    return norm > 0 ? std::sqrt(difference / norm) : std::sqrt(difference);
  }

  /** c += a b for blocks, each entry a chain of fma() in ascending k. */
  template <typename Number>
  void
  multiply_add(const int     rows,
               const int     inner,
               const int     columns,
               const Number *a,
               const Number *b,
               Number       *c)
  {
    for (int r = 0; r < rows; ++r)
      for (int n = 0; n < columns; ++n)
        for (int k = 0; k < inner; ++k)
          c[r * columns + n] =
            std::fma(a[r * inner + k], b[k * columns + n], c[r * columns + n]);
  }

  /** The transposed matrix. */
  template <typename Number>
  BlockMatrix<Number>
  transpose(const BlockMatrix<Number> &A)
  {
    std::vector<std::vector<LocalIndex>> rows(A.pattern().n_columns());
    for (LocalIndex i = 0; i < A.pattern().n_rows(); ++i)
      for (std::int64_t n = A.pattern().row_begin()[i];
           n < A.pattern().row_begin()[i + 1];
           ++n)
        rows[A.pattern().column_indices()[n]].push_back(i);
    BlockMatrix<Number> T(make_pattern(rows, A.pattern().n_rows()),
                          {A.shape().columns, A.shape().rows});
    Number *const       values = T.values_to_write();
    for (LocalIndex j = 0; j < T.pattern().n_rows(); ++j)
      for (std::int64_t n = T.pattern().row_begin()[j];
           n < T.pattern().row_begin()[j + 1];
           ++n)
        {
          const Number *from =
            A.block(A.pattern().find(T.pattern().column_indices()[n], j));
          for (int r = 0; r < T.shape().rows; ++r)
            for (int c = 0; c < T.shape().columns; ++c)
              values[n * T.shape().size() + r * T.shape().columns + c] =
                from[c * T.shape().rows + r];
        }
    return T;
  }

  /** A B, in the reference order: ascending columns of A. */
  template <typename Number>
  BlockMatrix<Number>
  multiply(const BlockMatrix<Number> &A, const BlockMatrix<Number> &B)
  {
    std::vector<std::vector<LocalIndex>> rows(A.pattern().n_rows());
    const auto                          &a = A.pattern();
    const auto                          &b = B.pattern();
    for (LocalIndex i = 0; i < a.n_rows(); ++i)
      {
        std::vector<bool> there(b.n_columns(), false);
        for (auto n = a.row_begin()[i]; n < a.row_begin()[i + 1]; ++n)
          for (auto m = b.row_begin()[a.column_indices()[n]];
               m < b.row_begin()[a.column_indices()[n] + 1];
               ++m)
            there[b.column_indices()[m]] = true;
        for (LocalIndex j = 0; j < b.n_columns(); ++j)
          if (there[j])
            rows[i].push_back(j);
      }
    BlockMatrix<Number> C(make_pattern(rows, b.n_columns()),
                          {A.shape().rows, B.shape().columns});
    Number *const       values = C.values_to_write();
    for (LocalIndex i = 0; i < a.n_rows(); ++i)
      for (auto n = a.row_begin()[i]; n < a.row_begin()[i + 1]; ++n)
        {
          const LocalIndex k = a.column_indices()[n];
          for (auto m = b.row_begin()[k]; m < b.row_begin()[k + 1]; ++m)
            multiply_add(A.shape().rows,
                         A.shape().columns,
                         B.shape().columns,
                         A.block(n),
                         B.block(m),
                         values + C.shape().size() *
                                    C.pattern().find(i, b.column_indices()[m]));
        }
    return C;
  }

  /** R A P as the sum of (R_Ii A_ik) P_kJ, in ascending order of i, then k, in
   * the pattern of another matrix. */
  template <typename Number>
  BlockMatrix<Number>
  multiply_fused(const BlockMatrix<Number> &R,
                 const BlockMatrix<Number> &A,
                 const BlockMatrix<Number> &P,
                 const BlockPattern        &pattern)
  {
    const int           q = R.shape().rows, b = A.shape().rows;
    BlockMatrix<Number> C(pattern, {q, q});
    Number *const       values = C.values_to_write();
    const auto         &r = R.pattern(), &a = A.pattern(), &p = P.pattern();
    for (LocalIndex I = 0; I < r.n_rows(); ++I)
      for (auto l = r.row_begin()[I]; l < r.row_begin()[I + 1]; ++l)
        {
          const LocalIndex i = r.column_indices()[l];
          for (auto m = a.row_begin()[i]; m < a.row_begin()[i + 1]; ++m)
            {
              Number           product[36] = {};
              const LocalIndex k           = a.column_indices()[m];
              multiply_add(q, b, b, R.block(l), A.block(m), product);
              for (auto n = p.row_begin()[k]; n < p.row_begin()[k + 1]; ++n)
                multiply_add(q,
                             b,
                             q,
                             product,
                             P.block(n),
                             values +
                               q * q * pattern.find(I, p.column_indices()[n]));
            }
        }
    return C;
  }

  /** All entries, zero where there is no block: [rows][columns] of numbers. */
  template <typename Number>
  std::vector<long double>
  dense(const BlockMatrix<Number> &A)
  {
    const auto              &p = A.pattern();
    const int                r = A.shape().rows, c = A.shape().columns;
    const std::size_t        n_columns = std::size_t(p.n_columns()) * c;
    std::vector<long double> values(n_columns * p.n_rows() * r, 0.L);
    for (LocalIndex i = 0; i < p.n_rows(); ++i)
      for (auto n = p.row_begin()[i]; n < p.row_begin()[i + 1]; ++n)
        for (int d = 0; d < r; ++d)
          for (int e = 0; e < c; ++e)
            values[(std::size_t(i) * r + d) * n_columns +
                   std::size_t(p.column_indices()[n]) * c + e] =
              A.block(n)[d * c + e];
    return values;
  }

  /** P^T A P of dense matrices, n x n and n x m. */
  inline std::vector<long double>
  dense_galerkin(const std::vector<long double> &A,
                 const std::vector<long double> &P,
                 const std::size_t               n,
                 const std::size_t               m)
  {
    std::vector<long double> W(n * m, 0.L), C(m * m, 0.L);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k)
        if (A[i * n + k] != 0)
          for (std::size_t j = 0; j < m; ++j)
            W[i * m + j] += A[i * n + k] * P[k * m + j];
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < m; ++i)
        if (P[k * m + i] != 0)
          for (std::size_t j = 0; j < m; ++j)
            C[i * m + j] += P[k * m + i] * W[k * m + j];
    return C;
  }

  /** Largest difference of the entries, over the largest of b. */
  inline double
  dense_difference(const std::vector<long double> &a,
                   const std::vector<long double> &b)
  {
    long double difference = 0, norm = 0;
    for (std::size_t n = 0; n < b.size(); ++n)
      {
        // Not max(): a NaN must not get lost.
        if (!(std::abs(a[n] - b[n]) <= difference))
          difference = std::abs(a[n] - b[n]);
        norm = std::max(norm, std::abs(b[n]));
      }
    return difference / std::max(norm, std::numeric_limits<long double>::min());
  }
} // namespace product_problem

#endif
