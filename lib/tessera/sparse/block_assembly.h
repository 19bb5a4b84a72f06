// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_block_assembly_h
#define tessera_sparse_block_assembly_h

#include <tessera/base/exchange.h>
#include <tessera/sparse/block_matrix.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera
{
  namespace sparse
  {
    /** What becomes of the values that a matrix had before an assembly. */
    enum class AssemblyMode
    {
      insert, ///< they are replaced
      add     ///< they are added to
    };

    /**
     * Assembly of a matrix from contributions: blocks with their coordinates
     * (COO format), in any order, several for one block, from any rank.
     * Coordinates are given once, values any number of times.
     *
     * Blocks of the matrix are those that some rank has a contribution to.
     * Columns have the ghosts that occur.
     *
     * Order of sums: contributions of a rank to a block are added in the order
     * in which it has given them; then those sums to the owner's in the order
     * of the ranks. In a matrix that is added to, the owner's own sum is added
     * to the value that was there.
     *
     * Cost of set_values(): reads each contribution once, in the order of the
     * matrix, writes the matrix once; one message to each rank to whose rows
     * this rank contributes, of one block for each block of theirs.
     * Memory: 4 bytes a contribution and 8 a block besides the pattern, and the
     * blocks that are sent and received.
     */
    template <typename Number>
    class BlockAssembly
    {
    public:
      /**
       * Contribution k goes to the block of row row_indices[k] and column
       * column_indices[k], both global. Collective.
       *
       * @param[in] rows, columns Who owns them; ghosts of these are not used.
       * @throws InputError on all ranks, naming the contribution, if a row or
       * column does not exist; if numbers of rows and columns differ; if
       * there are 2^32 contributions or more on a rank.
       */
      BlockAssembly(const IndexLayout              &rows,
                    const IndexLayout              &columns,
                    const std::vector<GlobalIndex> &row_indices,
                    const std::vector<GlobalIndex> &column_indices,
                    BlockShape                      shape);

      /** Of the matrix. Its columns have the ghosts that the matrix has. */
      const BlockPattern &
      pattern() const;

      /** Of this rank. */
      std::size_t
      n_contributions() const;

      /** Besides the pattern. */
      std::size_t
      memory_consumption() const;

      /** A matrix with these values. Collective. */
      BlockMatrix<Number>
      assembled(const Number *values);

      /**
       * @param[in] values [n_contributions()][shape.rows][shape.columns]. Host
       * memory. Collective.
       * @throws InputError on all ranks if the matrix has another pattern or
       * shape or, naming row and column, if a sum of contributions is not
       * finite; the values of the matrix are then undefined.
       */
      void
      set_values(const Number        *values,
                 AssemblyMode         mode,
                 BlockMatrix<Number> &A);

    private:
      BlockPattern blocks;
      BlockShape   shape;

      /** Contributions to block k, of this rank, are
       * contributions[contribution_begin[k]] to
       * contributions[contribution_begin[k+1]] (exclusive). */
      std::vector<std::int64_t>  contribution_begin;
      std::vector<std::uint32_t> contributions;

      /** The same for blocks of other ranks, in the order of the exchange. */
      std::vector<std::int64_t>  remote_begin;
      std::vector<std::uint32_t> remote_contributions;

      /** Where blocks from other ranks are added. */
      std::vector<std::int64_t> received_blocks;

      GhostExchange<Number> exchange;
    };
  } // namespace sparse
} // namespace tessera

#endif
