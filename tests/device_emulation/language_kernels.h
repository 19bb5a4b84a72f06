// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_language_kernels_h
#define tessera_tests_device_emulation_language_kernels_h

#include <tessera/base/device/stream.h>

// Kernels that use what CUDA C++ has; all arrays are on the device.

namespace language
{
  using tessera::device::Stream;

  inline constexpr int n_warp_results = 17;

  /** The functions of a warp, applied to values[32]:
   * results[n_warp_results][32]. */
  void
  call_warp_functions(const int *values, int *results, const Stream &stream);

  inline constexpr int n_block_results = 4;

  /** The functions of a block of n_threads threads, with the predicate
   * values[n_threads] != 0: results[n_block_results][n_threads]. */
  void
  call_block_functions(int           n_threads,
                       const int    *values,
                       int          *results,
                       const Stream &stream);

  /** What atomic operations leave in an array. */
  struct AtomicResults
  {
    int                count, maximum, minimum, difference;
    unsigned int       bits, common_bits;
    unsigned long long wide_sum;
    double             sum;
    float              float_sum;
    int                lock_holder, n_exchanged;
  };

  /** Every thread of several blocks applies its values[n] to *results. */
  void
  call_atomics(int            n,
               const int     *values,
               AtomicResults *results,
               const Stream  &stream);

  /** out[x][y] = in[y][x], n x n, by way of shared memory. */
  void
  transpose(int n, const float *in, float *out, const Stream &stream);

  /** out[i] = -in[i] for n values, read and written as float4, double2 and
   * int4. n is a multiple of 4. */
  template <typename T>
  void
  negate_vectors(int n, const T *in, T *out, const Stream &stream);

  /** Indices of each thread of a three-dimensional launch: out[thread][6] has
   * those of the block and of the thread. */
  void
  write_indices(const int     grid[3],
                const int     block[3],
                int          *out,
                const Stream &stream);

  /** Each block reverses its n_values of values[n_blocks][n_values], by way of
   * dynamic shared memory. */
  void
  reverse_blocks(int           n_blocks,
                 int           n_values,
                 double       *values,
                 const Stream &stream);

  /** The number of blocks that relax() may have. */
  int
  max_relaxation_blocks();

  /** n_steps times: every thread adds to its value that of its neighbour,
   * periodically over the grid of n_blocks blocks of 64 threads. */
  void
  relax(int           n_blocks,
        int           n_steps,
        int          *values,
        int          *next_values,
        const Stream &stream);
} // namespace language

#endif
