// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_ghost_rows_h
#define tessera_sparse_ghost_rows_h

#include <tessera/base/exchange.h>
#include <tessera/sparse/block_matrix.h>

#include <cstdint>
#include <vector>

namespace tessera
{
  namespace sparse
  {
    /**
     * A matrix B with rows of other ranks: those for the ghosts of a layout.
     * For products A B, where A has ghosts as columns.
     *
     * The extended matrix has a row for each local index of the layout, in a
     * layout of this process alone; its columns are those of B, with the
     * ghosts of B and of the rows that were fetched.
     *
     * The pattern is fetched once, values whenever those of B have changed. The
     * extended matrix is a copy. Cost of an update: reads B and writes the
     * copy, one message to each rank that has such ghosts.
     */
    template <typename Number>
    class GhostRows
    {
    public:
      /**
       * Collective.
       * @param[in] rows Whose owned indices are those of the rows of B.
       * @throws InputError on all ranks unless they are.
       */
      GhostRows(const BlockPattern &B,
                BlockShape          shape,
                const IndexLayout  &rows);

      /** Of the extended matrix. */
      const BlockPattern &
      pattern() const;

      /**
       * The extended matrix, with the values of B. These are fetched only if
       * BlockMatrix::state() has changed on some rank since the last call.
       * Collective: a reduction, and an exchange where there is a change.
       * @throws InputError if B has another pattern or shape.
       */
      const BlockMatrix<Number> &
      update(const BlockMatrix<Number> &B);

      std::size_t
      memory_consumption() const;

    private:
      BlockPattern        pattern_of_B;
      BlockShape          shape_of_B;
      BlockMatrix<Number> extended;
      std::uint64_t       state_of_B = 0; ///< of the values in `extended`

      /** Blocks of B that are sent, in the order of the exchange. */
      std::vector<std::int64_t> sent_blocks;

      /** Blocks of the extended matrix that are received. */
      std::vector<std::int64_t> received_blocks;

      GhostExchange<Number> exchange;
    };
  } // namespace sparse
} // namespace tessera

#endif
