// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_dense_cholesky_h
#define tessera_amg_dense_cholesky_h

#include <tessera/base/aligned_vector.h>

#include <cstddef>
#include <cstdint>

namespace tessera
{
  namespace amg
  {
    /**
     * The Cholesky factorization $A = L L^T$ of a dense symmetric positive
     * definite matrix of up to a few thousand rows.
     *
     * Storage, host memory, double: L and its transpose, in panels of eight
     * rows; together one square matrix. n^3/3 flops a factorization; a solution
     * reads 8 n^2 bytes. The same bits from every instruction set. Local.
     */
    class DenseCholesky
    {
    public:
      DenseCholesky() = default;

      /** A matrix of zeros. Keeps the memory where n is the same. */
      void
      reinit(std::int32_t n);

      std::int32_t
      n() const;

      /** $A_{ij}$, $0 \le j \le i < n$, to write before factorize(). */
      double &
      lower(std::int32_t i, std::int32_t j);

      /** Where factorize() ended. */
      struct Result
      {
        /** n, or the first row whose pivot is not above 64 units of round-off
         * times its diagonal entry: the matrix is singular, or not positive
         * definite, to working precision. */
        std::int32_t row      = 0;
        double       pivot    = 0;
        double       diagonal = 0; ///< of that row
      };

      Result
      factorize();

      /** $x \leftarrow A^{-1} x$, after a factorization.
       * @param[in,out] x [padded_size()]; zeros behind the first n. */
      void
      solve(double *x) const;

      /** n rounded up to whole panels. */
      std::size_t
      padded_size() const;

      std::size_t
      memory_consumption() const;

    private:
      std::int32_t          n_rows   = 0;
      std::int32_t          n_panels = 0;
      AlignedVector<double> L;
      AlignedVector<double> U;
    };
  } // namespace amg
} // namespace tessera

#endif
