// SPDX-License-Identifier: LGPL-2.1-or-later
// Largest eigenvalues against those of dense matrices, from below, in single
// and double precision; what is not positive definite is noticed.
#include <tessera/amg/spectrum.h>
#include <tessera/base/eigenproblem.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/conversion.h>

#include <numeric>
#include <string>

#include "amg/amg_test.h"
#include "check.h"

namespace
{
  using namespace amg_test;

  /** Keys that are not the numbers. */
  std::vector<std::uint64_t>
  some_keys(const LocalIndex n)
  {
    std::vector<std::uint64_t> keys(n);
    std::iota(keys.begin(), keys.end(), 12345);
    return keys;
  }

  DenseMatrix
  dense(const BlockDiagonal<double> &D)
  {
    const int         b = D.block_size();
    const std::size_t n = std::size_t(D.rows().n_owned()) * b;
    DenseMatrix       result(n, n);
    for (std::size_t i = 0; i < n; ++i)
      for (int c = 0; c < b; ++c)
        result(i, i / b * b + c) = D.data()[i * b + c];
    return result;
  }

  BlockDiagonal<float>
  single(const BlockDiagonal<double> &D)
  {
    BlockDiagonal<float> result(D.rows(), D.block_size());
    const std::size_t    size = std::size_t(D.block_size()) * D.block_size();
    for (std::size_t v = 0; v < size * D.rows().n_owned(); ++v)
      result.data()[v] = float(D.data()[v]);
    return result;
  }

  /** Of M A, where the inverse of M is given. */
  double
  exact(const BlockMatrix<double> &A, const DenseMatrix &inverse_of_M)
  {
    return generalized_eigenpairs(amg_test::dense(A), inverse_of_M)
      .values.back();
  }

  void
  check_estimates()
  {
    std::mt19937 random(1);
    for (const int b : {1, 2, 3, 4, 6})
      {
        const int                 n = 30 / b + 2;
        const BlockMatrix<double> A =
          block_matrix(random_definite_matrix(random, n, b));
        const std::vector<std::uint64_t> keys = some_keys(n);

        const BlockDiagonal<double> D       = inverse_scalar_diagonal(A);
        const DenseMatrix           dense_D = dense(D);
        DenseMatrix                 diagonal(n * b, n * b);
        for (int i = 0; i < n * b; ++i)
          {
            diagonal(i, i) = amg_test::dense(A)(i, i);
            for (int j = 0; j < n * b; ++j)
              CHECK_NEAR(dense_D(i, j),
                         i == j ? 1. / diagonal(i, i) : 0.,
                         1e-15);
          }
        const BlockDiagonal<double> M = inverse_diagonal_blocks(A);
        for (const bool by_blocks : {false, true})
          {
            const BlockDiagonal<double> &preconditioner = by_blocks ? M : D;
            const double                 expected =
              exact(A, by_blocks ? dense(diagonal_blocks(A)) : diagonal);
            const InactiveComponents none;
            const double             estimate =
              largest_eigenvalue(A, preconditioner, none, keys);
            CHECK(estimate <= expected * (1. + 1e-12));
            CHECK(estimate >= 0.95 * expected);
            // As many steps as there are eigenvalues find all of them.
            CHECK_NEAR(
              largest_eigenvalue(A, preconditioner, none, keys, 2 * n * b),
              expected,
              1e-8);
            CHECK_NEAR(largest_eigenvalue(
                         convert<float>(A), single(preconditioner), none, keys),
                       estimate,
                       1e-5);
            // Few steps find less, other vectors find something else.
            CHECK(largest_eigenvalue(A, preconditioner, none, keys, 2) <
                  estimate);
            CHECK(
              largest_eigenvalue(
                A, preconditioner, none, std::vector<std::uint64_t>(n, 1), 3) !=
              largest_eigenvalue(A, preconditioner, none, keys, 3));
          }
      }
  }

  /** The first steps, by the coefficients that they have for a start with known
   * numbers: one step gives the Rayleigh quotient. */
  void
  check_one_step()
  {
    GlobalMatrix matrix{1, 1, {2, 2}, {}};
    matrix.blocks[{0, 0}]       = {2., 1., 1., 5.};
    const BlockMatrix<double> A = block_matrix(matrix);
    BlockDiagonal<double>     M(A.pattern().rows(), 2);
    M.data()[0] = M.data()[3] = 1.;
    const double one = largest_eigenvalue(A, M, InactiveComponents(), {7}, 1);
    const double low = 3.5 - std::sqrt(3.25), high = 3.5 + std::sqrt(3.25);
    CHECK(one > low && one < high);
    CHECK_NEAR(largest_eigenvalue(A, M, InactiveComponents(), {7}, 2),
               high,
               1e-12);
    // And no more than there are: what follows would be noise.
    CHECK_NEAR(largest_eigenvalue(A, M, InactiveComponents(), {7}, 50),
               high,
               1e-12);
  }

