// SPDX-License-Identifier: LGPL-2.1-or-later
// Where the threads are when something has gone wrong.
#include <cstring>
#include <sstream>

#include "device_emulation/state.h"

namespace emulation
{
  namespace
  {
    bool
    is_waiting(const Thread &thread)
    {
      return thread.state == ThreadState::in_warp_operation ||
             thread.state == ThreadState::at_block_barrier ||
             thread.state == ThreadState::at_grid_barrier;
    }



    std::string
    describe(const Thread &thread)
    {
      if (thread.state == ThreadState::exited)
        return "exited";
      if (!is_waiting(thread))
        return "running";
      std::ostringstream text;
      text << "in " << thread.waits_in << " at " << thread.place.file << ':'
           << thread.place.line;
      if (thread.state == ThreadState::in_warp_operation)
        text << ", mask 0x" << std::hex << thread.mask;
      return text.str();
    }



    /** Threads of a warp in the same state share a line. */
    void
    describe_warp(const Warp &warp, std::ostream &out)
    {
      const auto n_present = (unsigned int)(__builtin_popcount(warp.present));
      for (unsigned int first = 0, lane = 1; lane <= n_present; ++lane)
        {
          const std::string text = describe(warp.threads[first]);
          if (lane < n_present && describe(warp.threads[lane]) == text)
            continue;
          out << "\n  warp " << warp.number << ", lane"
              << (lane - first > 1 ? "s " : " ") << first;
          if (lane - first > 1)
            out << " to " << lane - 1;
          out << ": " << text;
          first = lane;
        }
    }
  } // namespace



  std::string
  describe_threads()
  {
    std::ostringstream out;
    const Thread      &running = running_thread();
    out << "seen by warp " << running.warp->number << ", lane " << running.lane;
    for (const Block *block : launch_state.resident)
      {
        const uint3 index = block->threads[0].block_index;
        out << "\nblock (" << index.x << ", " << index.y << ", " << index.z
            << "):";
        for (unsigned int w = 0; w * n_lanes < block->n_threads; ++w)
          describe_warp(block->warps[w], out);
      }
    return out.str();
  }
} // namespace emulation
