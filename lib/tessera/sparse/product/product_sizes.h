// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_product_product_sizes_h
#define tessera_sparse_product_product_sizes_h

#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/product/product_shape.h>

#include <cstddef>
#include <cstdint>

namespace tessera
{
  namespace sparse
  {
    /**
     * What the costs of a Galerkin product $A_c = P^T A P$, $W = A P$ depend
     * on: numbers of block rows, of blocks, and of products of blocks.
     *
     * Numbers are of type double: they enter bytes and seconds, and estimates
     * are not whole.
     */
    struct ProductSizes
    {
      int fine   = 1; ///< blocks of A are fine x fine,
      int coarse = 1; ///< of P and W fine x coarse, of $A_c$ coarse x coarse
      int number_bytes = 8; ///< of a number: 4 or 8

      double n_fine_rows   = 0;
      double n_coarse_rows = 0;
      double n_blocks_A    = 0;
      double n_blocks_P    = 0;
      double n_blocks_W    = 0;
      double n_blocks_C    = 0;

      double n_products_W = 0; ///< of blocks, in A P
      double n_products_C = 0; ///< of blocks, in P^T W

      /** Blocks of A and of P that the fused form reads: once for each block
       * in their row, or in the row of P before. */
      double n_fused_reads_A = 0;
      double n_fused_reads_P = 0;

      /** Bytes of the positions in a row of W and of $A_c$: 1 and 1, 1 and 2, 2
       * and 2, or 4 and 4. */
      int position_bytes_W = 1;
      int position_bytes_C = 1;

      /** Blocks of P in a row, $n_P$. */
      double
      blocks_per_row() const
      {
        return n_blocks_P / n_fine_rows;
      }

      /** Blocks of W for each of P, w. */
      double
      fill_growth() const
      {
        return n_blocks_W / n_blocks_P;
      }

      /** @name Bytes of a block
       * @{ */
      double
      bytes_A() const
      {
        return number_bytes * fine * fine;
      }

      double
      bytes_P() const
      {
        return number_bytes * fine * coarse;
      }

      double
      bytes_W() const
      {
        return bytes_P();
      }

      double
      bytes_C() const
      {
        return number_bytes * coarse * coarse;
      }
      /** @} */
    };

    /** Counted from the patterns of A, P, W and $A_c$. P has a row for each
     * column of A. */
    ProductSizes
    count_sizes(int                   fine,
                int                   coarse,
                int                   number_bytes,
                std::int32_t          n_fine_rows,
                std::int32_t          n_coarse_rows,
                const CompressedRows &A,
                const CompressedRows &P,
                const CompressedRows &W,
                const CompressedRows &C);

    /** With products and reads estimated from averages, as if all rows of P had
     * blocks_per_row blocks. Positions have 16 bits. */
    ProductSizes
    estimate_sizes(int    fine,
                   int    coarse,
                   int    number_bytes,
                   double n_fine_rows,
                   double n_coarse_rows,
                   double n_blocks_A,
                   double n_blocks_P,
                   double n_blocks_W,
                   double n_blocks_C,
                   double blocks_per_row);
  } // namespace sparse
} // namespace tessera

#endif
