// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_device_coarse_launchers_h
#define tessera_patch_device_coarse_launchers_h

#include <tessera/base/device/stream.h>

namespace tessera
{
  namespace patch
  {
    namespace on_device
    {
      /** CoarseFactors on a device. Matrices are row-major, in device memory.
       */
      template <int dim>
      struct CoarseMatrices
      {
        int    n_cells[dim];
        int    degree;
        double mass_weight;

        int           n_unknowns[dim];
        const double *eigenvalues[dim];
        const double *to_modes[dim];
        const double *to_nodes[dim];
      };

      /**
       * $u = A^{-1} b$, see DeviceCoarseSolver: one launch for each product
       * with a matrix, 2 dim of them.
       *
       * @param[in] b [cell][(degree+1)^dim], all cells of the box, x fastest;
       * u likewise.
       * @param[in,out] x, y Space for a double for each entry of b.
       */
      template <int dim, typename Number>
      void
      solve_coarse(const CoarseMatrices<dim> &matrices,
                   Number                    *u,
                   const Number              *b,
                   double                    *x,
                   double                    *y,
                   const device::Stream      &stream);
    } // namespace on_device
  }   // namespace patch
} // namespace tessera

#endif
