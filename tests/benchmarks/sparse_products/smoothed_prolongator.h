// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_sparse_products_smoothed_prolongator_h
#define tessera_tests_benchmarks_sparse_products_smoothed_prolongator_h

// Prolongators of smoothed aggregation with the patterns and values that matter
// for the cost of products: for one process, without the repairs that a solver
// needs.

#include <tessera/sparse/addition.h>
#include <tessera/sparse/matrix_vector.h>
#include <tessera/sparse/product/matrix_product.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace benchmark
{
  using tessera::sparse::BlockMatrix;
  using tessera::sparse::BlockPattern;
  using tessera::sparse::IndexLayout;
  using tessera::sparse::LocalIndex;

  struct AggregationOptions
  {
    /** Nodes i and j are neighbours if $g_{ij} > t \sqrt{g_{ii} g_{jj}}$, g
     * being the sum of the absolute values of a block. */
    double threshold = 0.05;

    /** Aggregates are neighbours of neighbours, not neighbours, of a root. */
    bool aggressive = true;

    /** Blocks of Frobenius norm below filter times that of their row are left
     * out. */
    double filter = 0.03;
  };

  /** Neighbours in compressed rows, each node its own neighbour. */
  struct Graph
  {
    std::vector<std::int64_t> begin = {0};
    std::vector<LocalIndex>   neighbours;
  };

  inline Graph
  strong_neighbours(const BlockMatrix<double> &A, const double threshold)
  {
    const BlockPattern &pattern = A.pattern();
    const int           size    = A.shape().size();
    const auto          norm    = [&](const std::int64_t k) {
      const double *block = A.block(k);
      return std::accumulate(block, block + size, 0., [](double s, double v) {
        return s + std::abs(v);
      });
    };
    std::vector<double> diagonal(pattern.n_rows());
    for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
      diagonal[i] = norm(pattern.find(i, i));

    Graph graph;
    for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
      {
        for (std::int64_t k = pattern.row_begin()[i];
             k < pattern.row_begin()[i + 1];
             ++k)
          {
            const LocalIndex j = pattern.column_indices()[k];
            // Symmetric meshes have many equal norms, whatever their rounding.
            if (i == j || norm(k) > threshold * (1 + 1e-10) *
                                      std::sqrt(diagonal[i] * diagonal[j]))
              graph.neighbours.push_back(j);
          }
        graph.begin.push_back(graph.neighbours.size());
      }
    return graph;
  }

  /** 0, ..., n-1, each exchanged with one at random; the same in every run. */
  inline std::vector<LocalIndex>
  random_order(const LocalIndex n)
  {
    std::vector<LocalIndex> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::mt19937 random(1);
    for (LocalIndex i = 0; i < n; ++i)
      std::swap(order[i], order[random() % n]);
    return order;
  }

  /**
   * The aggregate of each node, -1 for nodes without neighbours. Greedy, in
   * random order: a node that is in no aggregate becomes a root, and all around
   * it that are in none join it. Aggregates are numbered as their roots.
   */
  inline std::vector<LocalIndex>
  aggregate(const Graph &graph, const bool aggressive, LocalIndex &n_aggregates)
  {
    const LocalIndex        n = graph.begin.size() - 1;
    std::vector<LocalIndex> root(n, -1);
    const auto for_neighbours = [&](const LocalIndex i, const auto &f) {
      for (std::int64_t k = graph.begin[i]; k < graph.begin[i + 1]; ++k)
        f(graph.neighbours[k]);
    };
    for (const LocalIndex i : random_order(n))
      if (root[i] < 0 && graph.begin[i + 1] - graph.begin[i] > 1)
        {
          const auto join = [&](const LocalIndex j) {
            if (root[j] < 0)
              root[j] = i;
          };
          if (aggressive)
            for_neighbours(i, [&](const LocalIndex j) {
              for_neighbours(j, join);
            });
          else
            for_neighbours(i, join);
        }
    // Neighbours of a root go to it, also from aggregates that came first.
    if (aggressive)
      for (LocalIndex i = 0; i < n; ++i)
        if (root[i] == i)
          for_neighbours(i, [&](const LocalIndex j) {
            if (root[j] != j)
              root[j] = i;
          });

    std::vector<LocalIndex> number(n, -1);
    n_aggregates = 0;
    for (LocalIndex i = 0; i < n; ++i)
      if (root[i] == i)
        number[i] = n_aggregates++;
    for (LocalIndex &r : root)
      if (r >= 0)
        r = number[r];
    return root;
  }

  /** The tentative prolongator, and the modes on the coarse nodes. */
  struct TentativeProlongator
  {
    BlockMatrix<double> P;
    std::vector<double> coarse_modes; ///< [aggregate][q][q], upper triangles
  };

  /**
   * One block for each node of an aggregate; those of an aggregate are an
   * orthonormal basis of its modes, so that P coarse_modes = modes. A mode that
   * depends on those before, in an aggregate of one or two nodes, gives zeros.
   *
   * @param[in] modes [node][n][q]
   */
  inline TentativeProlongator
  tentative_prolongator(const IndexLayout             &nodes,
                        const std::vector<LocalIndex> &aggregates,
                        const LocalIndex               n_aggregates,
                        const int                      n,
                        const int                      q,
                        const std::vector<double>     &modes)
  {
    std::vector<std::int64_t>            row_begin = {0};
    std::vector<LocalIndex>              columns;
    std::vector<std::vector<LocalIndex>> members(n_aggregates);
    for (std::size_t i = 0; i < aggregates.size(); ++i)
      {
        if (aggregates[i] >= 0)
          {
            columns.push_back(aggregates[i]);
            members[aggregates[i]].push_back(i);
          }
        row_begin.push_back(columns.size());
      }
    TentativeProlongator result{
      BlockMatrix<double>(
        BlockPattern(nodes, IndexLayout(n_aggregates), row_begin, columns),
        {n, q}),
      std::vector<double>(std::size_t(n_aggregates) * q * q, 0.)};
    double *values = result.P.values_to_write();

    for (LocalIndex a = 0; a < n_aggregates; ++a)
      {
        // Gram-Schmidt, each mode twice. Columns are modes, [mode][row].
        const std::size_t   m = members[a].size() * n;
        std::vector<double> basis(m * q);
        double             *R = &result.coarse_modes[std::size_t(a) * q * q];
        for (int c = 0; c < q; ++c)
          {
            double *column = &basis[c * m];
            for (std::size_t r = 0; r < m; ++r)
              column[r] =
                modes[(std::size_t(members[a][r / n]) * n + r % n) * q + c];
            const double old_norm =
              std::sqrt(std::inner_product(column, column + m, column, 0.));
            for (int pass = 0; pass < 2; ++pass)
              for (int b = 0; b < c; ++b)
                {
                  const double *other = &basis[b * m];
                  const double  s =
                    std::inner_product(column, column + m, other, 0.);
                  R[b * q + c] += s;
                  for (std::size_t r = 0; r < m; ++r)
                    column[r] -= s * other[r];
                }
            const double norm =
              std::sqrt(std::inner_product(column, column + m, column, 0.));
            const bool is_new = norm > 1e-8 * old_norm;
            R[c * q + c]      = is_new ? norm : 0.;
            for (std::size_t r = 0; r < m; ++r)
              column[r] = is_new ? column[r] / norm : 0.;
          }
        for (std::size_t r = 0; r < m; ++r)
          for (int c = 0; c < q; ++c)
            values[(row_begin[members[a][r / n]] * n + r % n) * q + c] =
              basis[c * m + r];
      }
    return result;
  }

  /** The inverse of the diagonal of A, number by number; 0 for a zero. */
  inline std::vector<double>
  inverse_diagonal(const BlockMatrix<double> &A)
  {
    const int           n = A.shape().rows;
    std::vector<double> result;
    for (LocalIndex i = 0; i < A.pattern().n_rows(); ++i)
      for (int r = 0; r < n; ++r)
        {
          const double d = A.block(A.pattern().find(i, i))[r * n + r];
          result.push_back(d != 0. ? 1. / d : 0.);
        }
    return result;
  }

  /** The largest eigenvalue of $D^{-1} A$, from below: 30 steps of the power
   * method. */
  inline double
  largest_eigenvalue(const BlockMatrix<double> &A,
                     const std::vector<double> &inverse_diagonal)
  {
    tessera::sparse::MatrixVector<double> product(A);
    tessera::sparse::BlockVector<double>  x(A.pattern().columns(),
                                           A.shape().columns),
      y(A.pattern().rows(), A.shape().rows);
    std::mt19937 random(1);
    for (std::size_t i = 0; i < x.n_values(); ++i)
      x.data()[i] = double(random() % 2001) - 1000.;
    double eigenvalue = 0.;
    for (int step = 0; step < 30; ++step)
      {
        const double norm = std::sqrt(
          std::inner_product(x.data(), x.data() + x.n_values(), x.data(), 0.));
        for (std::size_t i = 0; i < x.n_values(); ++i)
          x.data()[i] /= norm;
        product.multiply(A, x, y);
        for (std::size_t i = 0; i < x.n_values(); ++i)
          x.data()[i] = inverse_diagonal[i] * y.data()[i];
        eigenvalue = std::sqrt(
          std::inner_product(x.data(), x.data() + x.n_values(), x.data(), 0.));
      }
    return eigenvalue;
  }

  /** $P = P_0 - \omega D^{-1} A P_0$, D being the diagonal of A and
   * $\omega = 1.4 / \lambda_{max}(D^{-1} A)$. */
  inline BlockMatrix<double>
  smoothed(const BlockMatrix<double> &A, const BlockMatrix<double> &P_0)
  {
    const std::vector<double> inverse = inverse_diagonal(A);
    const double              omega   = 1.4 / largest_eigenvalue(A, inverse);
    tessera::sparse::MatrixProduct<double> product(A.pattern(),
                                                   A.shape(),
                                                   P_0.pattern(),
                                                   P_0.shape());
    BlockMatrix<double> P(product.pattern(), product.shape());
    product.multiply(A, P_0, P);
    double   *values = P.values_to_write();
    const int n = P.shape().rows, q = P.shape().columns;
    for (LocalIndex i = 0; i < P.pattern().n_rows(); ++i)
      for (std::int64_t k = P.pattern().row_begin()[i];
           k < P.pattern().row_begin()[i + 1];
           ++k)
        for (int r = 0; r < n; ++r)
          for (int c = 0; c < q; ++c)
            values[(k * n + r) * q + c] *= -omega * inverse[i * n + r];
    tessera::sparse::add(1., P_0, P);
    return P;
  }

  /** Without the blocks of Frobenius norm below t times that of their row. A
   * solver would have to correct what is left. */
  inline BlockMatrix<double>
  filtered(const BlockMatrix<double> &P, const double t)
  {
    const BlockPattern       &pattern   = P.pattern();
    const int                 size      = P.shape().size();
    std::vector<std::int64_t> row_begin = {0}, kept;
    std::vector<LocalIndex>   columns;
    for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
      {
        const std::int64_t begin = pattern.row_begin()[i],
                           end   = pattern.row_begin()[i + 1];
        const auto square        = [&](const std::int64_t first,
                                const std::int64_t last) {
          const double *v = P.values() + first * size;
          return std::inner_product(v, v + (last - first) * size, v, 0.);
        };
        const double bound = t * t * square(begin, end);
        for (std::int64_t k = begin; k < end; ++k)
          if (square(k, k + 1) >= bound)
            {
              kept.push_back(k);
              columns.push_back(pattern.column_indices()[k]);
            }
        row_begin.push_back(columns.size());
      }
    BlockMatrix<double> result(
      BlockPattern(pattern.rows(), pattern.columns(), row_begin, columns),
      P.shape());
    double *values = result.values_to_write();
    for (std::size_t k = 0; k < kept.size(); ++k)
      std::copy_n(P.block(kept[k]), size, values + k * size);
    return result;
  }

  /** A prolongator from modes, and the modes that it prolongates to them. */
  struct SmoothedProlongator
  {
    BlockMatrix<double> P;
    std::size_t         n_unfiltered_blocks;
    std::vector<double> coarse_modes;
  };

  inline SmoothedProlongator
  smoothed_prolongator(const BlockMatrix<double> &A,
                       const std::vector<double> &modes,
                       const int                  q,
                       const AggregationOptions  &options)
  {
    LocalIndex                    n_aggregates;
    const std::vector<LocalIndex> aggregates =
      aggregate(strong_neighbours(A, options.threshold),
                options.aggressive,
                n_aggregates);
    TentativeProlongator tentative =
      tentative_prolongator(A.pattern().columns(),
                            aggregates,
                            n_aggregates,
                            A.shape().rows,
                            q,
                            modes);
    const BlockMatrix<double> P = smoothed(A, tentative.P);
    return {filtered(P, options.filter),
            P.pattern().n_blocks(),
            std::move(tentative.coarse_modes)};
  }
} // namespace benchmark

#endif
