// SPDX-License-Identifier: LGPL-2.1-or-later
// Which thread runs, and the life of a launch.
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>

#include "device_emulation/state.h"

#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim

namespace emulation
{
  ThreadIndices *current_thread = nullptr;
  dim3           block_shape;
  dim3           grid_shape;
  Launch         launch_state;
  Statistics     counts;



  namespace
  {
    Options
    options_from_environment()
    {
      Options     options;
      const char *order = std::getenv("TESSERA_EMULATION_ORDER");
      const char *seed  = std::getenv("TESSERA_EMULATION_SEED");
      options.seed = seed == nullptr ? 1u : (unsigned int)(std::atoi(seed));
      if (order == nullptr || std::strcmp(order, "forward") == 0)
        options.order = Order::forward;
      else if (std::strcmp(order, "reverse") == 0)
        options.order = Order::reverse;
      else if (std::strcmp(order, "random") == 0)
        options.order = Order::random;
      else
        throw Error(std::string("TESSERA_EMULATION_ORDER is '") + order +
                    "', allowed are forward, reverse and random");

      const char *streams = std::getenv("TESSERA_EMULATION_STREAMS");
      if (streams != nullptr && std::strcmp(streams, "deferred") == 0)
        options.deferred = true;
      else if (streams != nullptr && std::strcmp(streams, "eager") != 0)
        throw Error(std::string("TESSERA_EMULATION_STREAMS is '") + streams +
                    "', allowed are eager and deferred");
      return options;
    }



    /** Stacks and what belongs to them, which outlive launches. */
    struct StackPool
    {
      /** The stack of a thread of the n-th resident block. */
      SanitizedStack &
      stack(const std::size_t resident_number,
            const std::size_t thread,
            const std::size_t n_threads,
            const std::size_t n_blocks_before)
      {
        std::size_t i = resident_number * max_threads_per_block + thread;
        if (thread_sanitizer)
          {
            // What the sanitizer takes for a thread goes with the stack. Blocks
            // that follow one another shift it by some lanes, or a race between
            // the same thread of two blocks would look like one thread's own
            // doing.
            constexpr std::size_t shift = 37, n_spare = 32;
            const std::size_t     n = n_threads + n_spare;
            i = resident_number * (max_threads_per_block + n_spare) +
                (thread + shift * n_blocks_before) % n;
          }
        if (i >= stacks.size())
          stacks.resize(i + 1);
        if (stacks[i].bottom == nullptr)
          stacks[i] = allocate();
        return stacks[i];
      }

    private:
      static SanitizedStack
      allocate()
      {
        // Overflow of the stack hits a page that cannot be written.
        constexpr std::size_t guard = 4096;

        void *memory = mmap(nullptr,
                            guard + stack_bytes,
                            PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                            -1,
                            0);
        if (memory == MAP_FAILED)
          throw Error("no memory for the stacks of the emulated threads");
        mprotect(memory, guard, PROT_NONE);
        SanitizedStack stack;
        stack.bottom  = static_cast<char *>(memory) + guard;
        stack.n_bytes = stack_bytes;
        create_thread_context(stack);
        return stack;
      }

      std::vector<SanitizedStack> stacks;
    };

    StackPool stack_pool;

    /** A resident block's memory, reused by the blocks that come after it. */
    std::vector<std::unique_ptr<Block>> block_pool;

    /** Edges between the host and the threads of a launch. */
    Token launch_start, launch_end;



    /** The n-th bit that is set. */
    unsigned int
    nth_bit(unsigned int mask, unsigned int n)
    {
      for (; n > 0; --n)
        mask &= mask - 1;
      return (unsigned int)(__builtin_ctz(mask));
    }

    unsigned int
    lowest_bit(const unsigned int mask)
    {
      return (unsigned int)(__builtin_ctz(mask));
    }

    unsigned int
    highest_bit(const unsigned int mask)
    {
      return 31u - (unsigned int)(__builtin_clz(mask));
    }

    unsigned int
    random_bit(const unsigned int mask)
    {
      const unsigned int n = (unsigned int)(__builtin_popcount(mask));
      return nth_bit(mask, (unsigned int)(launch_state.random() % n));
    }



    /** A block with a thread that can run, or null. */
    Block *
    next_block()
    {
      Launch            &launch = launch_state;
      const unsigned int n      = (unsigned int)(launch.resident.size());
      if (n == 1)
        return launch.resident[0]->runnable_warps != 0 ? launch.resident[0] :
                                                         nullptr;
      const unsigned int start = launch_state.order == Order::random ?
                                   (unsigned int)(launch.random() % n) :
                                   launch.current_block;
      for (unsigned int i = 0; i < n; ++i)
        {
          launch.current_block = (start + i) % n;
          Block *block         = launch.resident[launch.current_block];
          if (block->runnable_warps != 0)
            return block;
        }
      return nullptr;
    }



