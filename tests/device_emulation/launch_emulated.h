// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_launch_emulated_h
#define tessera_tests_device_emulation_launch_emulated_h

// How the emulation launches kernels. Included by tessera/base/device/launch.h.

#include <tessera/base/device/stream.h>

#include "device_emulation/execution.h"

namespace emulation
{
  /** Do the work, or note it down if the stream is being recorded. */
  void
  give_to_stream(CUstream_st *stream, std::function<void()> work);

  unsigned int
  max_resident_blocks();
} // namespace emulation

namespace tessera
{
  namespace device
  {
    namespace internal
    {
      template <typename... Parameters>
      void
      launch_kernel(void (*kernel)(Parameters...),
                    const dim3        grid,
                    const dim3        block,
                    const std::size_t shared_bytes,
                    const Stream     &stream,
                    const bool        cooperative,
                    const Parameters... arguments)
      {
        emulation::give_to_stream(stream.handle(), [=] {
          emulation::run_grid(grid, block, shared_bytes, cooperative, [&] {
            kernel(arguments...);
          });
        });
      }

      inline unsigned int
      max_resident_blocks(const void *, unsigned int, std::size_t)
      {
        return emulation::max_resident_blocks();
      }
    } // namespace internal
  }   // namespace device
} // namespace tessera

#endif
