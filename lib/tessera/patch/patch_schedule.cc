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
      /** The sets of PatchSchedule in the order in which they are stored. */
      constexpr int
      boundary_set(const int colour)
      {
        return 2 * colour;
      }

      constexpr int
      inner_set(const int colour)
      {
        return 2 * colour + 1;
      }

      constexpr int
      independent_set(const int dim, const int part)
      {
        return (2 << dim) + part;
      }

      constexpr int
      dependent_set(const int dim)
      {
        return 3 << dim;
      }

      /** A patch and its place in the order of a sweep. */
      template <int dim>
      struct Entry
      {
        std::array<int, dim> vertex;
        std::uint32_t        mirrored;
        int                  colour;

        /** [lane] */
        std::array<CellIndex, (1 << dim)> cells;

        int set = independent_set(dim, 0);

        /** Within the set. Patches that differ only in the last dim entries
         * commute. */
        std::array<int, 3 * dim> place{};
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

      /** Bit d: whether the parity of the vertex in direction d is the second
       * one. */
      template <int dim>
      int
      find_colour(const std::array<int, dim> &vertex, const ColourOrder order)
      {
        int colour = 0;
        for (int d = 0; d < dim; ++d)
          if ((vertex[d] % 2 != 0) != (order == ColourOrder::odd_first))
            colour |= 1 << d;
        return colour;
      }

      template <int dim>
      std::array<int, 3 * dim>
      find_place(const Entry<dim> &entry, const bool by_colour)
      {
        // From the slowest direction to the fastest.
        std::array<int, 3 * dim> place{};
        for (int i = 0; i < dim; ++i)
          {
            const int d     = dim - 1 - i;
            const int phase = (entry.colour >> d) & 1;
            if (by_colour)
              place[i] = phase;
            else
              {
                place[2 * i]     = d == 0 ? 0 : entry.vertex[d] + phase;
                place[2 * i + 1] = phase;
              }
            place[n_run_entries(dim) + i] = entry.vertex[d];
          }
        // Patches of a colour in few, long runs.
        if (by_colour)
          place[dim] = int(entry.mirrored);
        return place;
      }

      /** All patches with an owned cell, in any order. */
      template <int dim>
      std::vector<Entry<dim>>
      find_patches(const CellGrid<dim> &grid, const ColourOrder order)
      {
        constexpr int n_lanes = 1 << dim;

        // Every vertex is entered by the first of its cells that is owned.
        std::vector<Entry<dim>> entries;
        entries.reserve(std::size_t(grid.n_owned()));
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

                // The cell is in the lane opposite to its corner.
                bool is_first = true;
                for (int lane = 0; lane < n_lanes - 1 - corner && is_first;
                     ++lane)
                  {
                    auto c = entry.vertex;
                    for (int d = 0; d < dim; ++d)
                      c[d] += ((lane >> d) & 1) - 1;
                    const CellIndex found = grid.find(c);
                    is_first = found == no_cell || found >= grid.n_owned();
                  }
                if (!is_first)
                  continue;

                entry.colour = find_colour<dim>(entry.vertex, order);
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
                    entry.cells[lane] = grid.find(c);
                    TESSERA_ASSERT(entry.cells[lane] != no_cell,
                                   "all cells of a patch are owned or ghosts");
                  }
                entries.push_back(entry);
              }
          }
        return entries;
      }

      /** Whether one of the cells of the patch is marked. */
      template <int dim>
      bool
      any_marked(const std::vector<char> &marks, const Entry<dim> &entry)
      {
        return std::any_of(entry.cells.begin(),
                           entry.cells.end(),
                           [&](const CellIndex c) { return marks[c] != 0; });
      }

      template <int dim>
      void
      mark_cells(std::vector<char> &marks, const Entry<dim> &entry)
      {
        for (const CellIndex c : entry.cells)
          marks[c] = 1;
      }

      /** Assign patches to the sets. */
      template <int dim>
      void
      set_sets(std::vector<Entry<dim>>         &entries,
               const CellGrid<dim>             &grid,
               const std::vector<unsigned int> &shared_cells,
               const bool                       all_by_colour)
      {
        std::vector<std::vector<Entry<dim> *>> of_colour(1 << dim);
        for (Entry<dim> &entry : entries)
          of_colour[entry.colour].push_back(&entry);

        // A patch depends on an earlier one if they share a cell: go backwards
        // from the boundary, marking the cells of what has been reached.
        std::vector<char> is_exchanged(grid.n_local(), 0);
        for (CellIndex c = grid.n_owned(); c < grid.n_local(); ++c)
          is_exchanged[c] = 1;
        for (const unsigned int c : shared_cells)
          is_exchanged[c] = 1;
        std::vector<char> marks = is_exchanged;
        for (int colour = (1 << dim) - 1; colour >= 0; --colour)
          for (Entry<dim> *entry : of_colour[colour])
            if (all_by_colour || any_marked(marks, *entry))
              {
                entry->set = any_marked(is_exchanged, *entry) ?
                               boundary_set(colour) :
                               inner_set(colour);
                mark_cells(marks, *entry);
              }

        // And forwards from these to all that depends on them.
        std::fill(marks.begin(), marks.end(), 0);
        for (int colour = 0; colour < (1 << dim); ++colour)
          for (Entry<dim> *entry : of_colour[colour])
            if (entry->set < independent_set(dim, 0) ||
                any_marked(marks, *entry))
              {
                if (entry->set >= independent_set(dim, 0))
                  entry->set = dependent_set(dim);
                mark_cells(marks, *entry);
              }
      }
    } // namespace



    template <int dim>
    PatchSchedule<dim>::PatchSchedule(
      const CellGrid<dim>             &grid,
      const ColourOrder                order,
      const Traversal                  traversal,
      const std::vector<unsigned int> &shared_cells)
    {
      std::vector<Entry<dim>> entries = find_patches(grid, order);
      TESSERA_ASSERT(entries.size() <
                       std::size_t(std::numeric_limits<std::int32_t>::max()),
                     "there are about as many patches as cells");
      const bool by_colour = traversal == Traversal::by_colour;
      if (grid.n_local() > grid.n_owned() || !shared_cells.empty())
        set_sets(entries, grid, shared_cells, by_colour);
      for (Entry<dim> &entry : entries)
        entry.place =
          find_place(entry, by_colour || entry.set < independent_set(dim, 0));
      std::sort(entries.begin(),
                entries.end(),
                [](const Entry<dim> &a, const Entry<dim> &b) {
                  return a.set != b.set ? a.set < b.set : a.place < b.place;
                });

      patch_cells.reserve(entries.size() << dim);
      for (std::size_t i = 0; i < entries.size(); ++i)
        {
          const Entry<dim> &entry = entries[i];
          while (int(set_begin.size()) <= entry.set)
            set_begin.push_back(patch_runs.size());
          const bool same_run =
            i > 0 && entry.set == entries[i - 1].set &&
            entry.mirrored == entries[i - 1].mirrored &&
            std::equal(entry.place.begin(),
                       entry.place.begin() + n_run_entries(dim),
                       entries[i - 1].place.begin());
          if (!same_run)
            patch_runs.push_back({std::int32_t(i), 0, entry.mirrored});
          patch_runs.back().end = std::int32_t(i + 1);
          patch_cells.insert(patch_cells.end(),
                             entry.cells.begin(),
                             entry.cells.end());
        }
      set_begin.resize(dependent_set(dim) + 2, patch_runs.size());
      divide_independent();
    }



    template <int dim>
    void
    PatchSchedule<dim>::divide_independent()
    {
      // All of them are in the first part so far.
      const RunRange all = independent(0);
      if (all.begin == all.end)
        return;
      const std::size_t begin = patch_runs[all.begin].begin;
      const std::size_t n     = patch_runs[all.end - 1].end - begin;
      std::size_t       run   = all.begin;
      for (int part = 1; part < n_colours; ++part)
        {
          const std::size_t end = begin + ((part * n) >> dim);
          while (run < all.end && std::size_t(patch_runs[run].begin) < end)
            ++run;
          set_begin[independent_set(dim, part)] = run;
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
    RunRange
    PatchSchedule<dim>::boundary(const int colour) const
    {
      return range_of_set(boundary_set(colour));
    }



    template <int dim>
    RunRange
    PatchSchedule<dim>::inner(const int colour) const
    {
      return range_of_set(inner_set(colour));
    }



    template <int dim>
    RunRange
    PatchSchedule<dim>::independent(const int part) const
    {
      return range_of_set(independent_set(dim, part));
    }



    template <int dim>
    RunRange
    PatchSchedule<dim>::dependent() const
    {
      return range_of_set(dependent_set(dim));
    }



    template <int dim>
    RunRange
    PatchSchedule<dim>::range_of_set(const int set) const
    {
      return set_begin.empty() ? RunRange{0, 0} :
                                 RunRange{set_begin[set], set_begin[set + 1]};
    }



    template <int dim>
    std::optional<std::array<int, dim>>
    PatchSchedule<dim>::vertex_of_cell(
      const cellwise::GridDescription<dim> &box,
      const std::array<int, dim>           &cell,
      const int                             colour,
      const ColourOrder                     order)
    {
      std::array<int, dim> vertex  = cell;
      const int            differs = find_colour<dim>(vertex, order) ^ colour;
      for (int d = 0; d < dim; ++d)
        vertex[d] += (differs >> d) & 1;
      if (!find_mirrored<dim>(box, vertex).second)
        return {};
      return vertex;
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
