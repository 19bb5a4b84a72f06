// SPDX-License-Identifier: LGPL-2.1-or-later
#include "lanes_kernels.h"

#include <tessera/base/lane_sum.h>
#include <tessera/base/lanes.h>
#include <tessera/base/lanes_transpose.h>

namespace test
{
  namespace TESSERA_SIMD_NAMESPACE
  {
    using namespace tessera;
    using namespace tessera::TESSERA_SIMD_NAMESPACE;

    namespace
    {
      template <typename L>
      TESSERA_ALWAYS_INLINE void
      append(Output<typename L::T> &out, const typename L::V a)
      {
        L::store(out.data + out.n, a);
        out.n += L::width;
      }

      /** A permutation without structure. */
      template <int W>
      struct Scatter
      {
        static constexpr int
        at(const int lane)
        {
          return (5 * lane * lane + 3 * lane + 1) % W;
        }
      };

      /** Any of 2W lanes, from both arguments in both halves. */
      template <int W>
      struct Mix
      {
        static constexpr int
        at(const int lane)
        {
          return (7 * lane * lane + 11 * lane + 3) % (2 * W);
        }
      };

      template <typename L, int... lane>
      TESSERA_ALWAYS_INLINE typename L::V
      scatter(const typename L::V a, std::integer_sequence<int, lane...>)
      {
        return L::template permute<Scatter<L::width>::at(lane)...>(a);
      }

      template <typename L, int X = 0>
      TESSERA_ALWAYS_INLINE void
      all_xor_lanes(const typename L::V a, Output<typename L::T> &out)
      {
        if constexpr (X < L::width)
          {
            append<L>(out, L::template xor_lane<X>(a));
            all_xor_lanes<L, X + 1>(a, out);
          }
      }

      template <typename L, int X = 1>
      TESSERA_ALWAYS_INLINE void
      all_bits(const typename L::V    a,
               const typename L::V    b,
               Output<typename L::T> &out)
      {
        append<L>(out, sum_lanes<L, X>(a));
        if constexpr (X < L::width)
          {
            append<L>(out, L::template select<X>(a, b));
            append<L>(out, L::template sign<X>());
            all_bits<L, 2 * X>(a, b, out);
          }
      }

      template <typename T, typename U, int W>
      TESSERA_ALWAYS_INLINE void
      convert(const typename Lanes<T, W>::V a, Output<T> &out)
      {
        using L = Lanes<T, W>;
        using K = Lanes<U, W>;
        append<L>(out, K::template convert<T>(L::template convert<U>(a)));
      }

      template <typename L>
      TESSERA_ALWAYS_INLINE typename L::V
      number(const bool b)
      {
        return L::set(b ? 1 : 0);
      }

      // Every operator of V.
      template <typename L>
      TESSERA_ALWAYS_INLINE void
      arithmetic(const typename L::V    a,
                 const typename L::V    b,
                 const typename L::V    c,
                 Output<typename L::T> &out)
      {
        append<L>(out, a + b);
        append<L>(out, a - b);
        append<L>(out, a * b);
        append<L>(out, a / b);
        append<L>(out, -a);
        typename L::V d = a;
        d += b;
        append<L>(out, d);
        d -= c;
        append<L>(out, d);
        d *= a;
        append<L>(out, d);
        d /= b;
        append<L>(out, d);
        append<L>(out, a * c + b); // must not be contracted
        append<L>(out, L::fma(a, b, c));
        append<L>(out, L::fnma(a, b, c));
      }

      template <typename L>
      TESSERA_ALWAYS_INLINE void
      masks(const typename L::V    a,
            const typename L::V    b,
            const typename L::V    c,
            Output<typename L::T> &out)
      {
        append<L>(out, L::blend(L::less(a, b), a, c));
        append<L>(out, L::blend(L::less_equal(a, b), a, c));
        append<L>(out, L::blend(L::equal(a, b), a, c));
        const typename L::M ab = L::less(a, b), bc = L::less(b, c);
        append<L>(out, L::blend(L::mask_and(ab, bc), a, b));
        append<L>(out, L::blend(L::mask_or(ab, bc), a, b));
        append<L>(out, L::blend(L::mask_not(ab), a, b));
        append<L>(out, number<L>(L::any(ab)));
        append<L>(out, number<L>(L::all(ab)));
        for (int n = 0; n <= L::width; ++n)
          {
            const typename L::M first = L::first_lanes(n);
            append<L>(out, L::blend(first, a, b));
            append<L>(out, number<L>(L::any(first)));
            append<L>(out, number<L>(L::all(first)));
          }
      }

