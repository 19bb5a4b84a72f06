// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_sparse_random_matrices_h
#define tessera_tests_sparse_random_matrices_h

// Random matrices and vectors of blocks. Every rank makes the same one and
// takes its part, so that references need no communication.

#include <tessera/base/communication.h>
#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/block_vector.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace sparse_test
{
  using namespace tessera;
  using namespace tessera::sparse;

  /** In [-1, 1), a multiple of 2^-16, which float holds, too. */
  inline double
  random_value(std::mt19937 &random)
  {
    return static_cast<int>(random() % 131072) / 65536. - 1.;
  }

  inline std::vector<double>
  random_values(std::mt19937 &random, const std::size_t n)
  {
    std::vector<double> values(n);
    for (double &x : values)
      x = random_value(random);
    return values;
  }

  /** All of a matrix: blocks, row-major, by row and column. */
  struct GlobalMatrix
  {
    std::uint64_t n_rows;
    std::uint64_t n_columns;
    BlockShape    shape;
    std::map<std::pair<GlobalIndex, GlobalIndex>, std::vector<double>> blocks;

    /** Of the matrix of numbers; 0 where there is no block. */
    double
    operator()(const std::uint64_t i, const std::uint64_t j) const
    {
      const auto found = blocks.find({i / shape.rows, j / shape.columns});
      return found == blocks.end() ?
               0. :
               found
                 ->second[(i % shape.rows) * shape.columns + j % shape.columns];
    }
  };

  /** Rows are empty, of one block, full, or of some blocks, in turn. */
  inline GlobalMatrix
  random_matrix(std::mt19937       &random,
                const std::uint64_t n_rows,
                const std::uint64_t n_columns,
                const BlockShape    shape,
                const bool          with_diagonal = false)
  {
    GlobalMatrix result{n_rows, n_columns, shape, {}};
    for (std::uint64_t i = 0; i < n_rows; ++i)
      {
        const unsigned int kind = random() % 8;
        for (std::uint64_t j = 0; j < n_columns; ++j)
          if ((with_diagonal && i == j) ||
              (kind == 1 && j == i * 7 % n_columns) || kind == 2 ||
              (kind > 2 && random() % 4 == 0))
            result.blocks[{i, j}] = random_values(random, shape.size());
      }
    return result;
  }

  /** How many of n indices each rank owns; often one owns none. */
  inline std::vector<std::uint64_t>
  random_partition(std::mt19937       &random,
                   const std::uint64_t n,
                   const unsigned int  n_ranks)
  {
    std::vector<std::uint64_t> cuts = {0, n};
    for (unsigned int r = 1; r < n_ranks; ++r)
      cuts.push_back(random() % 3 == 0 ? cuts[random() % cuts.size()] :
                                         random() % (n + 1));
    std::sort(cuts.begin(), cuts.end());
    std::vector<std::uint64_t> counts;
    for (unsigned int r = 0; r < n_ranks; ++r)
      counts.push_back(cuts[r + 1] - cuts[r]);
    return counts;
  }

  inline GlobalIndex
  first_of(const std::vector<std::uint64_t> &counts, const unsigned int rank)
  {
    GlobalIndex first = 0;
    for (unsigned int r = 0; r < rank; ++r)
      first += counts[r];
    return first;
  }

  /** The layout without ghosts. */
  inline IndexLayout
  layout_of(const Communicator               &communicator,
            const std::vector<std::uint64_t> &counts)
  {
    return IndexLayout(communicator, counts[communicator.rank()], {});
  }

  /** The part of a rank. */
  template <typename Number>
  BlockMatrix<Number>
  distribute(const Communicator               &communicator,
             const GlobalMatrix               &matrix,
             const std::vector<std::uint64_t> &row_counts,
             const std::vector<std::uint64_t> &column_counts)
  {
    const unsigned int rank         = communicator.rank();
    const GlobalIndex  first_row    = first_of(row_counts, rank);
    const GlobalIndex  first_column = first_of(column_counts, rank);
    const GlobalIndex  end_column   = first_column + column_counts[rank];
    const auto         is_own_row   = [&](const GlobalIndex i) {
      return i >= first_row && i < first_row + row_counts[rank];
    };

    std::vector<GlobalIndex> ghosts;
    for (const auto &block : matrix.blocks)
      if (is_own_row(block.first.first) && (block.first.second < first_column ||
                                            block.first.second >= end_column))
        ghosts.push_back(block.first.second);
    std::sort(ghosts.begin(), ghosts.end());
    ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
    const IndexLayout rows = layout_of(communicator, row_counts);
    const IndexLayout columns(communicator, column_counts[rank], ghosts);

    std::vector<std::int64_t> row_begin(1, 0);
    std::vector<LocalIndex>   column_indices;
    std::vector<double>       values;
    for (LocalIndex i = 0; i < rows.n_owned(); ++i)
      {
        for (LocalIndex j = 0; j < columns.n_local(); ++j)
          {
            const auto block =
              matrix.blocks.find({rows.global(i), columns.global(j)});
            if (block == matrix.blocks.end())
              continue;
            column_indices.push_back(j);
            values.insert(values.end(),
                          block->second.begin(),
                          block->second.end());
          }
        row_begin.push_back(static_cast<std::int64_t>(column_indices.size()));
      }
    BlockMatrix<Number> result(
      BlockPattern(rows, columns, row_begin, column_indices), matrix.shape);
    Number *const to = result.values_to_write();
    for (std::size_t v = 0; v < values.size(); ++v)
      to[v] = static_cast<Number>(values[v]);
    return result;
  }

  /** Whether the part of this rank is that of the matrix; bit for bit. */
  template <typename Number>
  bool
  has_values(const BlockMatrix<Number> &A, const GlobalMatrix &matrix)
  {
    const BlockPattern &pattern = A.pattern();
    std::size_t         n       = 0;
    for (const auto &block : matrix.blocks)
      {
        const GlobalIndex first = pattern.rows().first_owned();
        if (block.first.first < first ||
            block.first.first - first >=
              static_cast<GlobalIndex>(pattern.n_rows()))
          continue;
        ++n;
        const LocalIndex   j = pattern.columns().local(block.first.second);
        const std::int64_t k =
          j < 0 ? -1 : pattern.find(pattern.rows().local(block.first.first), j);
        if (k < 0)
          return false;
        for (int e = 0; e < matrix.shape.size(); ++e)
          if (A.block(k)[e] != static_cast<Number>(block.second[e]))
            return false;
      }
    return n == pattern.n_blocks() && A.shape() == matrix.shape;
  }

  /** Owned entries of a vector that all ranks know; ghosts are not numbers. */
  template <typename Number>
  BlockVector<Number>
  distribute(const std::vector<double> &values,
             const IndexLayout         &layout,
             const int                  block_size)
  {
    BlockVector<Number> result(layout, block_size);
    std::fill_n(result.data(),
                result.n_values(),
                std::numeric_limits<Number>::quiet_NaN());
    for (std::size_t v = 0; v < result.n_owned_values(); ++v)
      result.data()[v] =
        static_cast<Number>(values[layout.first_owned() * block_size + v]);
    return result;
  }

  /** A vector of which nothing is a number. */
  template <typename Number>
  BlockVector<Number>
  poisoned(const IndexLayout &layout, const int block_size)
  {
    BlockVector<Number> result(layout, block_size);
    std::fill_n(result.data(),
                result.n_values(),
                std::numeric_limits<Number>::quiet_NaN());
    return result;
  }
} // namespace sparse_test

#endif
