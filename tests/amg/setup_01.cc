// SPDX-License-Identifier: LGPL-2.1-or-later
// All steps of a set-up on the beam, against the sizes that a reference program
// has (with another random order).
#include <tessera/amg/aggregation.h>
#include <tessera/amg/inactive_components.h>
#include <tessera/amg/prolongator_filter.h>
#include <tessera/amg/prolongator_smoothing.h>
#include <tessera/amg/spectrum.h>
#include <tessera/amg/strength_graph.h>
#include <tessera/amg/tentative_prolongator.h>
#include <tessera/sparse/product/galerkin_product.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "brick/brick_matrix.h"
#include "check.h"

namespace
{
  using namespace tessera;
  using namespace tessera::amg;
  using namespace tessera::sparse;
  using brick::Brick;

  /** A problem, on some level. */
  struct Problem
  {
    BlockMatrix<double>        A;
    NearNullSpace              B;
    std::vector<std::uint64_t> keys;
    InactiveComponents         inactive;
  };

  Problem
  beam_problem(const int k, const int degree)
  {
    const Brick               beam = brick::beam(k, degree);
    const std::vector<double> x    = brick::coordinates(beam);
    const IndexLayout         nodes(beam.n_nodes());
    Problem result{brick::brick_matrix(beam, 3, brick::elasticity(beam)),
                   rigid_body_modes(nodes, 3, x),
                   keys_of_coordinates(nodes, 3, x),
                   {}};
    result.inactive = find_inactive_components(result.A);
    CHECK(result.inactive.empty());
    return result;
  }

  struct Prolongators
  {
    Aggregates           aggregates;
    LocalIndex           n_merged;
    double               eigenvalue;
    TentativeProlongator tentative;
    BlockMatrix<double>  P;
  };

  Prolongators
  smoothed(const Problem         &problem,
           const double           threshold,
           const bool             aggressive,
           const AggregationOrder order = AggregationOrder::hash)
  {
    const StrengthGraph graph =
      strength_graph(problem.A, problem.inactive, threshold);
    Aggregates aggregates = aggregate(graph, problem.keys, order, aggressive);
    const LocalIndex n_merged =
      aggressive ?
        merge_small_aggregates(graph, problem.keys, order, 3, aggregates) :
        0;
    TentativeProlongator tentative =
      tentative_prolongator(problem.A.pattern().rows(), aggregates, problem.B);
    const BlockDiagonal<double> D = inverse_scalar_diagonal(problem.A);
    const double                eigenvalue =
      largest_eigenvalue(problem.A, D, problem.inactive, problem.keys);
    BlockMatrix<double> P =
      smoothed_prolongator(problem.A, D, 1.4 / eigenvalue, tentative.P);
    return {std::move(aggregates),
            n_merged,
            eigenvalue,
            std::move(tentative),
            std::move(P)};
  }

  BlockMatrix<double>
  galerkin(const BlockMatrix<double> &A, const BlockMatrix<double> &P)
  {
    GalerkinProduct<double> product(A.pattern(),
                                    P.pattern(),
                                    P.shape().rows,
                                    P.shape().columns);
    BlockMatrix<double>     result(product.pattern(), product.shape());
    product.multiply(A, P, result);
    return result;
  }

  /** A row of the table for a threshold of the filter. */
  struct Expected
  {
    double tau;
    double blocks_per_row; ///< of the prolongator
    double percent_dropped;
    double coarse_blocks;
    double error_of_modes; ///< before the projection
  };

  Problem
  check_beam(const int                    k,
             const double                 n_aggregates,
             const double                 unfiltered,
             const std::vector<Expected> &rows)
  {
    const Problem      problem = beam_problem(k, 2);
    const double       n       = problem.A.pattern().n_rows();
    const Prolongators result  = smoothed(problem, 0.05, true);
    CHECK_NEAR(double(result.aggregates.n_aggregates()), n_aggregates, 0.05);
    CHECK_EQUAL(result.n_merged, 0);
    CHECK(result.tentative.inactive.empty());
    CHECK_NEAR(result.P.pattern().n_blocks() / n, unfiltered, 0.04);
    // The eigenvalue of the reference program, of other random numbers.
    CHECK_NEAR(result.eigenvalue, 2.75, 0.04);

    BlockMatrix<double> A_c;
    for (const Expected &row : rows)
      {
        const FilteredProlongator filtered = filtered_prolongator(
          result.P, result.tentative.coarse_modes, row.tau, true);
        const double percent =
          100. * filtered.n_dropped / result.P.pattern().n_blocks();
        CHECK(std::abs(percent - row.percent_dropped) < 2.5);
        CHECK_NEAR(filtered.P.pattern().n_blocks() / n,
                   row.blocks_per_row,
                   0.04);
        CHECK(filtered.error_of_modes_projected < 1e-13);
        CHECK_NEAR(filtered.error_of_modes_dropped / row.error_of_modes,
                   1.,
                   row.tau == 0. ? 1. : 0.15);
        A_c = galerkin(problem.A, filtered.P);
        CHECK_NEAR(A_c.pattern().n_blocks() / row.coarse_blocks, 1., 0.1);
      }
    return {std::move(A_c),
            result.tentative.coarse_modes.copy(),
            keys_of_roots(result.aggregates, problem.keys),
            result.tentative.inactive};
  }

