// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_conversion_h
#define tessera_sparse_conversion_h

#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/block_vector.h>

namespace tessera
{
  namespace sparse
  {
    /** @name Precision
     * Between float and double, rounded to nearest. The pattern is shared. The
     * values are counted as Counters::converted_values. Local.
     * @{
     */

    template <typename To, typename From>
    BlockMatrix<To>
    convert(const BlockMatrix<From> &A);

    /** Into a matrix that is there.
     * @throws InputError if patterns or shapes differ. */
    template <typename To, typename From>
    void
    convert(const BlockMatrix<From> &A, BlockMatrix<To> &result);

    /** With ghosts. */
    template <typename To, typename From>
    BlockVector<To>
    convert(const BlockVector<From> &x);

    /** Owned values, into a vector that is there.
     * @throws InputError if sizes differ. */
    template <typename To, typename From>
    void
    convert(const BlockVector<From> &x, BlockVector<To> &result);
    /** @} */

    /** @name Compressed rows of numbers
     * A matrix of 1 x 1 blocks is one in the usual format of compressed rows
     * (CSR). For exchange with other libraries; a method on blocks never needs
     * it. The blocks are counted as Counters::scalar_block_conversions.
     * Collective.
     * @{
     */

    /** Every entry of every block, zeros too. Row r of block row i is row i *
     * shape.rows + r; columns alike.
     * @throws InputError on all ranks if the indices do not fit. */
    template <typename Number>
    BlockMatrix<Number>
    to_scalar(const BlockMatrix<Number> &A);

    /** The way back: the blocks in which there is an entry, zeros where there
     * is none.
     * @throws InputError on all ranks if A has other blocks than 1 x 1, or if
     * the rows or columns that a rank owns cannot be divided into blocks. */
    template <typename Number>
    BlockMatrix<Number>
    to_blocks(const BlockMatrix<Number> &A, BlockShape shape);
    /** @} */
  } // namespace sparse
} // namespace tessera

#endif
