// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_sweep_exchange_h
#define tessera_patch_sweep_exchange_h

#include <tessera/cellwise/distributed_grid.h>
#include <tessera/cellwise/types.h>
#include <tessera/patch/patch_schedule.h>

#include <array>

namespace tessera
{
  namespace patch
  {
    /**
     * Which ghost cells a sweep has to be sent, and when.
     *
     * A process updates a ghost cell itself, with the same bits as its owner,
     * in those patches that also have one of its own cells. The values of a
     * ghost cell are out of date after a colour in which a patch without own
     * cells changed it, and have to be current when the next one with own cells
     * reads it. So each ghost cell is sent at most once between two colours in
     * which it is read: four times a sweep across a face normal to x, twice
     * normal to y, once normal to z (besides the beginning).
     *
     * Construction and exchange are collective among neighbours.
     * Cost: n_nodes numbers for each ghost cell sent, one message a neighbour
     * and colour.
     */
    template <int dim, typename Number, typename Execution = execution::Host>
    class SweepExchange
    {
    public:
      using Queue  = typename Execution::Queue;
      using Types  = cellwise::Types<Execution>;
      using Primal = typename Types::template LevelPrimal<Number>;

      /**
       * @param[in] reversed Of the sweep.
       * @param[in] ghosts_are_current Whether they are so when the sweep
       * begins.
       */
      SweepExchange(const cellwise::DistributedGrid<dim> &grid,
                    const PatchSchedule<dim>             &schedule,
                    ColourOrder                           order,
                    int                                   n_nodes,
                    bool                                  reversed,
                    bool                                  ghosts_are_current,
                    const Queue &queue = Execution::default_queue());

      /** Send what others need for patches of a colour; all boundary patches
       * that come before it in the sweep have been done. */
      void
      start(int colour, const Primal &u);

      /** Receive what this process needs for its patches of a colour. */
      void
      finish(int colour, Primal &u);

      /** Let messages under way make progress. */
      void
      make_progress(int colour);

    private:
      std::array<typename Types::template GhostCells<Number>,
                 PatchSchedule<dim>::n_colours>
        exchanges;
    };
  } // namespace patch
} // namespace tessera

#endif
