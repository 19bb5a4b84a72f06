// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_cell_operator_kernels_h
#define tessera_cellwise_cell_operator_kernels_h

#include <tessera/base/instruction_set.h>
#include <tessera/cellwise/layout.h>

namespace tessera
{
  namespace cellwise
  {
    TESSERA_DECLARE_SIMD(
      /**
       * @name Leaf kernels of CellOperator
       * Blocked arrays of n_blocks blocks of cells of this degree in dim
       * directions; matrices are as for apply_cell_laplacian().
       * @{
       */

      /** dst = A src. */
      template <int dim, typename Number>
      void apply_laplacian(int           degree,
                           Number       *dst,
                           const Number *src,
                           const Number *inverse_eigenvectors,
                           const Number *eigenvalues,
                           CellIndex     n_blocks);

      /** r = b - A u; r may be b. */
      template <int dim, typename Number>
      void laplacian_residual(int           degree,
                              Number       *r,
                              const Number *b,
                              const Number *u,
                              const Number *inverse_eigenvectors,
                              const Number *eigenvalues,
                              CellIndex     n_blocks);

      /** @} */
    )
  } // namespace cellwise
} // namespace tessera

#endif
