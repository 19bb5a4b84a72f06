// SPDX-License-Identifier: LGPL-2.1-or-later
// A program outside the source tree on the library without deal.II.
#include <tessera/base/aligned_vector.h>
#include <tessera/base/communication.h>
#include <tessera/base/communication_session.h>
#include <tessera/base/device/device.h>
#include <tessera/base/device/memory.h>
#include <tessera/base/instruction_set.h>
#include <tessera/base/version.h>

#include <cstdint>
#include <iostream>

int
main(int argc, char **argv)
{
  const tessera::CommunicationSession session(argc, argv);
  const tessera::Communicator         world = tessera::Communicator::world();

  tessera::AlignedVector<double> vector(1000);
  const bool                     aligned =
    reinterpret_cast<std::uintptr_t>(vector.data()) % 64 == 0;
  std::cout << "tessera " << tessera::version() << ", "
            << tessera::to_string(tessera::active_instruction_set()) << '\n';

  // Of a library with CUDA, this links the runtime, with a C++ compiler; there
  // may be a device or none.
  const tessera::device::DeviceQuery &device =
    tessera::device::available_device();
  std::cout << "device: " << device.description() << '\n';
  if (device.available())
    {
      const tessera::device::Stream   stream;
      tessera::device::Memory<double> copy(vector.data(),
                                           vector.size(),
                                           stream);
      copy.copy_to_host(vector.data(), stream);
    }

  if (!aligned || world.sum(1) != int(world.n_ranks()))
    return 1;
  std::cout << "consumer: ok" << std::endl;
}
