// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/lane_sum.h>
#include <tessera/base/lanes.h>

#if defined(__SSE2__)
#  include <immintrin.h>
#endif

#include "machine_kernels.h"

namespace benchmark
{
  namespace TESSERA_SIMD_NAMESPACE
  {
    using namespace tessera::TESSERA_SIMD_NAMESPACE;

    namespace
    {
      using L = Lanes<double, native_width<double>()>;
      using V = L::V;

      TESSERA_ALWAYS_INLINE void
      store_streaming(double *p, const V a)
      {
#if defined(__AVX512F__)
        _mm512_stream_pd(p, (__m512d)a);
#elif defined(__AVX2__)
        _mm256_stream_pd(p, (__m256d)a);
#elif defined(__SSE2__)
        _mm_stream_pd(p, (__m128d)a);
#else
        L::store_aligned(p, a);
#endif
      }

      // Keeps the compiler from replacing a loop by a call of memcpy(), which
      // chooses its own kind of stores.
      TESSERA_ALWAYS_INLINE void
      keep_loop()
      {
        asm volatile("" : : : "memory");
      }
    } // namespace

    void
    copy(double *a, const double *b, const std::size_t n)
    {
      for (std::size_t i = 0; i < n; i += 16)
        {
          TESSERA_UNROLL
          for (int j = 0; j < 16; j += L::width)
            L::store_aligned(a + i + j, L::load_aligned(b + i + j));
          keep_loop();
        }
    }

    void
    copy_streaming(double *a, const double *b, const std::size_t n)
    {
      for (std::size_t i = 0; i < n; i += 16)
        {
          TESSERA_UNROLL
          for (int j = 0; j < 16; j += L::width)
            store_streaming(a + i + j, L::load_aligned(b + i + j));
        }
#if defined(__SSE2__)
      _mm_sfence();
#endif
    }

    void
    triad(double           *a,
          const double     *b,
          const double     *c,
          const double      s,
          const std::size_t n)
    {
      const V factor = L::set(s);
      for (std::size_t i = 0; i < n; i += 16)
        {
          TESSERA_UNROLL
          for (int j = 0; j < 16; j += L::width)
            L::store_aligned(a + i + j,
                             L::load_aligned(b + i + j) +
                               factor * L::load_aligned(c + i + j));
        }
    }

    void
    update(double *a, const double *b, const double s, const std::size_t n)
    {
      const V factor = L::set(s);
      for (std::size_t i = 0; i < n; i += 16)
        {
          TESSERA_UNROLL
          for (int j = 0; j < 16; j += L::width)
            L::store_aligned(a + i + j,
                             L::load_aligned(a + i + j) +
                               factor * L::load_aligned(b + i + j));
        }
    }

    template <typename T>
    T
    fma_chains(const std::size_t n, const T x, const T y, const T z)
    {
      using K = Lanes<T, native_width<T>()>;
      typename K::V       chain[n_fma_chains];
      const typename K::V factor = K::set(y), summand = K::set(z);
      TESSERA_UNROLL
      for (int j = 0; j < n_fma_chains; ++j)
        chain[j] = K::set(x + T(j)); // different, or one would do for all
      for (std::size_t i = 0; i < n; ++i)
        {
          TESSERA_UNROLL
          for (int j = 0; j < n_fma_chains; ++j)
            chain[j] = K::fma(chain[j], factor, summand);
        }
      TESSERA_UNROLL
      for (int j = 1; j < n_fma_chains; ++j)
        chain[0] += chain[j];
      return K::first(tessera::sum_lanes<K>(chain[0]));
    }

    template <typename T>
    int
    n_lanes()
    {
      return native_width<T>();
    }

    bool
    has_fma()
    {
      return L::has_fma;
    }

    template float
    fma_chains<float>(std::size_t, float, float, float);
    template double
    fma_chains<double>(std::size_t, double, double, double);
    template int
    n_lanes<float>();
    template int
    n_lanes<double>();
  } // namespace TESSERA_SIMD_NAMESPACE
} // namespace benchmark
