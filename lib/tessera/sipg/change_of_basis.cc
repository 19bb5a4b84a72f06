// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sipg/basis_kernels.h>
#include <tessera/sipg/change_of_basis.h>

namespace tessera
{
  namespace sipg
  {
    template <int dim>
    void
    change_basis(const int           degree,
                 const double *const A,
                 const int           block_size,
                 const double *const in,
                 double *const       out)
    {
      TESSERA_CALL_SIMD(
        change_basis_of_block<dim>(degree, A, block_size, in, out));
    }



    template void
    change_basis<2>(int, const double *, int, const double *, double *);
    template void
    change_basis<3>(int, const double *, int, const double *, double *);
  } // namespace sipg
} // namespace tessera
