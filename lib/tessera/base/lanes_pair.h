// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_lanes_pair_h
#define tessera_base_lanes_pair_h

#include <tessera/base/lanes_native.h>

namespace tessera
{
  namespace TESSERA_SIMD_NAMESPACE
  {
    /**
     * Two values of type Half side by side; the lanes of `lo` come first. The
     * type V of Lanes that do not fit into one register.
     */
    template <typename Half>
    struct Pair
    {
      Half lo;
      Half hi;

      friend TESSERA_ALWAYS_INLINE Pair
      operator+(const Pair &a, const Pair &b)
      {
        return {a.lo + b.lo, a.hi + b.hi};
      }

      friend TESSERA_ALWAYS_INLINE Pair
      operator-(const Pair &a, const Pair &b)
      {
        return {a.lo - b.lo, a.hi - b.hi};
      }

      friend TESSERA_ALWAYS_INLINE Pair
      operator*(const Pair &a, const Pair &b)
      {
        return {a.lo * b.lo, a.hi * b.hi};
      }

      friend TESSERA_ALWAYS_INLINE Pair
      operator/(const Pair &a, const Pair &b)
      {
        return {a.lo / b.lo, a.hi / b.hi};
      }

      TESSERA_ALWAYS_INLINE Pair
      operator-() const
      {
        return {-lo, -hi};
      }

      TESSERA_ALWAYS_INLINE Pair &
      operator+=(const Pair &a)
      {
        lo += a.lo;
        hi += a.hi;
        return *this;
      }

      TESSERA_ALWAYS_INLINE Pair &
      operator-=(const Pair &a)
      {
        lo -= a.lo;
        hi -= a.hi;
        return *this;
      }

      TESSERA_ALWAYS_INLINE Pair &
      operator*=(const Pair &a)
      {
        lo *= a.lo;
        hi *= a.hi;
        return *this;
      }

      TESSERA_ALWAYS_INLINE Pair &
      operator/=(const Pair &a)
      {
        lo /= a.lo;
        hi /= a.hi;
        return *this;
      }
    };

    /**
     * The part of a shuffle of 2W lanes that produces W/2 lanes, starting from
     * lane `to`, out of the W lanes of one argument, starting from lane `from`.
     * Lanes that come from elsewhere are arbitrary.
     */
    template <typename Pattern, int W, int to, int from>
    struct PartialPattern
    {
      static constexpr bool
      is_inside(const int lane)
      {
        return from <= Pattern::at(to + lane) &&
               Pattern::at(to + lane) < from + W;
      }

      static constexpr int
      at(const int lane)
      {
        return is_inside(lane) ? Pattern::at(to + lane) - from : lane;
      }

      /** Number of lanes that this part produces. */
      static constexpr int
      n_inside()
      {
        int n = 0;
        for (int lane = 0; lane < W / 2; ++lane)
          n += is_inside(lane) ? 1 : 0;
        return n;
      }
    };

    /** Merge two partial results: lane from the first where it has one. */
    template <typename First, int W>
    struct MergePattern
    {
      static constexpr int
      at(const int lane)
      {
        return First::is_inside(lane) ? lane : lane + W;
      }
    };

    /**
     * Lanes wider than a register: a pair of lanes of half the width.
     *
     * Permutations whose pattern keeps the halves apart, or swaps them, cost
     * as many instructions as two of the half; xor_lane<W/2>() and
     * select<W/2>() cost none.
     */
    template <typename Number, int W>
    struct LanesImplementation<Number, W, false>
    {
      static_assert(is_power_of_two(W),
                    "The number of lanes is a power of two.");

      using Half = LanesImplementation<Number, W / 2>;
      using T    = Number;
      using V    = Pair<typename Half::V>;
      using M    = Pair<typename Half::M>;

      static constexpr int  width     = W;
      static constexpr int  alignment = Half::alignment;
      static constexpr bool has_fma   = native_fma;

      static TESSERA_ALWAYS_INLINE V
      set(const T x)
      {
        return {Half::set(x), Half::set(x)};
      }

      static TESSERA_ALWAYS_INLINE V
      zero()
      {
        return {Half::zero(), Half::zero()};
      }

      static TESSERA_ALWAYS_INLINE T
      first(const V &a)
      {
        return Half::first(a.lo);
      }

      static TESSERA_ALWAYS_INLINE V
      load(const T *p)
      {
        return {Half::load(p), Half::load(p + W / 2)};
      }

      static TESSERA_ALWAYS_INLINE V
      load_aligned(const T *p)
      {
        return {Half::load_aligned(p), Half::load_aligned(p + W / 2)};
      }

      static TESSERA_ALWAYS_INLINE V
      load_partial(const T *p, const int n)
      {
        if (n > W / 2)
          return {Half::load(p), Half::load_partial(p + W / 2, n - W / 2)};
        return {Half::load_partial(p, n), Half::zero()};
      }

      static TESSERA_ALWAYS_INLINE void
      store(T *p, const V &a)
      {
        Half::store(p, a.lo);
        Half::store(p + W / 2, a.hi);
      }

      static TESSERA_ALWAYS_INLINE void
      store_aligned(T *p, const V &a)
      {
        Half::store_aligned(p, a.lo);
        Half::store_aligned(p + W / 2, a.hi);
      }

      static TESSERA_ALWAYS_INLINE void
      store_partial(T *p, const V &a, const int n)
      {
        if (n > W / 2)
          {
            Half::store(p, a.lo);
            Half::store_partial(p + W / 2, a.hi, n - W / 2);
          }
        else
          Half::store_partial(p, a.lo, n);
      }

