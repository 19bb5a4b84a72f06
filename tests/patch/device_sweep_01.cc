// SPDX-License-Identifier: LGPL-2.1-or-later
// Sweeps and steps of a sweep on the device against the host's, bit for bit:
// all degrees, with mirrored patches, patches that do not fill a warp, cells in
// any order; cells that are in no patch are neither read nor written.
#include <tessera/cellwise/field_operations.h>
#include <tessera/patch/device/sweep.h>
#include <tessera/patch/level_tables.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "assembled_problem.h"
#include "call_kernels.h"
#include "check.h"
#include "device_emulation/device_test.h"
#include "device_fields.h"
#include "fields.h"

using namespace tessera;
using namespace tessera::patch;
using namespace reference;

namespace
{
  constexpr auto D = BoundaryCondition::dirichlet;
  constexpr auto N = BoundaryCondition::neumann;

  template <typename T>
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();

  template <typename Field>
  void
  fill_cell(Field &field, const CellIndex cell, const double value)
  {
    for (int k = 0; k < field.n_nodes(); ++k)
      field(cell, k) = typename Field::value_type(value);
  }

  template <typename Field>
  void
  fill_randomly(Field &field, Random &random)
  {
    for (CellIndex c = 0; c < field.n_cells(); ++c)
      for (int k = 0; k < field.n_nodes(); ++k)
        field(c, k) = typename Field::value_type(random());
  }

