// SPDX-License-Identifier: LGPL-2.1-or-later
// A sweep cut into bricks, followed step by step: slots hold the cells that
// groups of patches ask for, nothing in a step touches what something else in
// it touches, all patches come once, those that have a cell in common in the
// order of their colours, and traffic is what it is said to be.
#include <tessera/base/exceptions.h>
#include <tessera/patch/brick_schedule.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "check.h"

using namespace tessera;
using namespace tessera::patch;
using cellwise::BoundaryCondition;
using cellwise::CellGrid;
using cellwise::GridDescription;
using cellwise::no_cell;

namespace
{
  constexpr auto D = BoundaryCondition::dirichlet;
  constexpr auto N = BoundaryCondition::neumann;

  /** When a patch is treated. */
  struct Time
  {
    std::size_t launch, brick, step;
  };

  template <int dim>
  using Times = std::map<std::array<int, dim>, Time>;

  /** The vertex of a patch from its cells, which must be what the vertex says.
   */
  template <int dim>
  std::array<int, dim>
  find_vertex(const CellGrid<dim>          &grid,
              const std::vector<CellIndex> &cells,
              const std::uint32_t           mirrored)
  {
    const auto lowest = grid.coordinates(cells[0]);
    auto       vertex = lowest;
    for (int d = 0; d < dim; ++d)
      vertex[d] += ((mirrored >> (2 * d)) & 1u) ? 0 : 1;
    for (unsigned int lane = 0; lane < (1u << dim); ++lane)
      {
        auto expected = lowest;
        for (int d = 0; d < dim; ++d)
          if (((mirrored >> (2 * d)) & 3u) == 0)
            expected[d] += int((lane >> d) & 1u);
        CHECK(grid.coordinates(cells[lane]) == expected);
      }
    return vertex;
  }

  /** Follow the bricks of a schedule. */
  template <int dim>
  Times<dim>
  follow(const CellGrid<dim> &grid, const BrickSchedule<dim> &schedule)
  {
    constexpr unsigned int n_lanes = 1u << dim;
    Times<dim>             times;
    std::size_t            n_loaded = 0, n_stored = 0, n_bricks = 0;
    for (std::size_t l = 0; l < schedule.launches().size(); ++l)
      {
        const BrickLaunch &launch = schedule.launches()[l];
        CHECK_EQUAL(launch.begin, n_bricks);
        CHECK(launch.begin < launch.end);
        n_bricks = launch.end;

        std::set<CellIndex> cells_of_launch;
        for (std::size_t brick = launch.begin; brick < launch.end; ++brick)
          {
            std::vector<CellIndex> slots(launch.n_slots, no_cell);
            for (std::size_t s = schedule.brick_begin()[brick];
                 s < schedule.brick_begin()[brick + 1];
                 ++s)
              {
                const BrickStep now = schedule.steps()[s],
                                end = schedule.steps()[s + 1];
                CHECK(end.first_group - now.first_group <=
                      launch.max_groups_of_step);
                CHECK(end.first_move - now.first_move <=
                      launch.max_moves_of_step);

                // Slots with what they hold before the step: no group may use
                // what is moved in it.
                std::set<std::uint32_t>      touched;
                std::set<std::uint32_t>      moved;
                const std::vector<CellIndex> before = slots;
                std::array<int, dim>         last_vertex{};
                for (std::size_t m = now.first_move; m < end.first_move; ++m)
                  {
                    const BrickMove &move = schedule.moves()[m];
                    CHECK(move.slot < launch.n_slots);
                    CHECK(moved.insert(move.slot).second);
                    CHECK(move.stored != no_cell || move.loaded != no_cell);
                    CHECK_EQUAL(slots[move.slot], move.stored);
                    if (move.loaded != no_cell)
                      {
                        // Of no other brick, and only once.
                        CHECK(cells_of_launch.insert(move.loaded).second);
                        ++n_loaded;
                        std::uint32_t parity = 0;
                        for (int d = 0; d < dim; ++d)
                          parity |=
                            std::uint32_t(grid.coordinates(move.loaded)[d] % 2)
                            << d;
                        CHECK_EQUAL(move.slot % n_lanes, parity);
                      }
                    n_stored += move.stored != no_cell ? 1 : 0;
                    slots[move.slot] = move.loaded;
                  }
                for (std::size_t i = now.first_group * std::size_t(32);
                     i < end.first_group * std::size_t(32);
                     i += n_lanes)
                  {
                    std::vector<CellIndex> cells;
                    std::vector<bool>      stored;
                    const std::uint32_t    mirrored =
                      schedule.lanes()[i] >> BrickLane::mirrored_bit &
                      BrickLane::mirrored_mask;
                    for (unsigned int lane = 0; lane < n_lanes; ++lane)
                      {
                        const std::uint32_t word = schedule.lanes()[i + lane];
                        const std::uint32_t slot = word & BrickLane::slot_mask;
                        CHECK(slot < launch.n_slots);
                        CHECK(moved.count(slot) == 0);
                        CHECK(before[slot] != no_cell);
                        CHECK_EQUAL(word >> BrickLane::mirrored_bit &
                                      BrickLane::mirrored_mask,
                                    mirrored);
                        cells.push_back(before[slot]);
                        stored.push_back((word & BrickLane::stored_mask) != 0);
                        if (stored.back())
                          CHECK(touched.insert(slot).second);
                      }
                    const auto vertex = find_vertex<dim>(grid, cells, mirrored);
                    if (std::none_of(stored.begin(),
                                     stored.end(),
                                     [](const bool b) { return b; }))
                      {
                        // To fill the group: repeats a patch of the same
                        // warp.
                        CHECK(i % 32 != 0);
                        CHECK(vertex == last_vertex);
                        continue;
                      }
                    CHECK(times.emplace(vertex, Time{l, brick, s}).second);
                    last_vertex = vertex;
                    for (unsigned int lane = 0; lane < n_lanes; ++lane)
                      {
                        bool is_inside = true;
                        for (int d = 0; d < dim; ++d)
                          if ((mirrored >> (2 * d + ((lane >> d) & 1u))) & 1u)
                            is_inside = false;
                        CHECK_EQUAL(bool(stored[lane]), is_inside);
                      }
                  }
              }
            CHECK(std::all_of(slots.begin(),
                              slots.end(),
                              [](const CellIndex c) { return c == no_cell; }));
          }
      }
    CHECK_EQUAL(n_bricks + 1, schedule.brick_begin().size());
    CHECK_EQUAL(schedule.n_loaded_cells(), n_loaded);
    CHECK_EQUAL(schedule.n_stored_cells(), n_stored);
    CHECK_EQUAL(n_loaded, n_stored);
    return times;
  }

