// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/patch/level.h>

namespace tessera
{
  namespace patch
  {
    using cellwise::BoundaryCondition;
    using cellwise::power;

    template <int dim, typename Number>
    Level<dim, Number>::Level(
      const cellwise::DistributedGrid<dim> &grid,
      const cellwise::ReferenceCell        &cell,
      const PatchMatrices                  &patch_matrices,
      const cellwise::ElementWeights<dim>  &element_weights,
      const ColourOrder                     colour_order,
      const Traversal                       traversal)
      : u(grid.cells().n_local(), power(cell.n_nodes, dim))
      , b(grid.cells().n_local(), power(cell.n_nodes, dim))
      , degree_of_elements(cell.degree)
      , cells(grid)
      , weights(element_weights)
      , order(colour_order)
      , schedule(grid.cells(),
                 colour_order,
                 traversal,
                 grid.neighbours().boundary_items())
      , is_alone(grid.communicator().n_ranks() == 1)
      , tables(cell, patch_matrices, weights)
      , ghosts(grid.neighbours(), power(cell.n_nodes, dim))
    {}



    template <int dim, typename Number>
    void
    Level<dim, Number>::sweep(const bool reversed,
                              const bool ghosts_are_current)
    {
      if (is_alone)
        {
          sweep_runs({0, schedule.runs().size()}, reversed);
          return;
        }

      constexpr int               n_colours = PatchSchedule<dim>::n_colours;
      SweepExchange<dim, Number> &exchange =
        exchange_of_sweep(reversed, ghosts_are_current);
      const auto nth = [&](const int i) {
        return reversed ? n_colours - 1 - i : i;
      };

      // The patches with which a reversed sweep begins have no ghosts.
      exchange.start(nth(0), u);
      if (reversed)
        sweep_runs(schedule.dependent(), reversed);
      for (int i = 0; i < n_colours; ++i)
        {
          exchange.finish(nth(i), u);
          sweep_runs(schedule.boundary(nth(i)), reversed);
          const bool is_last = i + 1 == n_colours;
          if (!is_last)
            exchange.start(nth(i + 1), u);

          // While messages are under way. The MPI library may have to be called
          // for them to proceed.
          sweep_runs(schedule.inner(nth(i)), reversed);
          const RunRange    part     = schedule.independent(nth(i));
          const std::size_t n_pieces = is_last ? 1 : 4;
          for (std::size_t k = 0; k < n_pieces; ++k)
            {
              const std::size_t piece  = reversed ? n_pieces - 1 - k : k;
              const std::size_t n_runs = part.end - part.begin;
              sweep_runs({part.begin + n_runs * piece / n_pieces,
                          part.begin + n_runs * (piece + 1) / n_pieces},
                         reversed);
              if (!is_last)
                exchange.make_progress(nth(i + 1));
            }
        }
      if (!reversed)
        sweep_runs(schedule.dependent(), reversed);
    }



    template <int dim, typename Number>
    void
    Level<dim, Number>::sweep_runs(const RunRange &range, const bool reversed)
    {
      if (range.begin == range.end)
        return;
      const PatchList patches = {schedule.cells().data(),
                                 schedule.runs().data() + range.begin,
                                 range.end - range.begin,
                                 reversed};
      TESSERA_CALL_SIMD(sweep<dim>(
        degree_of_elements, u.data(), b.data(), patches, tables.patch()));
    }



    template <int dim, typename Number>
    SweepExchange<dim, Number> &
    Level<dim, Number>::exchange_of_sweep(const bool reversed,
                                          const bool ghosts_are_current)
    {
      auto &exchange = exchanges[reversed][ghosts_are_current];
      if (!exchange)
        exchange = std::make_unique<SweepExchange<dim, Number>>(
          cells, schedule, order, u.n_nodes(), reversed, ghosts_are_current);
      return *exchange;
    }



    template <int dim, typename Number>
    void
    Level<dim, Number>::update_ghosts_of_b()
    {
      ghosts.update(b);
    }



    template <int dim, typename Number>
    void
    Level<dim, Number>::update_ghosts_of_u()
    {
      ghosts.update(u);
    }



    template <int dim, typename Number>
    const cellwise::DistributedGrid<dim> &
    Level<dim, Number>::grid() const
    {
      return cells;
    }



    template <int dim, typename Number>
    int
    Level<dim, Number>::degree() const
    {
      return degree_of_elements;
    }



    template <int dim, typename Number>
    const cellwise::ElementWeights<dim> &
    Level<dim, Number>::element_weights() const
    {
      return weights;
    }



    template <int dim, typename Number>
    const TransferTables<Number> &
    Level<dim, Number>::transfer_tables() const
    {
      return tables.transfer();
    }



    template <int dim, typename Number>
    std::size_t
    Level<dim, Number>::n_patches() const
    {
      return schedule.n_patches();
    }



    template <int dim, typename Number>
    std::uint64_t
    Level<dim, Number>::n_global_patches() const
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



    template <int dim, typename Number>
    bool
    Level<dim, Number>::is_single_patch() const
    {
      const auto &box = cells.description();
      for (int d = 0; d < dim; ++d)
        for (int end = 0; end < 2; ++end)
          if (box.n_cells[d] != 2 ||
              box.boundary[d][end] != BoundaryCondition::dirichlet)
            return false;
      return true;
    }



    template <int dim, typename Number>
    std::size_t
    Level<dim, Number>::memory_consumption() const
    {
      return u.memory_consumption() + b.memory_consumption() +
             schedule.memory_consumption() + tables.memory_consumption();
    }



    template class Level<2, float>;
    template class Level<2, double>;
    template class Level<3, float>;
    template class Level<3, double>;
  } // namespace patch
} // namespace tessera