  /** Another level, where blocks are 6 x 6. */
  void
  check_next_level(const Problem &problem)
  {
    const Prolongators result = smoothed(problem, 0.025, false);
    CHECK_EQUAL(problem.A.shape().rows, 6);
    CHECK(result.aggregates.n_aggregates() > 5);
    CHECK(result.aggregates.n_aggregates() < problem.A.pattern().n_rows() / 3);
    const FilteredProlongator filtered = filtered_prolongator(
      result.P, result.tentative.coarse_modes, 0.015, true);
    CHECK(filtered.n_dropped > result.P.pattern().n_blocks() / 4);
    CHECK(filtered.error_of_modes_dropped > 1e-4);
    CHECK(filtered.error_of_modes_projected < 1e-13);
  }

  /** Where no mode needs a force, smoothing leaves them as they are. */
  void
  check_free_body()
  {
    const Brick               body{{{6, 3, 3}}, 0.5, 2, false};
    const std::vector<double> x = brick::coordinates(body);
    const IndexLayout         nodes(body.n_nodes());
    const Problem problem{brick::brick_matrix(body, 3, brick::elasticity(body)),
                          rigid_body_modes(nodes, 3, x),
                          keys_of_coordinates(nodes, 3, x),
                          InactiveComponents()};
    const Prolongators        result = smoothed(problem, 0.05, true);
    const FilteredProlongator filtered =
      filtered_prolongator(result.P, result.tentative.coarse_modes, 0.05, true);
    CHECK(filtered.n_dropped > 100);
    double largest = 0.;
    for (LocalIndex i = 0; i < body.n_nodes(); ++i)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 6; ++c)
          {
            double sum = -problem.B.data()[(i * 3 + r) * 6 + c];
            for (std::int64_t k = filtered.P.pattern().row_begin()[i];
                 k < filtered.P.pattern().row_begin()[i + 1];
                 ++k)
              for (int m = 0; m < 6; ++m)
                sum +=
                  filtered.P.block(k)[r * 6 + m] *
                  result.tentative.coarse_modes
                    .data()[(filtered.P.pattern().column_indices()[k] * 6 + m) *
                              6 +
                            c];
            largest = std::max(largest, std::abs(sum));
          }
    CHECK(largest < 1e-14);
  }

  /** Nodes in another order with the same keys: the same aggregates. */
  void
  check_renumbering()
  {
    const Problem           problem = beam_problem(2, 1);
    const BlockPattern     &pattern = problem.A.pattern();
    const LocalIndex        n       = pattern.n_rows();
    std::vector<LocalIndex> old(n), number(n);
    std::iota(old.begin(), old.end(), 0);
    std::mt19937 random(1);
    std::shuffle(old.begin(), old.end(), random);
    for (LocalIndex i = 0; i < n; ++i)
      number[old[i]] = i;

    std::vector<std::int64_t>  row_begin = {0}, source;
    std::vector<LocalIndex>    columns;
    std::vector<std::uint64_t> keys;
    for (LocalIndex i = 0; i < n; ++i)
      {
        std::vector<std::pair<LocalIndex, std::int64_t>> row;
        for (std::int64_t k = pattern.row_begin()[old[i]];
             k < pattern.row_begin()[old[i] + 1];
             ++k)
          row.emplace_back(number[pattern.column_indices()[k]], k);
        std::sort(row.begin(), row.end());
        for (const auto &entry : row)
          {
            columns.push_back(entry.first);
            source.push_back(entry.second);
          }
        row_begin.push_back(std::int64_t(columns.size()));
        keys.push_back(problem.keys[old[i]]);
      }
    BlockMatrix<double> A(
      BlockPattern(pattern.rows(), pattern.columns(), row_begin, columns),
      {3, 3});
    for (std::size_t k = 0; k < source.size(); ++k)
      std::copy_n(problem.A.block(source[k]), 9, A.values_to_write() + 9 * k);

    const Aggregates here  = aggregate(strength_graph(problem.A, {}, 0.05),
                                      problem.keys,
                                      AggregationOrder::hash,
                                      true),
                     there = aggregate(strength_graph(A, {}, 0.05),
                                       keys,
                                       AggregationOrder::hash,
                                       true);
    CHECK(here.n_aggregates() > 3);
    for (LocalIndex i = 0; i < n; ++i)
      CHECK_EQUAL(old[there.roots[there.aggregate_of_node[i]]],
                  here.roots[here.aggregate_of_node[old[i]]]);
  }
} // namespace

int
main()
{
  check_beam(2,
             27,
             4.21,
             {{0.01, 3.88, 7.8, 327, 3.5e-3},
              {0.03, 3.25, 22.9, 325, 1.6e-2},
              {0.05, 2.79, 33.8, 309, 2.9e-2}});
  const Problem coarse = check_beam(4,
                                    137,
                                    5.60,
                                    {{0.01, 4.88, 12.9, 4505, 4.8e-3},
                                     {0.05, 3.21, 42.7, 3825, 3.3e-2},
                                     {0.03, 3.85, 31.3, 4201, 1.9e-2}});
  check_next_level(coarse);
  check_free_body();
  check_renumbering();
  return check::result();
}
