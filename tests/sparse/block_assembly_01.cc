// SPDX-License-Identifier: LGPL-2.1-or-later
// Assembly from contributions of all ranks: the pattern, the sums in the order
// that is promised bit for bit, values again and again, and what is refused.
#include <tessera/base/communication_session.h>
#include <tessera/base/counters.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/block_assembly.h>

#include <cmath>
#include <limits>

#include "check.h"
#include "random_matrices.h"

namespace
{
  using namespace sparse_test;

  /** What the ranks contribute; known to all. */
  struct Contributions
  {
    std::vector<GlobalIndex> rows;
    std::vector<GlobalIndex> columns;
    std::vector<double>      values;
  };

  /** Numbers whose sums depend on the order. */
  double
  uneven_value(std::mt19937 &random)
  {
    return std::ldexp(random() / 4294967296. - .5,
                      static_cast<int>(random() % 20));
  }

  std::vector<Contributions>
  random_contributions(std::mt19937       &random,
                       const unsigned int  n_ranks,
                       const std::uint64_t n_rows,
                       const std::uint64_t n_columns,
                       const int           size)
  {
    std::vector<Contributions> all(n_ranks);
    for (unsigned int rank = 0; rank < n_ranks; ++rank)
      {
        const unsigned int n = random() % 4 == 0 ? 0 : random() % 200;
        for (unsigned int k = 0; k < n; ++k)
          {
            // Row 2 stays empty; many blocks get several contributions.
            GlobalIndex row = random() % n_rows;
            row             = row == 2 ? 3 : row;
            all[rank].rows.push_back(row);
            all[rank].columns.push_back(
              random() % 3 == 0 ? row % n_columns : random() % n_columns);
            for (int e = 0; e < size; ++e)
              all[rank].values.push_back(uneven_value(random));
          }
      }
    return all;
  }

  /** The sums in the promised order: of each rank from zero, that of the owner
   * first; added to `previous`. */
  template <typename Number>
  std::map<std::pair<GlobalIndex, GlobalIndex>, std::vector<Number>>
  assembled(const std::vector<Contributions>    &all,
            const std::vector<std::uint64_t>    &row_counts,
            const int                            size,
            const std::map<std::pair<GlobalIndex, GlobalIndex>,
                           std::vector<Number>> *previous)
  {
    using Block = std::pair<GlobalIndex, GlobalIndex>;
    std::vector<std::map<Block, std::vector<Number>>> sums(all.size());
    std::map<Block, std::vector<Number>>              result;
    for (std::size_t rank = 0; rank < all.size(); ++rank)
      for (std::size_t k = 0; k < all[rank].rows.size(); ++k)
        {
          const Block          block(all[rank].rows[k], all[rank].columns[k]);
          std::vector<Number> &sum = sums[rank][block];
          sum.resize(size, Number(0));
          for (int e = 0; e < size; ++e)
            sum[e] += static_cast<Number>(all[rank].values[k * size + e]);
          result[block].assign(size, Number(0));
        }
    for (auto &entry : result)
      {
        unsigned int owner = 0;
        while (first_of(row_counts, owner) + row_counts[owner] <=
               entry.first.first)
          ++owner;
        std::vector<Number> &block = entry.second;
        if (previous != nullptr)
          block = previous->at(entry.first);
        const auto add_rank = [&](const std::size_t rank) {
          const auto sum = sums[rank].find(entry.first);
          if (sum != sums[rank].end())
            for (int e = 0; e < size; ++e)
              block[e] += sum->second[e];
        };
        add_rank(owner);
        for (std::size_t rank = 0; rank < all.size(); ++rank)
          if (rank != owner)
            add_rank(rank);
      }
    return result;
  }

  template <typename Number>
  bool
  is_equal(const BlockMatrix<Number>           &A,
           const std::map<std::pair<GlobalIndex, GlobalIndex>,
                          std::vector<Number>> &expected)
  {
    const BlockPattern &pattern = A.pattern();
    std::size_t         n       = 0;
    for (const auto &block : expected)
      {
        const LocalIndex i = pattern.rows().local(block.first.first);
        if (i < 0)
          continue;
        ++n;
        const LocalIndex   j = pattern.columns().local(block.first.second);
        const std::int64_t k = j < 0 ? -1 : pattern.find(i, j);
        if (k < 0)
          return false;
        for (int e = 0; e < A.shape().size(); ++e)
          if (!(A.block(k)[e] == block.second[e]))
            return false;
      }
    return n == pattern.n_blocks();
  }

  template <typename Number>
  std::vector<Number>
  converted(const std::vector<double> &values)
  {
    std::vector<Number> result;
    for (const double x : values)
      result.push_back(static_cast<Number>(x));
    return result;
  }

