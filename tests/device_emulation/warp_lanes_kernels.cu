// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/warp_lanes.h>
#include <tessera/base/lane_sum.h>

#include "device_emulation/warp_lanes_kernels.h"

namespace warp_lanes
{
  using namespace tessera;

  namespace
  {
    template <typename T>
    __global__ void __launch_bounds__(64) evaluate_kernel(const int n_warps,
                                                          const T  *a_values,
                                                          const T  *b_values,
                                                          const T  *c_values,
                                                          T        *results)
    {
      using L        = device::WarpLanes<T>;
      const int warp = int(blockIdx.x * blockDim.x + threadIdx.x) / L::width;
      // The whole warp: no lane waits for another one.
      if (warp >= n_warps)
        return;
      const int i = warp * L::width + L::lane();
      const T   a = a_values[i], b = b_values[i], c = c_values[i];

      T         *out   = results + warp * n_results * L::width + L::lane();
      const auto write = [&](const T value) {
        *out = value;
        out += L::width;
      };
      write(L::fma(a, b, c));
      write(L::fnma(a, b, c));
      write(a * b + c);
      write(a / b - c);
      write(L::template xor_lane<1>(a));
      write(L::template xor_lane<6>(a));
      write(L::template xor_lane<16>(a));
      write(L::template select<2>(a, b));
      write(L::template sign<8>());
      write(L::lane_index());
      write(T(L::less(a, b)));
      write(T(L::less_equal(a, a)));
      write(T(L::equal(a, b)));
      write(T(L::first_lanes(5)));
      write(T(L::mask_and(L::less(a, b), L::mask_not(L::less(b, c)))));
      write(L::blend(L::mask_or(L::less(a, b), L::less(b, c)), a, b));
      write(T(L::any(L::equal(L::lane_index(), L::set(T(17))))));
      write(T(L::all(L::less(a, L::zero()))));
      write(sum_lanes<L, 8>(a));
      write(sum_lanes<L>(a));
    }
  } // namespace



  template <typename T>
  void
  evaluate(const int             n_warps,
           const T              *a,
           const T              *b,
           const T              *c,
           T                    *results,
           const device::Stream &stream)
  {
    const int n_threads = 64;
    device::launch(evaluate_kernel<T>,
                   (n_warps * 32 + n_threads - 1) / n_threads,
                   n_threads,
                   0,
                   stream,
                   n_warps,
                   a,
                   b,
                   c,
                   results);
  }

  template void
  evaluate(int,
           const float *,
           const float *,
           const float *,
           float *,
           const device::Stream &);
  template void
  evaluate(int,
           const double *,
           const double *,
           const double *,
           double *,
           const device::Stream &);
} // namespace warp_lanes
