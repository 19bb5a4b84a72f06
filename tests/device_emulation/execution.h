// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_execution_h
#define tessera_tests_device_emulation_execution_h

// What the emulated language is built on: calls of a running thread into the
// emulation.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "device_emulation/vector_types.h"

namespace emulation
{
  /** A place in a kernel. */
  struct Place
  {
    const char *file;
    int         line;
  };

// The last parameters of a function, by default the place where it is called.
#define TESSERA_EMULATION_CALLER \
  const char *file = __builtin_FILE(), const int line = __builtin_LINE()

  /** What a kernel can ask about its thread. */
  struct ThreadIndices
  {
    uint3        thread_index;
    uint3        block_index;
    unsigned int lane;
  };

  /** The running thread. */
  extern ThreadIndices *current_thread;

  /** The shape of the running launch. */
  extern dim3 block_shape;
  extern dim3 grid_shape;

  enum class WarpOperation : std::uint8_t
  {
    synchronize,
    shuffle,
    ballot,
    any,
    all,
    add,
    minimum,
    maximum
  };

  /**
   * Wait until all lanes of the mask have called the same operation, then
   * return its result: of a shuffle, the value of lane `source`; otherwise
   * the combination of the values (as a bit mask, as bool, as 32-bit int).
   */
  std::uint64_t
  warp_operation(WarpOperation operation,
                 unsigned int  mask,
                 std::uint64_t value,
                 int           source,
                 const char   *name,
                 Place         place);

  /** What a block barrier tells all threads. */
  struct BarrierResult
  {
    int n_threads; ///< that take part
    int n_true;    ///< whose predicate was true
  };

  /** Wait until all threads of the block are here. */
  BarrierResult
  block_barrier(bool predicate, const char *name, Place place);

  /** Wait until all threads of the grid are here. */
  void
  grid_barrier(Place place);

  /** The lanes of the calling thread's warp that are waiting together with it
   * or running: what __activemask() may return. */
  unsigned int
  active_mask();

  /** The dynamic shared memory of the block. */
  void *
  dynamic_shared_memory();

  /** The static shared array of the block that the key stands for, allocated
   * by the first thread that asks. */
  void *
  static_shared_memory(const void *key,
                       std::size_t n_bytes,
                       std::size_t alignment);

  /** Run a kernel: each thread of the grid calls `thread`. */
  void
  run_grid(dim3                         grid,
           dim3                         block,
           std::size_t                  shared_bytes,
           bool                         cooperative,
           const std::function<void()> &thread);
} // namespace emulation

#define threadIdx (::emulation::current_thread->thread_index)
#define blockIdx (::emulation::current_thread->block_index)
#define blockDim (::emulation::block_shape)
#define gridDim (::emulation::grid_shape)
inline constexpr int warpSize = 32;

#endif
