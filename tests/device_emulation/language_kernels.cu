// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>

#include "device_emulation/language_kernels.h"

namespace language
{
  using namespace tessera;

  namespace
  {
    constexpr unsigned int all_lanes = 0xffffffffu;

    __global__ void
    warp_kernel(const int *values, int *results)
    {
      const int  lane  = int(threadIdx.x);
      const int  value = values[lane];
      int       *out   = results + lane;
      const auto write = [&](const int result) {
        *out = result;
        out += 32;
      };
      write(__shfl_sync(all_lanes, value, 5));
      write(__shfl_sync(all_lanes, value, lane + 3, 8));
      write(__shfl_xor_sync(all_lanes, value, 5));
      write(__shfl_xor_sync(all_lanes, value, 8, 8));
      write(__shfl_up_sync(all_lanes, value, 3));
      write(__shfl_up_sync(all_lanes, value, 3, 16));
      write(__shfl_down_sync(all_lanes, value, 2));
      write(__shfl_down_sync(all_lanes, value, 2, 4));
      write(int(__ballot_sync(all_lanes, value > 0)));
      write(__any_sync(all_lanes, value == values[7]));
      write(__all_sync(all_lanes, value == values[7]));
      write(__reduce_add_sync(all_lanes, value));
      write(__reduce_min_sync(all_lanes, value));
      write(__reduce_max_sync(all_lanes, value));
      // Two halves of the warp on their own.
      if (lane < 16)
        write(__shfl_xor_sync(0x0000ffffu, value, 15));
      else
        write(__popc(__ballot_sync(0xffff0000u, value > 0)));
      __syncwarp();
      write(__ffs(value) + 100 * __clz(value));
      write(int(__activemask() >> lane & 1u));
    }



    __global__ void
    block_kernel(const int *values, int *results)
    {
      const int n         = int(blockDim.x);
      const int t         = int(threadIdx.x);
      const int predicate = values[t];
      results[t]          = __syncthreads_count(predicate);
      results[n + t]      = __syncthreads_or(predicate);
      results[2 * n + t]  = __syncthreads_and(predicate);
      results[3 * n + t]  = __syncthreads_and(predicate == 0);
    }



    __global__ void
    atomic_kernel(const int n, const int *values, AtomicResults *results)
    {
      const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
      if (i >= n)
        return;
      const int value = values[i];
      atomicAdd(&results->count, 1);
      atomicMax(&results->maximum, value);
      atomicMin(&results->minimum, value);
      atomicSub(&results->difference, value);
      atomicOr(&results->bits, (unsigned int)(value));
      atomicAnd(&results->common_bits, (unsigned int)(value));
      atomicAdd(&results->wide_sum, (unsigned long long)(value));
      atomicAdd(&results->sum, double(value));
      atomicAdd(&results->float_sum, 1.f);
      if (atomicCAS(&results->lock_holder, -1, i) == -1)
        atomicAdd(&results->n_exchanged, 1000);
      if (i == 0)
        atomicAdd(&results->n_exchanged, atomicExch(&results->count, 0) >= 1);
    }



    constexpr int tile = 16;

    __global__ void
    __launch_bounds__(tile *tile)
      transpose_kernel(const int n, const float *in, float *out)
    {
      TESSERA_SHARED(float, values, [tile][tile + 1]);
      const int x = int(threadIdx.x), y = int(threadIdx.y);
      const int column = int(blockIdx.x) * tile, row = int(blockIdx.y) * tile;
      if (row + y < n && column + x < n)
        values[y][x] = in[(row + y) * n + column + x];
      __syncthreads();
      if (column + y < n && row + x < n)
        out[(column + y) * n + row + x] = values[x][y];
    }



    __device__ float4
    negative(const float4 v)
    {
      return make_float4(-v.x, -v.y, -v.z, -v.w);
    }

    __device__ double2
    negative(const double2 v)
    {
      return make_double2(-v.x, -v.y);
    }

    __device__ int4
    negative(const int4 v)
    {
      return make_int4(-v.x, -v.y, -v.z, -v.w);
    }

    template <typename V>
    __global__ void
    negate_kernel(const int n, const V *__restrict__ in, V *__restrict__ out)
    {
      const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
      if (i < n)
        out[i] = negative(__ldg(in + i));
    }

    template <typename T>
    struct VectorOf;

    template <>
    struct VectorOf<float>
    {
      using type = float4;
    };

