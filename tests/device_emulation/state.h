// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_state_h
#define tessera_tests_device_emulation_state_h

// The state of a running launch, for the sources of the emulation alone.

#include <random>
#include <string>
#include <vector>

#include "device_emulation/context.h"
#include "device_emulation/emulation.h"
#include "device_emulation/execution.h"
#include "device_emulation/sanitizers.h"

namespace emulation
{
  inline constexpr unsigned int n_lanes               = 32;
  inline constexpr unsigned int max_threads_per_block = 1024;
  inline constexpr unsigned int max_warps_per_block =
    max_threads_per_block / n_lanes;

  enum class ThreadState : std::uint8_t
  {
    runnable,
    in_warp_operation,
    at_block_barrier,
    at_grid_barrier,
    exited
  };

  struct Block;
  struct Warp;

  /** A thread of the device: a function on a stack of its own. */
  struct Thread : ThreadIndices
  {
    Context        context;
    ThreadState    state;
    WarpOperation  operation;
    unsigned int   mask;
    int            source;
    std::uint64_t  value;
    std::uint64_t  result;
    const char    *waits_in; ///< name of the function it waits in
    Place          place;    ///< where that was called
    Token         *token;    ///< of the synchronization it waits in
    Warp          *warp;
    Block         *block;
    SanitizedStack stack;

    unsigned int
    bit() const
    {
      return 1u << lane;
    }
  };

  struct Warp
  {
    Thread      *threads; ///< of which `present` exist
    unsigned int present; ///< mask of lanes, as all of these
    unsigned int runnable;
    unsigned int in_operation; ///< waiting in a warp operation
    unsigned int exited;
    unsigned int number; ///< in the block
    Block       *block;
  };

  struct SharedArray
  {
    const void *key; ///< null for the dynamic shared memory
    char       *memory;
    std::size_t n_bytes;
  };

  inline constexpr unsigned int max_shared_arrays = 32;

  /** Of a block. */
  inline constexpr std::size_t max_shared_bytes = 227 * 1024;

  /** Threads that have arrived at a barrier. */
  struct Barrier
  {
    unsigned int  n_arrived = 0;
    unsigned int  n_true    = 0;
    BarrierResult result    = {0, 0}; ///< of the last time all had arrived
    Place         place     = {nullptr, 0};
    Token        *token     = nullptr;
  };

  struct Block
  {
    std::vector<Thread> threads;
    Warp                warps[max_warps_per_block];
    unsigned int        n_threads;
    unsigned int        n_exited;
    unsigned int        runnable_warps; ///< mask
    unsigned int        current_warp;
    Barrier             barrier;

    // Not a vector: it would grow in a thread, and the thread sanitizer would
    // see that copy.
    SharedArray  shared[max_shared_arrays];
    unsigned int n_shared;
    std::size_t  shared_bytes;
  };

  /** One launch; there is at most one at a time. */
  struct Launch
  {
    const std::function<void()> *thread_function;
    bool                         cooperative;
    Order                        order;
    std::vector<Block *>         resident; ///< blocks that are running
    unsigned int                 current_block;
    unsigned int                 n_running; ///< threads that have not exited
    Barrier                      grid_barrier;
    std::string                  error; ///< empty while all is well
    Context                      launching_context;
    SanitizedStack               launching_stack;
    std::mt19937                 random;
  };

  extern Launch     launch_state;
  extern Statistics counts;

  inline Thread &
  running_thread()
  {
    return *static_cast<Thread *>(current_thread);
  }

  /** The thread does not run until it is made runnable. */
  inline void
  clear_runnable(Thread &thread)
  {
    Warp &warp = *thread.warp;
    warp.runnable &= ~thread.bit();
    if (warp.runnable == 0)
      warp.block->runnable_warps &= ~(1u << warp.number);
  }

  /** The thread waits for others. */
  inline void
  set_waiting(Thread &thread, const ThreadState state)
  {
    thread.state = state;
    clear_runnable(thread);
    if (state == ThreadState::in_warp_operation)
      thread.warp->in_operation |= thread.bit();
  }

  inline void
  set_runnable(Thread &thread)
  {
    thread.state = ThreadState::runnable;
    thread.warp->in_operation &= ~thread.bit();
    thread.warp->runnable |= thread.bit();
    thread.block->runnable_warps |= 1u << thread.warp->number;
  }

  /** Let other threads run, until the scheduler comes back to the caller, which
   * may be waiting. */
  void
  run_others();

  /** Give others a chance, unless threads run in ascending order. */
  void
  run_others_first();

  /** End the launch with an error, seen by the running thread. */
  [[noreturn]] void
  fail(const std::string &message);

  /** Where the threads of the running blocks are. */
  std::string
  describe_threads();

  /** If the threads of a block that still run all wait at its barrier, let them
   * go. */
  void
  release_block_barrier(Block &block);

  void
  release_grid_barrier();

  /** Complain if lanes wait for one that has exited. */
  void
  check_nobody_waits_for(const Thread &thread);

  /** A token that no recent synchronization has used. */
  Token *
  new_token();

  /** @name Shared memory of a block
   * @{ */
  void
  allocate_dynamic_shared_memory(Block &block, std::size_t n_bytes);

  void
  free_shared_memory(Block &block);

  /** All shared memory of earlier launches is free. */
  void
  reset_shared_memory();
  /** @} */
} // namespace emulation

#endif
