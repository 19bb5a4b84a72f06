// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_prolongator_smoothing_h
#define tessera_amg_prolongator_smoothing_h

#include <tessera/sparse/block_diagonal.h>
#include <tessera/sparse/block_matrix.h>

namespace tessera
{
  namespace amg
  {
    /** $P = P_0 - \omega D^{-1} A P_0$, by a sparse product of rectangular
     * blocks.
     * @param[in] inverse_diagonal $D^{-1}$, see inverse_scalar_diagonal().
     * @throws InputError if sizes do not fit. */
    sparse::BlockMatrix<double>
    smoothed_prolongator(const sparse::BlockMatrix<double>   &A,
                         const sparse::BlockDiagonal<double> &inverse_diagonal,
                         double                               omega,
                         const sparse::BlockMatrix<double>   &P_0);
  } // namespace amg
} // namespace tessera

#endif
