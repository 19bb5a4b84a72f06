// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_device_kernels_repeated_laplacian_h
#define tessera_tests_benchmarks_device_kernels_repeated_laplacian_h

// The Laplacian of cells of degree 3 in three dimensions, many times on values
// that are loaded once: is the arithmetic in registers as fast as the device?

#include <tessera/base/device/stream.h>
#include <tessera/cellwise/device/layout.h>

#include <cstddef>

namespace benchmark
{

  inline constexpr int n_applications = 8;

  /** Tables of the kernels, in what they are launched with: constant memory. */
  template <typename T>
  struct RepeatedLaplacianTables
  {
    T mass[16];                 ///< M, row-major
    T scaled_stiffness[16];     ///< s K
    T inverse_eigenvectors[16]; ///< $S^{-1}$
    T eigenvalues[64];          ///< $s (\lambda_i + \lambda_j + \lambda_k)$
  };

  /** Operations of one application to a cell, and the flops in them. */
  inline constexpr int laplacian_operations[2] = {1792, 1216};
  inline constexpr int laplacian_flops[2]      = {3264, 1600};

  /**
   * $u \leftarrow A_K^8 u$ for cells of equal weights s in all directions.
   *
   * @param[in] in_eigenbasis By $S^{-1}$, eigenvalues, $S^{-T}$; or by
   * contractions with M and s K.
   * @param[in,out] u [n_cells][4^3], blocks of cells_per_device_block cells; n_cells
   * is a multiple of it.
   */
  template <typename T>
  void
  apply_laplacian_repeatedly(bool                              in_eigenbasis,
                             std::size_t                       n_cells,
                             const RepeatedLaplacianTables<T> &tables,
                             T                                *u,
                             const tessera::device::Stream    &stream);
} // namespace benchmark

#endif
