// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_cell_matrices_h
#define tessera_cellwise_device_cell_matrices_h

#include <tessera/cellwise/degree.h>

#include <algorithm>

namespace tessera
{
  namespace cellwise
  {
    /**
     * The matrices of apply_cell_laplacian(), as a parameter of a kernel:
     * parameters are in the constant memory of a device, from where
     * instructions take operands as they do from registers.
     */
    template <int dim, int q, typename T>
    struct CellMatrices
    {
      /** A copy of matrices in host memory. */
      CellMatrices(const T *inverse_eigenvectors_begin,
                   const T *eigenvalues_begin)
      {
        std::copy_n(inverse_eigenvectors_begin, q * q, inverse_eigenvectors);
        std::copy_n(eigenvalues_begin, power(q, dim), eigenvalues);
      }

      T inverse_eigenvectors[q * q];
      T eigenvalues[power(q, dim)];
    };
  } // namespace cellwise
} // namespace tessera

#endif
