// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_device_vector_kernels_h
#define tessera_base_device_vector_kernels_h

#include <tessera/base/device/stream.h>

#include <cstddef>

namespace tessera
{
  namespace device
  {
    /**
     * Operations on arrays on the device, entry by entry: x[n], v[n], w[n] of
     * T = float or double, in one pass over memory. Arrays of one operation may
     * be the same, but must not overlap otherwise. Sums of products are
     * computed by fma: $s x + a v$ is fma(a, v, s x), rounded twice.
     * Reductions are in reductions.h.
     */
    namespace vectors
    {
      /** $x_i = a$ */
      template <typename T>
      void
      set(T *x, T a, std::size_t n, const Stream &stream);

      /** $x_i = v_i$, rounded to nearest. */
      template <typename T, typename U>
      void
      convert(T *x, const U *v, std::size_t n, const Stream &stream);

      /** $x_i \leftarrow x_i + a$ */
      template <typename T>
      void
      shift(T *x, T a, std::size_t n, const Stream &stream);

      /** $x_i \leftarrow a x_i$ */
      template <typename T>
      void
      scale(T *x, T a, std::size_t n, const Stream &stream);

      /** $x_i \leftarrow x_i v_i$ */
      template <typename T>
      void
      scale(T *x, const T *v, std::size_t n, const Stream &stream);

      /** $x_i = a v_i$ */
      template <typename T>
      void
      set_to_multiple(T            *x,
                      T             a,
                      const T      *v,
                      std::size_t   n,
                      const Stream &stream);

      /** $x_i \leftarrow s x_i + a v_i$ */
      template <typename T>
      void
      scale_and_add(T            *x,
                    T             s,
                    T             a,
                    const T      *v,
                    std::size_t   n,
                    const Stream &stream);

      /** $x_i \leftarrow x_i + a v_i + b w_i$ */
      template <typename T>
      void
      add_two(T            *x,
              T             a,
              const T      *v,
              T             b,
              const T      *w,
              std::size_t   n,
              const Stream &stream);
    } // namespace vectors
  }   // namespace device
} // namespace tessera

#endif
