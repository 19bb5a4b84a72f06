// SPDX-License-Identifier: LGPL-2.1-or-later
// Rows without entries but on the diagonal are found, replaced in the matrix,
// and removed from modes, on any number of ranks.
#include <tessera/amg/inactive_components.h>
#include <tessera/base/communication_session.h>
#include <tessera/base/exceptions.h>

#include <set>
#include <string>

#include "amg/amg_test.h"
#include "check.h"

namespace
{
  using namespace amg_test;

  using Component = std::pair<std::uint64_t, int>;

  /** A definite matrix with rows and columns of some components removed, and
   * the diagonal that a user has left there. */
  GlobalMatrix
  constrained_matrix(std::mt19937              &random,
                     const int                  n,
                     const int                  b,
                     const std::set<Component> &removed,
                     const double               diagonal)
  {
    GlobalMatrix matrix = random_definite_matrix(random, n, b);
    for (auto &block : matrix.blocks)
      for (int r = 0; r < b; ++r)
        for (int c = 0; c < b; ++c)
          if (removed.count({block.first.first, r}) > 0 ||
              removed.count({block.first.second, c}) > 0)
            block.second[r * b + c] =
              block.first.first == block.first.second && r == c ? diagonal : 0.;
    return matrix;
  }

  /** All rows with nothing but a diagonal: some may have lost all partners. */
  std::set<Component>
  uncoupled_rows(const GlobalMatrix &matrix)
  {
    std::set<Component> result;
    for (std::uint64_t i = 0; i < matrix.n_rows; ++i)
      for (int r = 0; r < matrix.shape.rows; ++r)
        result.insert({i, r});
    for (const auto &block : matrix.blocks)
      for (int r = 0; r < matrix.shape.rows; ++r)
        for (int c = 0; c < matrix.shape.columns; ++c)
          if (block.second[r * matrix.shape.columns + c] != 0. &&
              (block.first.first != block.first.second || r != c))
            result.erase({block.first.first, r});
    return result;
  }

  void
  check_constraints(const Communicator &communicator,
                    const int           b,
                    const double        diagonal)
  {
    std::mt19937        random(7 + b);
    const int           n = 19;
    std::set<Component> removed;
    for (std::uint64_t i = 0; i < n; ++i)
      for (int r = 0; r < b; ++r)
        if (random() % 4 == 0 || i == 3)
          removed.insert({i, r});
    const GlobalMatrix matrix =
      constrained_matrix(random, n, b, removed, diagonal);
    removed = uncoupled_rows(matrix);
    const std::vector<std::uint64_t> counts =
      sparse_test::random_partition(random, n, communicator.n_ranks());
    BlockMatrix<double> A =
      sparse_test::distribute<double>(communicator, matrix, counts, counts);
    const IndexLayout &rows = A.pattern().rows();

    const InactiveComponents inactive = find_inactive_components(A);
    for (LocalIndex i = 0; i < rows.n_owned(); ++i)
      for (int r = 0; r < b; ++r)
        {
          const bool expected = removed.count({rows.global(i), r}) > 0;
          CHECK_EQUAL(inactive.is_inactive(i, r), expected);
          CHECK_EQUAL((inactive.of_node(i) >> r & 1) != 0, expected);
        }
    CHECK_EQUAL(communicator.sum(inactive.n_components()), removed.size());

    const std::vector<std::uint8_t> bits =
      inactive.local_bits(A.pattern().columns());
    CHECK_EQUAL(bits.size(), std::size_t(A.pattern().n_columns()));
    for (std::size_t j = 0; j < bits.size(); ++j)
      for (int r = 0; r < b; ++r)
        CHECK_EQUAL((bits[j] >> r & 1) != 0,
                    removed.count(
                      {A.pattern().columns().global(LocalIndex(j)), r}) > 0);

    replace_inactive(inactive, A);
    for (LocalIndex i = 0; i < rows.n_owned(); ++i)
      for (std::int64_t k = A.pattern().row_begin()[i];
           k < A.pattern().row_begin()[i + 1];
           ++k)
        {
          const GlobalIndex row    = rows.global(i),
                            column = A.pattern().columns().global(
                              A.pattern().column_indices()[k]);
          const std::vector<double> &old      = matrix.blocks.at({row, column});
          double                     sum      = 0.;
          int                        n_active = 0;
          for (int r = 0; r < b; ++r)
            if (removed.count({row, r}) == 0)
              {
                sum += old[r * b + r];
                ++n_active;
              }
          for (int r = 0; r < b; ++r)
            for (int c = 0; c < b; ++c)
              {
                const double value = A.block(k)[r * b + c];
                if (removed.count({row, r}) == 0 &&
                    removed.count({column, c}) == 0)
                  CHECK_EQUAL(value, old[r * b + c]);
                else if (row == column && r == c)
                  CHECK_NEAR(value, n_active == 0 ? 1. : sum / n_active, 1e-15);
                else
                  CHECK_EQUAL(value, 0.);
              }
        }
    CHECK(find_inactive_components(A) == inactive);

    NearNullSpace       B   = random_modes(random, rows, b, 3);
    const NearNullSpace old = B.copy();
    remove_inactive(inactive, B);
    for (LocalIndex i = 0; i < rows.n_owned(); ++i)
      for (int r = 0; r < b; ++r)
        for (int m = 0; m < 3; ++m)
          CHECK_EQUAL(B.data()[(i * b + r) * 3 + m],
                      inactive.is_inactive(i, r) ?
                        0. :
                        old.data()[(i * b + r) * 3 + m]);
  }

