// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/patch/patch_schedule.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace tessera
{
  namespace patch
  {
    using cellwise::BoundaryCondition;
    using cellwise::CellGrid;
    using cellwise::no_cell;

    namespace
    {
      /** A patch and its place in the order of a sweep. */
      template <int dim>
      struct Entry
      {
        /** Patches that differ only in the last dim entries commute. */
        std::array<int, 3 * dim> place;
        std::array<int, dim>     vertex;
        std::uint32_t            mirrored;
      };

      /** The part of a place that is the same for all patches of a run. */
      constexpr int
      n_run_entries(const int dim)
      {
        return 2 * dim;
      }

      /** mirrored of the patch of a vertex, see PatchRun; the second is whether
       * there is such a patch. */
      template <int dim>
      std::pair<std::uint32_t, bool>
      find_mirrored(const cellwise::GridDescription<dim> &box,
                    const std::array<int, dim>           &vertex)
      {
        std::uint32_t mirrored = 0;
        for (int d = 0; d < dim; ++d)
          for (int end = 0; end < 2; ++end)
            if (vertex[d] == (end == 0 ? 0 : box.n_cells[d]))
              {
                if (box.boundary[d][end] == BoundaryCondition::dirichlet)
                  return {0, false};
                mirrored |= 1u << (2 * d + end);
              }
        return {mirrored, true};
      }

      template <int dim>
      std::array<int, 3 * dim>
      find_place(const std::array<int, dim> &vertex,
                 const std::uint32_t         mirrored,
                 const ColourOrder           order,
                 const Traversal             traversal)
      {
        // From the slowest direction to the fastest.
        std::array<int, 3 * dim> place{};
        for (int i = 0; i < dim; ++i)
          {
            const int  d      = dim - 1 - i;
            const bool is_odd = vertex[d] % 2 != 0;
            const int  phase =
              is_odd == (order == ColourOrder::odd_first) ? 0 : 1;
            if (traversal == Traversal::by_colour)
              place[i] = phase;
            else
              {
                place[2 * i]     = d == 0 ? 0 : vertex[d] + phase;
                place[2 * i + 1] = phase;
              }
            place[n_run_entries(dim) + i] = vertex[d];
          }
        // Patches of a colour in few, long runs.
        if (traversal == Traversal::by_colour)
          place[dim] = int(mirrored);
        return place;
      }
    } // namespace



    template <int dim>
    PatchSchedule<dim>::PatchSchedule(const CellGrid<dim> &grid,
                                      const ColourOrder    order,
                                      const Traversal      traversal)
    {
      constexpr int n_lanes = 1 << dim;

      // Every vertex is entered by the first of its cells that is owned.
      std::vector<Entry<dim>> entries;
      for (CellIndex cell = 0; cell < grid.n_owned(); ++cell)
        {
          const auto coordinates = grid.coordinates(cell);
          for (int corner = 0; corner < n_lanes; ++corner)
            {
              Entry<dim> entry;
              for (int d = 0; d < dim; ++d)
                entry.vertex[d] = coordinates[d] + ((corner >> d) & 1);
              bool is_patch = false;
              std::tie(entry.mirrored, is_patch) =
                find_mirrored<dim>(grid.description(), entry.vertex);
              if (!is_patch)
                continue;

              CellIndex first_owned = no_cell;
              for (int lane = 0; lane < n_lanes && first_owned == no_cell;
                   ++lane)
                {
                  auto c = entry.vertex;
                  for (int d = 0; d < dim; ++d)
                    c[d] += ((lane >> d) & 1) - 1;
                  const CellIndex found = grid.find(c);
                  if (found != no_cell && found < grid.n_owned())
                    first_owned = found;
                }
              if (first_owned != cell)
                continue;
              entry.place =
                find_place<dim>(entry.vertex, entry.mirrored, order, traversal);
              entries.push_back(entry);
            }
        }
      std::sort(entries.begin(),
                entries.end(),
                [](const Entry<dim> &a, const Entry<dim> &b) {
                  return a.place < b.place;
                });
      TESSERA_ASSERT(entries.size() <
                       std::size_t(std::numeric_limits<std::int32_t>::max()),
                     "there are about as many patches as cells");

      patch_cells.reserve(entries.size() * n_lanes);
      for (std::size_t i = 0; i < entries.size(); ++i)
        {
          const Entry<dim> &entry = entries[i];
          const bool        same_run =
            i > 0 && entry.mirrored == entries[i - 1].mirrored &&
            std::equal(entry.place.begin(),
                       entry.place.begin() + n_run_entries(dim),
                       entries[i - 1].place.begin());
          if (!same_run)
            patch_runs.push_back({std::int32_t(i), 0, entry.mirrored});
          patch_runs.back().end = std::int32_t(i + 1);

          for (int lane = 0; lane < n_lanes; ++lane)
            {
              auto c = entry.vertex;
              for (int d = 0; d < dim; ++d)
                {
                  int upper = (lane >> d) & 1;
                  if (entry.mirrored & (1u << (2 * d + upper)))
                    upper = 1 - upper;
                  c[d] += upper - 1;
                }
              const CellIndex found = grid.find(c);
              TESSERA_ASSERT(found != no_cell,
                             "all cells of a patch are owned or ghosts");
              patch_cells.push_back(found);
            }
        }
    }



    template <int dim>
    std::size_t
    PatchSchedule<dim>::n_patches() const
    {
      return patch_cells.size() >> dim;
    }



    template <int dim>
    const std::vector<CellIndex> &
    PatchSchedule<dim>::cells() const
    {
      return patch_cells;
    }



    template <int dim>
    const std::vector<PatchRun> &
    PatchSchedule<dim>::runs() const
    {
      return patch_runs;
    }



    template <int dim>
    std::size_t
    PatchSchedule<dim>::memory_consumption() const
    {
      return patch_cells.capacity() * sizeof(CellIndex) +
             patch_runs.capacity() * sizeof(PatchRun);
    }



    template class PatchSchedule<2>;
    template class PatchSchedule<3>;
  } // namespace patch
} // namespace tessera
