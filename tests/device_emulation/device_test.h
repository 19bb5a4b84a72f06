// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_device_test_h
#define tessera_tests_device_emulation_device_test_h

// The main function of a test on a device, emulated or real.

#include <tessera/base/device/device.h>

#include <iostream>

#include "check.h"

namespace device_test
{
  /** What ctest takes for "skipped". */
  inline constexpr int skipped = 77;

  /** Run the checks, unless there is no device. */
  template <typename F>
  int
  run(const F &checks)
  {
    const tessera::device::DeviceQuery &device =
      tessera::device::available_device();
    std::cout << "device: " << device.description() << std::endl;
    if (!device.available())
      return skipped;
    try
      {
        checks();
      }
    catch (const std::exception &error)
      {
        std::cerr << "exception: " << error.what() << std::endl;
        return 1;
      }
    return check::result();
  }
} // namespace device_test

#endif
