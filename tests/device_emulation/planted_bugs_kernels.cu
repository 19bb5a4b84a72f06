// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>

#include "device_emulation/planted_bugs_kernels.h"

namespace planted_bugs
{
  using namespace tessera;

  namespace
  {
    constexpr unsigned int all_lanes   = 0xffffffffu;
    constexpr int          n_threads   = 64;
    constexpr int          n_blocks    = 2;
    constexpr int          shared_size = 64;

    /** Mistakes about who takes part. */
    __global__ void
    participation_kernel(const Bug bug, float *values)
    {
      const int t    = int(threadIdx.x);
      const int lane = t % 32;
      switch (bug)
        {
          case Bug::barrier_after_exit:
            if (t >= 32)
              return;
            __syncthreads();
            break;
          case Bug::different_barriers:
            if (t < 32)
              __syncthreads();
            else
              __syncthreads();
            break;
          case Bug::barrier_in_warp_operation:
            if (t == 0)
              __syncthreads();
            else
              __syncwarp();
            break;
          case Bug::exited_lane_in_mask:
            if (lane == 0)
              return;
            values[t] = __shfl_xor_sync(all_lanes, float(t), 2);
            break;
          case Bug::absent_lane_in_mask:
            // The block of this case has 40 threads.
            __syncwarp(all_lanes);
            break;
          case Bug::lane_exits_while_awaited:
            if (lane < 31)
              values[t] = __shfl_sync(all_lanes, float(t), 0);
            break;
          case Bug::read_from_outside_of_mask:
            if (lane < 16)
              values[t] = __shfl_sync(0x0000ffffu, float(t), 20);
            break;
          case Bug::mask_without_caller:
            if (t == 40)
              __syncwarp(1u << 7);
            break;
          case Bug::different_warp_operations:
            if (lane < 16)
              __syncwarp();
            else
              values[t] = __shfl_xor_sync(all_lanes, 1.f, 1);
            break;
          case Bug::different_masks:
            __syncwarp(lane < 16 ? all_lanes : 0xffff0001u | 1u << lane);
            break;
          case Bug::no_dynamic_shared_memory:
            {
              TESSERA_DYNAMIC_SHARED(float, shared);
              shared[t] = 0;
            }
            break;
          case Bug::too_much_shared_memory:
            {
              TESSERA_SHARED(double, shared, [7000]);
              shared[t] = 0;
            }
            break;
          case Bug::grid_barrier_without_cooperation:
            device::grid_barrier();
            break;
          case Bug::grid_barrier_after_exit:
            if (t == 5)
              return;
            device::grid_barrier();
            break;
          default:
            break;
        }
    }



    /** Mistakes about memory. */
    __global__ void
    memory_kernel(const Bug bug, float *all_values)
    {
      TESSERA_SHARED(float, shared, [shared_size]);
      const int t      = int(threadIdx.x);
      float    *values = all_values + n_threads * blockIdx.x;
      switch (bug)
        {
          case Bug::missing_block_barrier:
            shared[t] = float(t);
            values[t] = shared[(t + 1) % n_threads];
            break;
          case Bug::correct_block_barrier:
            shared[t] = float(t);
            __syncthreads();
            values[t] = shared[(t + 1) % n_threads];
            break;
          case Bug::missing_warp_barrier:
            shared[t] = float(t);
            values[t] = shared[t ^ 1];
            break;
          case Bug::correct_warp_barrier:
            shared[t] = float(t);
            __syncwarp();
            values[t] = shared[t ^ 1];
            break;
          case Bug::shuffle_as_fence:
            shared[t] = float(t);
            __shfl_xor_sync(all_lanes, 1.f, 1);
            values[t] = shared[t ^ 1];
            break;
          case Bug::blocks_write_the_same:
            if (t == 0)
              all_values[0] = float(blockIdx.x);
            break;
          case Bug::race_in_block:
            values[0] += 1;
            break;
          case Bug::race_between_blocks:
            // Each block writes what the other one reads; in every order of
            // the blocks the result is the same.
            if (t == 0)
              {
                values[1]                                    = all_values[0];
                all_values[n_threads * (1 - blockIdx.x) + 1] = all_values[0];
              }
            break;
          case Bug::correct_atomic_addition:
            atomicAdd(&all_values[0], 1.f);
            break;
          case Bug::uninitialized_shared_memory:
            values[t] = shared[t];
            break;
          case Bug::beyond_static_shared_memory:
            shared[t + 1] = 1;
            break;
          case Bug::beyond_dynamic_shared_memory:
            {
              TESSERA_DYNAMIC_SHARED(float, dynamic);
              dynamic[t + 1] = 1;
            }
            break;
          case Bug::beyond_device_memory:
            values[t + 1] = 1;
            break;
          case Bug::misaligned_vector:
            reinterpret_cast<float4 *>(values + 1)->x = 1;
            break;
          default:
            break;
        }
    }



    /** The sum over the grid, by way of device memory. */
    __global__ void
    grid_sum_kernel(float *values)
    {
      const int i       = int(blockIdx.x * blockDim.x + threadIdx.x);
      const int n       = int(gridDim.x * blockDim.x);
      values[i]         = float(i);
      const int partner = n - 1 - i;
      device::grid_barrier();
      const float sum = values[i] + values[partner];
      device::grid_barrier();
      values[i] = sum;
    }
  } // namespace



  void
  run(const Bug bug, float *values, const device::Stream &stream)
  {
    const auto shared_bytes = bug == Bug::beyond_dynamic_shared_memory ?
                                shared_size * sizeof(float) :
                                0;
    if (bug == Bug::correct_grid_barrier)
      device::launch_cooperative(
        grid_sum_kernel, n_blocks, n_threads, 0, stream, values);
    else if (bug == Bug::grid_barrier_after_exit)
      device::launch_cooperative(
        participation_kernel, n_blocks, n_threads, 0, stream, bug, values);
    else if (bug == Bug::absent_lane_in_mask)
      device::launch(participation_kernel, 1, 40, 0, stream, bug, values);
    else
      device::launch(bug < Bug::missing_block_barrier ? participation_kernel :
                                                        memory_kernel,
                     n_blocks,
                     n_threads,
                     shared_bytes,
                     stream,
                     bug,
                     values);
  }
} // namespace planted_bugs
