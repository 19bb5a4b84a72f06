// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_lanes_native_h
#define tessera_base_lanes_native_h

#include <tessera/base/exceptions.h>
#include <tessera/base/macros.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#if defined(__AVX2__)
#  include <immintrin.h>
#endif

namespace tessera
{
  namespace TESSERA_SIMD_NAMESPACE
  {
    /** Bytes of a register of the instruction set compiled for. */
#if defined(__AVX512F__)
    constexpr int native_bytes = 64;
#elif defined(__AVX2__)
    constexpr int  native_bytes = 32;
#else
    constexpr int native_bytes = 16;
#endif

    /** Whether a fused multiply-add is an instruction, not a library call. */
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    constexpr bool native_fma = true;
#else
    constexpr bool native_fma   = false;
#endif

    // The builtins, because std::fma() is an inline function: in a build
    // without optimization it would be a weak symbol.
    TESSERA_ALWAYS_INLINE float
    scalar_fma(const float a, const float b, const float c)
    {
      return __builtin_fmaf(a, b, c);
    }

    TESSERA_ALWAYS_INLINE double
    scalar_fma(const double a, const double b, const double c)
    {
      return __builtin_fma(a, b, c);
    }

    /** Lane i receives lane I_i of 2W lanes; the pattern type of shuffle(). */
    template <int... I>
    struct IndexPattern
    {
      static constexpr int
      at(const int lane)
      {
        constexpr int index[] = {I...};
        return index[lane];
      }
    };

    template <int X>
    struct XorPattern
    {
      static constexpr int
      at(const int lane)
      {
        return lane ^ X;
      }
    };

    /** Lanes with bit X set from the second argument of shuffle(). */
    template <int W, int X>
    struct SelectPattern
    {
      static constexpr int
      at(const int lane)
      {
        return (lane & X) ? lane + W : lane;
      }
    };

    constexpr bool
    is_power_of_two(const int n)
    {
      return n > 0 && (n & (n - 1)) == 0;
    }

    /**
     * The functions of Lanes: one vector where W values fit into a register
     * (here), a pair of narrower lanes where they do not (lanes_pair.h), a
     * number for W = 1 (lanes_scalar.h).
     */
    template <typename Number,
              int  W,
              bool fits = (W * int(sizeof(Number)) <= native_bytes)>
    struct LanesImplementation;

    template <typename Number, int W>
    struct LanesImplementation<Number, W, true>
    {
      static_assert(std::is_same<Number, float>::value ||
                      std::is_same<Number, double>::value,
                    "Lanes are of type float or double.");
      static_assert(is_power_of_two(W),
                    "The number of lanes is a power of two.");

      static constexpr int  bytes     = W * int(sizeof(Number));
      static constexpr int  width     = W;
      static constexpr int  alignment = bytes;
      static constexpr bool has_fma   = native_fma;

      using T = Number;
      typedef T V __attribute__((vector_size(bytes)));

      using I = typename std::
        conditional<sizeof(T) == 4, std::int32_t, std::int64_t>::type;
      typedef I M __attribute__((vector_size(bytes)));

      using Half = LanesImplementation<T, W / 2>;
      using All  = std::make_integer_sequence<int, W>;

      static TESSERA_ALWAYS_INLINE V
      set(const T x)
      {
        return set_implementation(x, All());
      }

      static TESSERA_ALWAYS_INLINE V
      zero()
      {
        return V{};
      }

      static TESSERA_ALWAYS_INLINE T
      first(const V a)
      {
        return a[0];
      }

      static TESSERA_ALWAYS_INLINE V
      load(const T *p)
      {
        return *reinterpret_cast<const Unaligned *>(p);
      }

      static TESSERA_ALWAYS_INLINE V
      load_aligned(const T *p)
      {
        TESSERA_ASSERT(is_aligned(p), "load_aligned() needs aligned memory");
        return *reinterpret_cast<const Aligned *>(p);
      }

      static TESSERA_ALWAYS_INLINE void
      store(T *p, const V a)
      {
        *reinterpret_cast<Unaligned *>(p) = a;
      }

      static TESSERA_ALWAYS_INLINE void
      store_aligned(T *p, const V a)
      {
        TESSERA_ASSERT(is_aligned(p), "store_aligned() needs aligned memory");
        *reinterpret_cast<Aligned *>(p) = a;
      }

