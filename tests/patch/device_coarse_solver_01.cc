// SPDX-License-Identifier: LGPL-2.1-or-later
// The solver of coarsest levels on a device has the bits of the host's, and
// solves: against dense matrices.
#include <tessera/base/device/graph.h>
#include <tessera/patch/coarse_solver.h>
#include <tessera/patch/device/coarse_solver.h>

#include <string>
#include <vector>

#include "assembled_problem.h"
#include "cellwise/device_fields.h"
#include "device_emulation/device_test.h"

using namespace tessera;
using namespace tessera::patch;
using namespace reference;

namespace
{
  using cellwise::DeviceDualModalField;
  using cellwise::DevicePrimalField;
  using cellwise::Layout;

  constexpr auto D = BoundaryCondition::dirichlet;
  constexpr auto N = BoundaryCondition::neumann;

  template <int dim, typename Number>
  void
  check_box(const GridDescription<dim> &box,
            const int                   degree,
            const double                reaction,
            const device::Stream       &stream)
  {
    using DevicePrimal = DevicePrimalField<Number, Layout::contiguous>;

    const ReferenceCell                 cell(degree);
    const AssembledProblem<dim>         problem(box, cell, reaction);
    const CellIndex                     n_cells = problem.grid.n_local();
    const int                           n_nodes = power(degree + 1, dim);
    const cellwise::ElementWeights<dim> weights(
      problem.grid.stiffness_weights(), problem.mass_weight);
    const CoarseSolver<dim> host(problem.grid, cell, weights);
    DeviceCoarseSolver<dim> solver(problem.grid, cell, weights, stream);
    CHECK(solver.memory_consumption() >
          2 * sizeof(double) * n_nodes * std::size_t(n_cells));

    Random random(41);
    for (int repetition = 0; repetition < 2; ++repetition)
      {
        const DualModalField<Number> b =
          to_modal<dim, Number>(random.vector(std::size_t(n_cells) * n_nodes),
                                cell);
        Primal<Number> expected(n_cells, n_nodes);
        host.solve(expected, b);

        const auto device_b = test::on_device<Layout::contiguous>(b, stream);
        auto       u =
          test::poisoned_on_device<DevicePrimal>(n_cells, n_nodes, stream);
        solver.solve(u, device_b, stream);
        CHECK(test::same_on_device(u, expected, stream));

        Primal<Number> found(n_cells, n_nodes);
        u.copy_to_host(found, stream);
        CHECK(problem.is_continuous(found));
        const Vector solution =
          Cholesky(problem.matrix(problem.free_nodes))
            .solve(entries(problem.assemble(b), problem.free_nodes));
        CHECK(relative_error(entries(problem.values(found), problem.free_nodes),
                             solution) < (sizeof(Number) == 4 ? 1e-7 : 1e-12));
      }
  }

  /** Numbers that are more than a tile in all directions; the bits alone. */
  template <int dim>
  void
  check_bits(const std::array<int, dim> &n,
             const int                   degree,
             const device::Stream       &stream)
  {
    using DevicePrimal = DevicePrimalField<double, Layout::contiguous>;

    GridDescription<dim> box{n, {}, {}};
    for (int d = 0; d < dim; ++d)
      {
        box.cell_size[d] = 0.4 + 0.15 * d;
        box.boundary[d]  = {{D, d % 2 == 0 ? N : D}};
      }
    const CellGrid<dim>     grid(box);
    const ReferenceCell     cell(degree);
    const CoarseSolver<dim> host(grid, cell, grid.stiffness_weights());
    DeviceCoarseSolver<dim> solver(grid,
                                   cell,
                                   grid.stiffness_weights(),
                                   stream);
    const int               n_nodes = power(degree + 1, dim);
    const auto              b =
      test::random_field<DualModalField<double>>(grid.n_local(), n_nodes);
    Primal<double> expected(grid.n_local(), n_nodes);
    host.solve(expected, b);
    const auto device_b = test::on_device<Layout::contiguous>(b, stream);
    auto       u =
      test::poisoned_on_device<DevicePrimal>(grid.n_local(), n_nodes, stream);

    // As a cycle has it: recorded, and replayed.
    device::Graph graph(
      [&](const device::Stream &s) { solver.solve(u, device_b, s); });
    graph.run(stream);
    CHECK(test::same_on_device(u, expected, stream));
    test::poison_on_device(u, stream);
    graph.run(stream);
    CHECK(test::same_on_device(u, expected, stream));
  }

  void
  check_limit(const device::Stream &stream)
  {
    const CellGrid<2> grid(
      GridDescription<2>{{{2, 135}}, {{1., 1.}}, {{{{D, D}}, {{D, D}}}}});
    const std::string message = CHECK_THROWS(
      InputError,
      (DeviceCoarseSolver<2>(grid, ReferenceCell(3), {{1., 1.}}, stream)));
    CHECK(message.find("404") != std::string::npos);
  }
} // namespace

int
main()
{
  return device_test::run([] {
    const device::Stream        stream;
    const std::array<double, 2> h2 = {{0.5, 0.4}};
    const std::array<double, 3> h3 = {{0.5, 0.4, 0.65}};
#ifdef TESSERA_TEST_VARIANT_thread
    check_box<2, float>({{{3, 5}}, h2, {{{{D, N}}, {{N, D}}}}}, 3, 0.5, stream);
    check_box<3, double>({{{3, 2, 1}}, h3, {{{{D, N}}, {{N, N}}, {{N, D}}}}},
                         2,
                         0.,
                         stream);
#else
    const std::array<std::array<BoundaryCondition, 2>, 2> neumann2 = {
      {{{N, N}}, {{N, N}}}};
    const std::array<std::array<BoundaryCondition, 2>, 3> neumann3 = {
      {{{N, N}}, {{N, N}}, {{N, N}}}};
    for (int degree = 1; degree <= 3; ++degree)
      {
        for (const GridDescription<2> &box :
             {GridDescription<2>{{{3, 5}}, h2, {{{{D, D}}, {{D, D}}}}},
              GridDescription<2>{{{4, 1}}, h2, {{{{N, D}}, {{N, N}}}}},
              GridDescription<2>{{{1, 3}}, h2, {{{{N, N}}, {{N, D}}}}}})
          {
            check_box<2, float>(box, degree, 0., stream);
            check_box<2, double>(box, degree, 0., stream);
          }
        check_box<2, double>({{{3, 2}}, h2, neumann2}, degree, 2.5, stream);
        check_box<3, double>({{{1, 3, 2}}, h3, neumann3}, degree, 2.5, stream);
        check_box<3, float>({{{2, 1, 3}}, h3, {{{{D, N}}, {{N, N}}, {{N, D}}}}},
                            degree,
                            0.,
                            stream);
        check_box<3, double>({{{3, 2, 3}},
                              h3,
                              {{{{D, N}}, {{D, D}}, {{N, D}}}}},
                             degree,
                             degree == 1 ? 0. : 1.5,
                             stream);
      }
    check_bits<2>({{17, 33}}, 2, stream);
    check_bits<3>({{9, 11, 13}}, 3, stream);
#endif
    check_limit(stream);
  });
}
