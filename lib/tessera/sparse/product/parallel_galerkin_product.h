// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_product_parallel_galerkin_product_h
#define tessera_sparse_product_parallel_galerkin_product_h

#include <tessera/sparse/block_assembly.h>
#include <tessera/sparse/ghost_rows.h>
#include <tessera/sparse/product/galerkin_product.h>

#include <memory>

namespace tessera
{
  namespace sparse
  {
    /**
     * The Galerkin product $A_c = P^T A P$ of matrices that are distributed
     * over ranks: a GalerkinProduct of the rows of A that a rank owns, with the
     * rows of P for its ghosts, and the sum of what ranks contribute to each
     * other's rows.
     *
     * multiply() sends values of P only when BlockMatrix::state() of P has
     * changed, and then those of the rows that others need; and values of A
     * never, but one block of $A_c$ for each block to which a rank contributes
     * that is not its own. A block of $A_c$ is the local product of its owner,
     * to which those of other ranks are added in the order of the ranks. On one
     * rank this is a GalerkinProduct and nothing else.
     */
    template <typename Number>
    class ParallelGalerkinProduct
    {
    public:
      /**
       * Collective.
       * @param[in] A A square pattern: rows and columns owned alike.
       * @param[in] P Rows are the rows of A, columns those of $A_c$.
       * @param[in] fine, coarse Blocks of A are fine x fine, those of P are
       * fine x coarse.
       * @throws InputError on all ranks if A and P do not fit, and as
       * GalerkinProduct.
       */
      ParallelGalerkinProduct(const BlockPattern   &A,
                              const BlockPattern   &P,
                              int                   fine,
                              int                   coarse,
                              const ProductOptions &options = ProductOptions());

      /** Of $A_c$: rows and columns owned as the columns of P are. */
      const BlockPattern &
      pattern() const;

      BlockShape
      shape() const;

      /** The product of what this rank has: algorithm, sizes, traffic. */
      const GalerkinProduct<Number> &
      local_product() const;

      /** $A_c \leftarrow P^T A P$. Collective.
       * @throws InputError unless the matrices have the patterns and shapes
       * that this was made for; on all ranks if a value is not finite. */
      void
      multiply(const BlockMatrix<Number> &A,
               const BlockMatrix<Number> &P,
               BlockMatrix<Number>       &A_c);

      std::size_t
      memory_consumption() const;

    private:
      std::unique_ptr<GalerkinProduct<Number>> product;

      // On more than one rank.
      std::unique_ptr<GhostRows<Number>>     rows_of_P;
      std::unique_ptr<BlockAssembly<Number>> assembly;
      BlockMatrix<Number>                    contributions;
    };
  } // namespace sparse
} // namespace tessera

#endif
