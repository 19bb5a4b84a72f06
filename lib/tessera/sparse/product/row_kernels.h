// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_product_row_kernels_h
#define tessera_sparse_product_row_kernels_h

#include <tessera/base/instruction_set.h>
#include <tessera/sparse/product/product_shape.h>

#include <cstdint>

namespace tessera
{
  namespace sparse
  {
    // Products that find the place of each contribution in the result by
    // bisection of a row of its pattern, which must contain all of them.
    // Number is float or double; shapes as in ProductShape, up to 6. Local,
    // deterministic; the same bits from every instruction set.
    TESSERA_DECLARE_SIMD(
      /**
       * $C = A B$, row by row, with the contributions to each block in
       * ascending order of the columns of A.
       *
       * @param[out] c Values in the pattern of C, which has n_rows rows.
       */
      template <typename Number>
      void multiply_rows(ProductShape                    shape,
                         std::int32_t                    n_rows,
                         const CompressedBlocks<Number> &A,
                         const CompressedBlocks<Number> &B,
                         const CompressedRows           &C,
                         Number                         *c);

      /**
       * $C = A^T B$ by outer products of the rows of A and B, n_rows each,
       * one after the other.
       *
       * @param[in] shape Of the product of blocks: rows are columns of A.
       * @param[in] n_result_rows Rows of C, columns of A.
       */
      template <typename Number>
      void multiply_transposed(ProductShape                    shape,
                               std::int32_t                    n_rows,
                               const CompressedBlocks<Number> &A,
                               const CompressedBlocks<Number> &B,
                               std::int32_t                    n_result_rows,
                               const CompressedRows           &C,
                               Number                         *c);

      /**
       * $C = R A P$ without a matrix in between: each row of C as the sum of
       * $(R_{Ii} A_{ik}) P_{kJ}$, in ascending order of i, then k.
       *
       * @param[in] fine, coarse Blocks of A are fine x fine, of P fine x
       * coarse.
       * @param[in] order Row of C to compute first, second, ...; null:
       * as numbered.
       */
      template <typename Number>
      void multiply_fused(int                             fine,
                          int                             coarse,
                          std::int32_t                    n_coarse_rows,
                          const std::int32_t             *order,
                          const CompressedBlocks<Number> &R,
                          const CompressedBlocks<Number> &A,
                          const CompressedBlocks<Number> &P,
                          const CompressedRows           &C,
                          Number                         *c);)
  } // namespace sparse
} // namespace tessera

#endif
