// SPDX-License-Identifier: LGPL-2.1-or-later
// Patterns, matrices and vectors keep what they are given, and name the row and
// column of what is wrong.
#include <tessera/base/communication_session.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/block_matrix.h>

#include <cmath>
#include <limits>
#include <utility>

#include "check.h"
#include "random_matrices.h"

namespace
{
  using namespace sparse_test;

  bool
  contains(const std::string &text, const std::string &part)
  {
    if (text.find(part) == std::string::npos)
      std::cerr << "  found: " << text << std::endl;
    return text.find(part) != std::string::npos;
  }

  void
  test_pattern(const Communicator &communicator, const unsigned int seed)
  {
    std::mt19937       random(seed);
    const GlobalMatrix matrix = random_matrix(random, 30, 26, {2, 3});
    const auto rows    = random_partition(random, 30, communicator.n_ranks());
    const auto columns = random_partition(random, 26, communicator.n_ranks());
    const BlockMatrix<double> A =
      distribute<double>(communicator, matrix, rows, columns);
    const BlockPattern &pattern = A.pattern();
    CHECK(has_values(A, matrix));
    CHECK_EQUAL(A.n_values(), 6 * pattern.n_blocks());

    std::size_t n_with_ghosts = 0;
    for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
      {
        const std::int64_t begin = pattern.row_begin()[i];
        const std::int64_t ghost = pattern.ghost_begin()[i];
        const std::int64_t end   = pattern.row_begin()[i + 1];
        CHECK(begin <= ghost && ghost <= end);
        for (std::int64_t k = begin; k < end; ++k)
          {
            const LocalIndex j = pattern.column_indices()[k];
            CHECK_EQUAL(k < ghost, j < pattern.columns().n_owned());
            CHECK_EQUAL(pattern.find(i, j), k);
            CHECK_EQUAL(pattern.row_of(k), i);
          }
        for (LocalIndex j = 0; j < pattern.n_columns(); ++j)
          CHECK_EQUAL(pattern.find(i, j) >= 0,
                      matrix.blocks.count({pattern.rows().global(i),
                                           pattern.columns().global(j)}) == 1);
        if (ghost < end)
          {
            CHECK_EQUAL(pattern.rows_with_ghosts()[n_with_ghosts], i);
            ++n_with_ghosts;
          }
      }
    CHECK_EQUAL(pattern.rows_with_ghosts().size(), n_with_ghosts);

    const BlockMatrix<double> again =
      distribute<double>(communicator, matrix, rows, columns);
    CHECK(again.pattern() == pattern);
    const GlobalMatrix other = random_matrix(random, 30, 26, {2, 3});
    CHECK(!communicator.logical_and(
      distribute<double>(communicator, other, rows, columns).pattern() ==
      pattern));
  }

  void
  test_states()
  {
    const IndexLayout   layout(2);
    const BlockPattern  pattern(layout, layout, {0, 1, 2}, {0, 1});
    BlockMatrix<float>  A(pattern, {2, 2});
    BlockMatrix<double> B(pattern, {2, 2});
    CHECK(A.state() != B.state());
    for (std::size_t v = 0; v < A.n_values() + A.n_values_behind; ++v)
      CHECK_EQUAL(A.values()[v], 0.f);

    std::uint64_t state    = A.state();
    A.values_to_write()[3] = 4.f;
    CHECK(A.state() != state);
    state                       = A.state();
    const BlockMatrix<float> A2 = A.copy();
    CHECK(A2.state() != state);
    CHECK_EQUAL(A.state(), state);
    CHECK_EQUAL(A2.values()[3], 4.f);
    CHECK_EQUAL(A2.block(0)[3], 4.f);
    CHECK(A2.pattern() == pattern);
    A.set_zero();
    CHECK(A.state() != state);
    CHECK_EQUAL(A.values()[3], 0.f);
    CHECK_EQUAL(A2.values()[3], 4.f);

    BlockVector<float> x(layout, 3);
    x.data()[5]                = 6.f;
    const BlockVector<float> y = x.copy();
    x.set_zero();
    CHECK_EQUAL(x.data()[5], 0.f);
    CHECK_EQUAL(y.data()[5], 6.f);
    CHECK_EQUAL(y.block_size(), 3);
    CHECK_EQUAL(y.n_owned_values(), 6u);

    const BlockMatrix<double> nothing;
    CHECK_EQUAL(nothing.pattern().n_rows(), 0);
    CHECK_EQUAL(nothing.n_values(), 0u);
  }

