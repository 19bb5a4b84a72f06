// SPDX-License-Identifier: LGPL-2.1-or-later
// Ranks of a node take its devices in turns.
#include <tessera/base/communication.h>
#include <tessera/base/communication_session.h>
#include <tessera/base/device/device.h>

#include "check.h"
#include "device_emulation/emulation.h"

int
main(int argc, char **argv)
{
  using namespace tessera;
  const CommunicationSession session(argc, argv);
  const Communicator         world = Communicator::world();

  emulation::options().n_devices = 2;
  CHECK(device::available_device().available());
  const int expected = int(world.rank()) % 2;
  CHECK_EQUAL(device::choose_device(world), expected);
  CHECK_EQUAL(emulation::chosen_device(), expected);
  CHECK(device::available_device().description().find(", 2 devices)") !=
        std::string::npos);
  return check::result();
}
