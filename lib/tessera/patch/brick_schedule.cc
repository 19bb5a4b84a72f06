// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/patch/brick_schedule.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

namespace tessera
{
  namespace patch
  {
    using cellwise::CellGrid;
    using cellwise::no_cell;

    namespace
    {
      /** Groups of a step that one block has warps for. */
      constexpr int max_groups = 7;

      /** Cells along x that a brick has at a time. */
      constexpr int
      window(const bool both_phases)
      {
        return both_phases ? 13 : 7;
      }

      constexpr int
      round_up_to_even(const int n)
      {
        return n + n % 2;
      }

      /** Of the patches of a row, the one of number i: see BrickSchedule. */
      constexpr int
      step_of_patch(const int phase_x, const int phase_y, const int i)
      {
        return i + 2 * phase_x + 3 * phase_y;
      }

      template <int dim>
      struct Patch
      {
        std::array<int, dim> vertex;
        std::uint32_t        mirrored;
        const CellIndex     *cells;
      };

      /** Rows of a brick, [phase]. */
      struct BrickRows
      {
        std::array<std::vector<int>, 2> y;
      };

      template <int dim>
      std::vector<Patch<dim>>
      find_patches(const CellGrid<dim> &grid, const PatchSchedule<dim> &patches)
      {
        std::vector<Patch<dim>> found;
        found.reserve(patches.n_patches());
        for (const PatchRun &run : patches.runs())
          for (std::int32_t i = run.begin; i < run.end; ++i)
            {
              Patch<dim> patch;
              patch.mirrored = run.mirrored;
              patch.cells    = patches.cells().data() + (std::size_t(i) << dim);
              patch.vertex   = grid.coordinates(patch.cells[0]);
              for (int d = 0; d < dim; ++d)
                patch.vertex[d] += ((run.mirrored >> (2 * d)) & 1u) ? 0 : 1;
              found.push_back(patch);
            }
        return found;
      }

      /** Divide rows into bricks; the same for all planes. */
      class RowDivision
      {
      public:
        /** @param[in] y Of all rows, [phase], ascending.
         * @param[in] max_rows Of cells in a brick, [whether there are rows of
         * both phases]. */
        RowDivision(const std::array<std::vector<int>, 2> &y,
                    const int                              n_cells,
                    const std::array<int, 2>              &max_rows)
          : all(y)
          , n_cells_y(n_cells)
        {
          int n_bricks = 0;
          do
            {
              ++n_bricks;
              if (n_bricks > std::max(1, int(all[0].size())))
                throw InputError(
                  "The bricks of a sweep have no room for a single row of "
                  "patches: a larger shared memory is needed.");
              divide_first(n_bricks);
          } while (std::any_of(bricks.begin(),
                               bricks.end(),
                               [&](const BrickRows &rows) {
                                 return n_cell_rows(rows) > max_rows[1];
                               }));
          divide_rest(std::max(1, max_rows[0] / 2));
        }

        /** Bricks of the two launches. */
        std::vector<BrickRows> bricks, between;

      private:
        /** Neighbouring rows of the first phase, and those of the second one
         * that touch no others. */
        void
        divide_first(const int n_bricks)
        {
          bricks.clear();
          rest.clear();
          std::size_t second = 0;
          for (int i = 0; i < n_bricks; ++i)
            {
              BrickRows  rows;
              const auto nth = [&](const int k) {
                return all[0].begin() +
                       std::ptrdiff_t(all[0].size()) * k / n_bricks;
              };
              rows.y[0].assign(nth(i), nth(i + 1));
              if (rows.y[0].empty())
                continue;
              const int  lowest    = rows.y[0].front();
              const int  uppermost = rows.y[0].back();
              const bool is_last   = i + 1 == n_bricks;
              for (; second < all[1].size(); ++second)
                {
                  const int y = all[1][second];
                  if (y > uppermost && !is_last)
                    break;
                  (y > lowest || i == 0 ? rows.y[1] : rest).push_back(y);
                }
              bricks.push_back(rows);
            }
          rest.insert(rest.end(), all[1].begin() + second, all[1].end());
        }

        void
        divide_rest(const std::size_t max_rows)
        {
          for (std::size_t i = 0; i < rest.size(); ++i)
            {
              if (i % max_rows == 0)
                between.emplace_back();
              between.back().y[1].push_back(rest[i]);
            }
        }

        int
        n_cell_rows(const BrickRows &rows) const
        {
          std::vector<int> cells;
          for (const std::vector<int> &y : rows.y)
            for (const int vertex : y)
              for (const int cell : {vertex - 1, vertex})
                if (0 <= cell && cell < n_cells_y)
                  cells.push_back(cell);
          std::sort(cells.begin(), cells.end());
          return int(std::unique(cells.begin(), cells.end()) - cells.begin());
        }

