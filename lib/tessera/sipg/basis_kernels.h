// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_basis_kernels_h
#define tessera_sipg_basis_kernels_h

#include <tessera/base/instruction_set.h>

namespace tessera
{
  namespace sipg
  {
    TESSERA_DECLARE_SIMD(
      /** See change_basis(). */
      template <int dim> void change_basis_of_block(int           degree,
                                                    const double *A,
                                                    int           block_size,
                                                    const double *in,
                                                    double       *out);)
  } // namespace sipg
} // namespace tessera

#endif
