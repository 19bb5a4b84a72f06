// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_device_kernels_bounds_h
#define tessera_tests_benchmarks_device_kernels_bounds_h

// The two floors of every kernel on a device. All arrays are on the device; T
// is float or double.

#include <tessera/base/device/stream.h>

#include <cstddef>

namespace benchmark
{
  /** $a_i = b_i$ for n values, 16 bytes an access. n is a multiple of
   * 16 / sizeof(T). Moves 2 n sizeof(T) bytes. */
  template <typename T>
  void
  copy_values(T                             *a,
              const T                       *b,
              std::size_t                    n,
              const tessera::device::Stream &stream);

  /** Values of fill_random(): in [-1, 1), different for each position and seed,
   * the same on all devices. */
  template <typename T>
  void
  fill_random(T                             *a,
              std::size_t                    n,
              unsigned int                   seed,
              const tessera::device::Stream &stream);

  /** Threads a block of fma_chains(), and the chains of a thread. */
  inline constexpr int n_fma_threads       = 256;
  inline constexpr int n_device_fma_chains = 8;

  /**
   * Fused multiply-adds from registers: every thread does n_steps of
   * $x \leftarrow y x + z$ in each of its chains, x = 1 at the start, and
   * writes the sum of the chains to results[n_blocks * n_fma_threads]. n_steps
   * is a multiple of 8.
   */
  template <typename T>
  void
  fma_chains(int                            n_blocks,
             int                            n_steps,
             T                              y,
             T                              z,
             T                             *results,
             const tessera::device::Stream &stream);
} // namespace benchmark

#endif
