// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_device_reductions_h
#define tessera_base_device_reductions_h

#include <tessera/base/device/memory.h>

#include <cstddef>

namespace tessera
{
  namespace device
  {
    /**
     * The order of the reductions, which the host and the device keep, so that
     * they give the same bits, whatever runs when.
     *
     * The values are cut into blocks of 2048. Of a block, 256 partial results
     * are computed one value after the other, number t from the values t, t +
     * 256, t + 512, ... of the block; these are combined in pairs of
     * neighbours, the results in pairs of neighbours, and so on. The results of
     * the blocks are values to be reduced in the same way, until one is left.
     * All of it is in double precision, and products are added by fma.
     */
    inline constexpr int reduction_block = 2048;

    /**
     * Reductions of arrays on the device, T = float or double. See
     * reduction_block for the order; results are those of host_sum() etc., bit
     * for bit.
     *
     * Cost: the values are read once. One launch for up to 2048 values, two up
     * to 4 million, three up to 8 billion.
     */
    class Reductions
    {
    public:
      /** Allocate what reductions of up to max_n_values need.
       * @throws DeviceError if there is no memory. */
      explicit Reductions(std::size_t max_n_values);

      /** @name Results on the device
       * The result is written to *result on the device when the stream comes to
       * it; for n = 0 it is 0. x[n], y[n] are on the device. Objects must not
       * be used in two streams at the same time. @{ */

      /** $\sum_i x_i$ */
      template <typename T>
      void
      sum(const T *x, std::size_t n, double *result, const Stream &stream);

      /** $\sum_i x_i y_i$ */
      template <typename T>
      void
      dot(const T      *x,
          const T      *y,
          std::size_t   n,
          double       *result,
          const Stream &stream);

      /** $\sum_i |x_i|$ */
      template <typename T>
      void
      sum_abs(const T *x, std::size_t n, double *result, const Stream &stream);

      /**
       * $x \leftarrow x + a v$, rounded once, and $\sum_i x_i w_i$ of the new
       * x, which w may be. In one pass: x, v, w are read and x is written once.
       */
      template <typename T>
      void
      add_and_dot(T            *x,
                  T             a,
                  const T      *v,
                  const T      *w,
                  std::size_t   n,
                  double       *result,
                  const Stream &stream);

      /** $\max_i |x_i|$, or NaN if one of the values is. */
      template <typename T>
      void
      max_abs(const T *x, std::size_t n, double *result, const Stream &stream);
      /** @} */

      /** @name Results on the host
       * The same, and wait for the result: 8 bytes are copied. @{ */
      template <typename T>
      double
      sum(const T *x, std::size_t n, const Stream &stream)
      {
        sum(x, n, device_result.data(), stream);
        return fetch_result(stream);
      }

      template <typename T>
      double
      dot(const T *x, const T *y, std::size_t n, const Stream &stream)
      {
        dot(x, y, n, device_result.data(), stream);
        return fetch_result(stream);
      }

      template <typename T>
      double
      sum_abs(const T *x, std::size_t n, const Stream &stream)
      {
        sum_abs(x, n, device_result.data(), stream);
        return fetch_result(stream);
      }

      template <typename T>
      double
      add_and_dot(T            *x,
                  T             a,
                  const T      *v,
                  const T      *w,
                  std::size_t   n,
                  const Stream &stream)
      {
        add_and_dot(x, a, v, w, n, device_result.data(), stream);
        return fetch_result(stream);
      }

      template <typename T>
      double
      max_abs(const T *x, std::size_t n, const Stream &stream)
      {
        max_abs(x, n, device_result.data(), stream);
        return fetch_result(stream);
      }
      /** @} */

    private:
      template <typename Terms>
      void
      reduce(const Terms  &terms,
             std::size_t   n,
             double       *result,
             const Stream &stream);

      double
      fetch_result(const Stream &stream);

      std::size_t          max_n;
      Memory<double>       block_results[2]; ///< of alternating passes
      Memory<double>       device_result;
      PinnedMemory<double> host_result;
    };

    /** @name The host's twins
     * The same bits from values x[n], y[n] of the host, T = float or double. @{
     */
    template <typename T>
    double
    host_sum(const T *x, std::size_t n);

    template <typename T>
    double
    host_dot(const T *x, const T *y, std::size_t n);

    template <typename T>
    double
    host_sum_abs(const T *x, std::size_t n);

    template <typename T>
    double
    host_add_and_dot(T *x, T a, const T *v, const T *w, std::size_t n);

    template <typename T>
    double
    host_max_abs(const T *x, std::size_t n);
    /** @} */
  } // namespace device
} // namespace tessera

#endif
