// SPDX-License-Identifier: LGPL-2.1-or-later
// Smoothed prolongators against dense matrices.
#include <tessera/amg/prolongator_smoothing.h>
#include <tessera/amg/spectrum.h>
#include <tessera/amg/tentative_prolongator.h>
#include <tessera/base/exceptions.h>

#include "amg/amg_test.h"
#include "check.h"

namespace
{
  using namespace amg_test;

  void
  check_against_dense(const int b, const int q)
  {
    std::mt19937              random(b * 10 + q);
    const int                 n = 24, n_coarse = 5;
    const BlockMatrix<double> A =
      block_matrix(random_definite_matrix(random, n, b));
    // Of one block in most rows, as tentative ones are, and of any number.
    for (const bool is_tentative : {true, false})
      {
        GlobalMatrix values =
          sparse_test::random_matrix(random, n, n_coarse, {b, q});
        if (is_tentative)
          {
            values.blocks.clear();
            for (std::uint64_t i = 0; i < std::uint64_t(n); ++i)
              if (i % 7 != 6)
                values.blocks[{i, i % n_coarse}] =
                  sparse_test::random_values(random, b * q);
          }
        const BlockMatrix<double>   P_0   = block_matrix(values);
        const BlockDiagonal<double> D     = inverse_scalar_diagonal(A);
        const double                omega = 0.6;
        const DenseMatrix P = dense(smoothed_prolongator(A, D, omega, P_0));
        DenseMatrix       expected = dense(P_0);
        const DenseMatrix dense_A  = dense(A);
        const DenseMatrix product  = dense_A * expected;
        for (std::size_t i = 0; i < expected.n_rows(); ++i)
          for (std::size_t j = 0; j < expected.n_columns(); ++j)
            expected(i, j) -= omega / dense_A(i, i) * product(i, j);
        CHECK(largest_difference(P, expected) < 1e-14);
        // No smoothing at all.
        CHECK(largest_difference(dense(smoothed_prolongator(A, D, 0., P_0)),
                                 dense(P_0)) == 0.);
      }
  }

  void
  check_errors()
  {
    std::mt19937              random(1);
    const BlockMatrix<double> A =
      block_matrix(random_definite_matrix(random, 10, 2));
    const BlockMatrix<double> P_0 =
      block_matrix(sparse_test::random_matrix(random, 10, 3, {2, 3}));
    CHECK_THROWS(InputError,
                 smoothed_prolongator(
                   A, BlockDiagonal<double>(IndexLayout(10), 3), 1., P_0));
    CHECK_THROWS(InputError,
                 smoothed_prolongator(
                   A, BlockDiagonal<double>(IndexLayout(9), 2), 1., P_0));
    CHECK_THROWS(InputError,
                 smoothed_prolongator(A,
                                      inverse_scalar_diagonal(A),
                                      1.,
                                      block_matrix(sparse_test::random_matrix(
                                        random, 9, 3, {2, 3}))));
  }
} // namespace

int
main()
{
  for (const auto &shape : {BlockShape{1, 1},
                            BlockShape{2, 2},
                            BlockShape{2, 3},
                            BlockShape{3, 3},
                            BlockShape{3, 6},
                            BlockShape{6, 6},
                            BlockShape{3, 4}})
    check_against_dense(shape.rows, shape.columns);
  check_errors();
  return check::result();
}