        const std::array<std::vector<int>, 2> &all;
        const int                              n_cells_y;

        /** Rows of the second phase that are in no brick yet. */
        std::vector<int> rest;
      };

      /** Slots of a brick, each with the parities of its cells. */
      template <int dim>
      class Slots
      {
      public:
        std::uint32_t
        take(const int parity)
        {
          std::vector<std::uint32_t> &free = free_slots[parity];
          if (free.empty())
            return (n_taken[parity]++ << dim) + std::uint32_t(parity);
          const std::uint32_t slot = free.back();
          free.pop_back();
          return slot;
        }

        void
        give_back(const std::uint32_t slot)
        {
          free_slots[slot % (1u << dim)].push_back(slot);
        }

        /** So far. */
        std::uint32_t
        n_slots() const
        {
          return *std::max_element(n_taken.begin(), n_taken.end()) << dim;
        }

      private:
        std::array<std::vector<std::uint32_t>, (1 << dim)> free_slots;
        std::array<std::uint32_t, (1 << dim)>              n_taken{};
      };

      template <int dim>
      int
      parity_of_cell(const CellGrid<dim> &grid, const CellIndex cell)
      {
        const auto coordinates = grid.coordinates(cell);
        int        parity      = 0;
        for (int d = 0; d < dim; ++d)
          parity |= (coordinates[d] % 2) << d;
        return parity;
      }

      /** Where the steps of bricks are written to. */
      struct Output
      {
        std::vector<std::uint32_t> &lanes;
        std::vector<BrickMove>     &moves;
        std::vector<BrickStep>     &steps;
        BrickLaunch                &launch;
      };

      /** The steps of one brick. */
      template <int dim>
      class BrickSteps
      {
      public:
        BrickSteps(const CellGrid<dim> &cell_grid)
          : grid(cell_grid)
          , uses(cell_grid.n_local())
        {}

        void
        add(const Patch<dim> &patch, const int step)
        {
          patches.emplace_back(step, &patch);
          for (int lane = 0; lane < (1 << dim); ++lane)
            {
              const CellIndex cell = patch.cells[lane];
              Use            &use  = uses[cell];
              if (use.first > use.last)
                cells.push_back(cell);
              use.first = std::min(use.first, step);
              use.last  = std::max(use.last, step);
            }
        }

        /** Write the steps, and begin the next brick. */
        void
        finish(Output out)
        {
          if (!patches.empty())
            write(out);
          for (const CellIndex cell : cells)
            uses[cell] = Use();
          cells.clear();
          patches.clear();
        }

      private:
        struct Use
        {
          int           first = std::numeric_limits<int>::max();
          int           last  = std::numeric_limits<int>::min();
          std::uint32_t slot  = 0;
        };

        void
        write(Output &out)
        {
          std::stable_sort(patches.begin(),
                           patches.end(),
                           [](const auto &a, const auto &b) {
                             return a.first < b.first;
                           });
          std::sort(cells.begin(), cells.end());
          const int  begin   = patches.front().first - 1;
          const int  end     = patches.back().first + 2;
          const auto of_step = [&](const int Use::*member, const int shift) {
            std::vector<std::vector<CellIndex>> sorted(end - begin);
            for (const CellIndex cell : cells)
              sorted[uses[cell].*member + shift - begin].push_back(cell);
            return sorted;
          };
          const auto loaded = of_step(&Use::first, -1);
          const auto stored = of_step(&Use::last, 1);

          Slots<dim> slots;
          auto       patch = patches.begin();
          for (int step = begin; step < end; ++step)
            {
              const std::size_t first_group =
                out.lanes.size() / brick_group_lanes;
              const std::size_t first_move = out.moves.size();
              out.steps.push_back(
                {std::uint32_t(first_group), std::uint32_t(first_move)});
              const auto first_patch = patch;
              while (patch != patches.end() && patch->first == step)
                ++patch;
              write_groups(first_patch, patch, out.lanes);
              write_moves(stored[step - begin],
                          loaded[step - begin],
                          slots,
                          out.moves);
              grow(out.launch.max_groups_of_step,
                   out.lanes.size() / brick_group_lanes - first_group);
              grow(out.launch.max_moves_of_step, out.moves.size() - first_move);
            }
          grow(out.launch.n_slots, slots.n_slots());
        }

        static void
        grow(std::uint32_t &maximum, const std::size_t value)
        {
          maximum = std::max(maximum, std::uint32_t(value));
        }

        using PatchesOfSteps =
          std::vector<std::pair<int, const Patch<dim> *>>; // step