    template <>
    struct VectorOf<double>
    {
      using type = double2;
    };

    template <>
    struct VectorOf<int>
    {
      using type = int4;
    };



    __global__ void
    indices_kernel(int *out)
    {
      const unsigned int block =
        blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
      const unsigned int thread =
        threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
      int *own =
        out + 6 * (block * blockDim.x * blockDim.y * blockDim.z + thread);
      own[0] = int(blockIdx.x);
      own[1] = int(blockIdx.y);
      own[2] = int(blockIdx.z);
      own[3] = int(threadIdx.x);
      own[4] = int(threadIdx.y);
      own[5] = int(threadIdx.z);
    }



    __global__ void
    reverse_kernel(const int n, double *all_values)
    {
      TESSERA_DYNAMIC_SHARED(double, shared);
      double *values = all_values + std::size_t(blockIdx.x) * n;
      for (int i = int(threadIdx.x); i < n; i += int(blockDim.x))
        shared[i] = values[i];
      __syncthreads();
      for (int i = int(threadIdx.x); i < n; i += int(blockDim.x))
        values[i] = shared[n - 1 - i];
    }



    constexpr int relaxation_threads = 64;

    __global__ void
    __launch_bounds__(relaxation_threads)
      relax_kernel(const int n_steps, int *values, int *next_values)
    {
      const int n = int(gridDim.x * blockDim.x);
      const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
      for (int step = 0; step < n_steps; ++step)
        {
          next_values[i] = values[i] + values[(i + 1) % n];
          device::grid_barrier();
          int *const old = values;
          values         = next_values;
          next_values    = old;
        }
    }
  } // namespace



  void
  call_warp_functions(const int *values, int *results, const Stream &stream)
  {
    device::launch(warp_kernel, 1, 32, 0, stream, values, results);
  }



  void
  call_block_functions(const int     n_threads,
                       const int    *values,
                       int          *results,
                       const Stream &stream)
  {
    device::launch(block_kernel, 1, n_threads, 0, stream, values, results);
  }



  void
  call_atomics(const int      n,
               const int     *values,
               AtomicResults *results,
               const Stream  &stream)
  {
    device::launch(
      atomic_kernel, (n + 63) / 64, 64, 0, stream, n, values, results);
  }



  void
  transpose(const int n, const float *in, float *out, const Stream &stream)
  {
    const int n_tiles = (n + tile - 1) / tile;
    device::launch(transpose_kernel,
                   dim3(n_tiles, n_tiles),
                   dim3(tile, tile),
                   0,
                   stream,
                   n,
                   in,
                   out);
  }



  template <typename T>
  void
  negate_vectors(const int n, const T *in, T *out, const Stream &stream)
  {
    using V             = typename VectorOf<T>::type;
    const int n_vectors = n * int(sizeof(T)) / int(sizeof(V));
    device::launch(negate_kernel<V>,
                   (n_vectors + 31) / 32,
                   32,
                   0,
                   stream,
                   n_vectors,
                   reinterpret_cast<const V *>(in),
                   reinterpret_cast<V *>(out));
  }

  template void
  negate_vectors(int, const float *, float *, const Stream &);
  template void
  negate_vectors(int, const double *, double *, const Stream &);
  template void
  negate_vectors(int, const int *, int *, const Stream &);



  void
  write_indices(const int     grid[3],
                const int     block[3],
                int          *out,
                const Stream &stream)
  {
    device::launch(indices_kernel,
                   dim3(grid[0], grid[1], grid[2]),
                   dim3(block[0], block[1], block[2]),
                   0,
                   stream,
                   out);
  }



  void
  reverse_blocks(const int     n_blocks,
                 const int     n_values,
                 double       *values,
                 const Stream &stream)
  {
    device::launch(reverse_kernel,
                   n_blocks,
                   96,
                   n_values * sizeof(double),
                   stream,
                   n_values,
                   values);
  }



  int
  max_relaxation_blocks()
  {
    return int(
      device::max_resident_blocks(relax_kernel, relaxation_threads, 0));
  }



  void
  relax(const int     n_blocks,
        const int     n_steps,
        int          *values,
        int          *next_values,
        const Stream &stream)
  {
    device::launch_cooperative(relax_kernel,
                               n_blocks,
                               relaxation_threads,
                               0,
                               stream,
                               n_steps,
                               values,
                               next_values);
  }
} // namespace language
