// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_matrix_market_h
#define tessera_sparse_matrix_market_h

#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/block_vector.h>

#include <string>

namespace tessera
{
  namespace sparse
  {
    /**
     * @name MatrixMarket files
     * Matrices in the format "matrix coordinate", vectors (one column) in
     * "matrix array", of the fields "real" and "integer", "general" or
     * "symmetric"; of a symmetric matrix the file has the lower triangle. A
     * file knows numbers only: who reads it says what the blocks are. Format:
     * Boisvert, Pozo, Remington, The Matrix Market Exchange Formats, NISTIR
     * 5935, 1996.
     *
     * Rank 0 reads and writes, in memory for the whole file. Written numbers
     * are those that are read, bit for bit; zeros in blocks are written, too. A
     * file that is replaced is always whole. Collective.
     *
     * @throws InputError on all ranks, with the name of the file and the
     * number of the line, where there is one: a file that cannot be opened or
     * written, another format, an index that is out of range, an entry that is
     * there twice (they are not added) or in the upper triangle of a symmetric
     * matrix, a value that is not finite, too few or too many lines, sizes that
     * cannot be divided into blocks or are not those of the layouts.
     * @{
     */

    enum class MarketSymmetry
    {
      general,
      symmetric
    };

    /** Block rows and columns are divided evenly among the ranks. */
    template <typename Number>
    BlockMatrix<Number>
    read_matrix_market(const std::string  &file,
                       BlockShape          shape,
                       const Communicator &communicator = Communicator());

    /** With these owners of rows and columns, whose ghosts are not used. */
    template <typename Number>
    BlockMatrix<Number>
    read_matrix_market(const std::string &file,
                       BlockShape         shape,
                       const IndexLayout &rows,
                       const IndexLayout &columns);

    /** A vector with its ghosts zero. */
    template <typename Number>
    BlockVector<Number>
    read_vector_market(const std::string &file,
                       const IndexLayout &layout,
                       int                block_size);

    /** @throws InputError as above, and, naming row and column, if a matrix that
     * is to be written as a symmetric one is not; or a value is not finite. */
    template <typename Number>
    void
    write_matrix_market(const BlockMatrix<Number> &A,
                        const std::string         &file,
                        MarketSymmetry symmetry = MarketSymmetry::general);

    template <typename Number>
    void
    write_vector_market(const BlockVector<Number> &x, const std::string &file);
    /** @} */
  } // namespace sparse
} // namespace tessera

#endif