      static TESSERA_ALWAYS_INLINE V
      fma(const V &a, const V &b, const V &c)
      {
        return {Half::fma(a.lo, b.lo, c.lo), Half::fma(a.hi, b.hi, c.hi)};
      }

      static TESSERA_ALWAYS_INLINE V
      fnma(const V &a, const V &b, const V &c)
      {
        return {Half::fnma(a.lo, b.lo, c.lo), Half::fnma(a.hi, b.hi, c.hi)};
      }

      template <typename Pattern>
      static TESSERA_ALWAYS_INLINE V
      shuffle(const V &a, const V &b)
      {
        return {shuffle_half<Pattern, 0>(a, b),
                shuffle_half<Pattern, W / 2>(a, b)};
      }

      template <int... Index>
      static TESSERA_ALWAYS_INLINE V
      permute(const V &a)
      {
        static_assert(sizeof...(Index) == W, "one index per lane");
        static_assert(((0 <= Index && Index < W) && ...), "an index is a lane");
        return shuffle<IndexPattern<Index...>>(a, a);
      }

      template <int X>
      static TESSERA_ALWAYS_INLINE V
      xor_lane(const V &a)
      {
        static_assert(0 <= X && X < W, "X is a lane");
        if constexpr ((X & (W / 2)) != 0)
          return {Half::template xor_lane<X - W / 2>(a.hi),
                  Half::template xor_lane<X - W / 2>(a.lo)};
        else
          return {Half::template xor_lane<X>(a.lo),
                  Half::template xor_lane<X>(a.hi)};
      }

      template <int X>
      static TESSERA_ALWAYS_INLINE V
      select(const V &a, const V &b)
      {
        static_assert(is_power_of_two(X) && X < W, "X is a bit of a lane");
        if constexpr (X == W / 2)
          return {a.lo, b.hi};
        else
          return {Half::template select<X>(a.lo, b.lo),
                  Half::template select<X>(a.hi, b.hi)};
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
        return {Half::lane_index(), Half::lane_index() + Half::set(T(W / 2))};
      }

      static TESSERA_ALWAYS_INLINE M
      less(const V &a, const V &b)
      {
        return {Half::less(a.lo, b.lo), Half::less(a.hi, b.hi)};
      }

      static TESSERA_ALWAYS_INLINE M
      less_equal(const V &a, const V &b)
      {
        return {Half::less_equal(a.lo, b.lo), Half::less_equal(a.hi, b.hi)};
      }

      static TESSERA_ALWAYS_INLINE M
      equal(const V &a, const V &b)
      {
        return {Half::equal(a.lo, b.lo), Half::equal(a.hi, b.hi)};
      }

      static TESSERA_ALWAYS_INLINE M
      first_lanes(const int n)
      {
        return {Half::first_lanes(n), Half::first_lanes(n - W / 2)};
      }

      static TESSERA_ALWAYS_INLINE M
      mask_and(const M &a, const M &b)
      {
        return {Half::mask_and(a.lo, b.lo), Half::mask_and(a.hi, b.hi)};
      }

      static TESSERA_ALWAYS_INLINE M
      mask_or(const M &a, const M &b)
      {
        return {Half::mask_or(a.lo, b.lo), Half::mask_or(a.hi, b.hi)};
      }

      static TESSERA_ALWAYS_INLINE M
      mask_not(const M &a)
      {
        return {Half::mask_not(a.lo), Half::mask_not(a.hi)};
      }

      static TESSERA_ALWAYS_INLINE V
      blend(const M &m, const V &a, const V &b)
      {
        return {Half::blend(m.lo, a.lo, b.lo), Half::blend(m.hi, a.hi, b.hi)};
      }

      static TESSERA_ALWAYS_INLINE bool
      any(const M &m)
      {
        return Half::any(Half::mask_or(m.lo, m.hi));
      }

      static TESSERA_ALWAYS_INLINE bool
      all(const M &m)
      {
        return Half::all(Half::mask_and(m.lo, m.hi));
      }

      template <typename U>
      static TESSERA_ALWAYS_INLINE auto
      convert(const V &a)
      {
        return LanesImplementation<U, W>::join(Half::template convert<U>(a.lo),
                                               Half::template convert<U>(a.hi));
      }

      static TESSERA_ALWAYS_INLINE typename Half::V
      low(const V &a)
      {
        return a.lo;
      }

      static TESSERA_ALWAYS_INLINE typename Half::V
      high(const V &a)
      {
        return a.hi;
      }

      static TESSERA_ALWAYS_INLINE V
      join(const typename Half::V &lo, const typename Half::V &hi)
      {
        return {lo, hi};
      }

    private:
      // One half of a shuffle: one shuffle for each argument that contributes,
      // and one that merges them.
      template <typename Pattern, int to>
      static TESSERA_ALWAYS_INLINE typename Half::V
      shuffle_half(const V &a, const V &b)
      {
        using FromA = PartialPattern<Pattern, W, to, 0>;
        using FromB = PartialPattern<Pattern, W, to, W>;
        if constexpr (FromB::n_inside() == 0)
          return Half::template shuffle<FromA>(a.lo, a.hi);
        else if constexpr (FromA::n_inside() == 0)
          return Half::template shuffle<FromB>(b.lo, b.hi);
        else
          return Half::template shuffle<MergePattern<FromA, W / 2>>(
            Half::template shuffle<FromA>(a.lo, a.hi),
            Half::template shuffle<FromB>(b.lo, b.hi));
      }
    };
  } // namespace TESSERA_SIMD_NAMESPACE
} // namespace tessera

#endif
