// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_device_launch_cuda_h
#define tessera_base_device_launch_cuda_h

// How nvcc launches kernels. Included by tessera/base/device/launch.h.

#include <tessera/base/device/check_call.h>
#include <tessera/base/device/stream.h>

#include <cooperative_groups.h>

namespace tessera
{
  namespace device
  {
    /**
     * For kernels of launch_cooperative(): every thread of the grid waits until
     * all have arrived; what they wrote before to global memory can be read
     * after. All threads must call it, equally often.
     */
    __device__ inline void
    grid_barrier()
    {
      cooperative_groups::this_grid().sync();
    }

    namespace internal
    {
      /** More dynamic shared memory than this has to be asked for. */
      constexpr std::size_t plain_shared_bytes = 48 * 1024;

      inline void
      request_shared_memory(const void *kernel, const std::size_t bytes)
      {
        if (bytes > plain_shared_bytes)
          check_call(
            cudaFuncSetAttribute(kernel,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 int(bytes)),
            "the request of " + std::to_string(bytes) +
              " bytes of shared memory");
      }

      inline std::string
      launch_text(const dim3 grid, const dim3 block, const std::size_t shared)
      {
        const auto text = [](const dim3 d) {
          return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " +
                 std::to_string(d.z) + ")";
        };
        return "the launch of a kernel with grid " + text(grid) + ", block " +
               text(block) + ", " + std::to_string(shared) +
               " bytes of shared memory";
      }

      template <typename... Parameters>
      void
      launch_kernel(void (*kernel)(Parameters...),
                    const dim3        grid,
                    const dim3        block,
                    const std::size_t shared_bytes,
                    const Stream     &stream,
                    const bool        cooperative,
                    Parameters... arguments)
      {
        const void *function = reinterpret_cast<const void *>(kernel);
        request_shared_memory(function, shared_bytes);
        // One more, for kernels without parameters.
        void             *addresses[] = {const_cast<void *>(
                               static_cast<const void *>(&arguments))...,
                                         nullptr};
        const cudaError_t status =
          cooperative ?
            cudaLaunchCooperativeKernel(
              function, grid, block, addresses, shared_bytes, stream.handle()) :
            cudaLaunchKernel(
              function, grid, block, addresses, shared_bytes, stream.handle());
        if (status != cudaSuccess)
          check_call(status, launch_text(grid, block, shared_bytes));
      }

      inline unsigned int
      max_resident_blocks(const void        *kernel,
                          const unsigned int n_threads,
                          const std::size_t  shared_bytes)
      {
        request_shared_memory(kernel, shared_bytes);
        int device = 0, n_multiprocessors = 0, n_blocks = 0;
        check_call(cudaGetDevice(&device), "the query of the device");
        check_call(cudaDeviceGetAttribute(&n_multiprocessors,
                                          cudaDevAttrMultiProcessorCount,
                                          device),
                   "the query of the number of multiprocessors");
        check_call(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                     &n_blocks, kernel, int(n_threads), shared_bytes),
                   "the query of the occupancy");
        return (unsigned int)(n_blocks * n_multiprocessors);
      }
    } // namespace internal
  }   // namespace device
} // namespace tessera

#endif
