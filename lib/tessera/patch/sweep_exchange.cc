// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/patch/sweep_exchange.h>

#include <vector>

namespace tessera
{
  namespace patch
  {
    namespace
    {
      /** Mark the ghost cells that patches in a range of runs have. */
      template <int dim>
      void
      mark_ghosts(std::vector<char>        &marks,
                  const PatchSchedule<dim> &schedule,
                  const RunRange           &range,
                  const CellIndex           n_owned)
      {
        for (std::size_t i = range.begin; i < range.end; ++i)
          {
            const PatchRun &run = schedule.runs()[i];
            for (std::size_t j = std::size_t(run.begin) << dim;
                 j < std::size_t(run.end) << dim;
                 ++j)
              if (schedule.cells()[j] >= n_owned)
                marks[schedule.cells()[j] - n_owned] = 1;
          }
      }
    } // namespace



    template <int dim, typename Number>
    SweepExchange<dim, Number>::SweepExchange(
      const cellwise::DistributedGrid<dim> &grid,
      const PatchSchedule<dim>             &schedule,
      const ColourOrder                     order,
      const int                             n_nodes,
      const bool                            reversed,
      const bool                            ghosts_are_current)
      : n_owned(grid.cells().n_owned())
    {
      constexpr int     n_colours = PatchSchedule<dim>::n_colours;
      const std::size_t n_ghosts  = grid.cells().n_local() - n_owned;
      std::vector<char> is_stale(n_ghosts, ghosts_are_current ? 0 : 1);
      for (int i = 0; i < n_colours; ++i)
        {
          const int         colour = reversed ? n_colours - 1 - i : i;
          std::vector<char> is_read(n_ghosts, 0);
          mark_ghosts(is_read, schedule, schedule.boundary(colour), n_owned);

          std::vector<char> is_sent(n_ghosts);
          for (std::size_t g = 0; g < n_ghosts; ++g)
            {
              is_sent[g] = is_read[g] && is_stale[g];
              if (is_read[g])
                is_stale[g] = 0;
              else if (PatchSchedule<dim>::vertex_of_cell(
                         grid.description(),
                         grid.cells().coordinates(n_owned + CellIndex(g)),
                         colour,
                         order))
                is_stale[g] = 1;
            }
          exchanges[colour] =
            GhostExchange<Number>(grid.neighbours().restricted({}, is_sent),
                                  (unsigned int)(n_nodes));
        }
    }



    template <int dim, typename Number>
    void
    SweepExchange<dim, Number>::start(const int colour, const Primal &u)
    {
      exchanges[colour].update_ghosts_start_with(
        [&](const std::size_t cell, Number *values) {
          u.get_cell(CellIndex(cell), values);
        });
    }



    template <int dim, typename Number>
    void
    SweepExchange<dim, Number>::finish(const int colour, Primal &u)
    {
      exchanges[colour].update_ghosts_finish_with(
        [&](const std::size_t ghost, const Number *values) {
          u.set_cell(n_owned + CellIndex(ghost), values);
        });
    }



    template <int dim, typename Number>
    void
    SweepExchange<dim, Number>::make_progress(const int colour)
    {
      exchanges[colour].test();
    }



    template class SweepExchange<2, float>;
    template class SweepExchange<2, double>;
    template class SweepExchange<3, float>;
    template class SweepExchange<3, double>;
  } // namespace patch
} // namespace tessera