  template <int dim>
  int
  colour(const std::array<int, dim> &vertex,
         const ColourOrder           order,
         const bool                  reversed)
  {
    int number = 0;
    for (int d = 0; d < dim; ++d)
      number +=
        (vertex[d] % 2 == 1) == (order == ColourOrder::odd_first) ? 0 : 1 << d;
    return reversed ? (1 << dim) - 1 - number : number;
  }

  template <int dim>
  void
  check_order(const Times<dim> &times,
              const ColourOrder order,
              const bool        reversed)
  {
    int n_neighbours = 1;
    for (int d = 0; d < dim; ++d)
      n_neighbours *= 3;
    for (const auto &[vertex, time] : times)
      for (int i = 0; i < n_neighbours; ++i)
        {
          auto other = vertex;
          for (int d = 0, rest = i; d < dim; ++d, rest /= 3)
            other[d] += rest % 3 - 1;
          const auto found = times.find(other);
          if (found == times.end() || other == vertex)
            continue;
          const int difference = colour<dim>(other, order, reversed) -
                                 colour<dim>(vertex, order, reversed);
          CHECK(difference != 0);
          const Time &later = found->second;
          if (difference > 0)
            CHECK(later.launch > time.launch ||
                  (later.launch == time.launch && later.brick == time.brick &&
                   later.step > time.step));
        }
  }

  template <int dim>
  std::size_t
  n_patches(const GridDescription<dim> &box)
  {
    std::size_t n = 1;
    for (int d = 0; d < dim; ++d)
      n *= box.n_cells[d] + 1 - (box.boundary[d][0] == D ? 1 : 0) -
           (box.boundary[d][1] == D ? 1 : 0);
    return n;
  }

  template <int dim>
  PatchSchedule<dim>
  patches_of(const CellGrid<dim> &grid, const ColourOrder order)
  {
    return {grid, order, Traversal::by_colour};
  }

  template <int dim>
  void
  check_box(const GridDescription<dim> &box, const unsigned int max_slots)
  {
    const CellGrid<dim> grid(box);
    for (const ColourOrder order :
         {ColourOrder::odd_first, ColourOrder::even_first})
      for (const bool reversed : {false, true})
        {
          const BrickSchedule<dim> schedule(
            grid, patches_of(grid, order), order, reversed, max_slots);
          const Times<dim> times = follow(grid, schedule);
          CHECK_EQUAL(times.size(), n_patches(box));
          check_order<dim>(times, order, reversed);
          CHECK(schedule.launches().size() <= (dim == 3 ? 4 : 2));
          for (const BrickLaunch &launch : schedule.launches())
            CHECK(launch.n_slots <= max_slots);
          CHECK(schedule.memory_consumption() >=
                4 * schedule.lanes().size() + 12 * schedule.moves().size());
        }
  }

