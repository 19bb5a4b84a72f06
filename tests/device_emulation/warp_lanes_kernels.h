// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_warp_lanes_kernels_h
#define tessera_tests_device_emulation_warp_lanes_kernels_h

#include <tessera/base/device/stream.h>

namespace warp_lanes
{
  /** The number of results of evaluate(). */
  inline constexpr int n_results = 20;

  /**
   * Apply every operation of the lane policy of a warp.
   * @param[in] a, b, c [n_warps][32], on the device.
   * @param[out] results [n_warps][n_results][32], on the device; masks are 0
   * and 1.
   */
  template <typename T>
  void
  evaluate(int                            n_warps,
           const T                       *a,
           const T                       *b,
           const T                       *c,
           T                             *results,
           const tessera::device::Stream &stream);
} // namespace warp_lanes

#endif
