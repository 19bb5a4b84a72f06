// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_level_templates_h
#define tessera_patch_level_templates_h

// Definitions of level.h, for the sources that instantiate them.

#include <tessera/base/exceptions.h>
#include <tessera/patch/level.h>

#include <cstdint>

namespace tessera
{
  namespace patch
  {
    using cellwise::BoundaryCondition;
    using cellwise::power;

    namespace
    {
      /** The same on all ranks. Collective. */
      template <int dim>
      bool
      belongs_to_one_rank(const cellwise::DistributedGrid<dim> &grid)
      {
        const CellIndex n_owned = grid.cells().n_owned();
        const bool      has_all_or_nothing =
          n_owned == 0 || std::uint64_t(n_owned) == grid.cells().n_global();
        return grid.communicator().max(has_all_or_nothing ? 0u : 1u) == 0u;
      }
    } // namespace



    template <int dim, typename Number, typename Execution>
    Level<dim, Number, Execution>::Level(
      const cellwise::DistributedGrid<dim> &grid,
      const cellwise::ReferenceCell        &cell,
      const PatchMatrices                  &patch_matrices,
      const cellwise::ElementWeights<dim>  &element_weights,
      const MultigridOptions               &options,
      const Queue                          &work_queue)
      : u(grid.cells().n_local(), power(cell.n_nodes, dim), work_queue)
      , b(grid.cells().n_local(), power(cell.n_nodes, dim), work_queue)
      , queue(work_queue)
      , cells(grid)
      , weights(element_weights)
      , order(options.colour_order)
      , schedule(grid.cells(),
                 options.colour_order,
                 Passes::traversal(options),
                 grid.neighbours().boundary_items())
      , is_alone(belongs_to_one_rank(grid))
      , level_passes(grid,
                     cell,
                     patch_matrices,
                     weights,
                     schedule,
                     options,
                     queue)
      , ghosts(grid.neighbours(), power(cell.n_nodes, dim), queue)
    {}



    template <int dim, typename Number, typename Execution>
    void
    Level<dim, Number, Execution>::sweep(const bool reversed,
                                         const bool ghosts_are_current,
                                         Steps     &steps)
    {
      const auto sweep_runs = [&](const RunRange &runs) {
        level_passes.sweep(u, b, runs, reversed, steps);
      };
      if (is_alone)
        {
          sweep_runs({0, schedule.runs().size()});
          return;
        }

      constexpr int n_colours = PatchSchedule<dim>::n_colours;
      SweepExchange<dim, Number, Execution> &exchange =
        exchange_of_sweep(reversed, ghosts_are_current);
      const auto nth = [&](const int i) {
        return reversed ? n_colours - 1 - i : i;
      };

      // The patches with which a reversed sweep begins have no ghosts.
      exchange.start(nth(0), u);
      if (reversed)
        sweep_runs(schedule.dependent());
      for (int i = 0; i < n_colours; ++i)
        {
          exchange.finish(nth(i), u);
          sweep_runs(schedule.boundary(nth(i)));
          const bool is_last = i + 1 == n_colours;
          if (!is_last)
            exchange.start(nth(i + 1), u);

          // While messages are under way. The MPI library may have to be called
          // for them to proceed.
          sweep_runs(schedule.inner(nth(i)));
          const RunRange    part     = schedule.independent(nth(i));
          const std::size_t n_pieces = is_last ? 1 : Passes::n_pieces;
          for (std::size_t k = 0; k < n_pieces; ++k)
            {
              const std::size_t piece  = reversed ? n_pieces - 1 - k : k;
              const std::size_t n_runs = part.end - part.begin;
              sweep_runs({part.begin + n_runs * piece / n_pieces,
                          part.begin + n_runs * (piece + 1) / n_pieces});
              if (!is_last)
                exchange.make_progress(nth(i + 1));
            }
        }
      if (!reversed)
        sweep_runs(schedule.dependent());
    }



    template <int dim, typename Number, typename Execution>
    void
    Level<dim, Number, Execution>::set_u_to_zero(Steps &steps)
    {
      level_passes.set_zero(u, steps);
    }



    template <int dim, typename Number, typename Execution>
    SweepExchange<dim, Number, Execution> &
    Level<dim, Number, Execution>::exchange_of_sweep(
      const bool reversed,
      const bool ghosts_are_current)
    {
      auto &exchange = exchanges[reversed][ghosts_are_current];
      if (!exchange)
        exchange = std::make_unique<SweepExchange<dim, Number, Execution>>(
          cells,
          schedule,
          order,
          u.n_nodes(),
          reversed,
          ghosts_are_current,
          queue);
      return *exchange;
    }



    template <int dim, typename Number, typename Execution>
    void
    Level<dim, Number, Execution>::update_ghosts_of_b()
    {
      ghosts.update(b);
    }



    template <int dim, typename Number, typename Execution>
    void
    Level<dim, Number, Execution>::update_ghosts_of_u()
    {
      ghosts.update(u);
    }



    template <int dim, typename Number, typename Execution>
    const cellwise::DistributedGrid<dim> &
    Level<dim, Number, Execution>::grid() const
    {
      return cells;
    }



    template <int dim, typename Number, typename Execution>
    int
    Level<dim, Number, Execution>::degree() const
    {
      return level_passes.degree();
    }



    template <int dim, typename Number, typename Execution>
    const cellwise::ElementWeights<dim> &
    Level<dim, Number, Execution>::element_weights() const
    {
      return weights;
    }



    template <int dim, typename Number, typename Execution>
    const typename Level<dim, Number, Execution>::Passes &
    Level<dim, Number, Execution>::passes() const
    {
      return level_passes;
    }



    template <int dim, typename Number, typename Execution>
    bool
    Level<dim, Number, Execution>::is_without_messages() const
    {
      return is_alone;
    }



    template <int dim, typename Number, typename Execution>
    std::size_t
    Level<dim, Number, Execution>::n_patches() const
    {
      return schedule.n_patches();
    }



    template <int dim, typename Number, typename Execution>
    std::uint64_t
    Level<dim, Number, Execution>::n_global_patches() const
    {
      const auto   &box = cells.description();
      std::uint64_t n   = 1;
      for (int d = 0; d < dim; ++d)
        {
          // One for each vertex without a Dirichlet condition.
          std::uint64_t n_vertices = std::uint64_t(box.n_cells[d]) + 1;
          for (const BoundaryCondition condition : box.boundary[d])
            n_vertices -= condition == BoundaryCondition::dirichlet ? 1 : 0;
          n *= n_vertices;
        }
      return n;
    }



    template <int dim, typename Number, typename Execution>
    bool
    Level<dim, Number, Execution>::is_single_patch() const
    {
      const auto &box = cells.description();
      for (int d = 0; d < dim; ++d)
        for (int end = 0; end < 2; ++end)
          if (box.n_cells[d] != 2 ||
              box.boundary[d][end] != BoundaryCondition::dirichlet)
            return false;
      return true;
    }



    template <int dim, typename Number, typename Execution>
    std::size_t
    Level<dim, Number, Execution>::memory_consumption() const
    {
      return u.memory_consumption() + b.memory_consumption() +
             schedule.memory_consumption() + level_passes.memory_consumption();
    }
  } // namespace patch
} // namespace tessera

#endif
