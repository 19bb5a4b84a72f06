// SPDX-License-Identifier: LGPL-2.1-or-later
// A process that writes checkpoints is killed at any moment: the last one that
// it called written is there afterwards, or a later one.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <random>

#include "check.h"
#include "command_line/checkpoints.h"
#include "common/checkpoint_store.h"

using namespace tessera;
using apps::CheckpointStore;
namespace filesystem = std::filesystem;

namespace
{
  const std::string directory = "checkpoint_store_02.files";

  /** Some are small, some of a size that takes a while. */
  apps::Checkpoint
  checkpoint(const unsigned int n)
  {
    return numbered_checkpoint(n, n % 3 == 0 ? 1 : 20000);
  }



  /** Write n, n + 1, ..., and tell each into a pipe once it is written. */
  [[noreturn]] void
  write_forever(unsigned int n, const int pipe)
  {
    CheckpointStore store(directory, Communicator());
    for (;; ++n)
      {
        store.write(checkpoint(n));
        if (::write(pipe, &n, sizeof(n)) != sizeof(n))
          ::_exit(1);
      }
  }



  std::size_t
  n_files()
  {
    std::size_t n = 0;
    for ([[maybe_unused]] const auto &entry :
         filesystem::directory_iterator(directory))
      ++n;
    return n;
  }



  /** Whether a write was interrupted. */
  bool
  has_temporary_file()
  {
    for (const auto &entry : filesystem::directory_iterator(directory))
      if (entry.path().string().find(".tmp.") != std::string::npos)
        return true;
    return false;
  }



  /**
   * Start at n, kill after a while, and look.
   * @return the number of the last one that is there.
   */
  unsigned int
  kill_one(const unsigned int n, const useconds_t microseconds)
  {
    int pipe[2];
    CHECK_EQUAL(::pipe(pipe), 0);
    const pid_t child = ::fork();
    if (child == 0)
      write_forever(n, pipe[1]);
    CHECK(child > 0);
    ::close(pipe[1]);

    // Not before it works: the first one is written.
    unsigned int written = 0, number = 0;
    if (::read(pipe[0], &written, sizeof(written)) == sizeof(written))
      ::usleep(microseconds);
    ::kill(child, SIGKILL);
    int status = 0;
    CHECK_EQUAL(::waitpid(child, &status, 0), child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    while (::read(pipe[0], &number, sizeof(number)) == sizeof(number))
      written = number;
    ::close(pipe[0]);

    std::vector<std::string> warnings;
    const auto               last =
      CheckpointStore(directory, Communicator()).read_last(warnings);
    CHECK(last.has_value());
    CHECK(warnings.empty());
    if (!last)
      return n;
    const auto found = last->header["cycle"].get<unsigned int>();
    CHECK(same(*last, checkpoint(found)));
    CHECK(found == written || found == written + 1);

    // Two, a third one if the first was about to be deleted, and a part.
    CHECK(n_files() <= 4);
    return found;
  }
} // namespace



int
main()
{
  filesystem::remove_all(directory);
  filesystem::create_directory(directory);

  std::mt19937 random(1);
  unsigned int n = 0, n_interrupted = 0;
  for (unsigned int kill = 0; kill < 40; ++kill)
    {
      n = kill_one(n, random() % 20000) + 1;
      n_interrupted += has_temporary_file();
    }
  std::cout << n_interrupted << " of 40 were killed while they wrote"
            << std::endl;
  CHECK(n_interrupted > 0);

  CheckpointStore(directory, Communicator()).write(checkpoint(n));
  CHECK_EQUAL(n_files(), 2u);
  filesystem::remove_all(directory);
  return check::result();
}
