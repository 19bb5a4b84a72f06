// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_change_of_basis_h
#define tessera_sipg_change_of_basis_h

namespace tessera
{
  namespace sipg
  {
    /**
     * $out = (A \otimes \dots \otimes A)\,in$ for each cell of a block of
     * FieldLayout: the coefficients in another basis.
     *
     * @param[in] A n x n, row-major, n = degree + 1.
     * @param[in] block_size A power of two.
     * @param[out] out May be @p in.
     *
     * Cost: dim n fused multiply-adds a value; two words.
     */
    template <int dim>
    void
    change_basis(int           degree,
                 const double *A,
                 int           block_size,
                 const double *in,
                 double       *out);
  } // namespace sipg
} // namespace tessera

#endif
