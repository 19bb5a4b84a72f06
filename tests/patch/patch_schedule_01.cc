// SPDX-License-Identifier: LGPL-2.1-or-later
// The order of patches: every vertex once, runs of patches without a common
// cell, colours, a wavefront that keeps the order of all patches that overlap,
// and parts of a grid: all patches, and what can be treated while others wait.
#include <tessera/cellwise/degree.h>
#include <tessera/patch/patch_schedule.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "check.h"

using namespace tessera;
using namespace tessera::patch;
using cellwise::BoundaryCondition;
using cellwise::CellGrid;
using cellwise::GridDescription;

namespace
{
  /** A patch as it is known in all processes. */
  template <int dim>
  struct Patch
  {
    std::array<int, dim>       vertex;
    std::vector<std::uint64_t> keys; ///< [lane]
    std::uint32_t              mirrored;

    bool
    operator==(const Patch &other) const
    {
      return vertex == other.vertex && keys == other.keys &&
             mirrored == other.mirrored;
    }

    bool
    overlaps(const Patch &other) const
    {
      return std::find_first_of(keys.begin(),
                                keys.end(),
                                other.keys.begin(),
                                other.keys.end()) != keys.end();
    }
  };

  /** The parities of a vertex, as they follow one another in a sweep. */
  template <int dim>
  int
  colour(const std::array<int, dim> &vertex, const ColourOrder order)
  {
    int number = 0;
    for (int d = 0; d < dim; ++d)
      {
        const bool first =
          (vertex[d] % 2 == 1) == (order == ColourOrder::odd_first);
        number += first ? 0 : 1 << d;
      }
    return number;
  }

  /** The vertex of a patch from its cells, which must be what the vertex says.
   */
  template <int dim>
  Patch<dim>
  find_patch(const CellGrid<dim> &grid,
             const CellIndex     *cells,
             const std::uint32_t  mirrored)
  {
    Patch<dim> patch;
    patch.mirrored = mirrored;
    for (int lane = 0; lane < (1 << dim); ++lane)
      patch.keys.push_back(grid.key(cells[lane]));

    const auto lowest = grid.coordinates(cells[0]);
    for (int d = 0; d < dim; ++d)
      {
        const unsigned int ends = (mirrored >> (2 * d)) & 3u;
        CHECK(ends != 3u);
        // The vertex is at the lower end of a cell without lower neighbour.
        patch.vertex[d] = lowest[d] + (ends == 1u ? 0 : 1);
        if (ends == 1u)
          CHECK_EQUAL(patch.vertex[d], 0);
        if (ends == 2u)
          CHECK_EQUAL(patch.vertex[d], grid.description().n_cells[d]);
      }
    for (int lane = 0; lane < (1 << dim); ++lane)
      {
        auto expected = lowest;
        for (int d = 0; d < dim; ++d)
          if (((mirrored >> (2 * d)) & 3u) == 0)
            expected[d] += (lane >> d) & 1;
        CHECK(grid.coordinates(cells[lane]) == expected);
      }
    return patch;
  }

  /** All patches of a schedule in its order; checks its runs. */
  template <int dim>
  std::vector<Patch<dim>>
  read_schedule(const CellGrid<dim> &grid, const PatchSchedule<dim> &schedule)
  {
    const std::size_t n_lanes = std::size_t(1) << dim;
    CHECK_EQUAL(schedule.cells().size(), schedule.n_patches() * n_lanes);
    CHECK(schedule.memory_consumption() >=
          schedule.cells().size() * sizeof(CellIndex));

    std::vector<Patch<dim>> patches;
    for (const PatchRun &run : schedule.runs())
      {
        CHECK_EQUAL(std::size_t(run.begin), patches.size());
        CHECK(run.begin < run.end);
        std::set<std::uint64_t> cells_of_run;
        std::size_t             n_cells = 0;
        for (std::int32_t i = run.begin; i < run.end; ++i)
          {
            const Patch<dim> patch =
              find_patch<dim>(grid,
                              schedule.cells().data() + i * n_lanes,
                              run.mirrored);
            const std::set<std::uint64_t> cells(patch.keys.begin(),
                                                patch.keys.end());
            cells_of_run.insert(cells.begin(), cells.end());
            n_cells += cells.size();
            patches.push_back(patch);
          }
        CHECK_EQUAL(cells_of_run.size(), n_cells);
      }
    CHECK_EQUAL(patches.size(), schedule.n_patches());
    return patches;
  }

