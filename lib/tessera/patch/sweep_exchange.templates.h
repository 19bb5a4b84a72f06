// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_sweep_exchange_templates_h
#define tessera_patch_sweep_exchange_templates_h

// Definitions of sweep_exchange.h, for the sources that instantiate them.

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



    template <int dim, typename Number, typename Execution>
    SweepExchange<dim, Number, Execution>::SweepExchange(
      const cellwise::DistributedGrid<dim> &grid,
      const PatchSchedule<dim>             &schedule,
      const ColourOrder                     order,
      const int                             n_nodes,
      const bool                            reversed,
      const bool                            ghosts_are_current,
      const Queue                          &queue)
    {
      const CellIndex   n_owned   = grid.cells().n_owned();
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
          exchanges[colour] = {grid.neighbours().restricted({}, is_sent),
                               n_nodes,
                               queue};
        }
    }



    template <int dim, typename Number, typename Execution>
    void
    SweepExchange<dim, Number, Execution>::start(const int     colour,
                                                 const Primal &u)
    {
      exchanges[colour].start(u);
    }



    template <int dim, typename Number, typename Execution>
    void
    SweepExchange<dim, Number, Execution>::finish(const int colour, Primal &u)
    {
      exchanges[colour].finish(u);
    }



    template <int dim, typename Number, typename Execution>
    void
    SweepExchange<dim, Number, Execution>::make_progress(const int colour)
    {
      exchanges[colour].test();
    }
  } // namespace patch
} // namespace tessera

#endif
