// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_device_kernels_product_of_sines_h
#define tessera_tests_benchmarks_device_kernels_product_of_sines_h

// Data and error of the problem of patch/product_of_sines.h on a device: cells
// of degree 3 of a unit cube with n cells a direction, x fastest, in fields
// that are blocked by cellwise::cells_per_device_block. Nothing of the size of
// a field is made on the host.

#include <tessera/base/device/stream.h>

namespace benchmark
{
  /** Quadrature points a direction that squared_errors() takes. */
  inline constexpr int max_error_points = 8;

  /**
   * $b_{K,i} = a\,l_z l_y l_x$, the product of loads of the directions, in that
   * order; zero in the padding.
   *
   * @param[in] loads product_of_sines::loads(), [n][4], on the device.
   */
  void
  right_hand_side_of_sines(double                        *b,
                           double                         a,
                           const double                  *loads,
                           int                            n,
                           const tessera::device::Stream &stream);

  /**
   * $\int_K (\prod_d \sin(\pi x_d) - u_h)^2 / |K|$ of every cell by a product
   * formula; zero in the padding.
   *
   * One cell a thread. Cost: 520 bytes a cell, and for m points a direction
   * 64 m + 18 m^2 + 10 m^3 operations.
   *
   * @param[out] squares A number a cell, and for those of the last block.
   * @param[in] n_points At most max_error_points.
   * @param[in] sines $\sin(\pi x)$ at the points of all cells of a direction,
   * [n][n_points], on the device.
   * @param[in] phi Values of the basis functions, [n_points][4], and
   * @param[in] weights of the formula on [0, 1]; host memory.
   */
  void
  squared_errors(double                        *squares,
                 const double                  *u,
                 int                            n_points,
                 const double                  *sines,
                 const double                  *phi,
                 const double                  *weights,
                 int                            n,
                 const tessera::device::Stream &stream);
} // namespace benchmark

#endif
