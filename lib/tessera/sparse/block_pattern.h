// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_block_pattern_h
#define tessera_sparse_block_pattern_h

#include <tessera/sparse/index_layout.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tessera
{
  namespace sparse
  {
    /**
     * Where a sparse matrix of dense blocks has its blocks: compressed rows.
     *
     * Rows are the owned indices of a layout, columns the local ones of
     * another. Local columns of a row ascend and are different, so that ghosts
     * come after owned ones: those of row i are the entries
     * [row_begin[i], ghost_begin[i]) and [ghost_begin[i], row_begin[i+1]).
     * A layout of this process alone may stand for local rows or columns,
     * ghosts included, beside one of many ranks.
     *
     * Host memory: 8 + 8 bytes a row, 4 bytes a block and a row with ghosts. A
     * handle to constant data: copies are cheap, and patterns of the same
     * object are recognised.
     */
    class BlockPattern
    {
    public:
      /** No rows and columns. */
      BlockPattern();

      /**
       * Local.
       * @param[in] row_begin [n_rows+1], from 0, not descending.
       * @param[in] columns [row_begin[n_rows]], local indices of the column
       * layout, ascending in each row.
       * @throws InputError, naming row and column, unless all this holds.
       */
      BlockPattern(const IndexLayout        &rows,
                   const IndexLayout        &columns,
                   std::vector<std::int64_t> row_begin,
                   std::vector<LocalIndex>   column_indices);

      const IndexLayout &
      rows() const;

      const IndexLayout &
      columns() const;

      /** Owned rows. */
      LocalIndex
      n_rows() const;

      /** Local columns, with ghosts. */
      LocalIndex
      n_columns() const;

      /** Of this rank. */
      std::size_t
      n_blocks() const;

      /** [n_rows()+1] */
      const std::int64_t *
      row_begin() const;

      /** [n_rows()]: the first entry of each row whose column is a ghost. */
      const std::int64_t *
      ghost_begin() const;

      /** The rows that have ghosts as columns, ascending. */
      const std::vector<LocalIndex> &
      rows_with_ghosts() const;

      /** [n_blocks()] */
      const LocalIndex *
      column_indices() const;

      /** The position of a block among those of the matrix, or -1 if it is not
       * there. O(log) of the length of the row. */
      std::int64_t
      find(LocalIndex row, LocalIndex column) const;

      /** The row of the block at a position. O(log n_rows()). */
      LocalIndex
      row_of(std::int64_t position) const;

      /** Whether this is the same object, or has equal rows, columns and
       * blocks on this rank. */
      bool
      operator==(const BlockPattern &other) const;

      std::size_t
      memory_consumption() const;

    private:
      struct Data;
      std::shared_ptr<const Data> data;
    };
  } // namespace sparse
} // namespace tessera

#endif
