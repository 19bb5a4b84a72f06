// SPDX-License-Identifier: LGPL-2.1-or-later
// Make the mistake that the argument names, for a sanitizer to stop the program
// or, if there is none, to print "no complaint".
#include <tessera/base/device/memory.h>

#include <cstring>
#include <iostream>
#include <utility>

#include "device_emulation/planted_bugs_kernels.h"

int
main(int argc, char **argv)
{
  using namespace tessera;
  using planted_bugs::Bug;

  const std::pair<const char *, Bug> bugs[] = {
    {"beyond_static_shared_memory", Bug::beyond_static_shared_memory},
    {"beyond_dynamic_shared_memory", Bug::beyond_dynamic_shared_memory},
    {"beyond_device_memory", Bug::beyond_device_memory},
    {"misaligned_vector", Bug::misaligned_vector},
    {"race_in_block", Bug::race_in_block},
    {"race_between_blocks", Bug::race_between_blocks},
    {"shuffle_as_fence", Bug::shuffle_as_fence},
    {"missing_block_barrier", Bug::missing_block_barrier},
    {"correct_warp_barrier", Bug::correct_warp_barrier},
    {"correct_block_barrier", Bug::correct_block_barrier},
    {"correct_atomic_addition", Bug::correct_atomic_addition},
    {"correct_grid_barrier", Bug::correct_grid_barrier}};

  for (const auto &[name, bug] : bugs)
    if (argc == 2 && std::strcmp(argv[1], name) == 0)
      {
        const device::Stream  stream;
        device::Memory<float> values(planted_bugs::n_values);
        values.fill_bytes_async(0, stream);
        planted_bugs::run(bug, values.data(), stream);
        stream.synchronize();
        std::cout << "no complaint" << std::endl;
        return 0;
      }
  std::cerr << "usage: planted_bugs_02 <bug>" << std::endl;
  return 1;
}