    /** A thread that can run, or null. A warp runs on until it waits: that is
     * the order with the fewest switches. */
    Thread *
    next_thread()
    {
      Block *block = next_block();
      if (block == nullptr)
        return nullptr;
      const unsigned int warps = block->runnable_warps;
      const bool         stay  = (warps >> block->current_warp & 1u) != 0;
      switch (launch_state.order)
        {
          case Order::forward:
            {
              if (!stay)
                block->current_warp = lowest_bit(warps);
              const Warp &warp = block->warps[block->current_warp];
              return warp.threads + lowest_bit(warp.runnable);
            }
          case Order::reverse:
            {
              if (!stay)
                block->current_warp = highest_bit(warps);
              const Warp &warp = block->warps[block->current_warp];
              return warp.threads + highest_bit(warp.runnable);
            }
          case Order::random:
            break;
        }
      block->current_warp = random_bit(warps);
      const Warp &warp    = block->warps[block->current_warp];
      return warp.threads + random_bit(warp.runnable);
    }



    /** Null is the launching code. */
    void
    switch_threads(Thread *from, Thread *to)
    {
      Launch         &launch = launch_state;
      SanitizedStack &old_stack =
        from != nullptr ? from->stack : launch.launching_stack;
      SanitizedStack &new_stack =
        to != nullptr ? to->stack : launch.launching_stack;
      ++counts.n_switches;
      before_switch(old_stack,
                    new_stack,
                    from != nullptr && from->state == ThreadState::exited);
      current_thread = to;
      switch_context(from != nullptr ? from->context : launch.launching_context,
                     to != nullptr ? to->context : launch.launching_context);
      after_switch(old_stack, launch.launching_stack);
    }



    [[noreturn]] void
    return_to_launch(Thread &thread)
    {
      switch_threads(&thread, nullptr);
      std::abort(); // nobody comes back
    }



    /** What every thread does. */
    void
    run_thread()
    {
      Thread &thread = running_thread();
      after_switch(thread.stack, launch_state.launching_stack);
      acquire(&launch_start);
      (*launch_state.thread_function)();
      release(&launch_end);

      thread.state = ThreadState::exited;
      thread.warp->exited |= thread.bit();
      ++thread.block->n_exited;
      --launch_state.n_running;
      clear_runnable(thread);
      check_nobody_waits_for(thread);
      release_block_barrier(*thread.block);
      release_grid_barrier();

      Thread *next = next_thread();
      if (next == nullptr && launch_state.n_running > 0)
        fail("deadlock: no thread can run");
      switch_threads(&thread, next);
      std::abort(); // nobody comes back
    }



    void
    start_thread(Thread               &thread,
                 Block                &block,
                 const unsigned int    number,
                 const uint3           block_index,
                 const SanitizedStack &stack)
    {
      // Stacks at the same offset of a page would fight for a few sets of the
      // processor's cache.
      constexpr std::size_t offset_per_lane = 832;

      thread.lane         = number % n_lanes;
      thread.thread_index = {number % block_shape.x,
                             number / block_shape.x % block_shape.y,
                             number / block_shape.x / block_shape.y};
      thread.block_index  = block_index;
      thread.state        = ThreadState::runnable;
      thread.waits_in     = nullptr;
      thread.place        = {nullptr, 0};
      thread.token        = nullptr;
      thread.warp         = &block.warps[number / n_lanes];
      thread.block        = &block;
      thread.stack        = stack;
      clear_stack(thread.stack);
      prepare(thread.context,
              const_cast<char *>(static_cast<const char *>(stack.bottom)),
              stack.n_bytes - thread.lane * offset_per_lane,
              run_thread);
    }



    /** Make the n-th resident block the block of this index. */
    void
    start_block(const std::size_t resident_number,
                const std::size_t block_number,
                const std::size_t n_blocks_before,
                const std::size_t shared_bytes)
    {
      if (resident_number >= block_pool.size())
        block_pool.push_back(std::make_unique<Block>());
      Block             &block = *block_pool[resident_number];
      const unsigned int n     = block_shape.x * block_shape.y * block_shape.z;
      ++counts.n_blocks;

      if (block.threads.size() < n)
        block.threads.resize(n);
      block.n_threads      = n;
      block.n_exited       = 0;
      block.runnable_warps = 0;
      block.current_warp   = 0;
      block.barrier        = Barrier();
      allocate_dynamic_shared_memory(block, shared_bytes);

      const uint3 index = {
        (unsigned int)(block_number % grid_shape.x),
        (unsigned int)(block_number / grid_shape.x % grid_shape.y),
        (unsigned int)(block_number / grid_shape.x / grid_shape.y)};
      for (unsigned int w = 0; w * n_lanes < n; ++w)
        {
          const unsigned int n_present = std::min(n_lanes, n - w * n_lanes);
          Warp              &warp      = block.warps[w];
          warp.threads                 = &block.threads[w * n_lanes];
          warp.present  = n_present == n_lanes ? ~0u : (1u << n_present) - 1;
          warp.runnable = warp.present;
          warp.in_operation = 0;
          warp.exited       = 0;
          warp.number       = w;
          warp.block        = &block;
          block.runnable_warps |= 1u << w;
        }
      for (unsigned int t = 0; t < n; ++t)
        start_thread(block.threads[t],
                     block,
                     t,
                     index,
                     stack_pool.stack(resident_number, t, n, n_blocks_before));
      launch_state.n_running += n;
      launch_state.resident.push_back(&block);
    }