  /** All patches of a grid. */
  template <int dim, typename T>
  void
  check_sweep(const GridDescription<dim> &box,
              const int                   degree,
              const device::Stream       &stream)
  {
    const ReferenceCell         cell(degree);
    const AssembledProblem<dim> problem(box, cell);
    const LevelTables<dim, T>   tables(cell,
                                     PatchMatrices(cell),
                                     problem.grid.stiffness_weights());
    const CellIndex             n_cells = problem.grid.n_local();
    const int                   n_nodes = power(degree + 1, dim);

    Random            random(21);
    Primal<T>         start(n_cells + 1, n_nodes);
    DualModalField<T> b(n_cells + 1, n_nodes);
    const auto        values =
      problem.template copy_to_cells<T>(random.vector(problem.n_nodes));
    fill_randomly(b, random);
    for (CellIndex c = 0; c < n_cells; ++c)
      for (int k = 0; k < n_nodes; ++k)
        start(c, k) = values(c, k);
    fill_cell(start, n_cells, nan<T>);
    fill_cell(b, n_cells, nan<T>);

    for (const ColourOrder order :
         {ColourOrder::odd_first, ColourOrder::even_first})
      for (const Traversal traversal :
           {Traversal::by_colour, Traversal::wavefront})
        {
          const PatchSchedule<dim>  schedule(problem.grid, order, traversal);
          const DeviceSweep<dim, T> sweep(degree,
                                          tables.patch(),
                                          schedule,
                                          stream);
          if (traversal == Traversal::by_colour)
            CHECK(sweep.n_steps() <= PatchSchedule<dim>::n_colours);
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

              device::Memory<T>       device_u = to_device(start, stream);
              const device::Memory<T> device_b = to_device(b, stream);
              sweep.apply(device_u.data(), device_b.data(), reversed, stream);
              Primal<T> result(n_cells + 1, n_nodes);
              from_device(device_u, result, stream);
              CHECK(same_numbers(result, expected));
            }
        }
  }

  /** Patches that share no cell, of cells in random order; every third patch
   * mirrored somehow, if wanted. */
  template <int dim, typename T>
  void
  check_step(const int             degree,
             const int             n_patches,
             const bool            with_mirrored,
             const device::Stream &stream)
  {
    constexpr int               lanes = 1 << dim;
    const ReferenceCell         cell(degree);
    const std::array<double, 3> weights = {{0.75, 1., 0.5}};
    std::array<double, dim>     s;
    std::copy_n(weights.begin(), dim, s.begin());
    const LevelTables<dim, T> tables(cell, PatchMatrices(cell), {s, 0.25});
    const int                 n_nodes = power(degree + 1, dim);
    const CellIndex           n_cells = lanes * n_patches + 5;

    Random                 random(22);
    std::vector<CellIndex> cells(n_cells);
    for (CellIndex c = 0; c < n_cells; ++c)
      cells[c] = c;
    for (CellIndex c = n_cells; --c > 0;)
      std::swap(cells[c], cells[CellIndex((random() + 1.) / 2. * (c + 1))]);

    Primal<T>         start(n_cells, n_nodes);
    DualModalField<T> b(n_cells, n_nodes);
    fill_randomly(start, random);
    fill_randomly(b, random);
    std::vector<char> is_used(n_cells, 0);

    std::vector<std::uint8_t> mirrored(n_patches, 0);
    std::vector<PatchRun>     runs;
    for (int i = 0; i < n_patches; ++i)
      {
        // One end of each direction at most.
        if (with_mirrored && i % 3 == 1)
          for (int d = 0; d < dim; ++d)
            {
              const int ends = (i / 3 + (i / 3 + 1) * d) % 3;
              mirrored[i] |= std::uint8_t(ends << (2 * d));
            }
        CellIndex *const own = &cells[i * lanes];
        for (int lane = 0; lane < lanes; ++lane)
          {
            int present = lane;
            for (int d = 0; d < dim; ++d)
              if ((mirrored[i] >> (2 * d + ((lane >> d) & 1))) & 1)
                present ^= 1 << d;
            own[lane] = own[present];
          }
        for (int lane = 0; lane < lanes; ++lane)
          is_used[own[lane]] = 1;
        runs.push_back({i, i + 1, mirrored[i]});
      }
    for (CellIndex c = 0; c < n_cells; ++c)
      if (!is_used[c])
        {
          fill_cell(start, c, nan<T>);
          fill_cell(b, c, nan<T>);
        }

    Primal<T> expected = copy_of(start);
    sweep_on<dim>(InstructionSet::generic,
                  degree,
                  expected.data(),
                  b.data(),
                  {cells.data(), runs.data(), runs.size(), false},
                  tables.patch());

    const DevicePatchTables<dim, T>    device_tables(degree,
                                                  tables.patch(),
                                                  stream);
    const device::Memory<CellIndex>    device_cells(cells.data(),
                                                 std::size_t(n_patches) * lanes,
                                                 stream);
    const device::Memory<std::uint8_t> device_mirrored(mirrored.data(),
                                                       mirrored.size(),
                                                       stream);
    device::Memory<T>                  device_u = to_device(start, stream);
    const device::Memory<T>            device_b = to_device(b, stream);
    on_device::update_patches(device_u.data(),
                              device_b.data(),
                              DevicePatches{device_cells.data(),
                                            with_mirrored ?
                                              device_mirrored.data() :
                                              nullptr,
                                            n_patches},
                              device_tables,
                              stream);
    Primal<T> result(n_cells, n_nodes);
    from_device(device_u, result, stream);
    CHECK(same_numbers(result, expected));
    CHECK(!same_numbers(result, start));
  }

  template <int dim>
  void
  check_all(const std::vector<GridDescription<dim>> &boxes,
            const int                                degree,
            const device::Stream                    &stream)
  {
#ifdef TESSERA_TEST_VARIANT_thread
    const std::vector<int> n_patches = {5};
    const std::size_t      n_boxes   = 1;
#else
    const std::vector<int> n_patches = {1, 3, 4, 5, 8, 17, 67};
    const std::size_t      n_boxes   = boxes.size();
#endif
    for (std::size_t i = 0; i < n_boxes; ++i)
      {
        check_sweep<dim, float>(boxes[i], degree, stream);
        check_sweep<dim, double>(boxes[i], degree, stream);
      }
    for (const int n : n_patches)
      for (const bool with_mirrored : {false, true})
        {
          check_step<dim, float>(degree, n, with_mirrored, stream);
          check_step<dim, double>(degree, n, with_mirrored, stream);
        }
  }

  void
  check_no_patches(const device::Stream &stream)
  {
    const ReferenceCell         cell(1);
    const std::array<double, 2> weights = {{1., 1.}};
    const LevelTables<2, float> tables(cell,
                                       PatchMatrices(cell),
                                       {weights, 0.});
    const DeviceSweep<2, float> sweep(1,
                                      tables.patch(),
                                      PatchSchedule<2>(),
                                      stream);
    CHECK_EQUAL(sweep.n_steps(), 0);
    sweep.apply(nullptr, nullptr, false, stream);
  }

  /** What the device does not take is refused, with a way out. */
  void
  check_refusal(const device::Stream &stream)
  {
    const ReferenceCell         cell(4);
    const std::array<double, 2> weights = {{1., 1.}};
    const LevelTables<2, float> tables(cell,
                                       PatchMatrices(cell),
                                       {weights, 0.});
    std::string                 message;
    try
      {
        const DevicePatchTables<2, float> refused(4, tables.patch(), stream);
      }
    catch (const InputError &error)
      {
        message = error.what();
      }
    CHECK(message.find("degree 4") != std::string::npos);
    CHECK(message.find("host back end") != std::string::npos);
  }
} // namespace

int
main()
{
  return device_test::run([] {
    const device::Stream                  stream;
    const std::array<double, 2>           h2     = {{0.5, 0.4}};
    const std::vector<GridDescription<2>> boxes2 = {
      {{{2, 4}}, h2, {{{{D, N}}, {{N, N}}}}},
      {{{2, 2}}, h2, {{{{D, D}}, {{D, D}}}}},
      {{{7, 5}}, h2, {{{{D, D}}, {{D, D}}}}}};
    const std::array<double, 3>           h3     = {{0.5, 0.4, 0.65}};
    const std::vector<GridDescription<3>> boxes3 = {
      {{{2, 3, 2}}, h3, {{{{N, D}}, {{D, N}}, {{N, N}}}}},
      {{{2, 2, 2}}, h3, {{{{D, D}}, {{D, D}}, {{D, D}}}}},
      {{{5, 4, 3}}, h3, {{{{D, D}}, {{D, D}}, {{D, D}}}}}};
    for (int degree = 1; degree <= max_device_degree; ++degree)
      {
        check_all<2>(boxes2, degree, stream);
        check_all<3>(boxes3, degree, stream);
      }
    check_no_patches(stream);
    check_refusal(stream);
  });
}
