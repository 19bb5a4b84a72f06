// SPDX-License-Identifier: LGPL-2.1-or-later
// Transposes, sums and conversions give the matrix that the whole one says, bit
// for bit, on any number of ranks.
#include <tessera/base/communication_session.h>
#include <tessera/base/counters.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/addition.h>
#include <tessera/sparse/conversion.h>
#include <tessera/sparse/matrix_transpose.h>

#include "check.h"
#include "random_matrices.h"

namespace
{
  using namespace sparse_test;

  GlobalMatrix
  transposed(const GlobalMatrix &A)
  {
    GlobalMatrix result{A.n_columns,
                        A.n_rows,
                        {A.shape.columns, A.shape.rows},
                        {}};
    for (const auto &block : A.blocks)
      {
        std::vector<double> values(A.shape.size());
        for (int r = 0; r < A.shape.rows; ++r)
          for (int c = 0; c < A.shape.columns; ++c)
            values[c * A.shape.rows + r] =
              block.second[r * A.shape.columns + c];
        result.blocks[{block.first.second, block.first.first}] = values;
      }
    return result;
  }

  /** Every entry of every block, as blocks of one. */
  GlobalMatrix
  expanded(const GlobalMatrix &A)
  {
    GlobalMatrix result{A.n_rows * A.shape.rows,
                        A.n_columns * A.shape.columns,
                        {1, 1},
                        {}};
    for (const auto &block : A.blocks)
      for (int r = 0; r < A.shape.rows; ++r)
        for (int c = 0; c < A.shape.columns; ++c)
          result.blocks[{block.first.first * A.shape.rows + r,
                         block.first.second * A.shape.columns + c}] = {
            block.second[r * A.shape.columns + c]};
    return result;
  }

