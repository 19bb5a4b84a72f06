// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_device_kernels_patch_prototype_h
#define tessera_tests_benchmarks_device_kernels_patch_prototype_h

#include <tessera/base/device/stream.h>
#include <tessera/patch/device/sweep.h>
#include <tessera/patch/patch_variants.h>

// Patch updates without a right-hand side, which read the nodes of all cells
// and write corrections to a field of their own: the prototype of M.
// Wichrowski, arXiv:2610.31496, section 6, to compare organizations of the
// arithmetic and of the access to memory. Degree 3 in three dimensions, float.
namespace benchmark
{
  /** How cells are stored, and how lanes get them. */
  enum class CellAccess
  {
    blocked,    ///< 32 cells side by side, see cells_per_device_block
    contiguous, ///< every lane reads and writes its own cell
    staged      ///< contiguous, in rows, through shared memory
  };

  inline constexpr int n_cell_accesses = 3;

  /** Bytes a cell: 64 values read, 27 written. */
  inline constexpr int prototype_bytes = (64 + 27) * 4;

  /** Operations of a lane in each PatchVariant; see PatchVariantUpdate, without
   * the transform of b and the addition of the correction. Flops in them. */
  inline constexpr int prototype_operations[] = {3115, 2791, 2215, 2041, 1583};

  /** Tables as an argument of a kernel, in constant memory. */
  struct PrototypeTables
  {
    float        mass[16];
    float        scaled_stiffness[16]; ///< the same in all directions
    float        inverse_eigenvectors[16];
    float        cell_eigenvalues[64];
    float        nodal_forward[2][2][9];
    float        modal_forward[2][2][12];
    float        backward[2][2][9];
    float        own_forward[2][12];
    float        own_backward[2][9];
    const float *minus_inverse_eigenvalues; ///< [27][8], device memory
  };

  /**
   * $c = -A_v^{-1} R A u$ at the 27 nodes of each cell that are not on the rim
   * of its patch, for patches that share no cell.
   *
   * @param[in] u [n_cells][64], device memory.
   * @param[out] c [n_cells][27], stored as u, device memory.
   */
  void
  correct_patches(tessera::patch::PatchVariant         variant,
                  CellAccess                           access,
                  float                               *c,
                  const float                         *u,
                  const tessera::patch::DevicePatches &patches,
                  const PrototypeTables               &tables,
                  const tessera::device::Stream       &stream);

  /** The same loads and stores without the arithmetic: $c_m$ is the sum of
   * $u_m$, $u_{m+27}$ and, if there is one, $u_{m+54}$. */
  void
  move_patches(CellAccess                           access,
               float                               *c,
               const float                         *u,
               const tessera::patch::DevicePatches &patches,
               const tessera::device::Stream       &stream);
} // namespace benchmark

#endif