  /** The vertices that have a patch: not on a Dirichlet face. */
  template <int dim>
  std::set<std::array<int, dim>>
  expected_vertices(const GridDescription<dim> &box)
  {
    std::set<std::array<int, dim>> vertices;
    std::array<int, dim>           n;
    int                            n_all = 1;
    for (int d = 0; d < dim; ++d)
      {
        n[d] = box.n_cells[d] + 1;
        n_all *= n[d];
      }
    for (int i = 0; i < n_all; ++i)
      {
        std::array<int, dim> vertex;
        bool                 has_patch = true;
        for (int d = 0, rest = i; d < dim; rest /= n[d++])
          {
            vertex[d] = rest % n[d];
            if ((vertex[d] == 0 &&
                 box.boundary[d][0] == BoundaryCondition::dirichlet) ||
                (vertex[d] == n[d] - 1 &&
                 box.boundary[d][1] == BoundaryCondition::dirichlet))
              has_patch = false;
          }
        if (has_patch)
          vertices.insert(vertex);
      }
    return vertices;
  }

  template <int dim>
  void
  check_vertices(const GridDescription<dim>    &box,
                 const std::vector<Patch<dim>> &patches)
  {
    std::set<std::array<int, dim>> vertices;
    for (const Patch<dim> &patch : patches)
      vertices.insert(patch.vertex);
    CHECK_EQUAL(vertices.size(), patches.size());
    CHECK(vertices == expected_vertices<dim>(box));
  }

  /** Patches that overlap come in the order of their colours. */
  template <int dim>
  void
  check_order(const std::vector<Patch<dim>> &patches, const ColourOrder order)
  {
    for (std::size_t i = 0; i < patches.size(); ++i)
      for (std::size_t j = i + 1; j < patches.size(); ++j)
        if (patches[i].overlaps(patches[j]))
          CHECK(colour<dim>(patches[i].vertex, order) <
                colour<dim>(patches[j].vertex, order));
  }

  template <int dim>
  void
  check_colours(const std::vector<Patch<dim>> &patches, const ColourOrder order)
  {
    for (std::size_t i = 1; i < patches.size(); ++i)
      CHECK(colour<dim>(patches[i - 1].vertex, order) <=
            colour<dim>(patches[i].vertex, order));
  }

  /** While the wavefront runs, few rows of cells are in use: neighbours in the
   * slowest direction are close to one another in the order. */
  template <int dim>
  void
  check_locality(const std::vector<Patch<dim>> &patches)
  {
    int reached = 0;
    for (const Patch<dim> &patch : patches)
      {
        reached = std::max(reached, patch.vertex[dim - 1]);
        CHECK(patch.vertex[dim - 1] >= reached - 1);
      }
  }

  /** The patches of these runs. */
  template <int dim>
  std::vector<Patch<dim>>
  patches_of(const std::vector<Patch<dim>> &all,
             const PatchSchedule<dim>      &schedule,
             const RunRange                &range)
  {
    if (range.begin == range.end)
      return {};
    CHECK(range.begin < range.end && range.end <= schedule.runs().size());
    return {all.begin() + schedule.runs()[range.begin].begin,
            all.begin() + schedule.runs()[range.end - 1].end};
  }

  template <int dim>
  bool
  any_overlap(const std::vector<Patch<dim>> &a,
              const std::vector<Patch<dim>> &b)
  {
    return std::any_of(a.begin(), a.end(), [&](const Patch<dim> &x) {
      return std::any_of(b.begin(), b.end(), [&](const Patch<dim> &y) {
        return x.overlaps(y);
      });
    });
  }