  std::vector<std::uint64_t>
  times(std::vector<std::uint64_t> counts, const int factor)
  {
    for (std::uint64_t &n : counts)
      n *= factor;
    return counts;
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
  poison(BlockMatrix<Number> &A)
  {
    std::fill_n(A.values_to_write(),
                A.n_values(),
                std::numeric_limits<Number>::quiet_NaN());
  }

  template <typename Number>
  void
  test_shape(const Communicator &communicator, const BlockShape shape)
  {
    std::mt19937 random(10 * shape.rows + shape.columns);
    GlobalMatrix matrix  = random_matrix(random, 21, 18, shape);
    const auto   rows    = random_partition(random, 21, communicator.n_ranks());
    const auto   columns = random_partition(random, 18, communicator.n_ranks());
    BlockMatrix<Number> A =
      distribute<Number>(communicator, matrix, rows, columns);

    // A^T, then with other values
    MatrixTranspose<Number> transpose(A.pattern(), shape);
    BlockMatrix<Number>     At = transpose.transposed(A);
    CHECK(has_values(At, transposed(matrix)));
    CHECK(At.pattern() == transpose.pattern());
    for (auto &block : matrix.blocks)
      block.second = random_values(random, shape.size());
    A = distribute<Number>(communicator, matrix, rows, columns);
    const std::uint64_t state = At.state();
    for (int repetition = 0; repetition < 2; ++repetition)
      {
        poison(At);
        transpose.update(A, At);
        CHECK(has_values(At, transposed(matrix)));
      }
    CHECK(At.state() != state);
    MatrixTranspose<Number> back(At.pattern(), At.shape());
    CHECK(has_values(back.transposed(At), matrix));
    CHECK_THROWS(InputError, transpose.update(A, A));
    CHECK_THROWS(InputError, transpose.update(At, At));

    // A + 3 B, B a part of A with other ghosts
    GlobalMatrix part = matrix, sum = matrix;
    for (auto block = part.blocks.begin(); block != part.blocks.end();)
      if (random() % 2 == 0)
        block = part.blocks.erase(block);
      else
        {
          block->second            = random_values(random, shape.size());
          std::vector<double> &all = sum.blocks[block->first];
          for (int e = 0; e < shape.size(); ++e)
            all[e] += 3 * block->second[e];
          ++block;
        }
    const BlockMatrix<Number> B =
      distribute<Number>(communicator, part, rows, columns);
    BlockMatrix<Number> C = A.copy();
    add(Number(3), B, C);
    CHECK(has_values(C, sum));
    CHECK(has_values(A, matrix));
    add(Number(1), A, A);
    add(Number(-.5), A, A);
    CHECK(has_values(A, matrix));

    // Between float and double
    const CounterSnapshot before = Counters::process().snapshot();
    BlockMatrix<double>   D =
      distribute<double>(communicator, matrix, rows, columns);
    const BlockMatrix<float> F = convert<float>(D);
    CHECK(has_values(F, matrix));
    poison(D);
    convert(F, D);
    CHECK(has_values(D, matrix));
    CHECK_EQUAL(Counters::process()
                  .snapshot()
                  .since(before)
                  .value(Counters::converted_values)
                  .total,
                2 * D.n_values());

    // Between blocks and numbers
    const BlockMatrix<Number> numbers = to_scalar(A);
    CHECK(has_values(numbers, expanded(matrix)));
    CHECK(numbers.pattern().rows().same_owned(
      layout_of(communicator, times(rows, shape.rows))));
    const BlockMatrix<Number> again = to_blocks(numbers, shape);
    CHECK(has_values(again, matrix));
    CHECK(again.pattern() == A.pattern());
    CHECK_EQUAL(Counters::process()
                  .snapshot()
                  .since(before)
                  .value(Counters::scalar_block_conversions)
                  .total,
                2 * A.pattern().n_blocks());
  }

  template <typename Number>
  void
  test_numbers_to_blocks(const Communicator &communicator)
  {
    // Some entries of a block only: the others are zeros.
    std::mt19937 random(4);
    const auto   counts = random_partition(random, 10, communicator.n_ranks());
    const GlobalMatrix numbers = random_matrix(random, 30, 20, {1, 1});
    GlobalMatrix       blocks{10, 10, {3, 2}, {}};
    for (const auto &entry : numbers.blocks)
      {
        std::vector<double> &block =
          blocks.blocks[{entry.first.first / 3, entry.first.second / 2}];
        block.resize(6);
        block[entry.first.first % 3 * 2 + entry.first.second % 2] =
          entry.second[0];
      }
    const BlockMatrix<Number> A = distribute<Number>(communicator,
                                                     numbers,
                                                     times(counts, 3),
                                                     times(counts, 2));
    CHECK(has_values(to_blocks(A, {3, 2}), blocks));

    CHECK(contains(CHECK_THROWS(InputError, to_blocks(A, {4, 2})),
                   "Blocks of 4 rows"));
    CHECK(contains(CHECK_THROWS(InputError, to_blocks(A, {3, 3})),
                   "Blocks of 3 columns"));
    CHECK_THROWS(InputError, to_blocks(A, {3, 0}));
    CHECK(contains(CHECK_THROWS(InputError,
                                to_blocks(to_blocks(A, {3, 2}), {1, 1})),
                   "3 x 2 already"));
  }

  void
  test_vectors(const Communicator &communicator)
  {
    std::mt19937 random(6);
    const auto   counts = random_partition(random, 10, communicator.n_ranks());
    const IndexLayout         layout = layout_of(communicator, counts);
    const std::vector<double> values = random_values(random, 30);
    const BlockVector<double> x      = distribute<double>(values, layout, 3);
    const BlockVector<float>  y      = convert<float>(x);
    BlockVector<double>       z      = poisoned<double>(layout, 3);
    convert(y, z);
    for (std::size_t v = 0; v < x.n_owned_values(); ++v)
      {
        CHECK(y.data()[v] == static_cast<float>(x.data()[v]));
        CHECK(z.data()[v] == x.data()[v]);
      }
    BlockVector<double> other(layout, 2);
    CHECK_THROWS(InputError, convert(y, other));
  }

  void
  test_errors(const Communicator &communicator)
  {
    std::mt19937 random(2);
    const auto   counts = random_partition(random, 9, communicator.n_ranks());
    GlobalMatrix small  = random_matrix(random, 9, 9, {2, 2}, true);
    const GlobalMatrix wide = random_matrix(random, 9, 9, {2, 3});
    small.blocks.erase({7, 4});
    GlobalMatrix large   = small;
    large.blocks[{7, 4}] = {1, 2, 3, 4};
    BlockMatrix<double> A =
      distribute<double>(communicator, small, counts, counts);
    const BlockMatrix<double> B =
      distribute<double>(communicator, large, counts, counts);
    const BlockMatrix<double> W =
      distribute<double>(communicator, wide, counts, counts);
    CHECK(contains(CHECK_THROWS(InputError, add(1., B, A)),
                   "block row 7, block column 4"));
    CHECK(has_values(A, small));
    CHECK(contains(CHECK_THROWS(InputError, add(1., W, A)), "2 x 3 entries"));
    BlockMatrix<float> F(B.pattern(), {2, 2});
    if (!(A.pattern() == B.pattern()))
      CHECK_THROWS(InputError, convert(A, F));
    BlockMatrix<float> narrow(A.pattern(), {1, 2});
    CHECK_THROWS(InputError, convert(A, narrow));
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  const Communicator         world = Communicator::world();
  for (int rows = 1; rows <= max_block_size; ++rows)
    for (int columns = 1; columns <= max_block_size; ++columns)
      {
        test_shape<double>(world, {rows, columns});
        test_shape<float>(world, {rows, columns});
      }
  test_numbers_to_blocks<double>(world);
  test_numbers_to_blocks<float>(world);
  test_vectors(world);
  test_errors(world);
  return check::result();
}
