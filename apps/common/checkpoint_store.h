// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_checkpoint_store_h
#define tessera_apps_common_checkpoint_store_h

#include <tessera/base/communication.h>

#include <optional>
#include <string>
#include <vector>

#include "common/checkpoint_file.h"

namespace tessera::apps
{
  /**
   * Checkpoints of a run in its results directory, of which the last two are
   * kept: `checkpoint_<n>.tessera`, n ascending. Plain files of these names
   * belong to this class.
   *
   * A file is written under another name, flushed to the disk, and only then
   * renamed; older ones are deleted after that. So whenever a run is
   * interrupted, a complete one is there once there was one. A file that is
   * damaged or cut off is noticed when it is read, by its check sums, and its
   * predecessor is used.
   *
   * One run at a time writes to a directory. Rank 0 works; collective.
   */
  class CheckpointStore
  {
  public:
    /** Looks at nothing yet. */
    CheckpointStore(const std::string  &directory,
                    const Communicator &communicator);

    /**
     * Write the next one and delete all others but the last one that is
     * complete, as well as what an interrupted write has left.
     *
     * Cost: the size of a checkpoint is written, and that of another one read
     * to see whether it is complete. No copy of the data is made.
     *
     * @return the name of the file.
     * @throws InputError on all ranks if it cannot be written, with the file
     * and the reason (a full disk, ...); older ones stay.
     */
    std::string
    write(const Checkpoint &checkpoint);

    /**
     * The last complete one, on all ranks; nothing if there is none, as in a
     * directory that does not exist.
     *
     * @param[out] warnings what was found damaged, for people; on all ranks.
     * @throws InputError on all ranks if there are some but none can be used,
     * and if the last complete one has a newer format.
     */
    std::optional<Checkpoint>
    read_last(std::vector<std::string> &warnings) const;

    /** The file of the newest one, whether or not it can be used; empty if
     * there is none. On all ranks.
     * @throws InputError on all ranks if the directory cannot be read. */
    std::string
    newest_file() const;

  private:
    std::string  directory;
    Communicator communicator;
  };
} // namespace tessera::apps

#endif
