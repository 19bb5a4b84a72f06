// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_block_functions_h
#define tessera_tests_device_emulation_block_functions_h

// CUDA's functions of blocks, our shared memory, and the barrier of the grid.

#include "device_emulation/execution.h"

inline void
__syncthreads(TESSERA_EMULATION_CALLER)
{
  emulation::block_barrier(false, "__syncthreads", {file, line});
}

inline int
__syncthreads_count(const int predicate, TESSERA_EMULATION_CALLER)
{
  return emulation::block_barrier(predicate != 0,
                                  "__syncthreads_count",
                                  {file, line})
    .n_true;
}

inline int
__syncthreads_or(const int predicate, TESSERA_EMULATION_CALLER)
{
  return emulation::block_barrier(predicate != 0,
                                  "__syncthreads_or",
                                  {file, line})
               .n_true > 0 ?
           1 :
           0;
}

inline int
__syncthreads_and(const int predicate, TESSERA_EMULATION_CALLER)
{
  const emulation::BarrierResult result =
    emulation::block_barrier(predicate != 0, "__syncthreads_and", {file, line});
  return result.n_true == result.n_threads ? 1 : 0;
}

#define TESSERA_DYNAMIC_SHARED(type, name) \
  type *name = static_cast<type *>(::emulation::dynamic_shared_memory())

// The address of a static variable tells arrays apart, also those of different
// instances of a template.
#define TESSERA_SHARED(type, name, extents)                                   \
  static char              name##_key;                                        \
  using name##_type = type extents;                                           \
  auto &name = *static_cast<name##_type *>(::emulation::static_shared_memory( \
    &name##_key, sizeof(name##_type), alignof(name##_type)))

namespace tessera
{
  namespace device
  {
    /** See tessera/base/device/launch_cuda.h. */
    inline void
    grid_barrier(TESSERA_EMULATION_CALLER)
    {
      emulation::grid_barrier({file, line});
    }
  } // namespace device
} // namespace tessera

#endif
