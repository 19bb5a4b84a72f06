// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_block_diagonal_h
#define tessera_sparse_block_diagonal_h

#include <tessera/base/aligned_vector.h>
#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/block_vector.h>

namespace tessera
{
  namespace sparse
  {
    /**
     * A block diagonal matrix M, as the point-block Jacobi method has it.
     *
     * Storage, host memory: values[n_owned][block_size][block_size], row-major,
     * for the owned indices of a layout. Number is float or double.
     */
    template <typename Number>
    class BlockDiagonal
    {
    public:
      BlockDiagonal() = default;

      /** Zeros.
       * @throws InputError unless 1 <= block_size <= max_block_size. */
      BlockDiagonal(const IndexLayout &rows, int block_size);

      const IndexLayout &
      rows() const;

      int
      block_size() const;

      Number *
      data();

      const Number *
      data() const;

      std::size_t
      memory_consumption() const;

    private:
      IndexLayout           row_layout;
      int                   size_of_block = 1;
      AlignedVector<Number> entries;
    };

    /**
     * The diagonal blocks of a square matrix. Collective, for errors only.
     * @throws InputError on all ranks if the matrix or its blocks are not
     * square, or, naming it, if a row has no diagonal block.
     */
    template <typename Number>
    BlockDiagonal<Number>
    diagonal_blocks(const BlockMatrix<Number> &A);

    /**
     * Their inverses, $M_i = A_{ii}^{-1}$: Gauss-Jordan elimination with row
     * pivoting in double precision, after rows and columns were divided by the
     * square roots of the diagonal (rounded to powers of two). A block is
     * singular if a pivot is below 16 units of round-off of Number times the
     * largest entry of the block thus scaled: what units the
     * unknowns have does not matter. About 2 b^3 flops a row. Collective, for
     * errors only.
     *
     * @throws InputError on all ranks as diagonal_blocks().
     * @throws SolverBreakdown on all ranks, naming the row, if a block is
     * singular or not finite.
     */
    template <typename Number>
    BlockDiagonal<Number>
    inverse_diagonal_blocks(const BlockMatrix<Number> &A);

    /** $y_i = \alpha M_i x_i$ for owned indices; y may be x. Local.
     * @throws InputError if sizes do not fit. */
    template <typename Number>
    void
    multiply(const BlockDiagonal<Number> &M,
             Number                       alpha,
             const BlockVector<Number>   &x,
             BlockVector<Number>         &y);
  } // namespace sparse
} // namespace tessera

#endif
