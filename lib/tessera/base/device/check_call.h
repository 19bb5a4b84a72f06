// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_device_check_call_h
#define tessera_base_device_check_call_h

// For sources that are built with the CUDA toolkit only.

#include <tessera/base/exceptions.h>

#include <cuda_runtime_api.h>

#include <string>

namespace tessera
{
  namespace device
  {
    /** Check the result of a call of the CUDA runtime.
     * @throws DeviceError with what was called and the runtime's reason. */
    inline void
    check_call(const cudaError_t status, const std::string &what)
    {
      if (status == cudaSuccess)
        return;
      // Take note of the error, or a later call reports it once more.
      cudaGetLastError();
      throw DeviceError("CUDA: " + what +
                        " failed: " + cudaGetErrorString(status) + " (" +
                        cudaGetErrorName(status) + ")");
    }
  } // namespace device
} // namespace tessera

#endif
