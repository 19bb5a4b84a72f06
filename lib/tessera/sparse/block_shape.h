// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_block_shape_h
#define tessera_sparse_block_shape_h

namespace tessera
{
  namespace sparse
  {
    /** Largest number of rows or columns of a block of a matrix, and of entries
     * of a block of a vector. */
    inline constexpr int max_block_size = 6;

    /** Rows and columns of the blocks of a matrix. */
    struct BlockShape
    {
      int rows    = 1;
      int columns = 1;

      bool
      operator==(const BlockShape &other) const
      {
        return rows == other.rows && columns == other.columns;
      }

      int
      size() const
      {
        return rows * columns;
      }
    };
  } // namespace sparse
} // namespace tessera

#endif
