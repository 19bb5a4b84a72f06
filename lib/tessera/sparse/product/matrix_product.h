// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_product_matrix_product_h
#define tessera_sparse_product_matrix_product_h

#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/block_pattern.h>
#include <tessera/sparse/product/cached_positions.h>
#include <tessera/sparse/product/contribution_lists.h>
#include <tessera/sparse/product/product_algorithm.h>

#include <cstddef>

namespace tessera
{
  namespace sparse
  {
    /**
     * The product of two sparse matrices of blocks, $W = A B$, in two phases:
     * the constructor finds the pattern of W and what the algorithm needs,
     * multiply() computes values, any number of times.
     *
     * The pattern is structural: it depends on the patterns of A and B only.
     * Each block $W_{iJ}$ is the sum of $A_{ik} B_{kJ}$ in ascending order of
     * k, each entry a chain of fused multiply-adds: all algorithms and
     * instruction sets give the same bits.
     *
     * Local: the owned rows of A, all local columns of it with ghosts, for
     * which B has a row each.
     *
     * Cost of multiply(): 2 r k c operations a product of blocks r x k and k x
     * c, of which there are n_products().
     */
    template <typename Number>
    class MatrixProduct
    {
    public:
      /**
       * @param[in] options automatic means cached_positions; fused,
       * fused_ordered and outer_product are for GalerkinProduct.
       * @throws InputError if the columns of A are not the rows of B, or their
       * blocks do not fit, or for such an algorithm.
       */
      MatrixProduct(const BlockPattern   &A,
                    BlockShape            shape_of_A,
                    const BlockPattern   &B,
                    BlockShape            shape_of_B,
                    const ProductOptions &options = ProductOptions());

      /** For those who know the pattern of the product already, or one that
       * contains it. This and the shapes are not checked. */
      MatrixProduct(const BlockPattern   &A,
                    BlockShape            shape_of_A,
                    const BlockPattern   &B,
                    BlockShape            shape_of_B,
                    const BlockPattern   &product,
                    const ProductOptions &options);

      /** Of W: rows of A, columns of B. */
      const BlockPattern &
      pattern() const;

      BlockShape
      shape() const;

      ProductAlgorithm
      algorithm() const;

      /** Of blocks. */
      std::size_t
      n_products() const;

      /**
       * $W \leftarrow A B$.
       *
       * @throws InputError unless A, B and W have the patterns and shapes that
       * this was made for.
       */
      void
      multiply(const BlockMatrix<Number> &A,
               const BlockMatrix<Number> &B,
               BlockMatrix<Number>       &W);

      /** Lists, schedule or positions and scratch; not the patterns. */
      std::size_t
      memory_consumption() const;

    private:
      void
      initialize(const ProductOptions &options);

      BlockPattern     pattern_A;
      BlockPattern     pattern_B;
      BlockPattern     pattern_W;
      BlockShape       shape_A;
      BlockShape       shape_B;
      ProductAlgorithm chosen_algorithm = ProductAlgorithm::cached_positions;

      ContributionLists     lists;
      ContributionSchedule  schedule;
      CachedPositions       positions;
      AlignedVector<Number> scratch;
    };
  } // namespace sparse
} // namespace tessera

#endif