  void
  check_none()
  {
    std::mt19937        random(1);
    BlockMatrix<double> A =
      block_matrix(constrained_matrix(random, 10, 3, {}, 0.));
    const std::uint64_t      state    = A.state();
    const InactiveComponents inactive = find_inactive_components(A);
    CHECK(inactive.empty());
    CHECK(inactive == InactiveComponents());
    CHECK(inactive == InactiveComponents(10));
    CHECK_EQUAL(InactiveComponents().of_node(4), 0);
    replace_inactive(inactive, A);
    CHECK_EQUAL(A.state(), state);

    InactiveComponents one(10);
    one.set(4, 2);
    one.set(4, 2);
    CHECK_EQUAL(one.n_components(), 1u);
    CHECK(!(one == inactive));
    InactiveComponents other(10);
    other.set(4, 1);
    CHECK(!(one == other));
  }

  /** What a user leaves in columns has no say. */
  void
  check_columns()
  {
    std::mt19937 random(2);
    GlobalMatrix matrix = random_definite_matrix(random, 6, 2);
    for (auto &block : matrix.blocks)
      if (block.first.first == 2)
        for (int c = 0; c < 2; ++c)
          block.second[c] = block.first.second == 2 && c == 0 ? 3. : 0.;
    BlockMatrix<double>      A        = block_matrix(matrix);
    const InactiveComponents inactive = find_inactive_components(A);
    CHECK_EQUAL(inactive.n_components(), 1u);
    replace_inactive(inactive, A);
    const DenseMatrix dense_A = dense(A);
    for (int i = 0; i < 12; ++i)
      CHECK_EQUAL(dense_A(i, 4), i == 4 ? dense_A(5, 5) : 0.);
  }

  void
  check_errors()
  {
    std::mt19937 random(3);
    GlobalMatrix matrix = constrained_matrix(random, 6, 3, {{4, 1}}, 0.);
    std::string  message =
      CHECK_THROWS(InputError, find_inactive_components(block_matrix(matrix)));
    CHECK(message.find("Row 1 of block row 4") != std::string::npos);
    // Every place of the loops that look for what is not finite.
    matrix = constrained_matrix(random, 4, 3, {}, 0.);
    for (auto &block : matrix.blocks)
      for (double &value : block.second)
        {
          const double old = value;
          value            = random() % 2 == 0 ? NAN : INFINITY;
          message =
            CHECK_THROWS(InputError,
                         find_inactive_components(block_matrix(matrix)));
          CHECK(message.find("must be finite") != std::string::npos);
          value = old;
        }
  }
} // namespace

int
main(int argc, char **argv)
{
  tessera::CommunicationSession session(argc, argv);
  const Communicator            world = Communicator::world();
  for (const int b : {1, 2, 3, 6})
    for (const double diagonal : {1., 1e12, 1e-12})
      check_constraints(world, b, diagonal);
  check_none();
  check_columns();
  check_errors();
  return check::result();
}
