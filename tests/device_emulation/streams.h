// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_streams_h
#define tessera_tests_device_emulation_streams_h

// Streams of the emulated device, for the sources of the emulation alone.

#include <tessera/base/device/backend.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace emulation
{
  /** Work that has been given and not been done (Options::deferred). */
  struct Queue
  {
    std::deque<std::function<void()>> pending;
    std::uint64_t                     n_done = 0;

    /** The number of the last piece of work that has been given. */
    std::uint64_t
    n_given() const
    {
      return n_done + pending.size();
    }

    /** Do the work up to a number. */
    void
    run(std::uint64_t last);
  };

  unsigned int
  n_recorded_streams();

  /** Do all work of all streams, as before memory is freed; ends the program
   * if it fails. */
  void
  run_all_streams() noexcept;
} // namespace emulation

struct CUstream_st
{
  std::shared_ptr<emulation::Queue> queue =
    std::make_shared<emulation::Queue>();

  /** While it is recorded, what it has been given. */
  bool                               recording = false;
  std::vector<std::function<void()>> work;
};

#endif