      // Masked instructions neither read nor write the memory of lanes that
      // are masked out, and do not fault on it.
      static TESSERA_ALWAYS_INLINE V
      load_partial(const T *p, const int n)
      {
        TESSERA_ASSERT(0 <= n && n <= W, "n is a number of lanes");
#if defined(__AVX512VL__)
        if constexpr (bytes == 64 && sizeof(T) == 4)
          return (V)_mm512_maskz_loadu_ps((__mmask16)first_bits(n), p);
        else if constexpr (bytes == 64)
          return (V)_mm512_maskz_loadu_pd((__mmask8)first_bits(n), p);
#endif
#if defined(__AVX2__)
        if constexpr (bytes == 32 && sizeof(T) == 4)
          return (V)_mm256_maskload_ps(p, (__m256i)first_lanes(n));
        else if constexpr (bytes == 32)
          return (V)_mm256_maskload_pd(p, (__m256i)first_lanes(n));
        else if constexpr (bytes == 16 && sizeof(T) == 4)
          return (V)_mm_maskload_ps(p, (__m128i)first_lanes(n));
        else if constexpr (bytes == 16)
          return (V)_mm_maskload_pd(p, (__m128i)first_lanes(n));
#endif
        V a{};
        for (int i = 0; i < W; ++i)
          if (i < n)
            a[i] = p[i];
        return a;
      }

      static TESSERA_ALWAYS_INLINE void
      store_partial(T *p, const V a, const int n)
      {
        TESSERA_ASSERT(0 <= n && n <= W, "n is a number of lanes");
#if defined(__AVX512VL__)
        if constexpr (bytes == 64 && sizeof(T) == 4)
          return _mm512_mask_storeu_ps(p, (__mmask16)first_bits(n), (__m512)a);
        else if constexpr (bytes == 64)
          return _mm512_mask_storeu_pd(p, (__mmask8)first_bits(n), (__m512d)a);
#endif
#if defined(__AVX2__)
        if constexpr (bytes == 32 && sizeof(T) == 4)
          return _mm256_maskstore_ps(p, (__m256i)first_lanes(n), (__m256)a);
        else if constexpr (bytes == 32)
          return _mm256_maskstore_pd(p, (__m256i)first_lanes(n), (__m256d)a);
        else if constexpr (bytes == 16 && sizeof(T) == 4)
          return _mm_maskstore_ps(p, (__m128i)first_lanes(n), (__m128)a);
        else if constexpr (bytes == 16)
          return _mm_maskstore_pd(p, (__m128i)first_lanes(n), (__m128d)a);
#endif
        for (int i = 0; i < W; ++i)
          if (i < n)
            p[i] = a[i];
      }

      static TESSERA_ALWAYS_INLINE V
      fma(const V a, const V b, const V c)
      {
#if defined(__AVX512F__)
        if constexpr (bytes == 64 && sizeof(T) == 4)
          return (V)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
        else if constexpr (bytes == 64)
          return (V)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#endif
#if defined(__AVX2__) && defined(__FMA__)
        if constexpr (bytes == 32 && sizeof(T) == 4)
          return (V)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
        else if constexpr (bytes == 32)
          return (V)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
        else if constexpr (bytes == 16 && sizeof(T) == 4)
          return (V)_mm_fmadd_ps((__m128)a, (__m128)b, (__m128)c);
        else if constexpr (bytes == 16)
          return (V)_mm_fmadd_pd((__m128d)a, (__m128d)b, (__m128d)c);
#endif
        return fma_by_lane(a, b, c);
      }

      static TESSERA_ALWAYS_INLINE V
      fnma(const V a, const V b, const V c)
      {
#if defined(__AVX512F__)
        if constexpr (bytes == 64 && sizeof(T) == 4)
          return (V)_mm512_fnmadd_ps((__m512)a, (__m512)b, (__m512)c);
        else if constexpr (bytes == 64)
          return (V)_mm512_fnmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#endif
#if defined(__AVX2__) && defined(__FMA__)
        if constexpr (bytes == 32 && sizeof(T) == 4)
          return (V)_mm256_fnmadd_ps((__m256)a, (__m256)b, (__m256)c);
        else if constexpr (bytes == 32)
          return (V)_mm256_fnmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
        else if constexpr (bytes == 16 && sizeof(T) == 4)
          return (V)_mm_fnmadd_ps((__m128)a, (__m128)b, (__m128)c);
        else if constexpr (bytes == 16)
          return (V)_mm_fnmadd_pd((__m128d)a, (__m128d)b, (__m128d)c);
#endif
        return fma(-a, b, c);
      }