      template <typename T, int W>
      void
      operations_of(const T *pa, const T *pb, const T *pc, Output<T> &out)
      {
        using L               = Lanes<T, W>;
        const typename L::V a = L::load(pa), b = L::load(pb), c = L::load(pc);
        arithmetic<L>(a, b, c, out);
        append<L>(out, L::set(pa[0]));
        append<L>(out, L::zero());
        append<L>(out, L::set(L::first(a)));
        append<L>(out, L::lane_index());
        masks<L>(a, b, c, out);
        all_xor_lanes<L>(a, out);
        if constexpr (W > 1)
          {
            all_bits<L>(a, b, out);
            append<L>(out, L::join(L::high(a), L::low(b)));
          }
        append<L>(out, scatter<L>(a, std::make_integer_sequence<int, W>()));
        append<L>(out, L::template shuffle<Mix<W>>(a, b));
        convert<T, float, W>(a, out);
        convert<T, double, W>(a, out);
      }

      template <typename T, int W>
      void
      copy_partial_of(const T *src, const int n, T *loaded, T *dst)
      {
        using L               = Lanes<T, W>;
        const typename L::V a = L::load_partial(src, n);
        L::store(loaded, a);
        L::store_partial(dst, a, n);
      }

      template <typename T, int W>
      void
      copy_aligned_of(const T *src, T *dst)
      {
        using L = Lanes<T, W>;
        L::store_aligned(dst, L::load_aligned(src));
      }

      template <typename T, int W>
      void
      pick_of(const T *a, const T *b, const int *lanes, T *dst)
      {
        if constexpr (W > 1 && W <= native_width<T>())
          {
            using L = Lanes<T, W>;
            typename L::M from;
            for (int i = 0; i < W; ++i)
              from[i] = lanes[i];
            L::store(dst, L::pick(L::load(a), L::load(b), from));
          }
      }

      template <typename T, int W>
      void
      transpose_of(T *a)
      {
        using L = Lanes<T, W>;
        typename L::V r[W];
        TESSERA_UNROLL
        for (int i = 0; i < W; ++i)
          r[i] = L::load(a + i * W);
        tessera::TESSERA_SIMD_NAMESPACE::transpose<L>(r);
        TESSERA_UNROLL
        for (int i = 0; i < W; ++i)
          L::store(a + i * W, r[i]);
      }
    } // namespace

#define FOR_ALL_WIDTHS(function) \
  switch (W)                     \
    {                            \
      case 1:                    \
        return function(1);      \
      case 2:                    \
        return function(2);      \
      case 4:                    \
        return function(4);      \
      case 8:                    \
        return function(8);      \
      default:                   \
        return function(16);     \
    }

    template <typename T>
    void
    operations(const int W, const T *a, const T *b, const T *c, Output<T> &out)
    {
#define CALL(w) operations_of<T, w>(a, b, c, out)
      FOR_ALL_WIDTHS(CALL)
#undef CALL
    }

    template <typename T>
    void
    copy_partial(const int W, const T *src, const int n, T *loaded, T *dst)
    {
#define CALL(w) copy_partial_of<T, w>(src, n, loaded, dst)
      FOR_ALL_WIDTHS(CALL)
#undef CALL
    }

    template <typename T>
    void
    copy_aligned(const int W, const T *src, T *dst)
    {
#define CALL(w) copy_aligned_of<T, w>(src, dst)
      FOR_ALL_WIDTHS(CALL)
#undef CALL
    }

    template <typename T>
    void
    pick(const int W, const T *a, const T *b, const int *lanes, T *dst)
    {
#define CALL(w) pick_of<T, w>(a, b, lanes, dst)
      FOR_ALL_WIDTHS(CALL)
#undef CALL
    }

    template <typename T>
    void
    transpose(const int W, T *a)
    {
#define CALL(w) transpose_of<T, w>(a)
      FOR_ALL_WIDTHS(CALL)
#undef CALL
    }

    int
    register_bytes()
    {
      return native_bytes;
    }

    bool
    has_fma()
    {
      return Lanes<float, 4>::has_fma;
    }

#define INSTANTIATE(T)                                                \
  template void operations<T>(                                        \
    int, const T *, const T *, const T *, Output<T> &);               \
  template void copy_partial<T>(int, const T *, int, T *, T *);       \
  template void copy_aligned<T>(int, const T *, T *);                 \
  template void pick<T>(int, const T *, const T *, const int *, T *); \
  template void transpose<T>(int, T *);
    INSTANTIATE(float)
    INSTANTIATE(double)
  } // namespace TESSERA_SIMD_NAMESPACE
} // namespace test
