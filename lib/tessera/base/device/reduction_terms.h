// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_device_reduction_terms_h
#define tessera_base_device_reduction_terms_h

// What is reduced, for the host and the device. See tessera/base/device/
// reductions.h.

#include <tessera/base/macros.h>

#include <cmath>
#include <cstddef>

namespace tessera
{
  namespace device
  {
    namespace internal
    {
      /** $a b + c$, rounded once; in global scope, for all compilers. @{ */
      TESSERA_ALWAYS_INLINE float
      fused_multiply_add(const float a, const float b, const float c)
      {
        return ::fmaf(a, b, c);
      }

      TESSERA_ALWAYS_INLINE double
      fused_multiply_add(const double a, const double b, const double c)
      {
        return ::fma(a, b, c);
      }
      /** @} */

      /** Threads of a block that reduce reduction_block values. */
      inline constexpr int reduction_threads = 256;

      /** $\sum_i x_i$ */
      template <typename T>
      struct SumTerms
      {
        const T *x;

        TESSERA_ALWAYS_INLINE double
        add(const double result, const std::size_t i) const
        {
          return result + double(x[i]);
        }

        static TESSERA_ALWAYS_INLINE double
        combine(const double a, const double b)
        {
          return a + b;
        }
      };

      /** $\sum_i x_i y_i$ */
      template <typename T>
      struct ProductTerms
      {
        const T *x, *y;

        TESSERA_ALWAYS_INLINE double
        add(const double result, const std::size_t i) const
        {
          return ::fma(double(x[i]), double(y[i]), result);
        }

        static TESSERA_ALWAYS_INLINE double
        combine(const double a, const double b)
        {
          return a + b;
        }
      };

      /** $\sum_i |x_i|$ */
      template <typename T>
      struct AbsoluteTerms
      {
        const T *x;

        TESSERA_ALWAYS_INLINE double
        add(const double result, const std::size_t i) const
        {
          return result + ::fabs(double(x[i]));
        }

        static TESSERA_ALWAYS_INLINE double
        combine(const double a, const double b)
        {
          return a + b;
        }
      };

      /** $x \leftarrow x + a v$, $\sum_i x_i w_i$; every value is visited
       * once. */
      template <typename T>
      struct UpdatedProductTerms
      {
        T       *x;
        T        a;
        const T *v, *w;

        TESSERA_ALWAYS_INLINE double
        add(const double result, const std::size_t i) const
        {
          const T y = fused_multiply_add(a, v[i], x[i]);
          x[i]      = y;
          // After the store: w may be x.
          return ::fma(double(y), double(w[i]), result);
        }

        static TESSERA_ALWAYS_INLINE double
        combine(const double a, const double b)
        {
          return a + b;
        }
      };

      /** $\max_i |x_i|$, NaN if one of them is. */
      template <typename T>
      struct MagnitudeTerms
      {
        const T *x;

        TESSERA_ALWAYS_INLINE double
        add(const double result, const std::size_t i) const
        {
          return combine(result, ::fabs(double(x[i])));
        }

        static TESSERA_ALWAYS_INLINE double
        combine(const double a, const double b)
        {
          // Every comparison with NaN is false.
          return a >= b || a != a ? a : b;
        }
      };
    } // namespace internal
  }   // namespace device
} // namespace tessera

#endif
