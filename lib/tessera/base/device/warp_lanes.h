// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_device_warp_lanes_h
#define tessera_base_device_warp_lanes_h

#include <tessera/base/device/cuda_port.h>
#include <tessera/base/macros.h>

namespace tessera
{
  namespace device
  {
    /**
     * The lane policy of a warp: 32 lanes, of which every thread is one and
     * holds a scalar. It models the concept that tessera/base/lanes.h
     * describes, with the same bits, so that templates on lanes compile for the
     * device.
     *
     * All 32 threads of the warp must call every function that exchanges
     * values, xor_lane(), any() and all(): guard what a thread shall not do by
     * a mask, not by a return. The lane is threadIdx.x modulo 32, and the
     * x extent of the block a multiple of 32.
     */
    template <typename Number>
    struct WarpLanes
    {
      using T = Number;
      using V = Number;
      using M = bool;

      static constexpr int          width     = 32;
      static constexpr unsigned int all_lanes = 0xffffffffu;

      static __device__ __forceinline__ int
      lane()
      {
        return int(threadIdx.x % 32u);
      }

      static __device__ __forceinline__ V
      set(const T x)
      {
        return x;
      }

      static __device__ __forceinline__ V
      zero()
      {
        return T(0);
      }

      static __device__ __forceinline__ T
      first(const V a)
      {
        return a;
      }

      static __device__ __forceinline__ V
      fma(const V a, const V b, const V c)
      {
        return ::fma(a, b, c);
      }

      static __device__ __forceinline__ V
      fnma(const V a, const V b, const V c)
      {
        return ::fma(-a, b, c);
      }

      template <int X>
      static __device__ __forceinline__ V
      xor_lane(const V a)
      {
        static_assert(X >= 0 && X < width, "there is no such lane");
        if constexpr (X == 0)
          return a;
        else
          return __shfl_xor_sync(all_lanes, a, X);
      }

      template <int X>
      static __device__ __forceinline__ V
      select(const V a, const V b)
      {
        static_assert(X > 0 && X < width && (X & (X - 1)) == 0,
                      "X is one bit of the lane");
        return (lane() & X) != 0 ? b : a;
      }

      template <int X>
      static __device__ __forceinline__ V
      sign()
      {
        return select<X>(T(1), T(-1));
      }

      static __device__ __forceinline__ V
      lane_index()
      {
        return T(lane());
      }

      static __device__ __forceinline__ M
      less(const V a, const V b)
      {
        return a < b;
      }

      static __device__ __forceinline__ M
      less_equal(const V a, const V b)
      {
        return a <= b;
      }

      static __device__ __forceinline__ M
      equal(const V a, const V b)
      {
        return a == b;
      }

      static __device__ __forceinline__ M
      first_lanes(const int n)
      {
        return lane() < n;
      }

      static __device__ __forceinline__ M
      mask_and(const M a, const M b)
      {
        return a && b;
      }

      static __device__ __forceinline__ M
      mask_or(const M a, const M b)
      {
        return a || b;
      }

      static __device__ __forceinline__ M
      mask_not(const M a)
      {
        return !a;
      }

      static __device__ __forceinline__ V
      blend(const M m, const V a, const V b)
      {
        return m ? a : b;
      }

      static __device__ __forceinline__ bool
      any(const M m)
      {
        return __any_sync(all_lanes, m) != 0;
      }

      static __device__ __forceinline__ bool
      all(const M m)
      {
        return __all_sync(all_lanes, m) != 0;
      }
    };
  } // namespace device
} // namespace tessera

#endif
