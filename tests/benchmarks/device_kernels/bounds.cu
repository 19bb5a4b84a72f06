// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>
#include <tessera/base/macros.h>

#include <cstdint>

#include "benchmarks/device_kernels/bounds.h"

namespace benchmark
{
  using tessera::device::launch;
  using tessera::device::Stream;

  namespace
  {
    constexpr int n_threads = 256;

    /** 16-byte accesses of a thread: enough of them under way to cover the
     * latency of memory. */
    constexpr int n_accesses = 4;

    /** Steps of a chain for which one branch is taken. */
    constexpr int n_unrolled_steps = 8;



    __global__ void
    __launch_bounds__(n_threads)
      copy_kernel(float4 *a, const float4 *b, const std::size_t n)
    {
      const std::size_t first =
        std::size_t(blockIdx.x) * (n_threads * n_accesses) + threadIdx.x;
      float4 x[n_accesses];
      TESSERA_UNROLL
      for (int k = 0; k < n_accesses; ++k)
        if (first + k * n_threads < n)
          x[k] = b[first + k * n_threads];
      TESSERA_UNROLL
      for (int k = 0; k < n_accesses; ++k)
        if (first + k * n_threads < n)
          a[first + k * n_threads] = x[k];
    }



    template <typename T>
    __global__ void
    __launch_bounds__(n_threads)
      random_kernel(T *a, const std::size_t n, const unsigned int seed)
    {
      const std::size_t i = std::size_t(blockIdx.x) * n_threads + threadIdx.x;
      if (i < n)
        {
          // The finalizer of a hash: neighbours have nothing in common.
          std::uint64_t x =
            (i + 1) * 0x9e3779b97f4a7c15u + seed * 0xbf58476d1ce4e5b9u;
          x ^= x >> 30;
          x *= 0xbf58476d1ce4e5b9u;
          x ^= x >> 27;
          x *= 0x94d049bb133111ebu;
          x ^= x >> 31;
          // 24 bits, exact in float.
          a[i] = T(double(x >> 40) * 0x1p-23 - 1.);
        }
    }



    template <typename T>
    __global__ void
    __launch_bounds__(n_fma_threads)
      fma_kernel(const int n_steps, const T y, const T z, T *results)
    {
      T x[n_device_fma_chains];
      TESSERA_UNROLL
      for (int c = 0; c < n_device_fma_chains; ++c)
        x[c] = T(1);
      for (int i = 0; i < n_steps; i += n_unrolled_steps)
        TESSERA_UNROLL
      for (int j = 0; j < n_unrolled_steps; ++j)
        TESSERA_UNROLL
      for (int c = 0; c < n_device_fma_chains; ++c)
        x[c] = ::fma(x[c], y, z);
      T sum = x[0];
      TESSERA_UNROLL
      for (int c = 1; c < n_device_fma_chains; ++c)
        sum += x[c];
      results[std::size_t(blockIdx.x) * n_fma_threads + threadIdx.x] = sum;
    }
  } // namespace



  template <typename T>
  void
  copy_values(T *a, const T *b, const std::size_t n, const Stream &stream)
  {
    const std::size_t n_vectors = n * sizeof(T) / sizeof(float4);
    const std::size_t per_block = n_threads * n_accesses;
    launch(copy_kernel,
           (unsigned int)((n_vectors + per_block - 1) / per_block),
           n_threads,
           0,
           stream,
           reinterpret_cast<float4 *>(a),
           reinterpret_cast<const float4 *>(b),
           n_vectors);
  }



  template <typename T>
  void
  fill_random(T                 *a,
              const std::size_t  n,
              const unsigned int seed,
              const Stream      &stream)
  {
    launch(random_kernel<T>,
           (unsigned int)((n + n_threads - 1) / n_threads),
           n_threads,
           0,
           stream,
           a,
           n,
           seed);
  }



  template <typename T>
  void
  fma_chains(const int     n_blocks,
             const int     n_steps,
             const T       y,
             const T       z,
             T            *results,
             const Stream &stream)
  {
    launch(fma_kernel<T>,
           (unsigned int)(n_blocks),
           n_fma_threads,
           0,
           stream,
           n_steps,
           y,
           z,
           results);
  }



  template void
  copy_values(float *, const float *, std::size_t, const Stream &);
  template void
  copy_values(double *, const double *, std::size_t, const Stream &);
  template void
  fill_random(float *, std::size_t, unsigned int, const Stream &);
  template void
  fill_random(double *, std::size_t, unsigned int, const Stream &);
  template void
  fma_chains(int, int, float, float, float *, const Stream &);
  template void
  fma_chains(int, int, double, double, double *, const Stream &);
} // namespace benchmark
