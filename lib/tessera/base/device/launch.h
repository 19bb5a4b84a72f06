// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_device_launch_h
#define tessera_base_device_launch_h

// Included by tessera/base/device/cuda_port.h.

#include <tessera/base/device/stream.h>

#include <cstddef>
#include <type_traits>

#if defined(__CUDACC__)
#  include <tessera/base/device/launch_cuda.h>
#else
#  include <device_emulation/launch_emulated.h>
#endif

namespace tessera
{
  namespace device
  {
    namespace internal
    {
      // The arguments of a kernel follow from its type, not from the call:
      // an int may be passed for a std::size_t.
      template <typename T>
      using Parameter = typename std::common_type<T>::type;
    } // namespace internal

    /**
     * Give a kernel to a stream: `kernel<<<grid, block, shared_bytes,
     * stream>>>(arguments...)`, checked. The host does not wait. A grid without
     * blocks is no work, and no error.
     *
     * @param[in] shared_bytes Of dynamic shared memory, for each block; more
     * than 48 KiB are asked for as CUDA wants it.
     * @throws DeviceError if the device refuses the launch. Errors while the
     * kernel runs show at the next synchronization; those that the emulation
     * finds, at once.
     */
    template <typename... Parameters>
    void
    launch(void (*kernel)(Parameters...),
           const dim3        grid,
           const dim3        block,
           const std::size_t shared_bytes,
           const Stream     &stream,
           const internal::Parameter<Parameters>... arguments)
    {
      if (grid.x * std::size_t(grid.y) * grid.z > 0)
        internal::launch_kernel(
          kernel, grid, block, shared_bytes, stream, false, arguments...);
    }

    /**
     * The same for a kernel that calls grid_barrier(): all blocks run at the
     * same time. There may be at most max_resident_blocks() of them.
     */
    template <typename... Parameters>
    void
    launch_cooperative(void (*kernel)(Parameters...),
                       const dim3        grid,
                       const dim3        block,
                       const std::size_t shared_bytes,
                       const Stream     &stream,
                       const internal::Parameter<Parameters>... arguments)
    {
      internal::launch_kernel(
        kernel, grid, block, shared_bytes, stream, true, arguments...);
    }

    /** The number of blocks of this kind that the device can run at the same
     * time. */
    template <typename... Parameters>
    unsigned int
    max_resident_blocks(void (*kernel)(Parameters...),
                        const unsigned int n_threads,
                        const std::size_t  shared_bytes)
    {
      return internal::max_resident_blocks(
        reinterpret_cast<const void *>(kernel), n_threads, shared_bytes);
    }
  } // namespace device
} // namespace tessera

#endif
