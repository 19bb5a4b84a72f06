// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_gpu_patch_sections_h
#define tessera_tests_benchmarks_gpu_patch_sections_h

// The sections of gpu_patch. Each measures, checks every kernel that it
// measures on a small problem against the host, and adds lines to the session.
// Tables are those of M. Wichrowski, arXiv:2610.31496.

#include "benchmarks/gpu_patch/patch_session.h"

namespace benchmark
{
  /** Plain copies of several sizes, fused multiply-adds in registers: sets the
   * bounds of the session. Always the first. */
  void
  measure_bounds(DeviceSession &session);

  /** Table 4: the Laplacian of a cell, applied eight times to values that are
   * loaded once. */
  void
  measure_repeated_laplacian(DeviceSession &session);

  /** Table 6: a step of the prototype and its traffic alone, for cells that are
   * blocked, contiguous, and contiguous but staged through shared memory. */
  void
  measure_layouts(DeviceSession &session);

  /** Table 8: a step of the prototype in five organizations of the arithmetic.
   */
  void
  measure_arithmetic(DeviceSession &session);

  /** Table 9: the kernel of the library, one colour and full sweeps. */
  void
  measure_steps(DeviceSession &session);

  /** Table 7, as far as it is counted and timed (the rest are hardware
   * counters), and what other resources cost: less registers, more shared
   * memory. */
  void
  measure_resources(DeviceSession &session);

  /** The variants of the arithmetic within the kernel of the library, once and
   * eight times for what is loaded once. */
  void
  measure_variants(DeviceSession &session);

  /** The other kernels of an iteration: the operator of cells and the steps
   * that contain it, pairings, conversions, rebalancing, transfers. */
  void
  measure_cell_passes(DeviceSession &session);

  /**
   * @name The solver
   * On the product of sines, for all numbers of refinements of the session: the
   * numbers of iterations and errors are compared with published ones.
   * @{
   */
  /** Table 12: time of four cycles. */
  void
  measure_solve_time(PatchSession &session);

  /** Table 2: iterations and errors, levels in float and in double. */
  void
  measure_convergence(PatchSession &session);

  /** Table 11: what the parts of a solve take. */
  void
  measure_parts_of_solve(PatchSession &session);

  /** How the time of a solve depends on how its cycle is given to the device.
   */
  void
  measure_device_cycles(PatchSession &session);

  /** Table 3: errors after five steps of conjugate gradients, with and without
   * rebalancing. */
  void
  measure_errors_of_cg(PatchSession &session);

  /** Table 10: iterations of four methods. */
  void
  measure_iterations(PatchSession &session);
  /** @} */
} // namespace benchmark

#endif
