// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_checkpoint_store_h
#define tessera_apps_common_checkpoint_store_h

#include <tessera/base/run_record.h>

#include <optional>
#include <string>
#include <vector>

namespace tessera
{
  class Communicator;
}

namespace tessera::apps
{
  /** What a run needs to go on as if it had not been interrupted. */
  struct Checkpoint
  {
    /** Anything small, for people to read: what is discretized, the number of
     * cycles done, the record so far. */
    RunRecord::json header;

    /** Arrays of bytes, each with a name. */
    std::vector<std::pair<std::string, std::vector<char>>> data;
  };

  /**
   * Checkpoints of a run in its results directory, of which the last two are
   * kept: `checkpoint_<n>.tessera`, n ascending.
   *
   * A file has a version of the format, lengths, and a check sum of each part.
   * It is written under another name, flushed to the disk, and only then
   * renamed; the oldest of three is deleted after that. So whenever a run is
   * interrupted, a complete one is there once there was one. A file that is
   * damaged or cut off is noticed when it is read, with a warning, and its
   * predecessor is used.
   *
   * Rank 0 works; collective.
   */
  class CheckpointStore
  {
  public:
    CheckpointStore(const std::string  &directory,
                    const Communicator &communicator);

    /** @throws InputError on all ranks if it cannot be written, with the file
     * and the reason (a full disk, ...); older ones stay. */
    void
    write(const Checkpoint &checkpoint);

    /**
     * The last complete one, on all ranks; nothing if there is none.
     *
     * @param[out] warnings what was found damaged, for people.
     * @throws InputError on all ranks if there are some but none can be used.
     */
    std::optional<Checkpoint>
    read_last(std::vector<std::string> &warnings) const;
  };
} // namespace tessera::apps

#endif
