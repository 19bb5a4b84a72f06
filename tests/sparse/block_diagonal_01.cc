// SPDX-License-Identifier: LGPL-2.1-or-later
// Inverses of diagonal blocks: products with the blocks are the identity,
// however the unknowns are scaled, and singular blocks are named.
#include <tessera/base/communication_session.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/block_diagonal.h>

#include <cmath>
#include <limits>

#include "check.h"
#include "random_matrices.h"

namespace
{
  using namespace sparse_test;

  /** The largest entry of M A_ii - 1, with unknowns in units of `units`. */
  template <typename Number>
  double
  error_of_inverse(const BlockMatrix<Number>   &A,
                   const BlockDiagonal<Number> &M,
                   const std::vector<double>   &units)
  {
    const int n     = A.shape().rows;
    double    error = 0.;
    for (LocalIndex i = 0; i < A.pattern().n_rows(); ++i)
      {
        const Number *const a = A.block(A.pattern().find(i, i));
        const Number *const m = M.data() + i * n * n;
        for (int r = 0; r < n; ++r)
          for (int c = 0; c < n; ++c)
            {
              double sum = r == c ? -1. : 0.;
              for (int k = 0; k < n; ++k)
                sum += double(m[r * n + k]) * double(a[k * n + c]) * units[r] /
                       units[c];
              error = std::fmax(error, std::abs(sum));
            }
      }
    return error;
  }

  /** A matrix with well conditioned diagonal blocks, of which the unknown e is
   * measured in units of units[e]. */
  GlobalMatrix
  scaled_matrix(std::mt19937              &random,
                const int                  size,
                const std::vector<double> &units)
  {
    GlobalMatrix matrix = random_matrix(random, 15, 15, {size, size}, true);
    for (auto &block : matrix.blocks)
      for (int r = 0; r < size; ++r)
        for (int c = 0; c < size; ++c)
          {
            double &a = block.second[r * size + c];
            if (block.first.first == block.first.second && r == c)
              a += a < 0 ? -2. * size : 2. * size;
            a /= units[r] * units[c];
          }
    return matrix;
  }

  template <typename Number>
  void
  test_inverse(const Communicator &communicator, const int size)
  {
    constexpr double epsilon = double(std::numeric_limits<Number>::epsilon());
    std::mt19937     random(size);
    const auto rows = random_partition(random, 15, communicator.n_ranks());
    for (const double unit : {1., 1e-5, 1e5})
      {
        std::vector<double> units(size, 1.);
        for (int e = size / 2; e < size; ++e)
          units[e] = unit;
        const GlobalMatrix        matrix = scaled_matrix(random, size, units);
        const BlockMatrix<Number> A =
          distribute<Number>(communicator, matrix, rows, rows);
        const BlockDiagonal<Number> M = inverse_diagonal_blocks(A);
        const BlockDiagonal<Number> D = diagonal_blocks(A);
        CHECK_EQUAL(M.block_size(), size);
        for (LocalIndex i = 0; i < A.pattern().n_rows(); ++i)
          for (int e = 0; e < size * size; ++e)
            CHECK_EQUAL(D.data()[i * size * size + e],
                        A.block(A.pattern().find(i, i))[e]);

        for (double &x : units)
          x = 1. / x;
        CHECK(error_of_inverse(A, M, units) < 20 * epsilon);

        // y = 2 M x, in place, too
        const std::vector<double> values = random_values(random, 15 * size);
        const BlockVector<Number> x =
          distribute<Number>(values, A.pattern().rows(), size);
        BlockVector<Number> y = poisoned<Number>(A.pattern().rows(), size);
        BlockVector<Number> z = x.copy();
        multiply(M, Number(2), x, y);
        multiply(M, Number(2), z, z);
        for (LocalIndex i = 0; i < A.pattern().n_rows(); ++i)
          for (int r = 0; r < size; ++r)
            {
              double sum = 0., magnitude = 0.;
              for (int c = 0; c < size; ++c)
                {
                  const double term =
                    2. * double(M.data()[(i * size + r) * size + c]) *
                    double(x.data()[i * size + c]);
                  sum += term;
                  magnitude += std::abs(term);
                }
              CHECK(std::abs(y.data()[i * size + r] - sum) <=
                    10 * epsilon * magnitude);
              CHECK(y.data()[i * size + r] == z.data()[i * size + r]);
            }
      }
  }