      template <typename Pattern>
      static TESSERA_ALWAYS_INLINE V
      shuffle(const V a, const V b)
      {
        return shuffle_implementation<Pattern>(a, b, All());
      }

      template <int... Index>
      static TESSERA_ALWAYS_INLINE V
      permute(const V a)
      {
        static_assert(sizeof...(Index) == W, "one index per lane");
        static_assert(((0 <= Index && Index < W) && ...), "an index is a lane");
        return __builtin_shufflevector(a, a, Index...);
      }

      static TESSERA_ALWAYS_INLINE V
      pick(const V a, const V b, const M lanes)
      {
#if defined(__AVX512F__)
        if constexpr (bytes == 64 && sizeof(T) == 4)
          return (
            V)_mm512_permutex2var_ps((__m512)a, (__m512i)lanes, (__m512)b);
        else if constexpr (bytes == 64)
          return (
            V)_mm512_permutex2var_pd((__m512d)a, (__m512i)lanes, (__m512d)b);
#endif
#if defined(__AVX2__)
        // One permutation of each, and the lanes of b where bit W is set.
        if constexpr (bytes == 32 && sizeof(T) == 4)
          return (V)_mm256_blendv_ps(
            _mm256_permutevar8x32_ps((__m256)a, (__m256i)lanes),
            _mm256_permutevar8x32_ps((__m256)b, (__m256i)lanes),
            (__m256)_mm256_slli_epi32((__m256i)lanes, 28));
        else if constexpr (bytes == 32)
          {
            const __m256i low   = _mm256_slli_epi64((__m256i)lanes, 1);
            const __m256i pairs = _mm256_or_si256(
              low,
              _mm256_slli_epi64(_mm256_or_si256(low, _mm256_set1_epi64x(1)),
                                32));
            return (V)_mm256_blendv_pd(
              (__m256d)_mm256_permutevar8x32_ps((__m256)a, pairs),
              (__m256d)_mm256_permutevar8x32_ps((__m256)b, pairs),
              (__m256d)_mm256_slli_epi64((__m256i)lanes, 61));
          }
#endif
        V c{};
        TESSERA_UNROLL
        for (int i = 0; i < W; ++i)
          c[i] = (lanes[i] & W) ? b[lanes[i] % W] : a[lanes[i] % W];
        return c;
      }

      template <int X>
      static TESSERA_ALWAYS_INLINE V
      xor_lane(const V a)
      {
        static_assert(0 <= X && X < W, "X is a lane");
        return shuffle<XorPattern<X>>(a, a);
      }

      template <int X>
      static TESSERA_ALWAYS_INLINE V
      select(const V a, const V b)
      {
        static_assert(is_power_of_two(X) && X < W, "X is a bit of a lane");
        return shuffle<SelectPattern<W, X>>(a, b);
      }

      template <int X>
      static TESSERA_ALWAYS_INLINE V
      sign()
      {
        return select<X>(set(T(1)), set(T(-1)));
      }

      static TESSERA_ALWAYS_INLINE V
      lane_index()
      {
        return lane_index_implementation(All());
      }

      static TESSERA_ALWAYS_INLINE M
      less(const V a, const V b)
      {
        return a < b;
      }

      static TESSERA_ALWAYS_INLINE M
      less_equal(const V a, const V b)
      {
        return a <= b;
      }

      static TESSERA_ALWAYS_INLINE M
      equal(const V a, const V b)
      {
        return a == b;
      }

      static TESSERA_ALWAYS_INLINE M
      first_lanes(const int n)
      {
        return first_lanes_implementation(n, All());
      }

      static TESSERA_ALWAYS_INLINE M
      mask_and(const M a, const M b)
      {
        return a & b;
      }

      static TESSERA_ALWAYS_INLINE M
      mask_or(const M a, const M b)
      {
        return a | b;
      }

      static TESSERA_ALWAYS_INLINE M
      mask_not(const M a)
      {
        return ~a;
      }

      static TESSERA_ALWAYS_INLINE V
      blend(const M m, const V a, const V b)
      {
        return m ? a : b;
      }