  template <typename Number>
  void
  test_shape(const Communicator &communicator, const BlockShape shape)
  {
    std::mt19937        random(10 * shape.rows + shape.columns);
    const std::uint64_t n = 19, m = 15;
    const auto rows    = random_partition(random, n, communicator.n_ranks());
    const auto columns = random_partition(random, m, communicator.n_ranks());
    const int  size    = shape.size();
    std::vector<Contributions> all =
      random_contributions(random, communicator.n_ranks(), n, m, size);
    const Contributions  &own = all[communicator.rank()];
    BlockAssembly<Number> assembly(layout_of(communicator, rows),
                                   layout_of(communicator, columns),
                                   own.rows,
                                   own.columns,
                                   shape);
    CHECK_EQUAL(assembly.n_contributions(), own.rows.size());

    // All ghosts occur.
    std::vector<bool> seen(assembly.pattern().n_columns(), false);
    for (std::size_t k = 0; k < assembly.pattern().n_blocks(); ++k)
      seen[assembly.pattern().column_indices()[k]] = true;
    for (LocalIndex g = assembly.pattern().columns().n_owned();
         g < assembly.pattern().n_columns();
         ++g)
      CHECK(seen[g]);

    auto                expected = assembled<Number>(all, rows, size, nullptr);
    BlockMatrix<Number> A =
      assembly.assembled(converted<Number>(own.values).data());
    CHECK(is_equal(A, expected));

    // Other values, added and inserted, with no more messages than neighbours.
    for (int repetition = 0; repetition < 3; ++repetition)
      {
        const bool is_added = repetition == 1;
        for (Contributions &contributions : all)
          for (double &x : contributions.values)
            x = uneven_value(random);
        expected =
          assembled<Number>(all, rows, size, is_added ? &expected : nullptr);
        const std::uint64_t   state  = A.state();
        const CounterSnapshot before = Counters::process().snapshot();
        if (!is_added)
          std::fill_n(A.values_to_write(),
                      A.n_values(),
                      std::numeric_limits<Number>::quiet_NaN());
        assembly.set_values(converted<Number>(own.values).data(),
                            is_added ? AssemblyMode::add : AssemblyMode::insert,
                            A);
        CHECK(is_equal(A, expected));
        CHECK(A.state() != state);
        CHECK(Counters::process()
                .snapshot()
                .since(before)
                .value(Counters::exchange_messages)
                .total < communicator.n_ranks());
      }
  }

  bool
  contains(const std::string &text, const std::string &part)
  {
    if (text.find(part) == std::string::npos)
      std::cerr << "  found: " << text << std::endl;
    return text.find(part) != std::string::npos;
  }

  void
  test_errors(const Communicator &communicator)
  {
    const IndexLayout layout(communicator, 4, {});
    const GlobalIndex n     = layout.n_global();
    const bool        wrong = communicator.rank() + 1 == communicator.n_ranks();
    const auto        make  = [&](const std::vector<GlobalIndex> &rows,
                          const std::vector<GlobalIndex> &columns,
                          const BlockShape                shape) {
      return BlockAssembly<double>(layout, layout, rows, columns, shape);
    };
    CHECK(contains(CHECK_THROWS(InputError,
                                make({0, 1}, {0, wrong ? n : 1}, {2, 2})),
                   "Contribution 1 of an assembly is to block row 1, block "
                   "column " +
                     std::to_string(n)));
    CHECK(contains(CHECK_THROWS(InputError,
                                make({wrong ? n + 5 : 0, 1}, {0, 1}, {2, 2})),
                   "Contribution 0 of an assembly is to block row " +
                     std::to_string(n + 5)));
    CHECK(contains(CHECK_THROWS(InputError,
                                make({0, 1},
                                     wrong ? std::vector<GlobalIndex>{0} :
                                             std::vector<GlobalIndex>{0, 1},
                                     {2, 2})),
                   "2 rows and 1 columns"));
    CHECK_THROWS(InputError, make({0}, {0}, {2, 7}));

    BlockAssembly<double> assembly = make({0, 3}, {0, 2}, {2, 2});
    std::vector<double>   values(8, 1.);
    BlockMatrix<double>   A = assembly.assembled(values.data());
    if (wrong)
      values[6] = std::nan("");
    CHECK(contains(
      CHECK_THROWS(InputError,
                   assembly.set_values(values.data(), AssemblyMode::insert, A)),
      "nan in block row 3, block column 2 (global), entry (1, "
      "0)"));
    values[6] = 1.;
    assembly.set_values(values.data(), AssemblyMode::insert, A);
    BlockMatrix<double> other(A.pattern(), {2, 1});
    CHECK_THROWS(InputError,
                 assembly.set_values(values.data(),
                                     AssemblyMode::insert,
                                     other));
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
  test_errors(world);

  // Nobody contributes.
  BlockAssembly<float> nothing(
    IndexLayout(world, 3, {}), IndexLayout(world, 2, {}), {}, {}, {3, 3});
  CHECK_EQUAL(nothing.assembled(nullptr).n_values(), 0u);
  return check::result();
}
