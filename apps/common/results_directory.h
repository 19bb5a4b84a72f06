// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_results_directory_h
#define tessera_apps_common_results_directory_h

#include <string>

namespace tessera
{
  class Communicator;
}

namespace tessera::apps
{
  /**
   * The directory a run writes to: the operand of --results, else the
   * parameter, else `results-<name of the file without folder and extension>`,
   * `results-stdin` for "-".
   */
  std::string
  results_directory_name(const std::string &option,
                         const std::string &parameter,
                         const std::string &parameter_file);

  /**
   * Create a directory, and those above it, where they are missing, and see to
   * it that files can be created in it. Rank 0 works; collective.
   *
   * @throws InputError on all ranks: a plain file in its place, no permission,
   * a full or read-only disk.
   */
  void
  create_results_directory(const std::string  &name,
                           const Communicator &communicator);

  /**
   * A claim to write to a directory, as long as this object, or the process,
   * lives: two runs would mix up their files. Where the file system has no
   * locks, there is no claim. Rank 0 works.
   */
  class ResultsDirectoryLock
  {
  public:
    /** Collective.
     * @throws InputError on all ranks if another process has the claim. */
    ResultsDirectoryLock(const std::string  &name,
                         const Communicator &communicator);

    ~ResultsDirectoryLock();

    ResultsDirectoryLock(const ResultsDirectoryLock &) = delete;
    ResultsDirectoryLock &
    operator=(const ResultsDirectoryLock &) = delete;

  private:
    int descriptor = -1;
  };
} // namespace tessera::apps

#endif
