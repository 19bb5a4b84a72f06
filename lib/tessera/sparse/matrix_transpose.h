// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_matrix_transpose_h
#define tessera_sparse_matrix_transpose_h

#include <tessera/base/exchange.h>
#include <tessera/sparse/block_matrix.h>

#include <cstdint>
#include <vector>

namespace tessera
{
  namespace sparse
  {
    /**
     * The transpose of a matrix: block (j, i) of $A^T$ is $A_{ij}^T$. The
     * pattern is made once, values any number of times.
     *
     * Rows of $A^T$ are the columns of A that a rank owns; blocks of A in ghost
     * columns go to the owners of these. Cost of an update: reads A and writes
     * the result once, and 8 bytes a column of A besides; one message to each
     * rank that owns a ghost.
     * Memory: 8 bytes a column, 8 a block that is sent or received, and
     * buffers.
     */
    template <typename Number>
    class MatrixTranspose
    {
    public:
      /** For matrices of this pattern, with blocks of this shape. Collective.
       * Cost: two passes over the pattern. */
      MatrixTranspose(const BlockPattern &pattern, BlockShape shape);

      /** Of the transpose. */
      const BlockPattern &
      pattern() const;

      /** A matrix of the pattern of the transpose, with the values of A.
       * Collective among neighbours. */
      BlockMatrix<Number>
      transposed(const BlockMatrix<Number> &A);

      /** Write the values of A into a matrix that transposed() has made.
       * Collective among neighbours.
       * @throws InputError if a matrix has another pattern or shape. */
      void
      update(const BlockMatrix<Number> &A, BlockMatrix<Number> &result);

    private:
      BlockPattern pattern_of_A;
      BlockShape   shape_of_A;
      BlockPattern pattern_of_result;

      /** Blocks of A that are sent, in the order of the exchange. */
      std::vector<std::int64_t> sent_blocks;

      /** Blocks of the result that are received. */
      std::vector<std::int64_t> received_blocks;

      GhostExchange<Number> exchange;

      /** Where the next block of each row of the result goes. */
      std::vector<std::int64_t> next_block;
    };
  } // namespace sparse
} // namespace tessera

#endif
