// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_distributed_grid_h
#define tessera_cellwise_distributed_grid_h

#include <tessera/base/exchange_plan.h>
#include <tessera/cellwise/cell_grid.h>

#include <cstdint>
#include <vector>

namespace tessera
{
  namespace cellwise
  {
    /**
     * The cells of a uniform box grid spread over the ranks of a communicator,
     * each owned by one of them, and who has copies of whose cells.
     *
     * Ghosts of a rank are all cells that share a vertex with an owned one, and
     * others that it asks for. Ranks may be without cells.
     *
     * A handle to constant data together with the plans: copies are cheap but
     * for the keys of the cells.
     */
    template <int dim>
    class DistributedGrid
    {
    public:
      /** An empty grid. */
      DistributedGrid() = default;

      /** All cells in this process, alone. Not collective. */
      explicit DistributedGrid(const GridDescription<dim> &description);

      /**
       * Collective; a few sparse exchanges.
       *
       * @param[in] description The same on all ranks.
       * @param[in] owned_keys Ascending.
       * @param[in] additional_ghosts Cells that this rank wants copies of
       * besides the neighbours of those it owns; in any order, may repeat and
       * may be owned here.
       *
       * @throws InputError on all ranks unless every cell of the box is owned
       * by exactly one rank.
       */
      DistributedGrid(const Communicator               &communicator,
                      const GridDescription<dim>       &description,
                      std::vector<std::uint64_t>        owned_keys,
                      const std::vector<std::uint64_t> &additional_ghosts = {});

      /** Those of this rank. */
      const CellGrid<dim> &
      cells() const;

      const GridDescription<dim> &
      description() const;

      const Communicator &
      communicator() const;

      /** From owned cells to all ghosts: item i is the local cell i, ghost g
       * the local cell n_owned() + g. */
      const ExchangePlan &
      ghosts() const;

      /** The same without the ghosts that share no vertex with an owned cell.
       */
      const ExchangePlan &
      neighbours() const;

    private:
      CellGrid<dim> local_cells;
      ExchangePlan  all_ghosts;
      ExchangePlan  neighbour_ghosts;
    };
  } // namespace cellwise
} // namespace tessera

#endif
