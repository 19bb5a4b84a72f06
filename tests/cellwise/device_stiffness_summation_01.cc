// SPDX-License-Identifier: LGPL-2.1-or-later
// Rebalancing, direct stiffness summation and Dirichlet nodes on a device have
// the bits of the host's, on whole boxes and on parts of them with ghosts.
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/device/device_dirichlet_nodes.h>
#include <tessera/cellwise/device/device_stiffness_summation.h>
#include <tessera/cellwise/stiffness_summation.h>

#include <vector>

#include "cellwise/device_fields.h"
#include "device_emulation/device_test.h"

namespace
{
  using namespace tessera;
  using namespace tessera::cellwise;

  template <int dim>
  void
  check_grid(const CellGrid<dim> &grid, const int degree)
  {
    using Dual                   = DualField<double>;
    using Primal                 = PrimalField<double>;
    constexpr Layout     blocked = Layout::blocked;
    const device::Stream stream;
    const int            N = power(degree + 1, dim);
    const CellIndex      n = grid.n_local();
    const Dual           r = test::random_field<Dual>(n, N);
    const Primal         u = test::random_field<Primal>(n, N);

    const StiffnessSummation<dim>       on_host(grid, degree);
    const DeviceStiffnessSummation<dim> on_device(grid, degree, stream);
    const DirichletNodes<dim>           nodes(grid, degree);
    const DeviceDirichletNodes<dim>     device_nodes(grid, degree, stream);

    Dual balanced = test::copy(r);
    on_host.rebalance(balanced);
    auto device_r = test::on_device<blocked>(r, stream);
    on_device.rebalance(device_r, stream);
    CHECK(test::same_on_device(device_r, balanced, stream));

    nodes.set_zero(balanced);
    device_nodes.set_zero(device_r, stream);
    CHECK(test::same_on_device(device_r, balanced, stream));

    Dual summed = test::copy(r);
    on_host.sum(summed);
    device_r.copy_from_host(r, stream);
    on_device.sum(device_r, stream);
    CHECK(test::same_on_device(device_r, summed, stream));

    Primal averaged = test::copy(u);
    on_host.average(averaged);
    auto device_u = test::on_device<blocked>(u, stream);
    on_device.average(device_u, stream);
    CHECK(test::same_on_device(device_u, averaged, stream));
  }



  /** Boxes with all kinds of boundaries; of the second one, the process has
   * every cell but some. */
  template <int dim>
  void
  check_box(const std::array<int, dim> &n_cells, const int degree)
  {
    GridDescription<dim> box{};
    box.n_cells = n_cells;
    box.cell_size.fill(0.5);
    check_grid(CellGrid<dim>(box), degree);
    for (int d = 0; d < dim; ++d)
      box.boundary[d][d % 2] = BoundaryCondition::neumann;
    std::vector<std::uint64_t> owned, ghosts;
    for (std::uint64_t key = 0; key < CellGrid<dim>::n_cells(box); ++key)
      if (key % 5 != 3)
        (key % 3 == 0 ? ghosts : owned).push_back(key);
    check_grid(CellGrid<dim>(box, owned, ghosts), degree);
  }
} // namespace

int
main()
{
  return device_test::run([] {
#ifdef TESSERA_TEST_VARIANT_thread
    check_box<2>({{5, 8}}, 2);
    check_box<3>({{5, 3, 3}}, 3);
#else
    for (int degree = 1; degree <= 3; ++degree)
      {
        check_box<2>({{1, 2}}, degree);
        check_box<2>({{9, 8}}, degree);
        check_box<3>({{2, 2, 2}}, degree);
        check_box<3>({{7, 5, 4}}, degree);
      }
#endif
  });
}
