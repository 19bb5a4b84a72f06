// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_gpu_patch_device_product_of_sines_h
#define tessera_tests_benchmarks_gpu_patch_device_product_of_sines_h

#include <tessera/cellwise/device/cell_reductions.h>
#include <tessera/cellwise/device/device_field.h>
#include <tessera/cellwise/reference_cell.h>

#include <cmath>
#include <vector>

#include "benchmarks/device_kernels/product_of_sines.h"
#include "patch/product_of_sines.h"

namespace benchmark
{
  /**
   * The problem of patch/product_of_sines.h with elements of degree 3: its data
   * and its error, computed on the device. Device memory: 8 bytes a cell.
   */
  class DeviceProductOfSines
  {
  public:
    /** On 2^n_refinements cells a direction. The stream outlives the object. */
    DeviceProductOfSines(const int                      n_refinements,
                         const tessera::device::Stream &stream_of_all)
      : n(1 << n_refinements)
      , cell(3)
      , reductions(n * n * n)
      , stream(stream_of_all)
    {}

    /** The bits of product_of_sines::right_hand_side(). */
    void
    set_right_hand_side(tessera::cellwise::DeviceDualField<double> &b) const
    {
      const double                          pi = std::acos(-1.);
      const tessera::device::Memory<double> loads =
        to_device(product_of_sines::loads(n, cell));
      right_hand_side_of_sines(b.data(), 3. * pi * pi, loads.data(), n, stream);
      stream.synchronize();
    }

    /** $\|u - u_h\|_{L^2}$ by the Gauss formula of n_points a direction; as
     * product_of_sines::L2_error(), but that the sum over all cells is exact.
     */
    double
    L2_error(const tessera::cellwise::DevicePrimalField<double> &u,
             const int                                           n_points)
    {
      const tessera::cellwise::Quadrature quadrature =
        tessera::cellwise::gauss_quadrature(n_points);
      const tessera::DenseMatrix phi =
        tessera::cellwise::lagrange_values(cell.nodes, quadrature.points);
      const tessera::device::Memory<double> sines =
        to_device(product_of_sines::sine_at_points(quadrature, n));
      const int n_cells = n * n * n;
      squared_errors(reductions.numbers_of_cells(n_cells),
                     u.data(),
                     n_points,
                     sines.data(),
                     phi.data(),
                     quadrature.weights.data(),
                     n,
                     stream);
      const double sum =
        reductions.sum(n_cells, tessera::Communicator(), stream);
      return std::sqrt(sum / n_cells);
    }

  private:
    tessera::device::Memory<double>
    to_device(const std::vector<double> &values) const
    {
      return {values.data(), values.size(), stream};
    }

    int                               n; ///< cells a direction
    tessera::cellwise::ReferenceCell  cell;
    tessera::cellwise::CellReductions reductions;
    const tessera::device::Stream    &stream;
  };
} // namespace benchmark

#endif
