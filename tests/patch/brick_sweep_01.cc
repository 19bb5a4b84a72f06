// SPDX-License-Identifier: LGPL-2.1-or-later
// A sweep on the device by bricks against the sweep of the host by colours, bit
// for bit: all degrees, boundaries, orders, boxes smaller and larger than a
// brick; nothing but the cells of patches is touched.
#include <tessera/base/device/memory.h>
#include <tessera/cellwise/field_operations.h>
#include <tessera/patch/device/brick_sweep.h>
#include <tessera/patch/level_tables.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "assembled_problem.h"
#include "call_kernels.h"
#include "device_emulation/device_test.h"
#include "fields.h"

using namespace tessera;
using namespace tessera::patch;
using namespace reference;

namespace
{
  constexpr auto D = BoundaryCondition::dirichlet;
  constexpr auto N = BoundaryCondition::neumann;

  using cellwise::Layout;

  template <int dim>
  std::array<double, dim>
  cell_size()
  {
    std::array<double, dim> h;
    for (int d = 0; d < dim; ++d)
      h[d] = 1. + 0.25 * d;
    return h;
  }

  /** Equal, where the sign of zero does not count. */
  template <typename Field>
  bool
  same_values(const Field &a, const Field &b)
  {
    if (a.size() != b.size())
      return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!(a.data()[i] == b.data()[i]))
        return false;
    return true;
  }

  template <int dim, typename T>
  void
  check_box(const GridDescription<dim> &box,
            const int                   degree,
            const std::size_t           shared_bytes)
  {
    const ReferenceCell       cell(degree);
    const CellGrid<dim>       grid(box);
    const LevelTables<dim, T> tables(cell,
                                     PatchMatrices(cell),
                                     grid.stiffness_weights());
    const int                 n_nodes = power(degree + 1, dim);
    const CellIndex           n_cells = grid.n_local();
    Random                    random(21);

    // Not continuous: all copies count.
    Primal<T>                                    start(n_cells, n_nodes);
    DualModalField<T>                            b(n_cells, n_nodes);
    cellwise::PrimalField<T, Layout::contiguous> device_start(n_cells, n_nodes);
    cellwise::DualModalField<T, Layout::contiguous> device_b(n_cells, n_nodes);
    for (CellIndex c = 0; c < n_cells; ++c)
      for (int k = 0; k < n_nodes; ++k)
        {
          start(c, k)        = T(random());
          device_start(c, k) = start(c, k);
          b(c, k)            = T(random());
          device_b(c, k)     = b(c, k);
        }

    // A cell more at the end of each field, which nobody may touch.
    const device::Stream stream;
    device::Memory<T>    u_memory(std::size_t(n_cells + 1) * n_nodes),
      b_memory(std::size_t(n_cells + 1) * n_nodes);
    b_memory.fill_bytes_async(0xff, stream);
    b_memory.copy_from_host_async(device_b.data(), 0, device_b.size(), stream);

    for (const ColourOrder order :
         {ColourOrder::odd_first, ColourOrder::even_first})
      {
        const PatchSchedule<dim> schedule(grid, order, Traversal::by_colour);
        const DeviceBrickSweep<dim, T> sweep(
          grid, schedule, order, degree, tables.patch(), stream, shared_bytes);
        for (const bool reversed : {false, true})
          {
            Primal<T> expected = copy_of(start);
            sweep_on<dim>(InstructionSet::generic,
                          degree,
                          expected.data(),
                          b.data(),
                          {schedule.cells().data(),
                           schedule.runs().data(),
                           schedule.runs().size(),
                           reversed},
                          tables.patch());
            cellwise::PrimalField<T, Layout::contiguous> expected_contiguous(
              n_cells, n_nodes);
            for (CellIndex c = 0; c < n_cells; ++c)
              for (int k = 0; k < n_nodes; ++k)
                expected_contiguous(c, k) = expected(c, k);

            u_memory.fill_bytes_async(0xff, stream);
            u_memory.copy_from_host_async(device_start.data(),
                                          0,
                                          device_start.size(),
                                          stream);
            sweep.apply(u_memory.data(), b_memory.data(), reversed, stream);
            std::vector<T> result(u_memory.size());
            u_memory.copy_to_host(result.data(), stream);
            cellwise::PrimalField<T, Layout::contiguous> u(n_cells, n_nodes);
            std::copy(result.begin(), result.begin() + u.size(), u.data());
            CHECK(same_values(u, expected_contiguous));
            for (int k = 0; k < n_nodes; ++k)
              CHECK(std::isnan(result[u.size() + k]));
            CHECK(schedule.n_patches() == 0 ||
                  !same_values(expected_contiguous, device_start));
          }
      }
  }

  template <int dim>
  GridDescription<dim>
  make_box(const std::array<int, dim>                              &n_cells,
           const std::array<std::array<BoundaryCondition, 2>, dim> &boundary)
  {
    return {n_cells, cell_size<dim>(), boundary};
  }

  /** Shared memory for bricks of about as many slots, see BrickSlots. */
  template <int dim, typename T>
  std::size_t
  bytes_for(const int degree, const int n_slots)
  {
    return (2 * std::size_t(n_slots) * (power(degree + 1, dim) + 4) +
            (std::size_t(1) << dim) * (power(degree, dim) + 1)) *
           sizeof(T);
  }

  template <int dim, typename T>
  void
  check_degree(const int degree)
  {
    if constexpr (dim == 2)
      {
        check_box<2, T>(make_box<2>({{3, 7}}, {{{{D, D}}, {{D, D}}}}),
                        degree,
                        bytes_for<2, T>(degree, 16));
        check_box<2, T>(make_box<2>({{6, 5}}, {{{{N, D}}, {{N, N}}}}),
                        degree,
                        bytes_for<2, T>(degree, 24));
        check_box<2, T>(make_box<2>({{17, 14}}, {{{{D, N}}, {{D, N}}}}),
                        degree,
                        bytes_for<2, T>(degree, 84));
        check_box<2, T>(make_box<2>({{1, 4}}, {{{{N, N}}, {{D, D}}}}),
                        degree,
                        0);
        check_box<2, T>(make_box<2>({{4, 1}}, {{{{D, D}}, {{N, D}}}}),
                        degree,
                        0);
        check_box<2, T>(make_box<2>({{4, 1}}, {{{{D, D}}, {{D, D}}}}),
                        degree,
                        0);
      }
    else
      {
        check_box<3, T>(make_box<3>({{3, 5, 2}},
                                    {{{{D, D}}, {{D, D}}, {{D, N}}}}),
                        degree,
                        bytes_for<3, T>(degree, 40));
        check_box<3, T>(make_box<3>({{5, 3, 3}},
                                    {{{{N, D}}, {{D, N}}, {{N, N}}}}),
                        degree,
                        0);
        check_box<3, T>(make_box<3>({{2, 2, 2}},
                                    {{{{D, D}}, {{D, D}}, {{D, D}}}}),
                        degree,
                        0);
        check_box<3, T>(make_box<3>({{1, 2, 3}},
                                    {{{{D, N}}, {{N, D}}, {{D, D}}}}),
                        degree,
                        0);
      }
  }

  void
  check_errors()
  {
    const auto message = [](const int degree, auto number) {
      using T = decltype(number);
      const device::Stream    stream;
      const CellGrid<3>       grid(make_box<3>({{2, 2, 2}}, {}));
      const ReferenceCell     cell(degree);
      const LevelTables<3, T> tables(cell,
                                     PatchMatrices(cell),
                                     grid.stiffness_weights());
      try
        {
          const PatchSchedule<3>       patches(grid,
                                         ColourOrder::odd_first,
                                         Traversal::by_colour);
          const DeviceBrickSweep<3, T> sweep(grid,
                                             patches,
                                             ColourOrder::odd_first,
                                             degree,
                                             tables.patch(),
                                             stream);
        }
      catch (const InputError &error)
        {
          return std::string(error.what());
        }
      return std::string();
    };
    CHECK(message(4, 1.f).find("degrees 1 to 3") != std::string::npos);
    CHECK(message(3, 1.).find("degree 3 in double") != std::string::npos);
    CHECK(message(3, 1.f).empty());
    CHECK(message(2, 1.).empty());
  }

  /** What a sweep moves, of fields and tables. */
  void
  check_traffic()
  {
    const device::Stream             stream;
    const CellGrid<3>                grid(make_box<3>({{16, 16, 8}}, {}));
    const ReferenceCell              cell(3);
    const LevelTables<3, float>      tables(cell,
                                       PatchMatrices(cell),
                                       grid.stiffness_weights());
    const PatchSchedule<3>           patches(grid,
                                   ColourOrder::odd_first,
                                   Traversal::by_colour);
    const DeviceBrickSweep<3, float> sweep(grid,
                                           patches,
                                           ColourOrder::odd_first,
                                           3,
                                           tables.patch(),
                                           stream,
                                           bytes_for<3, float>(3, 8 * 28));
    // Two bricks of 8 rows of cells, with two rows between them.
    const double cells  = (1. + 6. / 8.) * (1. + 2. / 16.) * grid.n_local();
    const double fields = cells * 3 * 256;
    const double bytes  = double(sweep.bytes_of_sweep(false));
    const double a_cell = (bytes - fields) / grid.n_local();
    std::printf("tables: %.0f bytes a cell\n", a_cell);
    CHECK(a_cell > 0. && a_cell < 80.);
    CHECK(sweep.memory_consumption() >= 2 * std::size_t(bytes - fields));
  }
} // namespace

int
main()
{
  return device_test::run([] {
    for (int degree = 1; degree <= 3; ++degree)
      {
        check_degree<2, float>(degree);
        check_degree<2, double>(degree);
        check_degree<3, float>(degree);
        if (degree < 3)
          check_degree<3, double>(degree);
      }
    // Longer than the window of a brick, and two bricks in y.
    check_box<3, float>(make_box<3>({{16, 9, 4}}, {}),
                        3,
                        bytes_for<3, float>(3, 28 * 4));
    check_errors();
    check_traffic();
  });
}
