// SPDX-License-Identifier: LGPL-2.1-or-later
// The data and the error of the product of sines on the device against those of
// the host: right-hand sides bit for bit, errors of random functions to
// rounding; for a block of cells that is not full, and for several blocks.
#include "benchmarks/gpu_patch/device_product_of_sines.h"
#include "check.h"
#include "device_emulation/device_test.h"
#include "patch/assembled_problem.h"

using namespace tessera;
using namespace tessera::cellwise;
using benchmark::DeviceProductOfSines;

namespace
{
  constexpr int n_nodes = 64;

  void
  check_right_hand_side(const int n_refinements, const device::Stream &stream)
  {
    const CellGrid<3>       grid(product_of_sines::unit_cube(n_refinements));
    const DualField<double> expected =
      product_of_sines::right_hand_side(grid, ReferenceCell(3));
    DeviceDualField<double> b(grid.n_local(), n_nodes, stream);
    DeviceProductOfSines(n_refinements, stream).set_right_hand_side(b);
    DualField<double> found(grid.n_local(), n_nodes);
    b.copy_to_host(found, stream);
    bool same = true;
    for (CellIndex c = 0; c < grid.n_local(); ++c)
      for (int k = 0; k < n_nodes; ++k)
        same = same && found(c, k) == expected(c, k);
    CHECK(same);
  }

  /** Of a random function, and of one that differs from the product of sines by
   * a thousandth of the largest value. */
  void
  check_error(const int             n_refinements,
              const int             n_points,
              const device::Stream &stream)
  {
    const GridDescription<3> box = product_of_sines::unit_cube(n_refinements);
    const CellGrid<3>        grid(box);
    const ReferenceCell      cell(3);
    reference::Random        random(41);
    PrimalField<double>      u(grid.n_local(), n_nodes);
    for (const double size_of_product : {0., 1.})
      {
        for (CellIndex c = 0; c < grid.n_local(); ++c)
          for (int k = 0; k < n_nodes; ++k)
            {
              double    product    = size_of_product;
              const int indices[3] = {k % 4, k / 4 % 4, k / 16};
              for (int d = 0; d < 3; ++d)
                product *=
                  std::sin(std::acos(-1.) * box.cell_size[d] *
                           (grid.coordinates(c)[d] + cell.nodes[indices[d]]));
              u(c, k) = product + (size_of_product > 0. ? 1e-3 : 1.) * random();
            }
        DevicePrimalField<double> device_u(grid.n_local(), n_nodes, stream);
        device_u.copy_from_host(u, stream);
        const double expected =
          product_of_sines::L2_error(grid, cell, u, n_points);
        const double found = DeviceProductOfSines(n_refinements, stream)
                               .L2_error(device_u, n_points);
        CHECK_NEAR(found / expected, 1., 1e-13);
      }
  }

  /** What does not belong to a cell becomes zero, whatever it was. */
  void
  check_padding(const device::Stream &stream)
  {
    constexpr int                n_cells = 8, n_stored = cells_per_device_block;
    const std::vector<double>    ones(n_stored * n_nodes, 1.);
    const device::Memory<double> tables(ones.data(), 8, stream);
    device::Memory<double>       b(ones.data(), ones.size(), stream);
    benchmark::right_hand_side_of_sines(b.data(), 2., tables.data(), 2, stream);
    std::vector<double> found(ones.size());
    b.copy_to_host(found.data(), stream);
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK_EQUAL(found[i], i % n_stored < n_cells ? 2. : 0.);

    // One point, of weight 5, at which u is 4 and the product of sines 1.
    const device::Memory<double> u(ones.data(), ones.size(), stream);
    device::Memory<double>       squares(ones.data(), n_stored, stream);
    const double                 phi[4] = {4., 0., 0., 0.};
    const double                 weight = 5.;
    benchmark::squared_errors(
      squares.data(), u.data(), 1, tables.data(), phi, &weight, 2, stream);
    found.resize(n_stored);
    squares.copy_to_host(found.data(), stream);
    for (int c = 0; c < n_stored; ++c)
      CHECK_EQUAL(found[c], c < n_cells ? 125. * 63. * 63. : 0.);
  }
} // namespace

int
main()
{
  return device_test::run([] {
    const device::Stream stream;
    for (const int n_refinements : {1, 2, 3})
      {
        check_right_hand_side(n_refinements, stream);
        for (const int n_points : {4, 8})
          if (n_refinements < 3 || n_points == 4)
            check_error(n_refinements, n_points, stream);
      }
    check_padding(stream);
  });
}
