// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/base/sparse_exchange.h>
#include <tessera/sparse/block_assembly.h>
#include <tessera/sparse/dispatch_shape.h>
#include <tessera/sparse/global_block.h>
#include <tessera/sparse/vector_sizes.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace tessera
{
  namespace sparse
  {
    namespace
    {
      void
      check_coordinates(const IndexLayout              &rows,
                        const IndexLayout              &columns,
                        const std::vector<GlobalIndex> &row_indices,
                        const std::vector<GlobalIndex> &column_indices)
      {
        if (row_indices.size() != column_indices.size())
          throw InputError("An assembly was given " +
                           std::to_string(row_indices.size()) + " rows and " +
                           std::to_string(column_indices.size()) +
                           " columns; each contribution has one of each.");
        if (row_indices.size() > std::numeric_limits<std::uint32_t>::max())
          throw InputError("An assembly was given " +
                           std::to_string(row_indices.size()) +
                           " contributions on one rank; at most 2^32-1 are "
                           "possible. Use more ranks.");
        for (std::size_t k = 0; k < row_indices.size(); ++k)
          if (row_indices[k] >= rows.n_global() ||
              column_indices[k] >= columns.n_global())
            throw InputError(
              "Contribution " + std::to_string(k) +
              " of an assembly is to block row " +
              std::to_string(row_indices[k]) + ", block column " +
              std::to_string(column_indices[k]) + " of a matrix of " +
              std::to_string(rows.n_global()) + " x " +
              std::to_string(columns.n_global()) + " blocks.");
      }

      bool
      owns(const IndexLayout &layout, const GlobalIndex i)
      {
        return i >= layout.first_owned() &&
               i - layout.first_owned() <
                 static_cast<GlobalIndex>(layout.n_owned());
      }

      /** Numbers of the contributions to rows of other ranks, by rows, in a row
       * by columns, and to a block in their own order. */
      std::vector<std::uint32_t>
      sorted_remote_contributions(
        const IndexLayout              &rows,
        const std::vector<GlobalIndex> &row_indices,
        const std::vector<GlobalIndex> &column_indices)
      {
        std::vector<std::uint32_t> result;
        for (std::size_t k = 0; k < row_indices.size(); ++k)
          if (!owns(rows, row_indices[k]))
            result.push_back(static_cast<std::uint32_t>(k));
        std::sort(result.begin(),
                  result.end(),
                  [&](const std::uint32_t a, const std::uint32_t b) {
                    if (row_indices[a] != row_indices[b])
                      return row_indices[a] < row_indices[b];
                    if (column_indices[a] != column_indices[b])
                      return column_indices[a] < column_indices[b];
                    return a < b;
                  });
        return result;
      }

      /** Columns of others that contributions to own rows have. */
      std::vector<GlobalIndex>
      ghost_columns(const IndexLayout                       &rows,
                    const IndexLayout                       &columns,
                    const std::vector<GlobalIndex>          &row_indices,
                    const std::vector<GlobalIndex>          &column_indices,
                    const std::vector<Message<GlobalBlock>> &received)
      {
        std::vector<GlobalIndex> result;
        for (std::size_t k = 0; k < row_indices.size(); ++k)
          if (owns(rows, row_indices[k]) && !owns(columns, column_indices[k]))
            result.push_back(column_indices[k]);
        for (const Message<GlobalBlock> &message : received)
          for (const GlobalBlock &block : message.data)
            if (!owns(columns, block.column))
              result.push_back(block.column);
        std::sort(result.begin(), result.end());
        result.erase(std::unique(result.begin(), result.end()), result.end());
        return result;
      }

      /** A contribution by its local column and number, for sorting by both;
       * those from other ranks have the number of none. */
      struct Entry
      {
        LocalIndex    column;
        std::uint32_t contribution;

        bool
        operator<(const Entry &other) const
        {
          return column != other.column ? column < other.column :
                                          contribution < other.contribution;
        }
      };

      constexpr std::uint32_t from_elsewhere =
        std::numeric_limits<std::uint32_t>::max();

      /** The entries of all own rows, sorted in each. */
      std::vector<Entry>
      sorted_entries(const IndexLayout                       &rows,
                     const IndexLayout                       &columns,
                     const std::vector<GlobalIndex>          &row_indices,
                     const std::vector<GlobalIndex>          &column_indices,
                     const std::vector<Message<GlobalBlock>> &received,
                     std::vector<std::int64_t>               &begin)
      {
        const auto for_each = [&](const auto &f) {
          for (std::size_t k = 0; k < row_indices.size(); ++k)
            if (owns(rows, row_indices[k]))
              f(row_indices[k] - rows.first_owned(),
                column_indices[k],
                static_cast<std::uint32_t>(k));
          for (const Message<GlobalBlock> &message : received)
            for (const GlobalBlock &block : message.data)
              f(block.row - rows.first_owned(), block.column, from_elsewhere);
        };
        begin.assign(rows.n_owned() + 1, 0);
        for_each([&](const GlobalIndex row,
                     const GlobalIndex,
                     const std::uint32_t) { ++begin[row + 1]; });
        std::partial_sum(begin.begin(), begin.end(), begin.begin());
        std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
        std::vector<Entry>        result(begin.back());
        for_each([&](const GlobalIndex   row,
                     const GlobalIndex   column,
                     const std::uint32_t contribution) {
          result[next[row]++] = {columns.local(column), contribution};
        });
        for (LocalIndex i = 0; i < rows.n_owned(); ++i)
          std::sort(result.begin() + begin[i], result.begin() + begin[i + 1]);
        return result;
      }

      /** The sum of some contributions, from 0, in their order. */
      template <typename Number, typename Shape>
      TESSERA_ALWAYS_INLINE void
      sum_contributions(const Shape          shape,
                        const Number        *values,
                        const std::uint32_t *begin,
                        const std::uint32_t *end,
                        Number              *sum)
      {
        const int size = shape.rows() * shape.columns();
        for (int e = 0; e < size; ++e)
          sum[e] = Number(0);
        for (; begin != end; ++begin)
          {
            const Number *const v =
              values + static_cast<std::size_t>(*begin) * size;
            for (int e = 0; e < size; ++e)
              sum[e] += v[e];
          }
      }
    } // namespace



    template <typename Number>
    BlockAssembly<Number>::BlockAssembly(
      const IndexLayout              &rows,
      const IndexLayout              &columns,
      const std::vector<GlobalIndex> &row_indices,
      const std::vector<GlobalIndex> &column_indices,
      const BlockShape                block_shape)
      : shape(block_shape)
    {
      const Communicator &communicator = rows.communicator();
      communicator.collectively([&] {
        checked_block_size(shape.rows);
        checked_block_size(shape.columns);
        check_coordinates(rows, columns, row_indices, column_indices);
      });

      remote_contributions =
        sorted_remote_contributions(rows, row_indices, column_indices);
      std::vector<Message<GlobalBlock>> messages;
      for (std::size_t n = 0; n < remote_contributions.size(); ++n)
        {
          const std::uint32_t k = remote_contributions[n];
          const GlobalBlock   block{row_indices[k], column_indices[k]};
          if (n > 0 && messages.back().data.back() == block)
            continue;
          const unsigned int owner =
            locate_items(rows.first_of_ranks(), {block.row})[0].owner;
          if (messages.empty() || messages.back().rank != owner)
            messages.push_back({owner, {}});
          messages.back().data.push_back(block);
          remote_begin.push_back(static_cast<std::int64_t>(n));
        }
      const std::size_t n_sent = remote_begin.size();
      remote_begin.push_back(
        static_cast<std::int64_t>(remote_contributions.size()));

      const std::vector<Message<GlobalBlock>> received =
        sparse_exchange(communicator, messages);
      const IndexLayout columns_with_ghosts(
        columns.communicator(),
        columns.n_owned(),
        ghost_columns(rows, columns, row_indices, column_indices, received));

      std::vector<std::int64_t> entry_begin;
      const std::vector<Entry>  entries = sorted_entries(rows,
                                                        columns_with_ghosts,
                                                        row_indices,
                                                        column_indices,
                                                        received,
                                                        entry_begin);
      std::vector<std::int64_t> row_begin(rows.n_owned() + 1, 0);
      std::vector<LocalIndex>   block_columns;
      for (LocalIndex i = 0; i < rows.n_owned(); ++i)
        {
          for (std::int64_t k = entry_begin[i]; k < entry_begin[i + 1]; ++k)
            {
              if (k == entry_begin[i] ||
                  entries[k].column != entries[k - 1].column)
                {
                  block_columns.push_back(entries[k].column);
                  contribution_begin.push_back(
                    static_cast<std::int64_t>(contributions.size()));
                }
              if (entries[k].contribution != from_elsewhere)
                contributions.push_back(entries[k].contribution);
            }
          row_begin[i + 1] = static_cast<std::int64_t>(block_columns.size());
        }
      contribution_begin.push_back(
        static_cast<std::int64_t>(contributions.size()));
      blocks = BlockPattern(rows,
                            columns_with_ghosts,
                            std::move(row_begin),
                            std::move(block_columns));

      for (const Message<GlobalBlock> &message : received)
        for (const GlobalBlock &block : message.data)
          received_blocks.push_back(
            blocks.find(rows.local(block.row),
                        columns_with_ghosts.local(block.column)));
      exchange =
        GhostExchange<Number>(ExchangePlan(communicator,
                                           received_blocks.size(),
                                           n_sent,
                                           consecutive_items(received),
                                           consecutive_items(messages)),
                              shape.size());
    }



    template <typename Number>
    const BlockPattern &
    BlockAssembly<Number>::pattern() const
    {
      return blocks;
    }



    template <typename Number>
    std::size_t
    BlockAssembly<Number>::n_contributions() const
    {
      return contributions.size() + remote_contributions.size();
    }



    template <typename Number>
    std::size_t
    BlockAssembly<Number>::memory_consumption() const
    {
      return (contribution_begin.size() + remote_begin.size() +
              received_blocks.size()) *
               sizeof(std::int64_t) +
             (contributions.size() + remote_contributions.size()) *
               sizeof(std::uint32_t) +
             exchange.memory_consumption();
    }



    template <typename Number>
    BlockMatrix<Number>
    BlockAssembly<Number>::assembled(const Number *values)
    {
      BlockMatrix<Number> A(blocks, shape);
      set_values(values, AssemblyMode::insert, A);
      return A;
    }



    template <typename Number>
    void
    BlockAssembly<Number>::set_values(const Number        *values,
                                      const AssemblyMode   mode,
                                      BlockMatrix<Number> &A)
    {
      const Communicator &communicator = blocks.rows().communicator();
      communicator.throw_collectively(
        A.shape() == shape && A.pattern() == blocks ?
          "" :
          "Values are to be assembled into a matrix of another pattern or "
          "shape; make one by assembled().");

      Number *const to   = A.values_to_write();
      const int     size = shape.size();
      dispatch_shape(shape, [&](const auto known_shape) {
        exchange.accumulate_start_with(
          [&](const std::size_t b, Number *const sum) {
            sum_contributions(known_shape,
                              values,
                              remote_contributions.data() + remote_begin[b],
                              remote_contributions.data() + remote_begin[b + 1],
                              sum);
          });
        Number sum[max_block_size * max_block_size] = {};
        for (std::size_t k = 0; k < blocks.n_blocks(); ++k)
          {
            Number *const block = to + k * size;
            sum_contributions(known_shape,
                              values,
                              contributions.data() + contribution_begin[k],
                              contributions.data() + contribution_begin[k + 1],
                              sum);
            if (mode == AssemblyMode::insert)
              for (int e = 0; e < size; ++e)
                block[e] = sum[e];
            else
              for (int e = 0; e < size; ++e)
                block[e] += sum[e];
          }
      });
      exchange.accumulate_finish_with(
        [&](const std::size_t item, const Number *const sum) {
          Number *const block = to + received_blocks[item] * size;
          for (int e = 0; e < size; ++e)
            block[e] += sum[e];
        });
      communicator.collectively([&] { A.check_finite(); });
    }



    template class BlockAssembly<float>;
    template class BlockAssembly<double>;
  } // namespace sparse
} // namespace tessera
