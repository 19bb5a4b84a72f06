// SPDX-License-Identifier: LGPL-2.1-or-later
// Checkpoints are the same on all ranks, and so are warnings and errors.
#include <tessera/base/communication_mpi.h>

#include <deal.II/base/mpi.h>

#include <filesystem>
#include <fstream>

#include "check.h"
#include "command_line/checkpoints.h"
#include "common/checkpoint_store.h"

using namespace tessera;
using apps::CheckpointStore;
namespace filesystem = std::filesystem;

int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  const Communicator world = make_communicator(MPI_COMM_WORLD);
  const std::string  directory =
    "checkpoint_store_03.files." + std::to_string(world.n_ranks());
  const auto on_first = [&](const auto &f) {
    world.barrier();
    if (world.rank() == 0)
      f();
    world.barrier();
  };
  const auto cut_off = [&](const std::string &file) {
    on_first([&] { filesystem::resize_file(file, 50); });
  };
  on_first([&] {
    filesystem::remove_all(directory);
    filesystem::create_directory(directory);
  });

  CheckpointStore          store(directory, world);
  std::vector<std::string> warnings;
  CHECK(!store.read_last(warnings));

  // What other ranks hand in does not count.
  const unsigned int own    = world.rank() == 0 ? 0 : 100;
  const std::string  first  = store.write(numbered_checkpoint(own + 1, 1));
  const std::string  second = store.write(numbered_checkpoint(own + 2, 1));
  CHECK_EQUAL(second, directory + "/checkpoint_2.tessera");
  CHECK_EQUAL(store.newest_file(), second);
  const auto last = store.read_last(warnings);
  CHECK(last && same(*last, numbered_checkpoint(2, 1)));
  CHECK(last && last->file == second);
  CHECK(warnings.empty());

  cut_off(second);
  const auto predecessor = store.read_last(warnings);
  CHECK(predecessor && same(*predecessor, numbered_checkpoint(1, 1)));
  CHECK_EQUAL(warnings.size(), 1u);

  cut_off(first);
  CHECK_THROWS(InputError, store.read_last(warnings));

  on_first([&] { filesystem::remove_all(directory); });
  CHECK_THROWS(InputError, store.write(numbered_checkpoint(3, 1)));
  return check::result();
}