  /** The same for nodes in another order. */
  void
  check_renumbering()
  {
    std::mt19937            random(2);
    const int               n      = 20;
    const GlobalMatrix      matrix = random_definite_matrix(random, n, 3);
    std::vector<LocalIndex> number(n);
    std::iota(number.begin(), number.end(), 0);
    std::shuffle(number.begin(), number.end(), random);
    GlobalMatrix other{matrix.n_rows, matrix.n_columns, matrix.shape, {}};
    for (const auto &block : matrix.blocks)
      other.blocks[{number[block.first.first], number[block.first.second]}] =
        block.second;
    const std::vector<std::uint64_t> keys = some_keys(n);
    std::vector<std::uint64_t>       other_keys(n);
    for (int i = 0; i < n; ++i)
      other_keys[number[i]] = keys[i];
    const BlockMatrix<double> A = block_matrix(matrix), C = block_matrix(other);
    CHECK_NEAR(largest_eigenvalue(C,
                                  inverse_scalar_diagonal(C),
                                  InactiveComponents(),
                                  other_keys,
                                  4),
               largest_eigenvalue(
                 A, inverse_scalar_diagonal(A), InactiveComponents(), keys, 4),
               1e-13);
  }

  void
  check_inactive()
  {
    std::mt19937       random(3);
    const int          n = 12, b = 2;
    GlobalMatrix       matrix = random_definite_matrix(random, n, b);
    InactiveComponents inactive(n);
    for (const int i : {2, 5, 9})
      inactive.set(i, i % 2);
    for (auto &block : matrix.blocks)
      for (int r = 0; r < b; ++r)
        for (int c = 0; c < b; ++c)
          if (inactive.is_inactive(LocalIndex(block.first.first), r) ||
              inactive.is_inactive(LocalIndex(block.first.second), c))
            block.second[r * b + c] =
              block.first.first == block.first.second && r == c ? 1e6 : 0.;
    const BlockMatrix<double> A = block_matrix(matrix);
    // Eigenvalues of what is inactive are a million.
    BlockDiagonal<double> M = inverse_scalar_diagonal(A);
    for (int i = 0; i < n; ++i)
      for (int r = 0; r < b; ++r)
        if (inactive.is_inactive(i, r))
          M.data()[i * b * b + r * (b + 1)] = 1.;
    const std::vector<std::uint64_t> keys = some_keys(n);
    CHECK(largest_eigenvalue(A, M, inactive, keys) < 3.);
    CHECK(largest_eigenvalue(A, M, InactiveComponents(), keys) > 1e5);
    for (int i = 0; i < n; ++i)
      for (int r = 0; r < b; ++r)
        inactive.set(i, r);
    CHECK_EQUAL(largest_eigenvalue(A, M, inactive, keys), 1.);
  }

  template <typename E>
  void
  check_message(const GlobalMatrix               &matrix,
                const std::vector<std::uint64_t> &keys,
                const double                      factor,
                const char                       *text)
  {
    const BlockMatrix<double> A = block_matrix(matrix);
    BlockDiagonal<double>     M(A.pattern().rows(), A.shape().rows);
    for (int i = 0; i < A.pattern().n_rows() * A.shape().rows; ++i)
      M.data()[i * A.shape().rows + i % A.shape().rows] = factor;
    const std::string message =
      CHECK_THROWS(E, largest_eigenvalue(A, M, InactiveComponents(), keys));
    CHECK(message.find(text) != std::string::npos);
  }

  void
  check_errors()
  {
    std::mt19937 random(4);
    const int    n      = 8;
    GlobalMatrix matrix = random_definite_matrix(random, n, 2);
    const std::vector<std::uint64_t> keys = some_keys(n);
    check_message<InputError>(matrix, some_keys(n + 1), 1., "9 keys");
    check_message<SolverBreakdown>(matrix,
                                   keys,
                                   -1.,
                                   "the preconditioner is not positive");
    for (const double value : {-1e3, double(NAN)})
      {
        GlobalMatrix wrong         = matrix;
        wrong.blocks.at({3, 3})[3] = value;
        check_message<SolverBreakdown>(wrong,
                                       keys,
                                       1.,
                                       "the matrix is not positive definite");
        const std::string message =
          CHECK_THROWS(SolverBreakdown,
                       inverse_scalar_diagonal(block_matrix(wrong)));
        CHECK(message.find("row 1 of block row 3") != std::string::npos);
      }
    matrix.blocks.at({2, 2})[0] = 0.;
    CHECK_THROWS(SolverBreakdown,
                 inverse_scalar_diagonal(block_matrix(matrix)));
  }
} // namespace

int
main()
{
  check_estimates();
  check_one_step();
  check_renumbering();
  check_inactive();
  check_errors();
  return check::result();
}
