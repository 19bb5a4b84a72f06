// SPDX-License-Identifier: LGPL-2.1-or-later
// MatrixMarket files: what is written is read again bit for bit on any number
// of ranks, what others write is read, and errors name file and line.
#include <tessera/base/communication_session.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/matrix_market.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>

#include "check.h"
#include "random_matrices.h"

namespace
{
  using namespace sparse_test;

  /** Tests on other numbers of ranks may run at the same time. */
  std::string
  file_name()
  {
    return "matrix_market_01." +
           std::to_string(Communicator::world().n_ranks()) + ".mtx";
  }

  std::string
  content(const std::string &file)
  {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  void
  write(const std::string &text)
  {
    const Communicator world = Communicator::world();
    if (world.rank() == 0)
      std::ofstream(file_name()) << text;
    world.barrier();
  }

  bool
  contains(const std::string &text, const std::string &part)
  {
    if (text.find(part) == std::string::npos)
      std::cerr << "  found: " << text << std::endl;
    return text.find(part) != std::string::npos;
  }

  /** Values whose decimal fractions are long, large or small. */
  template <typename Number>
  void
  make_uneven(GlobalMatrix &matrix)
  {
    int n = 0;
    for (auto &block : matrix.blocks)
      for (double &x : block.second)
        x = static_cast<Number>(std::ldexp(x / 3., ++n % 60 - 30));
  }

  template <typename Number>
  void
  test_matrix(const Communicator &communicator, const BlockShape shape)
  {
    std::mt19937 random(10 * shape.rows + shape.columns);
    GlobalMatrix matrix = random_matrix(random, 13, 11, shape);
    make_uneven<Number>(matrix);
    const auto rows    = random_partition(random, 13, communicator.n_ranks());
    const auto columns = random_partition(random, 11, communicator.n_ranks());
    const BlockMatrix<Number> A =
      distribute<Number>(communicator, matrix, rows, columns);
    write_matrix_market(A, file_name());
    const BlockMatrix<Number> B =
      read_matrix_market<Number>(file_name(),
                                 shape,
                                 layout_of(communicator, rows),
                                 layout_of(communicator, columns));
    CHECK(has_values(B, matrix));
    CHECK(A.pattern() == B.pattern());
    CHECK(
      has_values(read_matrix_market<Number>(file_name(), shape, communicator),
                 matrix));
    CHECK(has_values(read_matrix_market<Number>(file_name(), shape), matrix));
    CHECK_THROWS(InputError,
                 read_matrix_market<Number>(file_name(),
                                            shape,
                                            layout_of(communicator, columns),
                                            layout_of(communicator, columns)));
    communicator.barrier();
  }

  void
  test_symmetric(const Communicator &communicator)
  {
    std::mt19937 random(5);
    GlobalMatrix matrix = random_matrix(random, 12, 12, {2, 2}, true);
    for (GlobalIndex i = 0; i < 12; ++i)
      {
        for (GlobalIndex j = 0; j < i; ++j)
          if (matrix.blocks.count({i, j}) == 0)
            matrix.blocks.erase({j, i});
          else
            {
              const std::vector<double> &a = matrix.blocks[{i, j}];
              matrix.blocks[{j, i}]        = {a[0], a[2], a[1], a[3]};
            }
        matrix.blocks[{i, i}][1] = matrix.blocks[{i, i}][2];
      }
    const auto rows = random_partition(random, 12, communicator.n_ranks());
    write_matrix_market(distribute<double>(communicator, matrix, rows, rows),
                        file_name(),
                        MarketSymmetry::symmetric);
    CHECK(
      has_values(read_matrix_market<double>(file_name(), {2, 2}, communicator),
                 matrix));
    communicator.barrier();

    GlobalMatrix other = matrix;
    other.blocks[{9, 9}][2] += 1.;
    const std::string before     = content(file_name());
    const std::string asymmetric = CHECK_THROWS(
      InputError,
      write_matrix_market(distribute<double>(communicator, other, rows, rows),
                          file_name(),
                          MarketSymmetry::symmetric));
    CHECK(contains(asymmetric, "row 19, column 20"));
    CHECK(content(file_name()) == before);
    other = matrix;
    other.blocks.erase({3, 8});
    other.blocks[{8, 3}] = {0., 0., 0., 1e-300};
    CHECK(contains(
      CHECK_THROWS(
        InputError,
        write_matrix_market(distribute<double>(communicator, other, rows, rows),
                            file_name(),
                            MarketSymmetry::symmetric)),
      "row 18, column 8"));
  }

  void
  test_vector(const Communicator &communicator)
  {
    std::mt19937 random(8);
    const auto   counts = random_partition(random, 10, communicator.n_ranks());
    const IndexLayout   layout = layout_of(communicator, counts);
    std::vector<double> values = random_values(random, 30);
    for (double &x : values)
      x /= 7.;
    const BlockVector<double> x = distribute<double>(values, layout, 3);
    write_vector_market(x, file_name());
    const BlockVector<double> y =
      read_vector_market<double>(file_name(), layout, 3);
    for (std::size_t v = 0; v < x.n_owned_values(); ++v)
      CHECK(x.data()[v] == y.data()[v]);
    CHECK(
      contains(CHECK_THROWS(InputError,
                            read_vector_market<double>(file_name(), layout, 2)),
               "has 30 numbers, but 20 are expected"));
    communicator.barrier();
    BlockVector<double> bad = x.copy();
    if (layout.local(4) >= 0 && layout.local(4) < layout.n_owned())
      bad.data()[3 * layout.local(4) + 1] = std::nan("");
    CHECK(
      contains(CHECK_THROWS(InputError, write_vector_market(bad, file_name())),
               "Number 14 of a vector"));

    write("%%MatrixMarket matrix array integer general\n3 1\n1\n-2\n+3\n");
    const BlockVector<double> integers =
      read_vector_market<double>(file_name(), IndexLayout(1), 3);
    CHECK_EQUAL(integers.data()[0], 1.);
    CHECK_EQUAL(integers.data()[1], -2.);
    CHECK_EQUAL(integers.data()[2], 3.);
    communicator.barrier();
    write("%%MatrixMarket matrix array real general\n1 1\n1e39\n");
    CHECK(contains(
      CHECK_THROWS(InputError,
                   read_vector_market<float>(file_name(), IndexLayout(1), 1)),
      "number 1 of the vector"));
    communicator.barrier();
  }

  void
  test_foreign_files(const Communicator &communicator)
  {
    write("%%matrixmarket MATRIX Coordinate Real General\r\n"
          "% a comment\r\n\n"
          "  %another\n"
          "4 6 3\r\n"
          "\n"
          "4 6 -1.5e-3\r\n"
          "% in between\n"
          "1\t1 +2\n"
          "   2 3 .5   \n"
          "\n% end\n");
    const GlobalMatrix expected{2,
                                2,
                                {2, 3},
                                {{{0, 0}, {2, 0, 0, 0, 0, .5}},
                                 {{1, 1}, {0, 0, 0, 0, 0, -1.5e-3}}}};
    CHECK(
      has_values(read_matrix_market<double>(file_name(), {2, 3}, communicator),
                 expected));
    communicator.barrier();
    write("%%MatrixMarket matrix coordinate integer symmetric\n"
          "2 2 2\n2 1 -7\n2 2 3\n");
    const GlobalMatrix symmetric{1, 1, {2, 2}, {{{0, 0}, {0, -7, -7, 3}}}};
    CHECK(
      has_values(read_matrix_market<float>(file_name(), {2, 2}, communicator),
                 symmetric));
    communicator.barrier();
    write("%%MatrixMarket matrix coordinate real general\n4 4 0\n");
    CHECK_EQUAL(
      read_matrix_market<float>(file_name(), {2, 2}, communicator).n_values(),
      0u);
    communicator.barrier();
  }

  /** Reading a text as a matrix of 2 x 2 blocks fails, and says why. */
  void
  test_error(const Communicator &communicator,
             const std::string  &text,
             const std::string  &line,
             const std::string  &reason)
  {
    write(text);
    const std::string message = CHECK_THROWS(
      InputError,
      read_matrix_market<double>(file_name(), {2, 2}, communicator));
    CHECK(contains(message, '"' + file_name() + '"' + line + ": "));
    CHECK(contains(message, reason));
    communicator.barrier();
  }

  void
  test_errors(const Communicator &communicator)
  {
    const std::string head = "%%MatrixMarket matrix coordinate real general\n";
    const std::string integer =
      "%%MatrixMarket matrix coordinate integer general\n";
    const std::string symmetric =
      "%%MatrixMarket matrix coordinate real symmetric\n";
    const auto fails = [&](const std::string &text,
                           const std::string &line,
                           const std::string &reason) {
      test_error(communicator, text, line, reason);
    };
    fails("", ", line 1", "the first line must be");
    fails("4 4 0\n", ", line 1", "found \"4 4 0\"");
    fails("%%MatrixMarket matrix coordinate complex general\n4 4 0\n",
          ", line 1",
          "\"real\" or \"integer\"");
    fails("%%MatrixMarket matrix coordinate real hermitian\n4 4 0\n",
          ", line 1",
          "hermitian");
    fails("%%MatrixMarket matrix array real general\n4 1\n1\n",
          ", line 1",
          "in the format \"array\"");
    fails(head, ", line 1", "ends before the line of sizes");
    fails(head + "% only\n4 4\n", ", line 3", "there are 2 words");
    fails(head + "4 -4 0\n", ", line 2", "\"-4\" is not a number of rows");
    fails(head + "4 99999999999999999999999 0\n",
          ", line 2",
          "is not a number");
    fails(head + "4 4 2\n1 1 1.\n5 1 1.\n", ", line 4", "\"5\" is not a row");
    fails(head + "4 4 2\n1 1 1.\n1 0 1.\n",
          ", line 4",
          "\"0\" is not a column");
    fails(head + "4 4 2\n1 1 1.\n% x\n\n1 2\n",
          ", line 6",
          "there are 2 words");
    fails(head + "4 4 1\n1 1 1. 0.\n", ", line 3", "there are 4 words");
    fails(head + "4 4 1\n1 1 nan\n", ", line 3", "not finite");
    fails(head + "4 4 1\n1 1 -inf\n", ", line 3", "not finite");
    fails(head + "4 4 1\n1 1 1.0x\n", ", line 3", "\"1.0x\" is not a number");
    fails(head + "4 4 1\n1.0 1 1.0\n", ", line 3", "\"1.0\" is not a row");
    fails(integer + "4 4 1\n1 1 1.5\n", ", line 3", "not an integer");
    fails(head + "4 4 2\n1 1 1.\n", ", line 3", "ends after 1 of 2 entries");
    fails(head + "4 4 1\n1 1 1.\n1 2 1.\n", ", line 4", "more than the 1");
    fails(head + "4 4 3\n3 2 1.\n1 1 1.\n3 2 1.\n",
          ", line 5",
          "row 3, column 2 had an entry in line 3");
    fails(symmetric + "4 4 1\n1 2 1.\n", ", line 3", "above the diagonal");
    fails(symmetric + "4 6 1\n1 1 1.\n", ", line 2", "is square");
    fails(head + "4 5 0\n", "", "4 x 5 numbers cannot be divided");
    fails(head + "3 4 0\n", "", "3 x 4 numbers cannot be divided");

    if (communicator.rank() == 0)
      std::remove(file_name().c_str());
    communicator.barrier();
    CHECK(contains(CHECK_THROWS(InputError,
                                read_matrix_market<double>(
                                  file_name(), {2, 2}, communicator)),
                   "cannot be opened: No such file"));
    CHECK(contains(CHECK_THROWS(InputError,
                                read_vector_market<double>(
                                  file_name(),
                                  layout_of(communicator,
                                            std::vector<std::uint64_t>(
                                              communicator.n_ranks(), 2)),
                                  2)),
                   "cannot be opened: No such file"));

    const IndexLayout   layout(communicator, 2, {});
    BlockMatrix<double> A(BlockPattern(layout, layout, {0, 1, 2}, {0, 1}),
                          {2, 2});
    CHECK(contains(
      CHECK_THROWS(InputError,
                   write_matrix_market(A, "no_such_directory/" + file_name())),
      "cannot be written: No such file"));
    if (communicator.rank() + 1 == communicator.n_ranks())
      A.values_to_write()[5] = std::numeric_limits<double>::infinity();
    CHECK(
      contains(CHECK_THROWS(InputError, write_matrix_market(A, file_name())),
               "inf in block row " + std::to_string(layout.n_global() - 1)));
    CHECK(!std::ifstream(file_name()));
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  const Communicator         world = Communicator::world();
  for (const BlockShape shape :
       {BlockShape{1, 1}, BlockShape{3, 3}, BlockShape{3, 6}, BlockShape{5, 2}})
    {
      test_matrix<double>(world, shape);
      test_matrix<float>(world, shape);
    }
  test_symmetric(world);
  test_vector(world);
  test_foreign_files(world);
  test_errors(world);
  return check::result();
}