        /** Full groups. What is missing in the last one repeats the last patch,
         * of the same group, and is not written. */
        void
        write_groups(typename PatchesOfSteps::const_iterator begin,
                     typename PatchesOfSteps::const_iterator end,
                     std::vector<std::uint32_t>             &lanes) const
        {
          static_assert(brick_group_lanes % (1 << dim) == 0,
                        "groups are of whole patches");
          for (auto patch = begin; patch != end; ++patch)
            write_patch(*patch->second, true, lanes);
          while (lanes.size() % brick_group_lanes != 0)
            write_patch(*(end - 1)->second, false, lanes);
        }

        void
        write_patch(const Patch<dim>           &patch,
                    const bool                  is_stored,
                    std::vector<std::uint32_t> &lanes) const
        {
          for (unsigned int lane = 0; lane < (1u << dim); ++lane)
            {
              bool is_inside = true;
              for (int d = 0; d < dim; ++d)
                if ((patch.mirrored >> (2 * d + ((lane >> d) & 1u))) & 1u)
                  is_inside = false;
              lanes.push_back(
                uses[patch.cells[lane]].slot |
                patch.mirrored << BrickLane::mirrored_bit |
                (is_stored && is_inside ? BrickLane::stored_mask : 0u));
            }
        }

        /** A slot that is left is taken by a cell of the same parities that
         * comes in the same step; or from the next step on. */
        void
        write_moves(const std::vector<CellIndex> &stored,
                    const std::vector<CellIndex> &loaded,
                    Slots<dim>                   &slots,
                    std::vector<BrickMove>       &moves)
        {
          std::array<std::vector<CellIndex>, (1 << dim)> leaving;
          for (auto cell = stored.rbegin(); cell != stored.rend(); ++cell)
            leaving[parity_of_cell(grid, *cell)].push_back(*cell);
          for (const CellIndex cell : loaded)
            {
              const int parity = parity_of_cell(grid, cell);
              CellIndex before = no_cell;
              if (leaving[parity].empty())
                uses[cell].slot = slots.take(parity);
              else
                {
                  before = leaving[parity].back();
                  leaving[parity].pop_back();
                  uses[cell].slot = uses[before].slot;
                }
              moves.push_back({before, cell, uses[cell].slot});
            }
          for (const std::vector<CellIndex> &rest : leaving)
            for (const CellIndex cell : rest)
              {
                moves.push_back({cell, no_cell, uses[cell].slot});
                slots.give_back(uses[cell].slot);
              }
        }

        const CellGrid<dim>   &grid;
        std::vector<Use>       uses; ///< [cell]
        std::vector<CellIndex> cells;
        PatchesOfSteps         patches;
      };

      /** As many rows of cells as fit, [whether rows of both phases]. */
      template <int dim>
      std::array<int, 2>
      find_max_rows(const CellGrid<dim> &grid, const unsigned int max_slots)
      {
        constexpr int      patches_of_group = brick_group_lanes >> dim;
        const int          n_x              = grid.description().n_cells[0];
        std::array<int, 2> max_rows;
        for (int both = 0; both < 2; ++both)
          {
            // An even number of columns and rows has all parities equally
            // often.
            const int n_columns =
              round_up_to_even(std::min(n_x, window(both == 1)));
            const int n_layers = 1 << (dim - 2);
            max_rows[both] = int(max_slots) / (n_columns * n_layers) / 2 * 2;

            // With both phases, n rows of cells have n - 1 rows of patches,
            // each with one of the first and one of the second phase in x.
            // Between bricks there are few rows: two full groups make many
            // bricks.
            max_rows[both] =
              std::min(max_rows[both],
                       both == 1 ? max_groups * patches_of_group / 2 + 1 :
                                   2 * patches_of_group);
          }
        return max_rows;
      }
    } // namespace



