// SPDX-License-Identifier: LGPL-2.1-or-later
// P^T A P of matrices on several ranks: the pattern and the bits of scalar
// loops over what each rank has, summed in the order of the ranks; rows that
// are fetched from other ranks, and only when they have changed.
#include <tessera/base/communication_session.h>
#include <tessera/base/counters.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/product/parallel_galerkin_product.h>

#include <cmath>
#include <limits>
#include <utility>

#include "check.h"
#include "random_matrices.h"

namespace
{
  using namespace sparse_test;

  using Partition = std::vector<std::uint64_t>;

  unsigned int
  owner_of(const Partition &counts, const GlobalIndex i)
  {
    unsigned int rank = 0;
    while (first_of(counts, rank) + counts[rank] <= i)
      ++rank;
    return rank;
  }

  void
  randomize(std::mt19937 &random, GlobalMatrix &matrix)
  {
    for (auto &block : matrix.blocks)
      for (double &x : block.second)
        x = random_value(random) / 3.;
  }

  /** c += a b for blocks, a transposed if asked for; inner index ascending. */
  template <typename Number>
  void
  add_product(const BlockShape           shape,
              const int                  inner,
              const bool                 transposed,
              const std::vector<Number> &a,
              const std::vector<Number> &b,
              std::vector<Number>       &c)
  {
    c.resize(shape.size(), Number(0));
    for (int r = 0; r < shape.rows; ++r)
      for (int s = 0; s < shape.columns; ++s)
        for (int m = 0; m < inner; ++m)
          c[r * shape.columns + s] =
            std::fma(a[transposed ? m * shape.rows + r : r * inner + m],
                     b[m * shape.columns + s],
                     c[r * shape.columns + s]);
  }

  template <typename Number>
  using Blocks =
    std::map<std::pair<GlobalIndex, GlobalIndex>, std::vector<Number>>;

  template <typename Number>
  std::vector<Number>
  rounded(const std::vector<double> &values)
  {
    std::vector<Number> result;
    for (const double x : values)
      result.push_back(static_cast<Number>(x));
    return result;
  }

  /** P^T A P in the promised order. */
  template <typename Number>
  Blocks<Number>
  reference(const GlobalMatrix &A,
            const GlobalMatrix &P,
            const Partition    &fine,
            const Partition    &coarse)
  {
    const int b = P.shape.rows, q = P.shape.columns;

    // What each rank contributes.
    std::vector<Blocks<Number>> contributions(fine.size());
    for (unsigned int rank = 0; rank < fine.size(); ++rank)
      {
        const GlobalIndex first = first_of(fine, rank);
        const GlobalIndex end   = first + fine[rank];
        for (GlobalIndex i = first; i < end; ++i)
          {
            // Owned columns, then ghosts.
            Blocks<Number> w;
            for (const bool ghosts : {false, true})
              for (GlobalIndex k = 0; k < A.n_columns; ++k)
                if ((k < first || k >= end) == ghosts &&
                    A.blocks.count({i, k}) == 1)
                  for (GlobalIndex J = 0; J < P.n_columns; ++J)
                    if (P.blocks.count({k, J}) == 1)
                      add_product<Number>({b, q},
                                          b,
                                          false,
                                          rounded<Number>(A.blocks.at({i, k})),
                                          rounded<Number>(P.blocks.at({k, J})),
                                          w[{i, J}]);
            for (GlobalIndex I = 0; I < P.n_columns; ++I)
              if (P.blocks.count({i, I}) == 1)
                for (const auto &entry : w)
                  add_product<Number>(
                    {q, q},
                    b,
                    true,
                    rounded<Number>(P.blocks.at({i, I})),
                    entry.second,
                    contributions[rank][{I, entry.first.second}]);
          }
      }

    Blocks<Number> result;
    for (const auto &blocks : contributions)
      for (const auto &entry : blocks)
        result[entry.first].assign(q * q, Number(0));
    for (auto &entry : result)
      {
        const unsigned int owner    = owner_of(coarse, entry.first.first);
        const auto         add_rank = [&](const unsigned int rank) {
          const auto found = contributions[rank].find(entry.first);
          if (found != contributions[rank].end())
            for (int e = 0; e < q * q; ++e)
              entry.second[e] += found->second[e];
        };
        add_rank(owner);
        for (unsigned int rank = 0; rank < fine.size(); ++rank)
          if (rank != owner)
            add_rank(rank);
      }
    return result;
  }

