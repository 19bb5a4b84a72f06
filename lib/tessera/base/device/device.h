// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_device_device_h
#define tessera_base_device_device_h

#include <tessera/base/device/backend.h>

#include <string>

namespace tessera
{
  class Communicator;

  namespace device
  {
    /** Whether there is a device that this program can use, and if not, why. */
    struct DeviceQuery
    {
      int              n_devices = 0;
      DeviceProperties properties; ///< of the first device
      std::string      why_none;   ///< for people; empty if there is one

      bool
      available() const
      {
        return n_devices > 0;
      }

      /** One line: "NVIDIA H200 (compute capability 9.0, 139 GiB, driver for
       * CUDA 13.0, 1 device)", or "none (why)". */
      std::string
      description() const;
    };

    /**
     * Ask the CUDA runtime for devices. Never throws for want of one: a build
     * without CUDA, a missing or too old driver, and any error of the runtime
     * are reasons why there is none. Asked once and remembered.
     */
    const DeviceQuery &
    available_device();

    /** The CUDA version and architectures of this build, or "none in this
     * build". */
    std::string
    toolkit_description();

    /**
     * Give each rank of a node one of its devices, in turns: the device of
     * number (local rank) modulo (number of devices), where the local rank
     * counts the ranks of the communicator on the same node. Collective.
     *
     * @return The number of the device.
     * @throws DeviceError on all ranks if one of them has no device.
     */
    int
    choose_device(const Communicator &communicator);
  } // namespace device
} // namespace tessera

#endif
