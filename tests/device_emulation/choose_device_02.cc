// SPDX-License-Identifier: LGPL-2.1-or-later
// Without a device all ranks learn why.
#include <tessera/base/communication.h>
#include <tessera/base/communication_session.h>
#include <tessera/base/device/device.h>
#include <tessera/base/exceptions.h>

#include "check.h"
#include "device_emulation/emulation.h"

int
main(int argc, char **argv)
{
  using namespace tessera;
  const CommunicationSession session(argc, argv);

  emulation::options().n_devices   = 0;
  const device::DeviceQuery &query = device::available_device();
  CHECK(!query.available());
  CHECK_EQUAL(query.description(),
              "none (the emulation has been told to have none)");
  const std::string message =
    CHECK_THROWS(DeviceError, device::choose_device(Communicator::world()));
  CHECK(message.find("told to have none") != std::string::npos);
  return check::result();
}