  template <typename Number>
  void
  compare(const BlockMatrix<Number> &A,
          const Blocks<Number>      &expected,
          const double               tolerance)
  {
    const BlockPattern &pattern = A.pattern();
    std::size_t         n       = 0;
    for (const auto &entry : expected)
      {
        const LocalIndex i = pattern.rows().local(entry.first.first);
        if (i < 0 || i >= pattern.n_rows())
          continue;
        ++n;
        const LocalIndex   j = pattern.columns().local(entry.first.second);
        const std::int64_t k = j < 0 ? -1 : pattern.find(i, j);
        CHECK(k >= 0);
        if (k < 0)
          return;
        for (int e = 0; e < A.shape().size(); ++e)
          CHECK(std::abs(A.block(k)[e] - entry.second[e]) <= tolerance);
      }
    CHECK_EQUAL(pattern.n_blocks(), n);
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
  test_shape(const Communicator &communicator, const int fine, const int coarse)
  {
    std::mt19937 random(10 * fine + coarse);
    GlobalMatrix A       = random_matrix(random, 17, 17, {fine, fine}, true);
    GlobalMatrix P       = random_matrix(random, 17, 7, {fine, coarse});
    const auto   rows    = random_partition(random, 17, communicator.n_ranks());
    const auto   columns = random_partition(random, 7, communicator.n_ranks());
    randomize(random, A);
    randomize(random, P);
    const BlockMatrix<Number> local_A =
      distribute<Number>(communicator, A, rows, rows);
    const BlockMatrix<Number> local_P =
      distribute<Number>(communicator, P, rows, columns);
    const double round_off =
      1e4 * double(std::numeric_limits<Number>::epsilon());

    for (const ProductAlgorithm algorithm : {ProductAlgorithm::automatic,
                                             ProductAlgorithm::two_pass,
                                             ProductAlgorithm::schedule,
                                             ProductAlgorithm::fused,
                                             ProductAlgorithm::outer_product})
      {
        ProductOptions options;
        options.algorithm = algorithm;
        ParallelGalerkinProduct<Number> product(
          local_A.pattern(), local_P.pattern(), fine, coarse, options);
        BlockMatrix<Number> C(product.pattern(), product.shape());
        poison(C);
        product.multiply(local_A, local_P, C);
        compare(C,
                reference<Number>(A, P, rows, columns),
                algorithm == ProductAlgorithm::fused ||
                    algorithm == ProductAlgorithm::outer_product ?
                  round_off :
                  0.);
      }
  }

  /** Bytes that this rank sends in a product. */
  std::uint64_t
  bytes_of(ParallelGalerkinProduct<double> &product,
           const BlockMatrix<double>       &A,
           const BlockMatrix<double>       &P,
           BlockMatrix<double>             &C)
  {
    poison(C);
    const CounterSnapshot before = Counters::process().snapshot();
    product.multiply(A, P, C);
    const CounterSnapshot counts = Counters::process().snapshot().since(before);
    CHECK_EQUAL(counts.value(Counters::scalar_block_conversions).total, 0u);
    return counts.value(Counters::exchange_bytes).total;
  }

  void
  test_changes(const Communicator &communicator)
  {
    std::mt19937    random(3);
    GlobalMatrix    A = random_matrix(random, 16, 16, {3, 3}, true);
    GlobalMatrix    P = random_matrix(random, 16, 6, {3, 6});
    const Partition rows(random_partition(random, 16, communicator.n_ranks()));
    const Partition columns(
      random_partition(random, 6, communicator.n_ranks()));
    BlockMatrix<double> local_A =
      distribute<double>(communicator, A, rows, rows);
    BlockMatrix<double> local_P =
      distribute<double>(communicator, P, rows, columns);
    ParallelGalerkinProduct<double> product(local_A.pattern(),
                                            local_P.pattern(),
                                            3,
                                            6);
    BlockMatrix<double>             C(product.pattern(), product.shape());
    const std::uint64_t both = bytes_of(product, local_A, local_P, C);
    compare(C, reference<double>(A, P, rows, columns), 0.);

    // Other values of A: no value of P is sent.
    randomize(random, A);
    local_A = distribute<double>(communicator, A, rows, rows);
    const std::uint64_t only_A = bytes_of(product, local_A, local_P, C);
    compare(C, reference<double>(A, P, rows, columns), 0.);
    std::uint64_t sent = 0;
    for (const unsigned int i :
         local_A.pattern().columns().ghosts().send_items())
      sent += 18 * sizeof(double) *
              (local_P.pattern().row_begin()[i + 1] -
               local_P.pattern().row_begin()[i]);
    CHECK_EQUAL(both - only_A, sent);
    CHECK(communicator.n_ranks() == 1 || communicator.max(sent) > 0);

    // Other values of P on one rank: all that others need are sent again.
    for (auto &block : P.blocks)
      if (owner_of(rows, block.first.first) ==
          owner_of(rows, P.blocks.begin()->first.first))
        for (double &x : block.second)
          x = random_value(random);
    const BlockMatrix<double> new_P =
      distribute<double>(communicator, P, rows, columns);
    if (communicator.rank() == owner_of(rows, P.blocks.begin()->first.first))
      std::copy_n(new_P.values(), new_P.n_values(), local_P.values_to_write());
    CHECK_EQUAL(bytes_of(product, local_A, local_P, C), both);
    compare(C, reference<double>(A, P, rows, columns), 0.);
  }

  void
  test_ghost_rows(const Communicator &communicator)
  {
    std::mt19937       random(5);
    const GlobalMatrix A = random_matrix(random, 20, 20, {2, 2});
    const GlobalMatrix B = random_matrix(random, 20, 9, {2, 3});
    const auto rows      = random_partition(random, 20, communicator.n_ranks());
    const auto columns   = random_partition(random, 9, communicator.n_ranks());
    const BlockMatrix<float> local_A =
      distribute<float>(communicator, A, rows, rows);
    const BlockMatrix<float> local_B =
      distribute<float>(communicator, B, rows, columns);
    const IndexLayout        &needed = local_A.pattern().columns();
    GhostRows<float>          ghost_rows(local_B.pattern(), {2, 3}, needed);
    const BlockMatrix<float> &extended = ghost_rows.update(local_B);
    const BlockPattern       &pattern  = extended.pattern();
    CHECK_EQUAL(pattern.n_rows(), needed.n_local());
    std::size_t n = 0;
    for (const auto &block : B.blocks)
      {
        const LocalIndex i = needed.local(block.first.first);
        if (i < 0)
          continue;
        ++n;
        const LocalIndex   j = pattern.columns().local(block.first.second);
        const std::int64_t k = j < 0 ? -1 : pattern.find(i, j);
        CHECK(k >= 0);
        for (int e = 0; k >= 0 && e < 6; ++e)
          CHECK_EQUAL(extended.block(k)[e],
                      static_cast<float>(block.second[e]));
      }
    CHECK_EQUAL(pattern.n_blocks(), n);
    CHECK_THROWS(InputError, ghost_rows.update(local_A));
    CHECK_THROWS(InputError,
                 GhostRows<float>(local_B.pattern(),
                                  {2, 3},
                                  layout_of(communicator, columns)));
    CHECK_THROWS(InputError,
                 ParallelGalerkinProduct<float>(
                   local_B.pattern(), local_B.pattern(), 2, 3));
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  const Communicator         world = Communicator::world();
  for (const auto &shape : {std::make_pair(1, 1),
                            std::make_pair(2, 3),
                            std::make_pair(3, 3),
                            std::make_pair(3, 6),
                            std::make_pair(6, 6),
                            std::make_pair(5, 4)})
    {
      test_shape<double>(world, shape.first, shape.second);
      test_shape<float>(world, shape.first, shape.second);
    }
  test_changes(world);
  test_ghost_rows(world);
  return check::result();
}
