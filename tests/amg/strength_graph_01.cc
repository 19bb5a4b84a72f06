// SPDX-License-Identifier: LGPL-2.1-or-later
// Strong neighbours and their weights are those of the definition, ties are
// none, and inactive components have no say.
#include <tessera/amg/strength_graph.h>
#include <tessera/base/exceptions.h>

#include <string>

#include "amg/amg_test.h"
#include "check.h"

namespace
{
  using namespace amg_test;

  /** The sum of absolute values of entries of active components. */
  double
  norm(const GlobalMatrix       &matrix,
       const InactiveComponents &inactive,
       const GlobalIndex         i,
       const GlobalIndex         j)
  {
    const auto found = matrix.blocks.find({i, j});
    double     sum   = 0.;
    if (found != matrix.blocks.end())
      for (int r = 0; r < matrix.shape.rows; ++r)
        for (int c = 0; c < matrix.shape.columns; ++c)
          if (!inactive.is_inactive(LocalIndex(i), r) &&
              !inactive.is_inactive(LocalIndex(j), c))
            sum += std::abs(found->second[r * matrix.shape.columns + c]);
    return sum;
  }

  /** Minus the sum of diagonal entries of active components, if positive. */
  double
  coupling(const GlobalMatrix       &matrix,
           const InactiveComponents &inactive,
           const GlobalIndex         i,
           const GlobalIndex         j)
  {
    const auto found = matrix.blocks.find({i, j});
    double     sum   = 0.;
    if (found != matrix.blocks.end())
      for (int r = 0; r < matrix.shape.rows; ++r)
        if (!inactive.is_inactive(LocalIndex(i), r) &&
            !inactive.is_inactive(LocalIndex(j), r))
          sum -= found->second[r * (matrix.shape.columns + 1)];
    return std::max(sum, 0.);
  }

  double
  weight_by_norm(const GlobalMatrix       &matrix,
                 const InactiveComponents &inactive,
                 const GlobalIndex         i,
                 const GlobalIndex         j)
  {
    const double scale = std::sqrt(norm(matrix, inactive, i, i)) *
                         std::sqrt(norm(matrix, inactive, j, j));
    return scale > 0. ? norm(matrix, inactive, i, j) / scale : 0.;
  }

  double
  weight_by_coupling(const GlobalMatrix       &matrix,
                     const InactiveComponents &inactive,
                     const GlobalIndex         i,
                     const GlobalIndex         j)
  {
    double largest = 0.;
    for (GlobalIndex k = 0; k < matrix.n_rows; ++k)
      if (k != i)
        largest = std::max(largest, coupling(matrix, inactive, i, k));
    return largest > 0. ? coupling(matrix, inactive, i, j) / largest : 0.;
  }

  void
  check_against_definition(const GlobalMatrix       &matrix,
                           const InactiveComponents &inactive,
                           const double              threshold,
                           const StrengthMeasure     measure)
  {
    const StrengthGraph graph =
      strength_graph(block_matrix(matrix), inactive, threshold, measure);
    const auto       one_sided = measure == StrengthMeasure::block_norms ?
                                   weight_by_norm :
                                   weight_by_coupling;
    const LocalIndex n         = LocalIndex(matrix.n_rows);
    CHECK_EQUAL(graph.n_nodes(), n);
    CHECK_EQUAL(graph.weights.size(), graph.neighbours.size());
    CHECK_EQUAL(graph.begin.size(), std::size_t(n + 1));
    CHECK_EQUAL(std::size_t(graph.begin.back()), graph.neighbours.size());
    for (LocalIndex i = 0; i < n; ++i)
      {
        std::map<LocalIndex, float> found;
        for (std::int64_t k = graph.begin[i]; k < graph.begin[i + 1]; ++k)
          {
            CHECK(k == graph.begin[i] ||
                  graph.neighbours[k - 1] < graph.neighbours[k]);
            found[graph.neighbours[k]] = graph.weights[k];
          }
        for (LocalIndex j = 0; j < n; ++j)
          {
            double weight = one_sided(matrix, inactive, i, j);
            // Blocks that are there once only count for their row.
            if (matrix.blocks.count({i, j}) > 0)
              weight = std::max(weight, one_sided(matrix, inactive, j, i));
            if (i == j)
              weight = 1.;
            CHECK_EQUAL(found.count(j) > 0, i == j || weight > threshold);
            if (found.count(j) > 0)
              CHECK_NEAR(double(found[j]), weight, 1e-6);
          }
      }
  }

