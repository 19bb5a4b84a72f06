// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_coarsest_level_templates_h
#define tessera_patch_coarsest_level_templates_h

// Definitions of coarsest_level.h, for the sources that instantiate them.

#include <tessera/cellwise/key_directory.h>
#include <tessera/patch/coarsest_level.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace tessera
{
  namespace patch
  {
    using cellwise::CellGrid;
    using cellwise::CellIndex;

    template <int dim, typename Number, typename Execution>
    CoarsestLevel<dim, Number, Execution>::CoarsestLevel(
      LevelType                     &coarsest,
      const cellwise::ReferenceCell &cell,
      const Queue                   &work_queue)
      : level(coarsest)
      , queue(work_queue)
    {
      if (level.is_single_patch())
        return;
      const Communicator  &communicator = level.grid().communicator();
      const CellGrid<dim> &cells        = level.grid().cells();
      const std::uint64_t  n_all        = cells.n_global();

      bool solves = std::uint64_t(cells.n_owned()) == n_all;
      if (communicator.max(solves ? 1u : 0u) == 0u)
        {
          solves = communicator.rank() == 0;
          std::vector<std::uint64_t> owned(cells.n_owned());
          for (CellIndex c = 0; c < cells.n_owned(); ++c)
            owned[c] = cells.key(c);
          std::vector<std::uint64_t> all(solves ? n_all : 0);
          std::iota(all.begin(), all.end(), std::uint64_t(0));
          const cellwise::KeyDirectory directory(communicator, n_all, owned);
          std::vector<CellIndex>       gathered(all.size());
          std::iota(gathered.begin(), gathered.end(), CellIndex(0));
          gathering.emplace(ExchangePlan(communicator,
                                         owned.size(),
                                         directory.find(all)),
                            gathered,
                            level.u.n_nodes(),
                            queue);
        }
      communicator.collectively([&] {
        if (!solves)
          return;
        const CellGrid<dim> all(cells.description());
        solver.emplace(all, cell, level.element_weights(), queue);
        if (gathering)
          {
            gathered_u = Primal(all.n_local(), level.u.n_nodes(), queue);
            gathered_b = Dual(all.n_local(), level.b.n_nodes(), queue);
          }
      });
    }



    template <int dim, typename Number, typename Execution>
    void
    CoarsestLevel<dim, Number, Execution>::solve(Steps &steps)
    {
      if (level.is_single_patch())
        {
          level.set_u_to_zero(steps);
          level.sweep(false, true, steps);
        }
      else if (gathering)
        {
          gathering->start(level.b);
          gathering->finish(gathered_b);
          if (solver)
            solver->solve(gathered_u, gathered_b, queue);
          gathering->start_return(gathered_u);
          gathering->finish_return(level.u);
        }
      else if (solver)
        solver->solve(level.u, level.b, queue);
    }



    template <int dim, typename Number, typename Execution>
    bool
    CoarsestLevel<dim, Number, Execution>::is_in_steps() const
    {
      return level.is_single_patch();
    }



    template <int dim, typename Number, typename Execution>
    std::size_t
    CoarsestLevel<dim, Number, Execution>::memory_consumption() const
    {
      return (solver ? solver->memory_consumption() : 0) +
             gathered_u.memory_consumption() + gathered_b.memory_consumption();
    }
  } // namespace patch
} // namespace tessera

#endif
