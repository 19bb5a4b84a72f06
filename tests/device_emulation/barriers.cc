// SPDX-License-Identifier: LGPL-2.1-or-later
// Barriers of blocks and of the grid.
#include <cstring>

#include "device_emulation/state.h"

namespace emulation
{
  namespace
  {
    /** Note the arrival of the running thread, and return the token of the
     * barrier. */
    Token *
    arrive(Barrier          &barrier,
           Thread           &thread,
           const ThreadState state,
           const bool        predicate,
           const char       *name,
           const Place       place)
    {
      thread.waits_in = name;
      thread.place    = place;
      set_waiting(thread, state);
      if (barrier.n_arrived == 0)
        {
          barrier.place = place;
          barrier.token = thread_sanitizer ? new_token() : nullptr;
        }
      else if (barrier.place.line != place.line ||
               std::strcmp(barrier.place.file, place.file) != 0)
        fail(std::string(name) + ": threads wait at different barriers");
      ++barrier.n_arrived;
      barrier.n_true += predicate ? 1 : 0;
      return barrier.token;
    }



    void
    reset(Barrier &barrier)
    {
      barrier.result    = {int(barrier.n_arrived), int(barrier.n_true)};
      barrier.n_arrived = 0;
      barrier.n_true    = 0;
    }



    void
    let_go(Block &block, const ThreadState waiting)
    {
      for (unsigned int t = 0; t < block.n_threads; ++t)
        if (block.threads[t].state == waiting)
          set_runnable(block.threads[t]);
    }



    /** Wait for others, if the barrier is not complete. */
    void
    leave(const Thread &thread, Token *token)
    {
      if (thread.state != ThreadState::runnable)
        run_others();
      else
        run_others_first();
      if (token != nullptr)
        acquire(token);
    }
  } // namespace



  void
  release_block_barrier(Block &block)
  {
    Barrier &barrier = block.barrier;
    if (barrier.n_arrived == 0 ||
        barrier.n_arrived + block.n_exited < block.n_threads)
      return;
    if (block.n_exited > 0)
      fail("__syncthreads: some threads of the block have exited");
    reset(barrier);
    ++counts.n_barriers;
    let_go(block, ThreadState::at_block_barrier);
  }



  BarrierResult
  block_barrier(const bool predicate, const char *name, const Place place)
  {
    Thread &thread = running_thread();
    Block  &block  = *thread.block;
    Token  *token  = arrive(block.barrier,
                          thread,
                          ThreadState::at_block_barrier,
                          predicate,
                          name,
                          place);
    if (token != nullptr)
      release(token);
    release_block_barrier(block);
    leave(thread, token);
    // The next barrier cannot be complete before this thread has come to it.
    return block.barrier.result;
  }



  void
  release_grid_barrier()
  {
    Launch &launch = launch_state;
    if (launch.grid_barrier.n_arrived == 0 ||
        launch.grid_barrier.n_arrived < launch.n_running)
      return;
    for (const Block *block : launch.resident)
      if (block->n_exited > 0)
        fail("grid_barrier: some threads of the grid have exited");
    reset(launch.grid_barrier);
    for (Block *block : launch.resident)
      let_go(*block, ThreadState::at_grid_barrier);
  }



  void
  grid_barrier(const Place place)
  {
    Thread &thread = running_thread();
    if (!launch_state.cooperative)
      fail("grid_barrier: the launch is not a cooperative one");
    Token *token = arrive(launch_state.grid_barrier,
                          thread,
                          ThreadState::at_grid_barrier,
                          false,
                          "grid_barrier",
                          place);
    if (token != nullptr)
      release(token);
    release_grid_barrier();
    leave(thread, token);
  }



  Token *
  new_token()
  {
    // Reuse makes an edge that is not there, and at worst hides a race; not
    // within thousands of synchronizations.
    static Token       tokens[4096 * 8];
    static std::size_t n_used = 0;
    n_used                    = (n_used + 1) % 4096;
    return &tokens[8 * n_used];
  }
} // namespace emulation
