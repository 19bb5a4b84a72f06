// SPDX-License-Identifier: LGPL-2.1-or-later
// A lane leaves its value and waits; the last one to arrive computes
// everybody's result.
#include <algorithm>

#include "device_emulation/state.h"

namespace emulation
{
  namespace
  {
    /** Call f with every lane of a mask. */
    template <typename F>
    void
    for_each_lane(const Warp &warp, unsigned int mask, const F &f)
    {
      for (; mask != 0; mask &= mask - 1)
        f(warp.threads[__builtin_ctz(mask)]);
    }



    /** All lanes of an operation synchronize by one token, that of the first
     * who has arrived. A shuffle is no synchronization of memory. */
    Token *
    token_of_operation(const Warp &warp, const Thread &arriving)
    {
      if (!thread_sanitizer || arriving.operation != WarpOperation::synchronize)
        return nullptr;
      Token *token = nullptr;
      for_each_lane(warp, arriving.mask, [&](const Thread &thread) {
        if (&thread != &arriving &&
            thread.state == ThreadState::in_warp_operation &&
            thread.operation == WarpOperation::synchronize &&
            thread.mask == arriving.mask)
          token = thread.token;
      });
      return token != nullptr ? token : new_token();
    }



    /** What an operation that is not a shuffle gives to all its lanes. */
    std::uint64_t
    combined_value(const Warp         &warp,
                   const WarpOperation operation,
                   const unsigned int  mask)
    {
      bool          first  = true;
      std::uint64_t result = 0;
      for_each_lane(warp, mask, [&](const Thread &thread) {
        const std::uint64_t value  = thread.value;
        const auto          as_int = [](const std::uint64_t bits) {
          return std::int32_t(std::uint32_t(bits));
        };
        switch (operation)
          {
            case WarpOperation::ballot:
              result |= value << thread.lane;
              break;
            case WarpOperation::any:
              result |= value;
              break;
            case WarpOperation::all:
              result = first ? value : result & value;
              break;
            case WarpOperation::add:
              result = std::uint32_t(result + value);
              break;
            case WarpOperation::minimum:
              result =
                std::uint32_t(first ? as_int(value) :
                                      std::min(as_int(result), as_int(value)));
              break;
            case WarpOperation::maximum:
              result =
                std::uint32_t(first ? as_int(value) :
                                      std::max(as_int(result), as_int(value)));
              break;
            case WarpOperation::shuffle:
            case WarpOperation::synchronize:
              break;
          }
        first = false;
      });
      return result;
    }



    /** All lanes of the mask are waiting: give them their results and let them
     * go. */
    void
    complete(const Warp &warp, const Thread &last)
    {
      for_each_lane(warp, last.mask, [&](const Thread &thread) {
        if (thread.operation != last.operation)
          fail(std::string(last.waits_in) +
               ": lanes of one mask wait in different warp operations");
        if (thread.mask != last.mask)
          fail(std::string(last.waits_in) +
               ": lanes of one mask wait with different masks");
      });

      const std::uint64_t combined =
        combined_value(warp, last.operation, last.mask);
      for_each_lane(warp, last.mask, [&](Thread &thread) {
        thread.result = combined;
        if (last.operation == WarpOperation::shuffle)
          {
            if ((last.mask >> thread.source & 1u) == 0)
              fail(std::string(last.waits_in) + ": lane " +
                   std::to_string(thread.lane) + " reads from lane " +
                   std::to_string(thread.source) +
                   ", which does not take part");
            thread.result = warp.threads[thread.source].value;
          }
      });
      for_each_lane(warp, last.mask, [](Thread &thread) {
        set_runnable(thread);
      });
    }
  } // namespace



  std::uint64_t
  warp_operation(const WarpOperation operation,
                 const unsigned int  mask,
                 const std::uint64_t value,
                 const int           source,
                 const char         *name,
                 const Place         place)
  {
    Thread     &thread = running_thread();
    const Warp &warp   = *thread.warp;
    ++counts.n_warp_operations;
    thread.operation = operation;
    thread.mask      = mask;
    thread.value     = value;
    thread.source    = source;
    thread.waits_in  = name;
    thread.place     = place;
    set_waiting(thread, ThreadState::in_warp_operation);

    if ((mask & thread.bit()) == 0)
      fail(std::string(name) + ": the calling lane is not in its own mask");
    if ((mask & (warp.exited | ~warp.present)) != 0)
      fail(std::string(name) +
           ": the mask names lanes that have exited or do not exist");

    Token *token = token_of_operation(warp, thread);
    thread.token = token;
    if (token != nullptr)
      release(token);
    if ((mask & ~warp.in_operation) == 0)
      {
        complete(warp, thread);
        run_others_first();
      }
    else
      run_others();
    if (token != nullptr)
      acquire(token);
    return thread.result;
  }



  void
  check_nobody_waits_for(const Thread &thread)
  {
    const Warp &warp = *thread.warp;
    for_each_lane(warp, warp.present & ~warp.exited, [&](const Thread &other) {
      if (other.state == ThreadState::in_warp_operation &&
          (other.mask & thread.bit()) != 0)
        fail(std::string(other.waits_in) + ": lane " +
             std::to_string(thread.lane) +
             " has exited while others wait for it");
    });
  }
} // namespace emulation