      static TESSERA_ALWAYS_INLINE bool
      any(const M m)
      {
#if defined(__AVX512DQ__)
        if constexpr (bytes == 64 && sizeof(T) == 4)
          return _mm512_movepi32_mask((__m512i)m) != 0;
        else if constexpr (bytes == 64)
          return _mm512_movepi64_mask((__m512i)m) != 0;
#endif
#if defined(__AVX2__)
        if constexpr (bytes == 32)
          return _mm256_movemask_epi8((__m256i)m) != 0;
        else if constexpr (bytes == 16)
          return _mm_movemask_epi8((__m128i)m) != 0;
#endif
        I bits = 0;
        TESSERA_UNROLL
        for (int i = 0; i < W; ++i)
          bits |= m[i];
        return bits != 0;
      }

      static TESSERA_ALWAYS_INLINE bool
      all(const M m)
      {
        return !any(~m);
      }

      template <typename U>
      static TESSERA_ALWAYS_INLINE auto
      convert(const V a)
      {
        using Target = LanesImplementation<U, W>;
        if constexpr (std::is_same<U, T>::value)
          return a;
        else if constexpr (W * int(sizeof(U)) <= native_bytes)
          return __builtin_convertvector(a, typename Target::V);
        else
          return Target::join(Half::template convert<U>(low(a)),
                              Half::template convert<U>(high(a)));
      }

      static TESSERA_ALWAYS_INLINE typename Half::V
      low(const V a)
      {
        return half<0>(a, std::make_integer_sequence<int, W / 2>());
      }

      static TESSERA_ALWAYS_INLINE typename Half::V
      high(const V a)
      {
        return half<W / 2>(a, std::make_integer_sequence<int, W / 2>());
      }

      static TESSERA_ALWAYS_INLINE V
      join(const typename Half::V a, const typename Half::V b)
      {
        if constexpr (W == 2)
          return V{a, b};
        else
          return join_implementation(a, b, All());
      }

    private:
      typedef T Unaligned
        __attribute__((vector_size(bytes), aligned(alignof(T)), may_alias));
      typedef T Aligned __attribute__((vector_size(bytes), may_alias));

      static TESSERA_ALWAYS_INLINE bool
      is_aligned(const T *p)
      {
        return reinterpret_cast<std::uintptr_t>(p) % alignment == 0;
      }

      // Out of line: unrolled kernels would be huge with a library call for
      // each lane in place of an instruction.
      static __attribute__((noinline)) V
      fma_by_lane(const V a, const V b, const V c)
      {
        V d{};
        TESSERA_UNROLL
        for (int i = 0; i < W; ++i)
          d[i] = scalar_fma(a[i], b[i], c[i]);
        return d;
      }

      static TESSERA_ALWAYS_INLINE unsigned int
      first_bits(const int n)
      {
        return (1u << n) - 1u;
      }

      template <int... lane>
      static TESSERA_ALWAYS_INLINE V
      set_implementation(const T x, std::integer_sequence<int, lane...>)
      {
        return V{((void)lane, x)...};
      }

      template <int... lane>
      static TESSERA_ALWAYS_INLINE V
      lane_index_implementation(std::integer_sequence<int, lane...>)
      {
        return V{T(lane)...};
      }

      template <int... lane>
      static TESSERA_ALWAYS_INLINE M
      first_lanes_implementation(const int n,
                                 std::integer_sequence<int, lane...>)
      {
        return M{I(lane)...} < M{((void)lane, I(n))...};
      }

      template <typename Pattern, int... lane>
      static TESSERA_ALWAYS_INLINE V
      shuffle_implementation(const V a,
                             const V b,
                             std::integer_sequence<int, lane...>)
      {
        return __builtin_shufflevector(a, b, Pattern::at(lane)...);
      }

      template <int offset, int... lane>
      static TESSERA_ALWAYS_INLINE typename Half::V
      half(const V a, std::integer_sequence<int, lane...>)
      {
        if constexpr (W == 2)
          return a[offset];
        else
          return __builtin_shufflevector(a, a, (offset + lane)...);
      }

      template <int... lane>
      static TESSERA_ALWAYS_INLINE V
      join_implementation(const typename Half::V a,
                          const typename Half::V b,
                          std::integer_sequence<int, lane...>)
      {
        return __builtin_shufflevector(a, b, lane...);
      }
    };
  } // namespace TESSERA_SIMD_NAMESPACE
} // namespace tessera

#endif