  void
  check_random_matrices()
  {
    std::mt19937 random(1);
    for (const StrengthMeasure measure :
         {StrengthMeasure::block_norms, StrengthMeasure::negative_couplings})
      for (const int b : {1, 2, 3, 4, 6})
        for (const double threshold : {0., 0.02, 0.05, 0.1})
          {
            const int    n      = 25;
            GlobalMatrix matrix = random_definite_matrix(random, n, b);
            for (auto &block : matrix.blocks)
              for (double &value : block.second)
                value /= 1 + random() % 5;
            check_against_definition(matrix,
                                     InactiveComponents(),
                                     threshold,
                                     measure);

            InactiveComponents inactive(n);
            for (LocalIndex i = 0; i < n; ++i)
              for (int r = 0; r < b; ++r)
                if (random() % 3 == 0)
                  inactive.set(i, r);
            check_against_definition(matrix, inactive, threshold, measure);
          }
    // Patterns that are not symmetric.
    for (int repeat = 0; repeat < 5; ++repeat)
      check_against_definition(
        sparse_test::random_matrix(random, 20, 20, {3, 3}, true),
        InactiveComponents(),
        0.7,
        StrengthMeasure::block_norms);
  }

  /** A coupling of a quarter of the diagonal. */
  bool
  is_strong(const double entry, const double threshold)
  {
    GlobalMatrix matrix{2, 2, {1, 1}, {}};
    matrix.blocks[{0, 0}] = {2.};
    matrix.blocks[{1, 1}] = {8.};
    matrix.blocks[{0, 1}] = {entry};
    matrix.blocks[{1, 0}] = {entry};
    const StrengthGraph graph =
      strength_graph(block_matrix(matrix), InactiveComponents(), threshold);
    CHECK_EQUAL(graph.begin[1], graph.begin[2] - graph.begin[1]);
    return graph.begin[1] == 2;
  }

  void
  check_ties()
  {
    CHECK(!is_strong(-1., 0.25));
    CHECK(!is_strong(-1. - 1e-15, 0.25));
    CHECK(!is_strong(-1. - 5e-11, 0.25));
    CHECK(is_strong(-1. - 2e-10, 0.25));
    CHECK(is_strong(1., 0.2499));
    CHECK(!is_strong(0., 0.));
    CHECK(is_strong(1e-200, 0.));
  }

  /** What is constrained is alone, whatever its diagonal. */
  void
  check_constrained_node()
  {
    for (const double diagonal : {1e-12, 1., 1e12})
      {
        std::mt19937 random(4);
        GlobalMatrix matrix = random_definite_matrix(random, 9, 2);
        for (auto &block : matrix.blocks)
          if (block.first.first == 5 || block.first.second == 5)
            block.second.assign(4, 0.);
        matrix.blocks[{5, 5}]       = {diagonal, 0., 0., diagonal};
        const BlockMatrix<double> A = block_matrix(matrix);
        const StrengthGraph       graph =
          strength_graph(A, find_inactive_components(A), 0.);
        CHECK_EQUAL(graph.begin[6] - graph.begin[5], 1);
        CHECK_EQUAL(graph.neighbours[graph.begin[5]], 5);
        CHECK_EQUAL(
          std::count(graph.neighbours.begin(), graph.neighbours.end(), 5), 1);
      }
  }

  void
  check_errors()
  {
    std::mt19937 random(5);
    GlobalMatrix matrix = random_definite_matrix(random, 5, 2);
    matrix.blocks.erase({3, 3});
    const std::string message = CHECK_THROWS(
      InputError,
      strength_graph(block_matrix(matrix), InactiveComponents(), 0.05));
    CHECK(message.find("Block row 3") != std::string::npos);
    for (const GlobalMatrix &wrong :
         {sparse_test::random_matrix(random, 5, 6, {2, 2}, true),
          sparse_test::random_matrix(random, 5, 5, {2, 3}, true)})
      CHECK_THROWS(InputError,
                   strength_graph(block_matrix(wrong),
                                  InactiveComponents(),
                                  0.05));
  }
} // namespace

int
main()
{
  check_random_matrices();
  check_ties();
  check_constrained_node();
  check_errors();
  return check::result();
}
