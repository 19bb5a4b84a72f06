// SPDX-License-Identifier: LGPL-2.1-or-later
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

    template <int dim, typename Number>
    CoarsestLevel<dim, Number>::CoarsestLevel(
      Level<dim, Number>            &coarsest,
      const cellwise::ReferenceCell &cell)
      : level(coarsest)
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
          gathering.emplace(ExchangePlan(communicator,
                                         owned.size(),
                                         directory.find(all)),
                            (unsigned int)(level.u.n_nodes()));
        }
      communicator.collectively([&] {
        if (!solves)
          return;
        const CellGrid<dim> all(cells.description());
        solver.emplace(all, cell, level.element_weights());
        if (gathering)
          {
            gathered_u.reinit(all.n_local(), level.u.n_nodes());
            gathered_b.reinit(all.n_local(), level.b.n_nodes());
          }
      });
    }



    template <int dim, typename Number>
    void
    CoarsestLevel<dim, Number>::solve()
    {
      if (level.is_single_patch())
        {
          level.u.set_zero();
          level.sweep(false, true);
        }
      else if (gathering)
        {
          gathering->update_ghosts_start_with(
            [&](const std::size_t cell, Number *values) {
              level.b.get_cell(CellIndex(cell), values);
            });
          gathering->update_ghosts_finish_with(
            [&](const std::size_t key, const Number *values) {
              gathered_b.set_cell(CellIndex(key), values);
            });
          if (solver)
            solver->solve(gathered_u, gathered_b);
          gathering->accumulate_start_with(
            [&](const std::size_t key, Number *values) {
              gathered_u.get_cell(CellIndex(key), values);
            });
          gathering->accumulate_finish_with(
            [&](const std::size_t cell, const Number *values) {
              level.u.set_cell(CellIndex(cell), values);
            });
        }
      else if (solver)
        solver->solve(level.u, level.b);
    }



    template <int dim, typename Number>
    std::size_t
    CoarsestLevel<dim, Number>::memory_consumption() const
    {
      return (solver ? solver->memory_consumption() : 0) +
             gathered_u.memory_consumption() + gathered_b.memory_consumption();
    }



    template class CoarsestLevel<2, float>;
    template class CoarsestLevel<2, double>;
    template class CoarsestLevel<3, float>;
    template class CoarsestLevel<3, double>;
  } // namespace patch
} // namespace tessera