  /** What the sets of patches promise. */
  template <int dim>
  void
  check_sets(const std::vector<Patch<dim>> &all,
             const PatchSchedule<dim>      &schedule,
             const std::set<std::uint64_t> &exchanged,
             const ColourOrder              order,
             const Traversal                traversal)
  {
    constexpr int           n_colours = PatchSchedule<dim>::n_colours;
    std::vector<Patch<dim>> by_colour, independent;
    std::size_t             n_boundary = 0, n_runs = 0;
    const auto              is_exchanged = [&](const Patch<dim> &patch) {
      return std::any_of(patch.keys.begin(),
                         patch.keys.end(),
                         [&](const std::uint64_t key) {
                           return exchanged.count(key) == 1;
                         });
    };
    for (int c = 0; c < n_colours; ++c)
      {
        const auto boundary = patches_of(all, schedule, schedule.boundary(c));
        const auto inner    = patches_of(all, schedule, schedule.inner(c));
        CHECK(std::all_of(boundary.begin(), boundary.end(), is_exchanged));
        CHECK(std::none_of(inner.begin(), inner.end(), is_exchanged));
        for (const auto *patches : {&boundary, &inner})
          for (const Patch<dim> &patch : *patches)
            {
              CHECK_EQUAL(colour<dim>(patch.vertex, order), c);
              by_colour.push_back(patch);
            }
        n_boundary += boundary.size();
        const RunRange part = schedule.independent(c);
        for (const Patch<dim> &patch : patches_of(all, schedule, part))
          independent.push_back(patch);
        for (const RunRange &range :
             {schedule.boundary(c), schedule.inner(c), part})
          n_runs += range.end - range.begin;
      }
    const auto dependent = patches_of(all, schedule, schedule.dependent());
    n_runs += schedule.dependent().end - schedule.dependent().begin;
    CHECK_EQUAL(n_runs, schedule.runs().size());
    CHECK_EQUAL(by_colour.size() + independent.size() + dependent.size(),
                all.size());
    CHECK_EQUAL(n_boundary,
                std::size_t(
                  std::count_if(all.begin(), all.end(), is_exchanged)));

    // All patches of which the boundary depends are there: others that overlap
    // with them are of later colours.
    CHECK(!any_overlap(independent, by_colour));
    for (const Patch<dim> &late : dependent)
      for (const Patch<dim> &early : by_colour)
        if (late.overlaps(early))
          CHECK(colour<dim>(late.vertex, order) >
                colour<dim>(early.vertex, order));
    if (exchanged.empty())
      CHECK_EQUAL(independent.size(), all.size());
    else if (traversal == Traversal::by_colour)
      CHECK_EQUAL(by_colour.size(), all.size());
  }

