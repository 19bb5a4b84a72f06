// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_product_contribution_lists_h
#define tessera_sparse_product_contribution_lists_h

#include <tessera/base/aligned_vector.h>
#include <tessera/sparse/product/product_shape.h>

#include <cstddef>
#include <cstdint>

namespace tessera
{
  namespace sparse
  {
    /** One product of blocks: their positions among those of A and B. */
    struct Contribution
    {
      std::uint32_t a;
      std::uint32_t b;
    };

    /**
     * For each block of a product C = A B the blocks of A and B whose products
     * it is the sum of, in ascending order of the columns of A.
     *
     * Memory: 8 bytes a contribution and 8 a block of C.
     */
    struct ContributionLists
    {
      AlignedVector<std::int64_t> begin; ///< [n_blocks of C + 1]
      AlignedVector<Contribution> contributions;

      std::size_t
      memory_consumption() const
      {
        return begin.size_in_bytes() + contributions.size_in_bytes();
      }
    };

    /** Number of products of blocks in A B, of n_rows rows. */
    std::size_t
    count_contributions(std::int32_t          n_rows,
                        const CompressedRows &A,
                        const CompressedRows &B);

    /** Run through the rows of A and, stably, append each contribution to the
     * list of its block of C, whose pattern has n_columns columns.
     * @throws InputError if A or B has 2^32 blocks or more. */
    ContributionLists
    make_contribution_lists(std::int32_t          n_rows,
                            std::int32_t          n_columns,
                            const CompressedRows &A,
                            const CompressedRows &B,
                            const CompressedRows &C);

    /** A range of blocks of a product whose contributions lie in windows of
     * the blocks of A and B. */
    struct ContributionTile
    {
      std::int64_t  first_block;
      std::int64_t  n_blocks;
      std::uint32_t first_a;
      std::uint32_t first_b;
      std::uint32_t is_short; ///< offsets have 16 bits, not 32
      std::int64_t  begin;    ///< of its offsets, in 16-bit words
    };

    /**
     * ContributionLists with offsets relative to the window of a tile, of 16
     * bits where both windows have fewer than 2^16 blocks.
     *
     * Memory: 4 or 8 bytes a contribution, 4 a block of C, 40 a tile.
     */
    struct ContributionSchedule
    {
      AlignedVector<ContributionTile> tiles;
      AlignedVector<std::uint32_t>    n_contributions; ///< [n_blocks of C]
      AlignedVector<std::uint16_t>    offsets; ///< a, b of each contribution

      std::size_t
      memory_consumption() const
      {
        return tiles.size_in_bytes() + n_contributions.size_in_bytes() +
               offsets.size_in_bytes();
      }
    };

    /** Tiles of at most tile_capacity blocks. */
    ContributionSchedule
    make_contribution_schedule(const ContributionLists &lists,
                               std::size_t              tile_capacity);
  } // namespace sparse
} // namespace tessera

#endif
