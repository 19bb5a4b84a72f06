// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/strength_graph.h>
#include <tessera/base/aligned_vector.h>
#include <tessera/base/exceptions.h>
#include <tessera/base/exchange.h>
#include <tessera/sparse/dispatch_shape.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace tessera
{
  namespace amg
  {
    using sparse::LocalIndex;

    namespace
    {
      /** The sum of absolute values of each block. */
      void
      compute_norms(const sparse::BlockMatrix<double> &A, double *norms)
      {
        sparse::dispatch_square_shape(A.shape().rows, [&](const auto shape) {
          const int     size  = shape.rows() * shape.columns();
          const double *block = A.values();
          for (std::size_t k = 0; k < A.pattern().n_blocks(); ++k)
            {
              double sum = 0.;
              for (int e = 0; e < size; ++e)
                sum += std::abs(block[e]);
              norms[k] = sum;
              block += size;
            }
        });
      }

      /** The same without inactive components, for the blocks that have any. */
      void
      remove_inactive_parts(const sparse::BlockMatrix<double> &A,
                            const InactiveComponents          &inactive,
                            double                            *norms)
      {
        const sparse::BlockPattern &pattern = A.pattern();
        if (!pattern.rows().communicator().logical_or(!inactive.empty()))
          return;
        const std::vector<std::uint8_t> bits =
          inactive.local_bits(pattern.columns());
        const int n = A.shape().rows;
        for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
          for (std::int64_t k = pattern.row_begin()[i];
               k < pattern.row_begin()[i + 1];
               ++k)
            {
              const std::uint8_t row    = bits[i];
              const std::uint8_t column = bits[pattern.column_indices()[k]];
              if ((row | column) == 0)
                continue;
              norms[k] = 0.;
              for (int r = 0; r < n; ++r)
                for (int c = 0; c < n; ++c)
                  if (((row >> r | column >> c) & 1) == 0)
                    norms[k] += std::abs(A.block(k)[r * n + c]);
            }
      }

      /** $1 / \sqrt{g_{ii}}$, 0 for nodes that have no $g_{ii}$; also of
       * ghosts. */
      std::vector<double>
      scales(const sparse::BlockPattern &pattern, const double *norms)
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
              if (norms[k] > 0.)
                result[i] = 1. / std::sqrt(norms[k]);
            }
        });
        GhostExchange<double>(pattern.columns().ghosts())
          .update_ghosts(result.data(), result.data() + pattern.n_rows());
        return result;
      }

      /** Give blocks (i, j) and (j, i) the larger of their values. */
      void
      symmetrize(const sparse::BlockPattern &pattern, double *values)
      {
        // Rows ascend, and so do, in each row, the columns they are looked for
        // in: one pointer a row finds them all.
        std::vector<std::int64_t> next(pattern.row_begin(),
                                       pattern.row_begin() + pattern.n_rows());
        for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
          for (std::int64_t k = pattern.row_begin()[i];
               k < pattern.ghost_begin()[i];
               ++k)
            {
              const LocalIndex j = pattern.column_indices()[k];
              if (j <= i)
                continue;
              std::int64_t      &p   = next[j];
              const std::int64_t end = pattern.row_begin()[j + 1];
              while (p < end && pattern.column_indices()[p] < i)
                ++p;
              if (p < end && pattern.column_indices()[p] == i)
                values[k] = values[p] = std::max(values[k], values[p]);
            }
      }
    } // namespace



    StrengthGraph
    strength_graph(const sparse::BlockMatrix<double> &A,
                   const InactiveComponents          &inactive,
                   const double                       threshold)
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

      AlignedVector<double> g;
      g.resize_without_initialization(pattern.n_blocks());
      compute_norms(A, g.data());
      remove_inactive_parts(A, inactive, g.data());
      const std::vector<double> scale   = scales(pattern, g.data());
      const LocalIndex *const   columns = pattern.column_indices();
      for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
        for (std::int64_t k = pattern.row_begin()[i];
             k < pattern.row_begin()[i + 1];
             ++k)
          g[k] *= scale[i] * scale[columns[k]];
      symmetrize(pattern, g.data());

      const double bound      = threshold * (1. + 1e-10);
      const auto is_neighbour = [&](const LocalIndex i, const std::int64_t k) {
        return columns[k] == i || g[k] > bound;
      };
      StrengthGraph graph;
      graph.nodes = pattern.columns();
      graph.begin.resize(pattern.n_rows() + 1, 0);
      for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
        {
          std::int64_t n = 0;
          for (std::int64_t k = pattern.row_begin()[i];
               k < pattern.row_begin()[i + 1];
               ++k)
            n += is_neighbour(i, k);
          graph.begin[i + 1] = graph.begin[i] + n;
        }
      graph.neighbours.reserve(graph.begin.back());
      graph.weights.reserve(graph.begin.back());
      for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
        for (std::int64_t k = pattern.row_begin()[i];
             k < pattern.row_begin()[i + 1];
             ++k)
          if (is_neighbour(i, k))
            {
              graph.neighbours.push_back(columns[k]);
              graph.weights.push_back(
                columns[k] == i ? 1.f : static_cast<float>(g[k]));
            }
      return graph;
    }
  } // namespace amg
} // namespace tessera
