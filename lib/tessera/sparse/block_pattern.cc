// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sparse/block_pattern.h>

#include <algorithm>
#include <string>
#include <utility>

namespace tessera
{
  namespace sparse
  {
    struct BlockPattern::Data
    {
      IndexLayout               rows;
      IndexLayout               columns;
      std::vector<std::int64_t> row_begin = {0};
      std::vector<std::int64_t> ghost_begin;
      std::vector<LocalIndex>   rows_with_ghosts;
      std::vector<LocalIndex>   column_indices;
    };

    namespace
    {
      void
      check_communicators(const Communicator &rows, const Communicator &columns)
      {
        if (rows.n_ranks() > 1 && columns.n_ranks() > 1 &&
            (rows.n_ranks() != columns.n_ranks() ||
             rows.rank() != columns.rank()))
          throw InputError("The rows of a pattern are distributed over " +
                           std::to_string(rows.n_ranks()) +
                           " ranks and its columns over " +
                           std::to_string(columns.n_ranks()) +
                           "; both must be over the same ranks.");
      }

      void
      check_row_begin(const std::vector<std::int64_t> &row_begin,
                      const LocalIndex                 n_rows,
                      const std::size_t                n_blocks)
      {
        if (row_begin.size() != static_cast<std::size_t>(n_rows) + 1)
          throw InputError("A pattern of " + std::to_string(n_rows) +
                           " block rows was given " +
                           std::to_string(row_begin.size()) +
                           " row pointers; there must be one more than rows.");
        if (row_begin[0] != 0)
          throw InputError("The first row pointer of a pattern is " +
                           std::to_string(row_begin[0]) + "; it must be 0.");
        for (LocalIndex i = 0; i < n_rows; ++i)
          if (row_begin[i + 1] < row_begin[i])
            throw InputError("The blocks of block row " + std::to_string(i) +
                             " of a pattern begin at " +
                             std::to_string(row_begin[i]) + " and end at " +
                             std::to_string(row_begin[i + 1]) +
                             ": row pointers must not descend.");
        if (static_cast<std::uint64_t>(row_begin[n_rows]) != n_blocks)
          throw InputError("The last row pointer of a pattern is " +
                           std::to_string(row_begin[n_rows]) +
                           ", but there are " + std::to_string(n_blocks) +
                           " column indices.");
      }

      std::string
      row_has(const IndexLayout &rows, const LocalIndex row)
      {
        return "Block row " + std::to_string(row) + " (global " +
               std::to_string(rows.global(row)) + ") of a pattern has ";
      }

      void
      check_columns(const std::vector<std::int64_t> &row_begin,
                    const std::vector<LocalIndex>   &column_indices,
                    const IndexLayout               &rows,
                    const IndexLayout               &columns)
      {
        const LocalIndex n_columns = columns.n_local();
        for (LocalIndex i = 0; i < rows.n_owned(); ++i)
          for (std::int64_t k = row_begin[i]; k < row_begin[i + 1]; ++k)
            {
              const LocalIndex j = column_indices[k];
              if (j < 0 || j >= n_columns)
                throw InputError(row_has(rows, i) + "a block in local column " +
                                 std::to_string(j) + "; there are " +
                                 std::to_string(n_columns) + " columns.");
              if (k > row_begin[i] && j <= column_indices[k - 1])
                throw InputError(
                  row_has(rows, i) + "column " + std::to_string(j) +
                  " after column " + std::to_string(column_indices[k - 1]) +
                  ": local columns must ascend and be different.");
            }
      }
    } // namespace



    BlockPattern::BlockPattern()
      : data(std::make_shared<const Data>())
    {}



    BlockPattern::BlockPattern(const IndexLayout        &rows,
                               const IndexLayout        &columns,
                               std::vector<std::int64_t> row_begin,
                               std::vector<LocalIndex>   column_indices)
    {
      check_communicators(rows.communicator(), columns.communicator());
      check_row_begin(row_begin, rows.n_owned(), column_indices.size());
      check_columns(row_begin, column_indices, rows, columns);

      auto result            = std::make_shared<Data>();
      result->rows           = rows;
      result->columns        = columns;
      result->row_begin      = std::move(row_begin);
      result->column_indices = std::move(column_indices);
      result->ghost_begin.resize(rows.n_owned());
      const auto first = result->column_indices.begin();
      for (LocalIndex i = 0; i < rows.n_owned(); ++i)
        {
          result->ghost_begin[i] =
            std::lower_bound(first + result->row_begin[i],
                             first + result->row_begin[i + 1],
                             columns.n_owned()) -
            first;
          if (result->ghost_begin[i] < result->row_begin[i + 1])
            result->rows_with_ghosts.push_back(i);
        }
      data = std::move(result);
    }



    const IndexLayout &
    BlockPattern::rows() const
    {
      return data->rows;
    }



    const IndexLayout &
    BlockPattern::columns() const
    {
      return data->columns;
    }



    LocalIndex
    BlockPattern::n_rows() const
    {
      return data->rows.n_owned();
    }



    LocalIndex
    BlockPattern::n_columns() const
    {
      return data->columns.n_local();
    }



    std::size_t
    BlockPattern::n_blocks() const
    {
      return data->column_indices.size();
    }



    const std::int64_t *
    BlockPattern::row_begin() const
    {
      return data->row_begin.data();
    }



    const std::int64_t *
    BlockPattern::ghost_begin() const
    {
      return data->ghost_begin.data();
    }



    const std::vector<LocalIndex> &
    BlockPattern::rows_with_ghosts() const
    {
      return data->rows_with_ghosts;
    }



    const LocalIndex *
    BlockPattern::column_indices() const
    {
      return data->column_indices.data();
    }



    std::int64_t
    BlockPattern::find(const LocalIndex row, const LocalIndex column) const
    {
      TESSERA_ASSERT(0 <= row && row < n_rows(), "an owned row");
      const LocalIndex *const all = column_indices();
      const LocalIndex *const end = all + data->row_begin[row + 1];
      const LocalIndex *const found =
        std::lower_bound(all + data->row_begin[row], end, column);
      return found != end && *found == column ? found - all : -1;
    }



    LocalIndex
    BlockPattern::row_of(const std::int64_t position) const
    {
      TESSERA_ASSERT(0 <= position && position < data->row_begin.back(),
                     "the position of a block");
      const auto begin = data->row_begin.begin();
      return static_cast<LocalIndex>(
        std::upper_bound(begin, data->row_begin.end(), position) - begin - 1);
    }



    bool
    BlockPattern::operator==(const BlockPattern &other) const
    {
      return data == other.data ||
             (data->rows == other.data->rows &&
              data->columns == other.data->columns &&
              data->row_begin == other.data->row_begin &&
              data->column_indices == other.data->column_indices);
    }



    std::size_t
    BlockPattern::memory_consumption() const
    {
      return sizeof(Data) +
             (data->row_begin.size() + data->ghost_begin.size()) *
               sizeof(std::int64_t) +
             (data->column_indices.size() + data->rows_with_ghosts.size()) *
               sizeof(LocalIndex);
    }
  } // namespace sparse
} // namespace tessera
