// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_product_position_kernels_h
#define tessera_sparse_product_position_kernels_h

#include <tessera/base/instruction_set.h>
#include <tessera/sparse/product/product_shape.h>

#include <cstddef>
#include <cstdint>

namespace tessera
{
  namespace sparse
  {
    /** Numbers of scratch memory for a row of n blocks with `rows` rows. */
    inline std::size_t
    position_kernel_scratch(const std::size_t n, const int rows)
    {
      return n * rows * 8;
    }

    // Products at stored positions: no search. A row of W = A P is summed in
    // scratch memory, which stays in the first cache. Number is float or
    // double, Position std::uint8_t, std::uint16_t or std::uint32_t. Local,
    // deterministic; the same bits from every instruction set.
    TESSERA_DECLARE_SIMD(
      /**
       * $W = A P$.
       *
       * @param[in] row_begin Of W, [n_rows+1].
       * @param[in] positions In the row of W of each product of an entry of A
       * and one of P, in the order of rows of A, its columns, columns of P.
       */
      template <typename Position, typename Number>
      void multiply_by_positions(ProductShape                    shape,
                                 std::int32_t                    n_rows,
                                 const CompressedBlocks<Number> &A,
                                 const CompressedBlocks<Number> &P,
                                 const std::int64_t             *row_begin,
                                 const Position                 *positions,
                                 Number                         *scratch,
                                 Number                         *w);

      /**
       * $C = P^T A P$: each row of W is multiplied by the transposed blocks of
       * that row of P, and added to the rows of C, as soon as it is there.
       *
       * @param[in] fine, coarse Blocks of A are fine x fine, of P fine x
       * coarse.
       * @param[in] n_coarse_rows Rows of C.
       * @param[in] row_lengths Blocks of each row of W, [n_rows].
       * @param[in] positions As above.
       * Position and CoarsePosition are equal, or have 8 and 16 bits.
       *
       * @param[in] coarse_positions In row I of C of each product of an entry
       * (i, I) of P and one of row i of W, in this order.
       */
      template <typename Position, typename CoarsePosition, typename Number>
      void galerkin_by_positions(int                             fine,
                                 int                             coarse,
                                 std::int32_t                    n_rows,
                                 std::int32_t                    n_coarse_rows,
                                 const CompressedBlocks<Number> &A,
                                 const CompressedBlocks<Number> &P,
                                 const std::int32_t             *row_lengths,
                                 const Position                 *positions,
                                 const CoarsePosition *coarse_positions,
                                 const std::int64_t   *coarse_row_begin,
                                 Number               *scratch,
                                 Number               *c);)
  } // namespace sparse
} // namespace tessera

#endif