  /** Cells given to pieces: every piece has those of the patches with a cell of
   * its own. */
  template <int dim>
  void
  check_pieces(const CellGrid<dim>           &grid,
               const std::vector<Patch<dim>> &patches,
               const ColourOrder              order,
               const Traversal                traversal,
               const std::vector<int>        &owner,
               const int                      n_pieces)
  {
    std::vector<int> n_found(patches.size(), 0);
    for (int piece = 0; piece < n_pieces; ++piece)
      {
        std::set<std::uint64_t>   owned, needed;
        std::vector<unsigned int> shared;
        for (CellIndex cell = 0; cell < grid.n_local(); ++cell)
          if (owner[cell] == piece)
            {
              bool is_shared = false;
              // All cells that share a vertex.
              const auto center = grid.coordinates(cell);
              for (int i = 0; i < cellwise::power(3, dim); ++i)
                {
                  auto c = center;
                  for (int d = 0, rest = i; d < dim; ++d, rest /= 3)
                    c[d] += rest % 3 - 1;
                  const CellIndex neighbour = grid.find(c);
                  if (neighbour != cellwise::no_cell &&
                      owner[neighbour] != piece)
                    {
                      needed.insert(grid.key(neighbour));
                      is_shared = true;
                    }
                }
              if (is_shared)
                shared.push_back((unsigned int)(owned.size()));
              owned.insert(grid.key(cell));
            }
        const CellGrid<dim>           part(grid.description(),
                                 {owned.begin(), owned.end()},
                                 {needed.begin(), needed.end()});
        const PatchSchedule<dim>      schedule(part, order, traversal, shared);
        const std::vector<Patch<dim>> of_part =
          read_schedule<dim>(part, schedule);
        check_order<dim>(of_part, order);
        std::set<std::uint64_t> exchanged = needed;
        for (const unsigned int cell : shared)
          exchanged.insert(part.key(CellIndex(cell)));
        check_sets<dim>(of_part, schedule, exchanged, order, traversal);

        std::size_t n_expected = 0;
        for (std::size_t i = 0; i < patches.size(); ++i)
          if (std::any_of(patches[i].keys.begin(),
                          patches[i].keys.end(),
                          [&](const std::uint64_t key) {
                            return owned.count(key) == 1;
                          }))
            {
              CHECK(std::find(of_part.begin(), of_part.end(), patches[i]) !=
                    of_part.end());
              ++n_expected;
              ++n_found[i];
            }
        CHECK_EQUAL(of_part.size(), n_expected);
      }
    CHECK(std::find(n_found.begin(), n_found.end(), 0) == n_found.end());
    if (n_pieces > 1 && patches.size() > 1)
      CHECK(std::any_of(n_found.begin(), n_found.end(), [](const int n) {
        return n > 1;
      }));
  }

  template <int dim>
  void
  check_grid(const GridDescription<dim> &box)
  {
    const CellGrid<dim> grid(box);
    std::mt19937        engine(5);
    std::vector<int>    at_random, slabs;
    for (CellIndex cell = 0; cell < grid.n_local(); ++cell)
      {
        at_random.push_back(int(engine() % 3));
        slabs.push_back(2 * cell / grid.n_local());
      }

    for (const ColourOrder order :
         {ColourOrder::odd_first, ColourOrder::even_first})
      for (const Traversal traversal :
           {Traversal::by_colour, Traversal::wavefront})
        {
          const PatchSchedule<dim>      schedule(grid, order, traversal);
          const std::vector<Patch<dim>> patches =
            read_schedule<dim>(grid, schedule);
          check_sets<dim>(patches, schedule, {}, order, traversal);
          check_vertices<dim>(box, patches);
          // That both traversals obey this makes them equivalent.
          check_order<dim>(patches, order);
          if (traversal == Traversal::by_colour)
            check_colours<dim>(patches, order);
          else
            check_locality<dim>(patches);
          check_pieces<dim>(grid, patches, order, traversal, at_random, 3);
          check_pieces<dim>(grid, patches, order, traversal, slabs, 2);
        }
  }
} // namespace

int
main()
{
  const auto D = BoundaryCondition::dirichlet;
  const auto N = BoundaryCondition::neumann;

  for (const auto &n : std::vector<std::array<int, 2>>{
         {{2, 2}}, {{3, 3}}, {{4, 7}}, {{5, 2}}, {{8, 6}}, {{1, 4}}})
    {
      check_grid<2>({n, {{1., 1.}}, {{{{D, D}}, {{D, D}}}}});
      check_grid<2>({n, {{1., 1.}}, {{{{N, D}}, {{D, N}}}}});
      check_grid<2>({n, {{1., 1.}}, {{{{N, N}}, {{N, D}}}}});
    }
  for (const auto &n : std::vector<std::array<int, 3>>{
         {{2, 2, 2}}, {{3, 4, 5}}, {{4, 3, 2}}, {{5, 5, 4}}})
    {
      check_grid<3>({n, {{1., 1., 1.}}, {{{{D, D}}, {{D, D}}, {{D, D}}}}});
      check_grid<3>({n, {{1., 1., 1.}}, {{{{N, D}}, {{D, N}}, {{D, D}}}}});
      check_grid<3>({n, {{1., 1., 1.}}, {{{{N, N}}, {{N, D}}, {{N, N}}}}});
    }
  return check::result();
}
