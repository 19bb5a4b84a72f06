// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_vector_kernels_h
#define tessera_sipg_vector_kernels_h

#include <tessera/base/instruction_set.h>

#include <cstddef>
#include <cstdint>

namespace tessera
{
  namespace sipg
  {
    TESSERA_DECLARE_SIMD(
      /** $\sum_i x_i y_i$, in the same order for all instruction sets; arrays
       * are padded to multiples of eight. */
      double dot(const double *x, const double *y, std::size_t n);

      /** x <- x + a p, r <- r - a q, in one pass. */
      void update_iterate(double        a,
                          const double *p,
                          const double *q,
                          double       *x,
                          double       *r,
                          std::size_t   n);

      /** p <- z + b p */
      void update_direction(double        b,
                            const double *z,
                            double       *p,
                            std::size_t   n);

      /** $\max_i |x_i|$ of those that are numbers. */
      double largest_magnitude(const double *x, std::size_t n);

      /** out <- a in, rounded. */
      template <typename T>
      void convert(double a, const double *in, T *out, std::size_t n);

      /** out <- a in where the cell is active, zero elsewhere; n_values values
       * a cell, in whole blocks (see FieldLayout). */
      template <typename T>
      void convert_active(double              a,
                          const T            *in,
                          const std::uint8_t *active,
                          std::size_t         n_padded_cells,
                          std::size_t         n_values,
                          std::size_t         block_size,
                          double             *out);)
  } // namespace sipg
} // namespace tessera

#endif