  /** All boundary conditions. */
  template <int dim>
  std::vector<std::array<std::array<BoundaryCondition, 2>, dim>>
  all_boundaries()
  {
    std::vector<std::array<std::array<BoundaryCondition, 2>, dim>> all;
    for (int i = 0; i < (1 << (2 * dim)); ++i)
      {
        std::array<std::array<BoundaryCondition, 2>, dim> boundary;
        for (int d = 0; d < dim; ++d)
          boundary[d] = {
            {(i >> (2 * d)) & 1 ? N : D, (i >> (2 * d + 1)) & 1 ? N : D}};
        all.push_back(boundary);
      }
    return all;
  }

  /** Cells that are read, in units of the cells of the grid. */
  template <int dim>
  double
  traffic(const std::array<int, dim> &n_cells, const unsigned int max_slots)
  {
    GridDescription<dim> box;
    box.n_cells = n_cells;
    box.cell_size.fill(1.);
    const CellGrid<dim>      grid(box);
    const BrickSchedule<dim> schedule(grid,
                                      patches_of(grid, ColourOrder::odd_first),
                                      ColourOrder::odd_first,
                                      false,
                                      max_slots);
    return double(schedule.n_loaded_cells()) / double(grid.n_global());
  }

  void
  check_errors()
  {
    GridDescription<2> box;
    box.n_cells = {{4, 4}};
    box.cell_size.fill(1.);
    const auto message = [&](const CellGrid<2> &grid,
                             const unsigned int slots) {
      try
        {
          const BrickSchedule<2> schedule(grid,
                                          patches_of(grid,
                                                     ColourOrder::odd_first),
                                          ColourOrder::odd_first,
                                          false,
                                          slots);
        }
      catch (const InputError &error)
        {
          return std::string(error.what());
        }
      return std::string();
    };
    CHECK(message(CellGrid<2>(box), 3).find("shared memory") !=
          std::string::npos);
    CHECK(message(CellGrid<2>(box, {0, 1, 2, 3}, {4, 5, 6, 7}), 1000)
            .find("4 of 16 cells") != std::string::npos);
    CHECK(message(CellGrid<2>(box), 16).empty());
  }
} // namespace

int
main()
{
  // Small boxes of all kinds. Few slots: bricks of two rows of cells and more.
  for (const auto &boundary : all_boundaries<2>())
    for (int n_x = 1; n_x <= 5; ++n_x)
      for (int n_y = 1; n_y <= 9; ++n_y)
        check_box<2>({{{n_x, n_y}}, {{1., 1.}}, boundary}, 24);
  const auto boundaries = all_boundaries<3>();
  for (std::size_t i = 0; i < boundaries.size(); ++i)
    for (int n_z = 1; n_z <= 3; ++n_z)
      for (int n_y = 1; n_y <= 6; ++n_y)
        check_box<3>({{{1 + int(i * 7 + n_y) % 4, n_y, n_z}},
                      {{1., 1., 1.}},
                      boundaries[i]},
                     48);
  // Long ones, with bricks of all sizes.
  for (const unsigned int max_slots : {56u, 100u, 1000u})
    for (const int n : {6, 7, 12, 13, 16, 33})
      {
        check_box<2>({{{n, 21}}, {{1., 1.}}, {{{{D, D}}, {{D, N}}}}},
                     max_slots);
        check_box<2>({{{22, n}}, {{1., 1.}}, {{{{N, D}}, {{N, D}}}}},
                     max_slots);
      }
  for (const unsigned int max_slots : {120u, 392u, 2000u})
    {
      check_box<3>({{{17, 12, 4}}, {{1., 1., 1.}}, {}}, max_slots);
      check_box<3>({{{9, 30, 3}},
                    {{1., 1., 1.}},
                    {{{{N, D}}, {{N, N}}, {{D, N}}}}},
                   max_slots);
    }

  // Bricks of r = 12 and 24 rows of cells: their slots are for 14 columns of 2
  // layers, or of one. Between two of 8 bricks, two rows are read again; the
  // second phase in z has all but two layers.
  const double in_3d = traffic<3>({{64, 96, 64}}, 12 * 28);
  CHECK_NEAR(in_3d, (1. + 62. / 64.) * (1. + 7 * 2. / 96.), 1e-14);
  const double in_2d = traffic<2>({{64, 192}}, 24 * 14);
  CHECK_NEAR(in_2d, 1. + 7 * 2. / 192., 1e-14);
  check_errors();
  return check::result();
}
