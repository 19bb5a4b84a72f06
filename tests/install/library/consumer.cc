// SPDX-License-Identifier: LGPL-2.1-or-later
// A program outside the source tree on the library without deal.II.
#include <tessera/base/aligned_vector.h>
#include <tessera/base/communication.h>
#include <tessera/base/communication_session.h>
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
  if (!aligned || world.sum(1) != int(world.n_ranks()))
    return 1;
  std::cout << "consumer: ok" << std::endl;
}
