// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_lanes_scalar_h
#define tessera_base_lanes_scalar_h

#include <tessera/base/exceptions.h>
#include <tessera/base/lanes_native.h>

namespace tessera
{
  namespace TESSERA_SIMD_NAMESPACE
  {
    /** A single lane, of which V is a plain number. See Lanes. */
    template <typename Number>
    struct LanesImplementation<Number, 1, true>
    {
      using T = Number;
      using V = Number;
      using M = bool;

      static constexpr int  width     = 1;
      static constexpr int  alignment = int(sizeof(T));
      static constexpr bool has_fma   = native_fma;

      static TESSERA_ALWAYS_INLINE V
      set(const T x)
      {
        return x;
      }

      static TESSERA_ALWAYS_INLINE V
      zero()
      {
        return T(0);
      }

      static TESSERA_ALWAYS_INLINE T
      first(const V a)
      {
        return a;
      }

      static TESSERA_ALWAYS_INLINE V
      load(const T *p)
      {
        return *p;
      }

      static TESSERA_ALWAYS_INLINE V
      load_aligned(const T *p)
      {
        return *p;
      }

      static TESSERA_ALWAYS_INLINE V
      load_partial(const T *p, const int n)
      {
        return n > 0 ? *p : T(0);
      }

      static TESSERA_ALWAYS_INLINE void
      store(T *p, const V a)
      {
        *p = a;
      }

      static TESSERA_ALWAYS_INLINE void
      store_aligned(T *p, const V a)
      {
        *p = a;
      }

      static TESSERA_ALWAYS_INLINE void
      store_partial(T *p, const V a, const int n)
      {
        if (n > 0)
          *p = a;
      }

      static TESSERA_ALWAYS_INLINE V
      fma(const V a, const V b, const V c)
      {
        return scalar_fma(a, b, c);
      }

      static TESSERA_ALWAYS_INLINE V
      fnma(const V a, const V b, const V c)
      {
        return scalar_fma(-a, b, c);
      }

      template <typename Pattern>
      static TESSERA_ALWAYS_INLINE V
      shuffle(const V a, const V b)
      {
        return Pattern::at(0) == 0 ? a : b;
      }

      template <int I>
      static TESSERA_ALWAYS_INLINE V
      permute(const V a)
      {
        static_assert(I == 0, "there is no other lane");
        return a;
      }

      template <int X>
      static TESSERA_ALWAYS_INLINE V
      xor_lane(const V a)
      {
        static_assert(X == 0, "there is no other lane");
        return a;
      }

      static TESSERA_ALWAYS_INLINE V
      lane_index()
      {
        return T(0);
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
        return n > 0;
      }

      static TESSERA_ALWAYS_INLINE M
      mask_and(const M a, const M b)
      {
        return a && b;
      }

      static TESSERA_ALWAYS_INLINE M
      mask_or(const M a, const M b)
      {
        return a || b;
      }

      static TESSERA_ALWAYS_INLINE M
      mask_not(const M a)
      {
        return !a;
      }

      static TESSERA_ALWAYS_INLINE V
      blend(const M m, const V a, const V b)
      {
        return m ? a : b;
      }

      static TESSERA_ALWAYS_INLINE bool
      any(const M m)
      {
        return m;
      }

      static TESSERA_ALWAYS_INLINE bool
      all(const M m)
      {
        return m;
      }

      template <typename U>
      static TESSERA_ALWAYS_INLINE U
      convert(const V a)
      {
        return U(a);
      }
    };
  } // namespace TESSERA_SIMD_NAMESPACE
} // namespace tessera

#endif