  void
  test_errors(const Communicator &communicator)
  {
    const IndexLayout  three(3), five(5);
    const BlockPattern good(three, five, {0, 2, 2, 4}, {1, 4, 0, 2});
    const auto         pattern = [&](const std::vector<std::int64_t> &begin,
                             const std::vector<LocalIndex>   &columns) {
      return BlockPattern(three, five, begin, columns);
    };
    CHECK(contains(CHECK_THROWS(InputError, pattern({0, 2, 2}, {1, 4})),
                   "3 block rows was given 3 row pointers"));
    CHECK(
      contains(CHECK_THROWS(InputError, pattern({1, 2, 2, 4}, {1, 4, 0, 2})),
               "first row pointer of a pattern is 1"));
    CHECK(
      contains(CHECK_THROWS(InputError, pattern({0, 2, 1, 4}, {1, 4, 0, 2})),
               "block row 1 of a pattern begin at 2 and end at 1"));
    CHECK(
      contains(CHECK_THROWS(InputError, pattern({0, 2, 2, 5}, {1, 4, 0, 2})),
               "last row pointer of a pattern is 5, but there are 4"));
    CHECK(
      contains(CHECK_THROWS(InputError, pattern({0, 2, 2, 4}, {4, 1, 0, 2})),
               "Block row 0 (global 0) of a pattern has column 1 after "
               "column 4"));
    CHECK(
      contains(CHECK_THROWS(InputError, pattern({0, 2, 2, 4}, {1, 4, 2, 2})),
               "Block row 2 (global 2) of a pattern has column 2 after "
               "column 2"));
    CHECK(
      contains(CHECK_THROWS(InputError, pattern({0, 2, 2, 4}, {1, 4, 0, 5})),
               "Block row 2 (global 2) of a pattern has a block in local "
               "column 5; there are 5"));
    CHECK(
      contains(CHECK_THROWS(InputError, pattern({0, 2, 2, 4}, {-1, 4, 0, 2})),
               "column -1"));
    if (communicator.n_ranks() > 2)
      {
        // The first two ranks, and the others.
        const Communicator part =
          communicator.split(communicator.rank() < 2 ? 0 : 1);
        const IndexLayout all(communicator, 3, {}), some(part, 3, {});
        if (part.n_ranks() > 1)
          CHECK(contains(
            CHECK_THROWS(InputError, BlockPattern(all, some, {0, 0, 0, 0}, {})),
            "over 3 ranks and its columns over 2"));
        else
          CHECK_EQUAL(BlockPattern(all, some, {0, 0, 0, 0}, {}).n_rows(), 3);
      }

    for (const BlockShape shape :
         {BlockShape{0, 3}, BlockShape{3, 7}, BlockShape{-1, 1}})
      CHECK(contains(CHECK_THROWS(InputError, BlockMatrix<double>(good, shape)),
                     std::to_string(shape.rows) + " x " +
                       std::to_string(shape.columns)));
    CHECK(contains(CHECK_THROWS(InputError, BlockVector<float>(three, 7)),
                   "of 7 entries"));

    BlockMatrix<double> A(good, {3, 2});
    A.check_finite();
    A.values_to_write()[2 * 6 + 5] = std::nan("");
    CHECK(
      contains(CHECK_THROWS(InputError, A.check_finite()),
               "nan in block row 2, block column 0 (global), entry (2, 1)"));
    A.set_zero();
    A.values_to_write()[0] = -std::numeric_limits<double>::infinity();
    CHECK(contains(CHECK_THROWS(InputError, A.check_finite()),
                   "-inf in block row 0, block column 1 (global), entry (0, "
                   "0)"));
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  const Communicator         world = Communicator::world();
  for (unsigned int seed = 0; seed < 6; ++seed)
    test_pattern(world, seed);
  test_states();
  test_errors(world);
  return check::result();
}
