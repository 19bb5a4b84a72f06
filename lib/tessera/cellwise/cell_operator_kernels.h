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
       * Arrays of n_blocks blocks of cells of this degree in dim directions;
       * matrices are as for apply_cell_laplacian().
       * @{
       */

      /** dst = A src. */
      template <int dim>
      void apply_laplacian(int           degree,
                           double       *dst,
                           const double *src,
                           const double *inverse_eigenvectors,
                           const double *eigenvalues,
                           CellIndex     n_blocks);

      /** r = b - A u; r may be b. */
      template <int dim>
      void laplacian_residual(int           degree,
                              double       *r,
                              const double *b,
                              const double *u,
                              const double *inverse_eigenvectors,
                              const double *eigenvalues,
                              CellIndex     n_blocks);

      /** u <- u + a z; r = b - A u. Returns max |r| of the first n_owned
       * cells, NaN if a number is not finite. */
      template <int dim, typename Number>
      double correct_and_residual(int           degree,
                                  double       *u,
                                  double        a,
                                  const Number *z,
                                  double       *r,
                                  const double *b,
                                  const double *inverse_eigenvectors,
                                  const double *eigenvalues,
                                  CellIndex     n_blocks,
                                  CellIndex     n_owned);

      /** d <- beta d + a z; the energy of d in every cell, also those of the
       * padding, see cell_energy(). */
      template <int dim, typename Number>
      void scale_and_add_energy(int           degree,
                                double       *energies,
                                double       *d,
                                double        beta,
                                double        a,
                                const Number *z,
                                const double *inverse_eigenvectors,
                                const double *eigenvalues,
                                CellIndex     n_blocks);

      /** u <- u + alpha d; r <- r - alpha A d. Returns max |r| as
       * correct_and_residual(). */
      template <int dim>
      double step_along_direction(int           degree,
                                  double       *u,
                                  double       *r,
                                  double        alpha,
                                  const double *d,
                                  const double *inverse_eigenvectors,
                                  const double *eigenvalues,
                                  CellIndex     n_blocks,
                                  CellIndex     n_owned);

      /** @} */
    )
  } // namespace cellwise
} // namespace tessera

#endif
