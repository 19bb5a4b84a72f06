// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_product_galerkin_product_h
#define tessera_sparse_product_galerkin_product_h

#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/block_pattern.h>
#include <tessera/sparse/product/cached_positions.h>
#include <tessera/sparse/product/matrix_product.h>
#include <tessera/sparse/product/product_algorithm.h>
#include <tessera/sparse/product/product_patterns.h>
#include <tessera/sparse/product/product_sizes.h>
#include <tessera/sparse/product/traffic_model.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera
{
  namespace sparse
  {
    /**
     * The Galerkin product $A_c = P^T A P$ of sparse matrices of blocks, in two
     * phases: the constructor finds the pattern of $A_c$ and what the algorithm
     * needs, multiply() computes values, any number of times. What depends on
     * the values of P only is computed again when BlockMatrix::state() of P
     * says so.
     *
     * The pattern is structural and the same for all algorithms; values are
     * those of ProductAlgorithm: with $W = A P$ summed as in MatrixProduct, the
     * algorithms that agree bitwise sum $P_{iI}^T W_{iJ}$ in ascending order of
     * i.
     *
     * Local: A has the owned rows, and columns with ghosts. P has a row for
     * each local column of A, with local columns, ghosts included. $A_c$ has a
     * row for each local column of P: those of ghosts are what this rank
     * contributes to rows of others.
     *
     * Deterministic; the same bits from every instruction set. Cost: traffic().
     */
    template <typename Number>
    class GalerkinProduct
    {
    public:
      /**
       * @param[in] A A square pattern: row i belongs to column i.
       * @param[in] fine, coarse Blocks of A are fine x fine, those of P are
       * fine x coarse.
       * @throws InputError if P does not have a row for each column of A, if A
       * has more rows than columns, or if there are no such blocks.
       */
      GalerkinProduct(const BlockPattern   &A,
                      const BlockPattern   &P,
                      int                   fine,
                      int                   coarse,
                      const ProductOptions &options = ProductOptions());

      /** Of $A_c$. */
      const BlockPattern &
      pattern() const;

      /** Of the blocks of $A_c$, coarse x coarse. */
      BlockShape
      shape() const;

      ProductAlgorithm
      algorithm() const;

      /** One line for the log: algorithm, and why. */
      std::string
      description() const;

      /** Counted from the patterns. */
      const ProductSizes &
      sizes() const;

      /** What the model says of the algorithm in use. */
      ProductTraffic
      traffic() const;

      /**
       * $A_c \leftarrow P^T A P$.
       *
       * @throws InputError unless the matrices have the patterns and shapes
       * that this was made for.
       */
      void
      multiply(const BlockMatrix<Number> &A,
               const BlockMatrix<Number> &P,
               BlockMatrix<Number>       &A_c);

      /** What is kept beside the patterns of A, P and $A_c$: intermediate
       * matrices, lists, positions. */
      std::size_t
      memory_consumption() const;

    private:
      void
      refresh_restriction(const BlockMatrix<Number> &P);

      void
      multiply_at_positions(const BlockMatrix<Number> &A,
                            const BlockMatrix<Number> &P,
                            Number                    *c);

      BlockPattern  pattern_A;
      BlockPattern  pattern_P;
      BlockPattern  pattern_C;
      BlockShape    shape_A;
      BlockShape    shape_P;
      ProductSizes  counted_sizes;
      ProductChoice choice;

      // Of the algorithms with a restriction matrix R = P^T.
      TransposedPattern   transposed;
      BlockMatrix<Number> R;
      std::uint64_t       state_of_R = 0; ///< that of P when R was computed

      // Of those with an intermediate matrix, W = A P or A^T P.
      BlockMatrix<Number>                    W;
      std::unique_ptr<MatrixProduct<Number>> first, second;

      // Of fused_ordered.
      std::vector<std::int32_t> order;

      // Of cached_positions.
      std::vector<std::int32_t> row_lengths;
      CachedPositions           positions;
      CachedPositions           coarse_positions;
      AlignedVector<Number>     scratch;
    };
  } // namespace sparse
} // namespace tessera

#endif