    template <int dim>
    BrickSchedule<dim>::BrickSchedule(const CellGrid<dim>      &grid,
                                      const PatchSchedule<dim> &all_patches,
                                      const ColourOrder         order,
                                      const bool                reversed,
                                      const unsigned int        max_slots)
    {
      if (std::uint64_t(grid.n_owned()) != grid.n_global())
        throw InputError(
          "A sweep by bricks was asked for on a grid of which this process has " +
          std::to_string(grid.n_owned()) + " of " +
          std::to_string(grid.n_global()) +
          " cells. It takes grids that are wholly in one process; use the "
          "sweep by colours.");
      TESSERA_ASSERT(max_slots <= BrickLane::slot_mask,
                     "a slot has 16 bits in the word of a lane");

      // Reversed, the parities change places.
      const int first_parity =
        (order == ColourOrder::odd_first) != reversed ? 1 : 0;
      const auto phase = [&](const int vertex) {
        return vertex % 2 == first_parity ? 0 : 1;
      };
      const std::vector<Patch<dim>> patches = find_patches(grid, all_patches);

      // [z][y]; a single z in two dimensions.
      const auto &n_cells = grid.description().n_cells;
      const int   n_y     = n_cells[1] + 1;
      const int   n_z     = dim == 3 ? n_cells[dim - 1] + 1 : 1;
      std::vector<std::vector<const Patch<dim> *>> rows(std::size_t(n_y) * n_z);
      for (const Patch<dim> &patch : patches)
        rows[(dim == 3 ? patch.vertex[dim - 1] : 0) * std::size_t(n_y) +
             patch.vertex[1]]
          .push_back(&patch);

      // Where there is a row is the same in all planes that have any.
      std::array<std::vector<int>, 2> y_of_phase, z_of_phase;
      for (int y = 0; y < n_y; ++y)
        for (int z = 0; z < n_z; ++z)
          if (!rows[z * std::size_t(n_y) + y].empty())
            {
              y_of_phase[phase(y)].push_back(y);
              break;
            }
      for (int z = 0; z < n_z; ++z)
        for (int y = 0; y < n_y; ++y)
          if (!rows[z * std::size_t(n_y) + y].empty())
            {
              z_of_phase[dim == 3 ? phase(z) : 0].push_back(z);
              break;
            }

      const RowDivision division(y_of_phase,
                                 n_cells[1],
                                 find_max_rows(grid, max_slots));
      BrickSteps<dim>   steps(grid);
      first_step.push_back(0);
      for (const std::vector<int> &planes : z_of_phase)
        for (const std::vector<BrickRows> *bricks :
             {&division.bricks, &division.between})
          {
            if (planes.empty() || bricks->empty())
              continue;
            BrickLaunch launch{
              std::uint32_t(first_step.size() - 1), 0, 0, 0, 0};
            for (const int z : planes)
              for (const BrickRows &brick : *bricks)
                {
                  for (int phase_y = 0; phase_y < 2; ++phase_y)
                    for (const int y : brick.y[phase_y])
                      for (const Patch<dim> *patch :
                           rows[z * std::size_t(n_y) + y])
                        {
                          // Of either phase: f + 2 i, f + 2 i + 1, where f may
                          // be 1, and the vertex 0 has i = -1.
                          const int distance = patch->vertex[0] - first_parity;
                          const int phase_x  = phase(patch->vertex[0]);
                          steps.add(*patch,
                                    step_of_patch(phase_x,
                                                  phase_y,
                                                  (distance - phase_x) / 2));
                        }
                  steps.finish({lane_words, brick_moves, brick_steps, launch});
                  first_step.push_back(std::uint32_t(brick_steps.size()));
                }
            launch.end = std::uint32_t(first_step.size() - 1);
            brick_launches.push_back(launch);
          }
      TESSERA_ASSERT(lane_words.size() <
                       std::numeric_limits<std::uint32_t>::max(),
                     "there are eight lanes a cell");
      brick_steps.push_back(
        {std::uint32_t(lane_words.size() / brick_group_lanes),
         std::uint32_t(brick_moves.size())});
    }



    template <int dim>
    const std::vector<std::uint32_t> &
    BrickSchedule<dim>::lanes() const
    {
      return lane_words;
    }



    template <int dim>
    const std::vector<BrickMove> &
    BrickSchedule<dim>::moves() const
    {
      return brick_moves;
    }



    template <int dim>
    const std::vector<BrickStep> &
    BrickSchedule<dim>::steps() const
    {
      return brick_steps;
    }



    template <int dim>
    const std::vector<std::uint32_t> &
    BrickSchedule<dim>::brick_begin() const
    {
      return first_step;
    }



    template <int dim>
    const std::vector<BrickLaunch> &
    BrickSchedule<dim>::launches() const
    {
      return brick_launches;
    }



    template <int dim>
    std::size_t
    BrickSchedule<dim>::n_loaded_cells() const
    {
      return std::count_if(brick_moves.begin(),
                           brick_moves.end(),
                           [](const BrickMove &move) {
                             return move.loaded != no_cell;
                           });
    }



    template <int dim>
    std::size_t
    BrickSchedule<dim>::n_stored_cells() const
    {
      return std::count_if(brick_moves.begin(),
                           brick_moves.end(),
                           [](const BrickMove &move) {
                             return move.stored != no_cell;
                           });
    }



    template <int dim>
    std::size_t
    BrickSchedule<dim>::memory_consumption() const
    {
      return lane_words.capacity() * sizeof(std::uint32_t) +
             brick_moves.capacity() * sizeof(BrickMove) +
             brick_steps.capacity() * sizeof(BrickStep) +
             first_step.capacity() * sizeof(std::uint32_t) +
             brick_launches.capacity() * sizeof(BrickLaunch);
    }



    template class BrickSchedule<2>;
    template class BrickSchedule<3>;
  } // namespace patch
} // namespace tessera
