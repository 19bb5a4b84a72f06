// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/lane_sum.h>
#include <tessera/base/lanes.h>
#include <tessera/sipg/vector_kernels.h>

namespace tessera
{
  namespace sipg
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      namespace
      {
        using Eight = tessera::TESSERA_SIMD_NAMESPACE::Lanes<double, 8>;
      }



      double
      dot(const double *x, const double *y, const std::size_t n)
      {
        using L       = Eight;
        L::V        a = L::zero(), b = L::zero();
        std::size_t i = 0;
        for (; i + 16 <= n; i += 16)
          {
            a = L::fma(L::load(x + i), L::load(y + i), a);
            b = L::fma(L::load(x + i + 8), L::load(y + i + 8), b);
          }
        for (; i < n; i += 8)
          {
            const int rest = n - i < 8 ? int(n - i) : 8;
            a              = L::fma(L::load_partial(x + i, rest),
                       L::load_partial(y + i, rest),
                       a);
          }
        return L::first(sum_lanes<L>(a + b));
      }



      void
      update_iterate(const double      a,
                     const double     *p,
                     const double     *q,
                     double           *x,
                     double           *r,
                     const std::size_t n)
      {
        using L       = Eight;
        const L::V  w = L::set(a);
        std::size_t i = 0;
        for (; i + 8 <= n; i += 8)
          {
            L::store(x + i, L::fma(w, L::load(p + i), L::load(x + i)));
            L::store(r + i, L::fnma(w, L::load(q + i), L::load(r + i)));
          }
        if (i < n)
          {
            const int rest = int(n - i);
            L::store_partial(x + i,
                             L::fma(w,
                                    L::load_partial(p + i, rest),
                                    L::load_partial(x + i, rest)),
                             rest);
            L::store_partial(r + i,
                             L::fnma(w,
                                     L::load_partial(q + i, rest),
                                     L::load_partial(r + i, rest)),
                             rest);
          }
      }



      void
      update_direction(const double      b,
                       const double     *z,
                       double           *p,
                       const std::size_t n)
      {
        using L       = Eight;
        const L::V  w = L::set(b);
        std::size_t i = 0;
        for (; i + 8 <= n; i += 8)
          L::store(p + i, L::fma(w, L::load(p + i), L::load(z + i)));
        if (i < n)
          {
            const int rest = int(n - i);
            L::store_partial(p + i,
                             L::fma(w,
                                    L::load_partial(p + i, rest),
                                    L::load_partial(z + i, rest)),
                             rest);
          }
      }



      double
      largest_magnitude(const double *x, const std::size_t n)
      {
        using L      = Eight;
        L::V largest = L::zero();
        for (std::size_t i = 0; i < n; i += 8)
          {
            const int  rest = n - i < 8 ? int(n - i) : 8;
            const L::V v =
              rest == 8 ? L::load(x + i) : L::load_partial(x + i, rest);
            const L::V magnitude = L::blend(L::less(v, L::zero()), -v, v);
            largest = L::blend(L::less(largest, magnitude), magnitude, largest);
          }
        double lanes[8], result = 0.;
        L::store(lanes, largest);
        for (const double lane : lanes)
          result = result < lane ? lane : result;
        return result;
      }



      template <typename T>
      void
      convert(const double a, const double *in, T *out, const std::size_t n)
      {
        using L       = Eight;
        using F       = tessera::TESSERA_SIMD_NAMESPACE::Lanes<T, 8>;
        const L::V  w = L::set(a);
        std::size_t i = 0;
        for (; i + 8 <= n; i += 8)
          F::store(out + i, L::template convert<T>(w * L::load(in + i)));
        for (; i < n; ++i)
          out[i] = T(a * in[i]);
      }



      template <typename T>
      void
      convert_active(const double        a,
                     const T            *in,
                     const std::uint8_t *active,
                     const std::size_t   n_padded_cells,
                     const std::size_t   n_values,
                     const std::size_t   block_size,
                     double             *out)
      {
        for (std::size_t first = 0; first < n_padded_cells; first += block_size)
          {
            const std::uint8_t *mask = active + first;
            bool                all  = true;
            for (std::size_t l = 0; l < block_size; ++l)
              all = all && mask[l] != 0;
            const T *from = in + first * n_values;
            double  *to   = out + first * n_values;
            if (all)
              for (std::size_t i = 0; i < n_values * block_size; ++i)
                to[i] = a * double(from[i]);
            else
              for (std::size_t k = 0; k < n_values; ++k)
                for (std::size_t l = 0; l < block_size; ++l)
                  to[k * block_size + l] =
                    mask[l] != 0 ? a * double(from[k * block_size + l]) : 0.;
          }
      }



      template void
      convert<float>(double, const double *, float *, std::size_t);
      template void
      convert<double>(double, const double *, double *, std::size_t);
      template void
      convert_active<float>(double,
                            const float *,
                            const std::uint8_t *,
                            std::size_t,
                            std::size_t,
                            std::size_t,
                            double *);
      template void
      convert_active<double>(double,
                             const double *,
                             const std::uint8_t *,
                             std::size_t,
                             std::size_t,
                             std::size_t,
                             double *);
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sipg
} // namespace tessera
