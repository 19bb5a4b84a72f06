// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_machine_kernels_h
#define tessera_tests_benchmarks_machine_kernels_h

#include <tessera/base/instruction_set.h>

#include <cstddef>

namespace benchmark
{
  /** Independent chains of fused multiply-adds in fma_chains(): more than
   * latency times throughput of current processors (8 to 10), and few enough
   * for 16 registers together with two constants. */
  constexpr int n_fma_chains = 12;

  // n is a multiple of 16, arrays are aligned to 64 bytes and do not overlap.
  TESSERA_DECLARE_SIMD(
    /** a = b. */
    void copy(double *a, const double *b, std::size_t n);

    /** a = b by stores that bypass the caches, where the instruction set has
        them; ordinary stores elsewhere. */
    void copy_streaming(double *a, const double *b, std::size_t n);

    /** a = b + s c. */
    void triad(double       *a,
               const double *b,
               const double *c,
               double        s,
               std::size_t   n);

    /** a = a + s b. */
    void update(double *a, const double *b, double s, std::size_t n);

    /** x = x y + z, n times in n_fma_chains registers; returns the sum. */
    template <typename T>
    T fma_chains(std::size_t n, T x, T y, T z);

    /** Lanes of T in a register. */
    template <typename T>
    int n_lanes();

    /** Whether a fused multiply-add is one instruction. */
    bool has_fma();)
} // namespace benchmark

#endif
