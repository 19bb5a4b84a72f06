// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_planted_bugs_kernels_h
#define tessera_tests_device_emulation_planted_bugs_kernels_h

#include <tessera/base/device/stream.h>

namespace planted_bugs
{
  /** Mistakes of kernels. */
  enum class Bug
  {
    // The emulation ends the launch.
    barrier_after_exit,
    different_barriers,
    barrier_in_warp_operation,
    exited_lane_in_mask,
    absent_lane_in_mask,
    lane_exits_while_awaited,
    read_from_outside_of_mask,
    mask_without_caller,
    different_warp_operations,
    different_masks,
    no_dynamic_shared_memory,
    too_much_shared_memory,
    grid_barrier_without_cooperation,
    grid_barrier_after_exit,
    // The result depends on the order of threads.
    missing_block_barrier,
    missing_warp_barrier,
    blocks_write_the_same,
    // The result is not a number.
    uninitialized_shared_memory,
    // Sanitizers stop the program.
    beyond_static_shared_memory,
    beyond_dynamic_shared_memory,
    beyond_device_memory,
    misaligned_vector,
    // The thread sanitizer alone sees these.
    race_in_block,
    race_between_blocks,
    shuffle_as_fence,
    // None: what the above should have been.
    correct_warp_barrier,
    correct_block_barrier,
    correct_atomic_addition,
    correct_grid_barrier
  };

  /** Values in the array of run(). */
  inline constexpr int n_values = 128;

  /**
   * Launch two blocks of 64 threads that make the mistake.
   * @param[in,out] values [n_values] on the device.
   */
  void
  run(Bug bug, float *values, const tessera::device::Stream &stream);
} // namespace planted_bugs

#endif