  bool
  contains(const std::string &text, const std::string &part)
  {
    if (text.find(part) == std::string::npos)
      std::cerr << "  found: " << text << std::endl;
    return text.find(part) != std::string::npos;
  }

  template <typename Number>
  void
  test_errors(const Communicator &communicator)
  {
    std::mt19937 random(3);
    const auto   rows = random_partition(random, 9, communicator.n_ranks());
    const GlobalMatrix good =
      scaled_matrix(random, 3, std::vector<double>(3, 1.));
    const auto inverse = [&](const GlobalMatrix &matrix) {
      std::vector<std::uint64_t> counts(communicator.n_ranks(), 0);
      counts.back() = matrix.n_rows;
      return inverse_diagonal_blocks(
        distribute<Number>(communicator, matrix, counts, counts));
    };
    inverse(good);

    GlobalMatrix bad        = good;
    bad.blocks[{11, 11}]    = {1, 2, 3, 4, 5, 6, 5, 7, 9};
    const std::string named = "diagonal block of block row 11 ";
    CHECK(contains(CHECK_THROWS(SolverBreakdown, inverse(bad)), named));
    // Singular but for round-off, and nearly so.
    bad.blocks[{11, 11}] = {.1, .2, .3, .4, .7, .6, .5, .9, .9};
    CHECK(contains(CHECK_THROWS(SolverBreakdown, inverse(bad)), named));
    bad.blocks[{11, 11}] = {.1, .2, .3, .4, .7, .6, .5, .9, .9001};
    inverse(bad);
    bad.blocks[{11, 11}] = std::vector<double>(9, 0.);
    CHECK(contains(CHECK_THROWS(SolverBreakdown, inverse(bad)), named));
    bad.blocks[{11, 11}] = {1, 2, 3, 4, 5, std::nan(""), 5, 7, 8};
    CHECK(contains(CHECK_THROWS(SolverBreakdown, inverse(bad)), named));
    bad.blocks[{11, 11}] = {
      std::numeric_limits<double>::infinity(), 2, 3, 4, 5, 6, 5, 7, 8};
    CHECK(contains(CHECK_THROWS(SolverBreakdown, inverse(bad)), named));
    bad.blocks.erase({11, 11});
    CHECK(contains(CHECK_THROWS(InputError, inverse(bad)),
                   "Block row 11 of a matrix has no diagonal block"));

    // Rows may have to be swapped, and zeros on the diagonal are no obstacle.
    GlobalMatrix swapped     = good;
    swapped.blocks[{11, 11}] = {0, 2, 0, 0, 0, 4, 1, 0, 0};
    const auto M             = inverse(swapped);
    if (communicator.rank() + 1 == communicator.n_ranks())
      {
        const Number expected[9] = {
          0, 0, 1, Number(.5), 0, 0, 0, Number(.25), 0};
        for (int e = 0; e < 9; ++e)
          CHECK_NEAR(M.data()[11 * 9 + e], expected[e], 1e-15);
      }

    const GlobalMatrix wide = random_matrix(random, 9, 9, {3, 6});
    CHECK(contains(CHECK_THROWS(InputError,
                                inverse_diagonal_blocks(distribute<Number>(
                                  communicator, wide, rows, rows))),
                   "3 x 6 entries"));
    CHECK_THROWS(InputError, BlockDiagonal<Number>(IndexLayout(3), 7));
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  const Communicator         world = Communicator::world();
  for (int size = 1; size <= max_block_size; ++size)
    {
      test_inverse<double>(world, size);
      test_inverse<float>(world, size);
    }
  test_errors<double>(world);
  test_errors<float>(world);
  return check::result();
}
