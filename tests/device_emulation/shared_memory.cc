// SPDX-License-Identifier: LGPL-2.1-or-later
// Shared memory of blocks: each array an allocation of its own, so that the
// address sanitizer sees where it ends, filled with NaNs.
#include <cstdlib>

#include "device_emulation/state.h"

namespace emulation
{
  namespace
  {
    constexpr std::size_t max_static_bytes = 48 * 1024;

    /**
     * All bits set: NaNs, and indices out of any range. The compiler must not
     * make a call of memset() of it, which the thread sanitizer would take for
     * a write of the thread that happens to ask first.
     */
    __attribute__((noinline, optimize("no-tree-loop-distribute-patterns"))) void
    fill(char *memory, const std::size_t n_bytes)
    {
      for (std::size_t i = 0; i < n_bytes; ++i)
        memory[i] = char(0xff);
    }



#ifdef TESSERA_EMULATION_THREAD_SANITIZER
    // Blocks that do not run at the same time must not share addresses, or the
    // sanitizer sees races between them that do not exist.
    constexpr std::size_t arena_bytes = std::size_t(1) << 26;
    alignas(256) char arena[arena_bytes];
    std::size_t n_arena_bytes_used = 0;

    char *
    allocate(const std::size_t n_bytes)
    {
      const std::size_t start = n_arena_bytes_used;
      n_arena_bytes_used += (n_bytes + 255) / 256 * 256;
      if (n_arena_bytes_used > arena_bytes)
        throw Error("the blocks of this launch have more shared memory than is "
                    "there under the thread sanitizer: launch fewer blocks");
      return arena + start;
    }



    void
    release_memory(char *)
    {}



    void
    reset_arena()
    {
      n_arena_bytes_used = 0;
    }
#else
    char *
    allocate(const std::size_t n_bytes)
    {
      void *memory = nullptr;
      if (posix_memalign(&memory, 256, n_bytes) != 0)
        throw Error("no memory for the shared memory of a block");
      return static_cast<char *>(memory);
    }



    void
    release_memory(char *memory)
    {
      std::free(memory);
    }



    void
    reset_arena()
    {}
#endif



    void *
    add_array(Block &block, const void *key, const std::size_t n_bytes)
    {
      if (block.n_shared == max_shared_arrays)
        fail("a block has too many arrays in shared memory");
      char *memory = allocate(n_bytes);
      fill(memory, n_bytes);
      block.shared[block.n_shared] = {key, memory, n_bytes};
      ++block.n_shared;
      block.shared_bytes += n_bytes;
      return memory;
    }



    std::size_t
    dynamic_bytes(const Block &block)
    {
      return block.n_shared > 0 && block.shared[0].key == nullptr ?
               block.shared[0].n_bytes :
               0;
    }
  } // namespace



  void
  allocate_dynamic_shared_memory(Block &block, const std::size_t n_bytes)
  {
    block.n_shared     = 0;
    block.shared_bytes = 0;
    if (n_bytes > max_shared_bytes)
      throw Error("a launch with " + std::to_string(n_bytes) +
                  " bytes of dynamic shared memory; a block has " +
                  std::to_string(max_shared_bytes));
    if (n_bytes > 0)
      add_array(block, nullptr, n_bytes);
  }



  void
  free_shared_memory(Block &block)
  {
    for (unsigned int i = 0; i < block.n_shared; ++i)
      release_memory(block.shared[i].memory);
    block.n_shared = 0;
  }



  void
  reset_shared_memory()
  {
    reset_arena();
  }



  void *
  dynamic_shared_memory()
  {
    const Block &block = *running_thread().block;
    if (dynamic_bytes(block) == 0)
      fail("the launch has no dynamic shared memory");
    return block.shared[0].memory;
  }



  void *
  static_shared_memory(const void       *key,
                       const std::size_t n_bytes,
                       const std::size_t alignment)
  {
    Block &block = *running_thread().block;
    for (unsigned int i = 0; i < block.n_shared; ++i)
      if (block.shared[i].key == key)
        return block.shared[i].memory;
    if (alignment > 256)
      fail("shared memory is aligned to 256 bytes at most");
    if (block.shared_bytes - dynamic_bytes(block) + n_bytes >
          max_static_bytes ||
        block.shared_bytes + n_bytes > max_shared_bytes)
      fail("too much shared memory: " +
           std::to_string(block.shared_bytes + n_bytes) + " bytes");
    return add_array(block, key, n_bytes);
  }
} // namespace emulation
