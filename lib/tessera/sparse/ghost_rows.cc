// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/base/sparse_exchange.h>
#include <tessera/sparse/ghost_rows.h>
#include <tessera/sparse/global_block.h>

#include <algorithm>
#include <string>
#include <utility>

namespace tessera
{
  namespace sparse
  {
    namespace
    {
      /** The global columns of the rows that others need, one message for each
       * of them, and the blocks in the same order. */
      std::vector<Message<GlobalIndex>>
      columns_to_send(const BlockPattern        &B,
                      const ExchangePlan        &ghosts,
                      std::vector<std::int64_t> &blocks)
      {
        std::vector<Message<GlobalIndex>> messages;
        for (const ExchangePlan::Neighbour &neighbour :
             ghosts.send_neighbours())
          {
            messages.push_back({neighbour.rank, {}});
            for (std::size_t n = neighbour.begin; n < neighbour.end; ++n)
              {
                const unsigned int i = ghosts.send_items()[n];
                for (std::int64_t k = B.row_begin()[i];
                     k < B.row_begin()[i + 1];
                     ++k)
                  {
                    messages.back().data.push_back(
                      B.columns().global(B.column_indices()[k]));
                    blocks.push_back(k);
                  }
              }
          }
        return messages;
      }

      /** The columns of B, with the ghosts of rows from elsewhere. Collective.
       */
      IndexLayout
      extended_columns(const IndexLayout                       &columns,
                       const std::vector<Message<GlobalIndex>> &received)
      {
        std::vector<GlobalIndex> ghosts;
        for (LocalIndex g = columns.n_owned(); g < columns.n_local(); ++g)
          ghosts.push_back(columns.global(g));
        for (const Message<GlobalIndex> &message : received)
          for (const GlobalIndex j : message.data)
            if (j < columns.first_owned() ||
                j - columns.first_owned() >=
                  static_cast<GlobalIndex>(columns.n_owned()))
              ghosts.push_back(j);
        std::sort(ghosts.begin(), ghosts.end());
        ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
        return IndexLayout(columns.communicator(), columns.n_owned(), ghosts);
      }
    } // namespace



    template <typename Number>
    GhostRows<Number>::GhostRows(const BlockPattern &B,
                                 const BlockShape    shape,
                                 const IndexLayout  &rows)
      : pattern_of_B(B)
      , shape_of_B(shape)
    {
      const Communicator &communicator = rows.communicator();
      communicator.throw_collectively(
        B.rows().same_owned(rows) ?
          "" :
          "Rows of a matrix of " + std::to_string(B.rows().n_global()) +
            " block rows, " + std::to_string(B.n_rows()) +
            " of this rank, are to be fetched for the ghosts of a layout of " +
            std::to_string(rows.n_global()) + ", " +
            std::to_string(rows.n_owned()) +
            " of this rank; both must be the same.");

      // Lengths first, so that the rows in a message can be told apart.
      std::vector<std::int64_t> lengths(rows.n_local());
      for (LocalIndex i = 0; i < B.n_rows(); ++i)
        lengths[i] = B.row_begin()[i + 1] - B.row_begin()[i];
      GhostExchange<std::int64_t>(rows.ghosts())
        .update_ghosts(lengths.data(), lengths.data() + rows.n_owned());
      const std::vector<Message<GlobalIndex>> sent =
        columns_to_send(B, rows.ghosts(), sent_blocks);
      const std::vector<Message<GlobalIndex>> received =
        sparse_exchange(communicator, sent);
      const IndexLayout columns = extended_columns(B.columns(), received);

      std::vector<std::int64_t> row_begin(rows.n_local() + 1, 0);
      for (LocalIndex i = 0; i < rows.n_local(); ++i)
        row_begin[i + 1] = row_begin[i] + lengths[i];
      std::vector<LocalIndex> column_indices(row_begin.back());
      for (std::size_t k = 0; k < B.n_blocks(); ++k)
        column_indices[k] =
          columns.local(B.columns().global(B.column_indices()[k]));

      // Ghosts ascend in all messages together, as they are received. In each
      // of their rows columns have the order of the owner: sort them.
      std::vector<GlobalIndex> received_columns;
      for (const Message<GlobalIndex> &message : received)
        received_columns.insert(received_columns.end(),
                                message.data.begin(),
                                message.data.end());
      received_blocks.resize(received_columns.size());
      std::vector<std::pair<LocalIndex, std::size_t>> row;
      std::size_t                                     next = 0;
      for (LocalIndex i = rows.n_owned(); i < rows.n_local(); ++i)
        {
          row.clear();
          for (std::int64_t n = 0; n < lengths[i]; ++n, ++next)
            row.push_back({columns.local(received_columns[next]), next});
          std::sort(row.begin(), row.end());
          for (std::int64_t n = 0; n < lengths[i]; ++n)
            {
              column_indices[row_begin[i] + n] = row[n].first;
              received_blocks[row[n].second]   = row_begin[i] + n;
            }
        }

      extended = BlockMatrix<Number>(
        BlockPattern(IndexLayout(static_cast<std::uint64_t>(rows.n_local())),
                     columns,
                     std::move(row_begin),
                     std::move(column_indices)),
        shape);
      exchange =
        GhostExchange<Number>(ExchangePlan(communicator,
                                           sent_blocks.size(),
                                           received_blocks.size(),
                                           consecutive_items(sent),
                                           consecutive_items(received)),
                              shape.size());
    }



    template <typename Number>
    const BlockPattern &
    GhostRows<Number>::pattern() const
    {
      return extended.pattern();
    }



    template <typename Number>
    const BlockMatrix<Number> &
    GhostRows<Number>::update(const BlockMatrix<Number> &B)
    {
      if (!(B.shape() == shape_of_B) || !(B.pattern() == pattern_of_B))
        throw InputError("Rows of other ranks were prepared for another "
                         "pattern, or for blocks of " +
                         std::to_string(shape_of_B.rows) + " x " +
                         std::to_string(shape_of_B.columns) +
                         ", than a matrix with blocks of " +
                         std::to_string(B.shape().rows) + " x " +
                         std::to_string(B.shape().columns) + " has.");
      if (!pattern_of_B.columns().communicator().logical_or(B.state() !=
                                                            state_of_B))
        return extended;

      const int size = shape_of_B.size();
      exchange.update_ghosts_start_with(
        [&](const std::size_t item, Number *const values) {
          std::copy_n(B.block(sent_blocks[item]), size, values);
        });
      Number *const to = extended.values_to_write();
      std::copy_n(B.values(), B.n_values(), to);
      exchange.update_ghosts_finish_with(
        [&](const std::size_t ghost, const Number *const values) {
          std::copy_n(values, size, to + received_blocks[ghost] * size);
        });
      state_of_B = B.state();
      return extended;
    }



    template <typename Number>
    std::size_t
    GhostRows<Number>::memory_consumption() const
    {
      return extended.memory_consumption() +
             (sent_blocks.size() + received_blocks.size()) *
               sizeof(std::int64_t) +
             exchange.memory_consumption();
    }



    template class GhostRows<float>;
    template class GhostRows<double>;
  } // namespace sparse
} // namespace tessera