    void
    check_shape(const dim3 grid, const dim3 block)
    {
      const std::size_t n_threads = std::size_t(block.x) * block.y * block.z;
      if (n_threads == 0 || n_threads > max_threads_per_block || block.z > 64)
        throw Error("a block has " + std::to_string(n_threads) +
                    " threads; 1 to 1024 are possible");
      if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.y > 65535 ||
          grid.z > 65535 || grid.x > 2147483647u)
        throw Error("a grid has (" + std::to_string(grid.x) + ", " +
                    std::to_string(grid.y) + ", " + std::to_string(grid.z) +
                    ") blocks; at least one is needed in each direction, and "
                    "65535 are possible in y and z");
    }



    /** The order in which blocks are started. */
    std::vector<std::size_t>
    block_order(const std::size_t n_blocks)
    {
      std::vector<std::size_t> order(n_blocks);
      std::iota(order.begin(), order.end(), std::size_t(0));
      if (options().order == Order::reverse)
        std::reverse(order.begin(), order.end());
      else if (options().order == Order::random)
        std::shuffle(order.begin(), order.end(), launch_state.random);
      return order;
    }
  } // namespace



  Options &
  options()
  {
    static Options options = options_from_environment();
    return options;
  }



  const Statistics &
  statistics()
  {
    return counts;
  }



  void
  run_others()
  {
    Thread &thread = running_thread();
    Thread *next   = next_thread();
    if (next == nullptr)
      fail("deadlock: no thread can run");
    if (next != &thread)
      switch_threads(&thread, next);
  }



  void
  run_others_first()
  {
    if (launch_state.order != Order::forward)
      run_others();
  }



  void
  fail(const std::string &message)
  {
    launch_state.error = message + "\n" + describe_threads();
    return_to_launch(running_thread());
  }



  unsigned int
  active_mask()
  {
    return running_thread().warp->runnable;
  }



  void
  run_grid(const dim3                   grid,
           const dim3                   block,
           const std::size_t            shared_bytes,
           const bool                   cooperative,
           const std::function<void()> &thread)
  {
    if (current_thread != nullptr)
      throw Error("a kernel cannot launch another one");
    check_shape(grid, block);
    const std::size_t n_blocks = std::size_t(grid.x) * grid.y * grid.z;
    if (cooperative && n_blocks > options().n_resident_blocks)
      throw Error("a cooperative launch has " + std::to_string(n_blocks) +
                  " blocks; the device can run " +
                  std::to_string(options().n_resident_blocks) +
                  " at the same time");

    Launch &launch         = launch_state;
    block_shape            = block;
    grid_shape             = grid;
    launch.thread_function = &thread;
    launch.cooperative     = cooperative;
    launch.order           = options().order;
    launch.grid_barrier    = Barrier();
    launch.error.clear();
    launch.random.seed(options().seed);
    ++counts.n_launches;
    describe_launching_stack(launch.launching_stack);
    reset_shared_memory();

    const std::vector<std::size_t> order  = block_order(n_blocks);
    const std::size_t              n_side = cooperative ? n_blocks : 1;
    for (std::size_t first = 0; first < n_blocks && launch.error.empty();
         first += n_side)
      {
        launch.resident.clear();
        launch.n_running     = 0;
        launch.current_block = 0;
        try
          {
            for (std::size_t i = 0; i < n_side; ++i)
              start_block(i, order[first + i], first, shared_bytes);
            release(&launch_start);
            switch_threads(nullptr, next_thread());
          }
        catch (...)
          {
            for (Block *resident : launch.resident)
              free_shared_memory(*resident);
            throw;
          }
        for (Block *resident : launch.resident)
          free_shared_memory(*resident);
      }
    acquire(&launch_end);
    if (!launch.error.empty())
      throw Error(launch.error);
  }
} // namespace emulation
