// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/strength_graph.h>
#include <tessera/base/aligned_vector.h>
#include <tessera/base/exceptions.h>
#include <tessera/base/exchange.h>
#include <tessera/sparse/dispatch_shape.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace tessera
{
  namespace amg
  {
    using sparse::LocalIndex;

    namespace
    {
      /** Sums of absolute values of the entries of blocks, of components that
       * take part. */
      template <typename Shape>
      class BlockNorms
      {
      public:
        /** @param[in] inactive_bits Of rows and columns; null: none. */
        BlockNorms(const Shape                        known_shape,
                   const sparse::BlockMatrix<double> &A,
                   const std::uint8_t                *inactive_bits)
          : shape(known_shape)
          , values(A.values())
          , bits(inactive_bits)
        {}

        /** Of block k, which is that of nodes i and j. */
        TESSERA_ALWAYS_INLINE double
        operator()(const std::int64_t k,
                   const LocalIndex   i,
                   const LocalIndex   j) const
        {
          const int           n     = shape.rows();
          const double *const block = values + k * n * n;
          double              sum   = 0.;
          if (bits == nullptr || (bits[i] | bits[j]) == 0)
            for (int e = 0; e < n * n; ++e)
              sum += std::abs(block[e]);
          else
            for (int r = 0; r < n; ++r)
              for (int c = 0; c < n; ++c)
                if (((bits[i] >> r | bits[j] >> c) & 1) == 0)
                  sum += std::abs(block[r * n + c]);
          return sum;
        }

      private:
        const Shape               shape;
        const double *const       values;
        const std::uint8_t *const bits;
      };

      /** $1 / \sqrt{g_{ii}}$, 0 for nodes that have no $g_{ii}$; also of
       * ghosts. */
      template <typename Norms>
      std::vector<double>
      scales(const sparse::BlockPattern &pattern, const Norms &norms)
      {
        std::vector<double> result(pattern.n_columns(), 0.);
        pattern.rows().communicator().collectively([&] {
          for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
            {
              const std::int64_t k = pattern.find(i, i);
              if (k < 0)
                throw InputError("Block row " +
                                 std::to_string(pattern.rows().global(i)) +
                                 " of a matrix has no diagonal block.");
              const double g = norms(k, i, i);
              if (g > 0.)
                result[i] = 1. / std::sqrt(g);
            }
        });
        GhostExchange<double>(pattern.columns().ghosts())
          .update_ghosts(result.data(), result.data() + pattern.n_rows());
        return result;
      }

      /** $g_{ij} / \sqrt{g_{ii} g_{jj}}$ of each block, infinite on the
       * diagonal. */
      AlignedVector<double>
      scaled_norms(const sparse::BlockMatrix<double> &A,
                   const InactiveComponents          &inactive)
      {
        const sparse::BlockPattern &pattern = A.pattern();
        const bool                  with_inactive =
          pattern.rows().communicator().logical_or(!inactive.empty());
        const std::vector<std::uint8_t> bits =
          with_inactive ? inactive.local_bits(pattern.columns()) :
                          std::vector<std::uint8_t>();
        AlignedVector<double> result;
        result.resize_without_initialization(pattern.n_blocks());
        double *const g = result.data();
        sparse::dispatch_square_shape(A.shape().rows, [&](const auto shape) {
          const BlockNorms<std::decay_t<decltype(shape)>> norms(
            shape, A, with_inactive ? bits.data() : nullptr);
          const std::vector<double> scale     = scales(pattern, norms);
          const std::int64_t *const row_begin = pattern.row_begin();
          const LocalIndex *const   columns   = pattern.column_indices();
          for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
            for (std::int64_t k = row_begin[i]; k < row_begin[i + 1]; ++k)
              {
                const LocalIndex j = columns[k];
                g[k] = i == j ? std::numeric_limits<double>::infinity() :
                                norms(k, i, j) * (scale[i] * scale[j]);
              }
        });
        return result;
      }

      /** $c_{ij} / \max_{k \ne i} c_{ik}$ of each block, $c_{ij}$ being minus
       * the sum of diagonal entries that take part, where that is positive;
       * infinite on the diagonal. */
      AlignedVector<double>
      relative_couplings(const sparse::BlockMatrix<double> &A,
                         const InactiveComponents          &inactive)
      {
        const sparse::BlockPattern     &pattern   = A.pattern();
        const std::int64_t *const       row_begin = pattern.row_begin();
        const LocalIndex *const         columns   = pattern.column_indices();
        const std::vector<std::uint8_t> bits =
          inactive.local_bits(pattern.columns());
        const int             n = A.shape().rows;
        AlignedVector<double> c(pattern.n_blocks());
        for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
          {
            double largest = 0.;
            for (std::int64_t k = row_begin[i]; k < row_begin[i + 1]; ++k)
              if (columns[k] != i)
                {
                  const int out = bits[i] | bits[columns[k]];
                  double    sum = 0.;
                  for (int r = 0; r < n; ++r)
                    if ((out >> r & 1) == 0)
                      sum -= A.block(k)[r * (n + 1)];
                  c[k]    = std::max(sum, 0.);
                  largest = std::max(largest, c[k]);
                }
            for (std::int64_t k = row_begin[i]; k < row_begin[i + 1]; ++k)
              if (columns[k] == i)
                c[k] = std::numeric_limits<double>::infinity();
              else if (largest > 0.)
                c[k] /= largest;
          }
        return c;
      }

      /** Give blocks (i, j) and (j, i) the larger of their values. */
      void
      symmetrize(const sparse::BlockPattern &pattern, double *values)
      {
        const std::int64_t *const row_begin   = pattern.row_begin();
        const std::int64_t *const ghost_begin = pattern.ghost_begin();
        const LocalIndex *const   columns     = pattern.column_indices();
        // Rows ascend, and so do, in each row, the columns they are looked for
        // in: one pointer a row finds them all.
        std::vector<std::int64_t> next(row_begin, row_begin + pattern.n_rows());
        for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
          for (std::int64_t k = row_begin[i]; k < ghost_begin[i]; ++k)
            {
              const LocalIndex j = columns[k];
              if (j <= i)
                continue;
              std::int64_t       p   = next[j];
              const std::int64_t end = row_begin[j + 1];
              while (p < end && columns[p] < i)
                ++p;
              next[j] = p;
              if (p < end && columns[p] == i)
                values[k] = values[p] = std::max(values[k], values[p]);
            }
      }
    } // namespace



    StrengthGraph
    strength_graph(const sparse::BlockMatrix<double> &A,
                   const InactiveComponents          &inactive,
                   const double                       threshold,
                   const StrengthMeasure              measure)
    {
      const sparse::BlockPattern &pattern = A.pattern();
      if (A.shape().rows != A.shape().columns ||
          !pattern.rows().same_owned(pattern.columns()))
        throw InputError(
          "Strengths of connections were asked for of a matrix of " +
          std::to_string(pattern.rows().n_global()) + " x " +
          std::to_string(pattern.columns().n_global()) + " blocks of " +
          std::to_string(A.shape().rows) + " x " +
          std::to_string(A.shape().columns) +
          " entries; both must be square, and rows and columns owned alike.");

      AlignedVector<double> g = measure == StrengthMeasure::block_norms ?
                                  scaled_norms(A, inactive) :
                                  relative_couplings(A, inactive);
      symmetrize(pattern, g.data());

      const double              bound     = threshold * (1. + 1e-10);
      const std::int64_t *const row_begin = pattern.row_begin();
      const LocalIndex *const   columns   = pattern.column_indices();
      StrengthGraph             graph;
      graph.nodes = pattern.columns();
      graph.begin.resize(pattern.n_rows() + 1, 0);
      for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
        {
          std::int64_t n = 0;
          for (std::int64_t k = row_begin[i]; k < row_begin[i + 1]; ++k)
            n += g[k] > bound;
          graph.begin[i + 1] = graph.begin[i] + n;
        }
      // Every block is written, and the next one writes over those that are
      // weak: whether one is, is hard to predict. Hence a place behind the
      // last.
      const std::size_t n_edges = graph.begin.back();
      graph.neighbours.resize(n_edges + 1);
      graph.weights.resize(n_edges + 1);
      std::size_t next = 0;
      for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
        for (std::int64_t k = row_begin[i]; k < row_begin[i + 1]; ++k)
          {
            graph.neighbours[next] = columns[k];
            graph.weights[next] =
              columns[k] == i ? 1.f : static_cast<float>(g[k]);
            next += g[k] > bound;
          }
      graph.neighbours.resize(n_edges);
      graph.weights.resize(n_edges);
      return graph;
    }
  } // namespace amg
} // namespace tessera
