// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/base/sparse_exchange.h>
#include <tessera/sparse/global_block.h>
#include <tessera/sparse/matrix_transpose.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace tessera
{
  namespace sparse
  {
    namespace
    {
      /** The blocks in ghost columns, by columns, and in a column by rows. */
      std::vector<std::int64_t>
      blocks_in_ghost_columns(const BlockPattern &A)
      {
        const LocalIndex         n_owned = A.columns().n_owned();
        std::vector<std::size_t> begin(A.columns().n_ghosts() + 1, 0);
        const auto               for_each = [&](const auto &f) {
          for (const LocalIndex i : A.rows_with_ghosts())
            for (std::int64_t k = A.ghost_begin()[i]; k < A.row_begin()[i + 1];
                 ++k)
              f(k, A.column_indices()[k] - n_owned);
        };
        for_each([&](const std::int64_t, const LocalIndex ghost) {
          ++begin[ghost + 1];
        });
        std::partial_sum(begin.begin(), begin.end(), begin.begin());
        std::vector<std::int64_t> result(begin.back());
        for_each([&](const std::int64_t k, const LocalIndex ghost) {
          result[begin[ghost]++] = k;
        });
        return result;
      }

      template <typename Number>
      void
      transpose_block(const BlockShape shape, const Number *from, Number *to)
      {
        for (int r = 0; r < shape.rows; ++r)
          for (int c = 0; c < shape.columns; ++c)
            to[c * shape.rows + r] = from[r * shape.columns + c];
      }
    } // namespace



    template <typename Number>
    MatrixTranspose<Number>::MatrixTranspose(const BlockPattern &A,
                                             const BlockShape    shape)
      : pattern_of_A(A)
      , shape_of_A(shape)
      , sent_blocks(blocks_in_ghost_columns(A))
    {
      const Communicator &communicator = A.rows().communicator();
      const IndexLayout  &columns      = A.columns();

      // Ghosts ascend, so each owner has a contiguous part of the blocks.
      std::vector<Message<GlobalBlock>> messages;
      for (const std::int64_t k : sent_blocks)
        {
          const GlobalIndex  column = columns.global(A.column_indices()[k]);
          const unsigned int owner =
            locate_items(columns.first_of_ranks(), {column})[0].owner;
          if (messages.empty() || messages.back().rank != owner)
            messages.push_back({owner, {}});
          messages.back().data.push_back(
            {A.rows().global(A.row_of(k)), column});
        }
      const std::vector<Message<GlobalBlock>> received =
        sparse_exchange(communicator, messages);

      std::vector<GlobalIndex> ghosts;
      for (const Message<GlobalBlock> &message : received)
        for (const GlobalBlock &block : message.data)
          ghosts.push_back(block.row);
      std::sort(ghosts.begin(), ghosts.end());
      ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
      const IndexLayout result_columns(communicator,
                                       A.rows().n_owned(),
                                       ghosts);

      std::vector<std::int64_t> row_begin(columns.n_owned() + 1, 0);
      for (LocalIndex i = 0; i < A.n_rows(); ++i)
        for (std::int64_t k = A.row_begin()[i]; k < A.ghost_begin()[i]; ++k)
          ++row_begin[A.column_indices()[k] + 1];
      for (const Message<GlobalBlock> &message : received)
        for (const GlobalBlock &block : message.data)
          ++row_begin[columns.local(block.column) + 1];
      std::partial_sum(row_begin.begin(), row_begin.end(), row_begin.begin());

      // Rows of A ascend, those of other ranks with the ranks: the columns of
      // the result are found in their order.
      next_block.assign(row_begin.begin(), row_begin.end() - 1);
      std::vector<LocalIndex> column_indices(row_begin.back());
      for (LocalIndex i = 0; i < A.n_rows(); ++i)
        for (std::int64_t k = A.row_begin()[i]; k < A.ghost_begin()[i]; ++k)
          column_indices[next_block[A.column_indices()[k]]++] = i;
      for (const Message<GlobalBlock> &message : received)
        for (const GlobalBlock &block : message.data)
          {
            std::int64_t &next   = next_block[columns.local(block.column)];
            column_indices[next] = result_columns.local(block.row);
            received_blocks.push_back(next++);
          }
      pattern_of_result = BlockPattern(columns,
                                       result_columns,
                                       std::move(row_begin),
                                       std::move(column_indices));
      exchange =
        GhostExchange<Number>(ExchangePlan(communicator,
                                           sent_blocks.size(),
                                           received_blocks.size(),
                                           consecutive_items(messages),
                                           consecutive_items(received)),
                              shape.size());
    }



    template <typename Number>
    const BlockPattern &
    MatrixTranspose<Number>::pattern() const
    {
      return pattern_of_result;
    }



    template <typename Number>
    BlockMatrix<Number>
    MatrixTranspose<Number>::transposed(const BlockMatrix<Number> &A)
    {
      BlockMatrix<Number> result(pattern_of_result,
                                 {shape_of_A.columns, shape_of_A.rows});
      update(A, result);
      return result;
    }



    template <typename Number>
    void
    MatrixTranspose<Number>::update(const BlockMatrix<Number> &A,
                                    BlockMatrix<Number>       &result)
    {
      const BlockShape result_shape{shape_of_A.columns, shape_of_A.rows};
      if (!(A.shape() == shape_of_A) || !(A.pattern() == pattern_of_A))
        throw InputError(
          "A transpose was prepared for another pattern, or for blocks of " +
          std::to_string(shape_of_A.rows) + " x " +
          std::to_string(shape_of_A.columns) +
          ", than a matrix with blocks "
          "of " +
          std::to_string(A.shape().rows) + " x " +
          std::to_string(A.shape().columns) + " has.");
      if (!(result.shape() == result_shape) ||
          !(result.pattern() == pattern_of_result))
        throw InputError("The values of a transpose are to be written into a "
                         "matrix that is not of its pattern and shape; make "
                         "one by transposed().");

      const int size = shape_of_A.size();
      exchange.update_ghosts_start_with(
        [&](const std::size_t item, Number *const values) {
          transpose_block(shape_of_A, A.block(sent_blocks[item]), values);
        });
      Number *const to = result.values_to_write();
      std::copy_n(pattern_of_result.row_begin(),
                  next_block.size(),
                  next_block.begin());
      for (LocalIndex i = 0; i < pattern_of_A.n_rows(); ++i)
        for (std::int64_t k = pattern_of_A.row_begin()[i];
             k < pattern_of_A.ghost_begin()[i];
             ++k)
          transpose_block(shape_of_A,
                          A.block(k),
                          to +
                            size *
                              next_block[pattern_of_A.column_indices()[k]]++);
      exchange.update_ghosts_finish_with(
        [&](const std::size_t ghost, const Number *const values) {
          std::copy_n(values, size, to + size * received_blocks[ghost]);
        });
    }



    template class MatrixTranspose<float>;
    template class MatrixTranspose<double>;
  } // namespace sparse
} // namespace tessera
