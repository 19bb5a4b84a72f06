// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_cell_operator_launchers_h
#define tessera_cellwise_device_cell_operator_launchers_h

#include <tessera/base/device/stream.h>
#include <tessera/cellwise/layout.h>

namespace tessera
{
  namespace cellwise
  {
    /**
     * Kernels on a device. Fields and lists are in device memory, blocked by
     * cells_per_device_block where a layout is not said; matrices are in host
     * memory and may be changed when a launcher returns. Results have the bits
     * of the host's kernels of the same name.
     * @throws InputError for degrees that devices do not take.
     */
    namespace on_device
    {
      /**
       * dst = A src; see apply_cell_laplacian() for the matrices.
       * T, layout: double blocked, float blocked, float contiguous.
       */
      template <int dim, typename T, Layout layout>
      void
      apply_laplacian(int                   degree,
                      T                    *dst,
                      const T              *src,
                      const T              *inverse_eigenvectors,
                      const T              *eigenvalues,
                      CellIndex             n_cells,
                      const device::Stream &stream);

      /** r = b - A u; r may be b. */
      template <int dim, typename T, Layout layout>
      void
      laplacian_residual(int                   degree,
                         T                    *r,
                         const T              *b,
                         const T              *u,
                         const T              *inverse_eigenvectors,
                         const T              *eigenvalues,
                         CellIndex             n_cells,
                         const device::Stream &stream);

      /**
       * u <- u + a z, r = b - A u; z contiguous, of float or double.
       *
       * @param[in,out] largest Becomes the largest of what it was and of all
       * |r| of the first n_owned cells, as the bits of a double; those of NaN
       * if a number is not finite. See CellReductions.
       */
      template <int dim, typename Number>
      void
      correct_and_residual(int                   degree,
                           double               *u,
                           double                a,
                           const Number         *z,
                           double               *r,
                           const double         *b,
                           const double         *inverse_eigenvectors,
                           const double         *eigenvalues,
                           CellIndex             n_cells,
                           CellIndex             n_owned,
                           unsigned long long   *largest,
                           const device::Stream &stream);

      /** d <- beta d + a z, z contiguous; the energy of d in every cell, see
       * cell_energy(); there is room for those of whole blocks. */
      template <int dim, typename Number>
      void
      scale_and_add_energy(int                   degree,
                           double               *energies,
                           double               *d,
                           double                beta,
                           double                a,
                           const Number         *z,
                           const double         *inverse_eigenvectors,
                           const double         *eigenvalues,
                           CellIndex             n_cells,
                           const device::Stream &stream);

      /** u <- u + alpha d, r <- r - alpha A d; largest as above. */
      template <int dim>
      void
      step_along_direction(int                   degree,
                           double               *u,
                           double               *r,
                           double                alpha,
                           const double         *d,
                           const double         *inverse_eigenvectors,
                           const double         *eigenvalues,
                           CellIndex             n_cells,
                           CellIndex             n_owned,
                           unsigned long long   *largest,
                           const device::Stream &stream);
    } // namespace on_device
  }   // namespace cellwise
} // namespace tessera

#endif
