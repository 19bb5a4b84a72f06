// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_device_kernels_patch_steps_h
#define tessera_tests_benchmarks_device_kernels_patch_steps_h

#include <tessera/patch/device/sweep.h>
#include <tessera/patch/patch_variants.h>

/**
 * One step of a sweep on the device in ways that the library does not use, to
 * compare with: degree 3 in three dimensions, float. Fields and patches as
 * tessera::patch::on_device::update_patches() takes them.
 */
namespace benchmark
{
  using tessera::device::Stream;
  using tessera::patch::DevicePatches;
  using tessera::patch::DevicePatchTables;
  using tessera::patch::PatchVariant;
  using tessera::patch::VariantTables;

  /** A variant of the arithmetic; b nodal, no mirrored patches.
   * @param[in] tables All in host memory but patch.inverse_eigenvalues. */
  void
  update_patches_by_variant(PatchVariant                variant,
                            float                      *u,
                            const float                *b,
                            const DevicePatches        &patches,
                            const VariantTables<float> &tables,
                            const Stream               &stream);

  /**
   * The loads, the hand-over through shared memory, and the stores of an
   * update, without its arithmetic: $u \leftarrow u + (u + b)$ in the cells of
   * patches, where the sum in brackets is made in the lanes of the cells, and
   * u, read again, added to their rows. No mirrored patches.
   */
  void
  copy_patches(float               *u,
               const float         *b,
               const DevicePatches &patches,
               const Stream        &stream);

  /** Updates of each patch, of cells that are loaded once, by the following
   * functions. No mirrored patches. */
  inline constexpr int n_repeated_updates = 8;

  void
  repeat_updates(float                             *u,
                 const float                       *b,
                 const DevicePatches               &patches,
                 const DevicePatchTables<3, float> &tables,
                 const Stream                      &stream);

  void
  repeat_updates_by_variant(PatchVariant                variant,
                            float                      *u,
                            const float                *b,
                            const DevicePatches        &patches,
                            const VariantTables<float> &tables,
                            const Stream               &stream);

  /** Other resources for the kernel of the library. No mirrored patches. */
  enum class PatchResources
  {
    registers_168, ///< at most, for 12 warps in place of 8
    registers_128, ///< for 16; what does not fit is spilled
    registers_96,  ///< for 20
    whole_cells    ///< pass through shared memory at a time, not halves
  };

  void
  update_patches_with(PatchResources                     resources,
                      float                             *u,
                      const float                       *b,
                      const DevicePatches               &patches,
                      const DevicePatchTables<3, float> &tables,
                      const Stream                      &stream);
} // namespace benchmark

#endif
