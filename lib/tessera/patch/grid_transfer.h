// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_grid_transfer_h
#define tessera_patch_grid_transfer_h

#include <tessera/base/exchange_plan.h>
#include <tessera/cellwise/distributed_grid.h>

#include <cstddef>
#include <vector>

namespace tessera
{
  namespace patch
  {
    using cellwise::CellIndex;

    /**
     * The families of cells between two grids of a hierarchy (see
     * make_hierarchy()), and what ranks have to exchange for transfers between
     * them.
     *
     * The rank that owns the first child of a family restricts to its parent,
     * whoever owns that: it has all children, as owned cells or as ghosts,
     * since they meet in a vertex. So they are added in the same order on any
     * partition. Every rank prolongates to the children it owns.
     *
     * Memory: 4 bytes a parent and child, and the plans.
     */
    template <int dim>
    struct GridTransfer
    {
      GridTransfer() = default;

      /** Collective. The grids are neighbours in a hierarchy. */
      GridTransfer(const cellwise::DistributedGrid<dim> &fine,
                   const cellwise::DistributedGrid<dim> &coarse);

      /** Parents of all owned cells of the fine grid, as local cells of the
       * coarse one; first those this rank restricts to, each in ascending order
       * of the keys. */
      std::vector<CellIndex> parents;

      /** How many it restricts to. */
      std::size_t n_restricted = 0;

      /** Local cells of the fine grid, [parent][2^dim]. */
      std::vector<CellIndex> children;

      /** Before restriction: from owned cells of the fine grid to ghosts (see
       * DistributedGrid::ghosts()) that are in a family this rank restricts. */
      ExchangePlan siblings;

      /** After restriction: from parents, item i being local cell i of the
       * coarse grid, to those local cells of the coarse grid that receive what
       * somebody else has restricted to them, ghost g being
       * received_parents[g]: owned cells and neighbours. */
      ExchangePlan           restricted;
      std::vector<CellIndex> received_parents;

      /** Before prolongation: from owned cells of the coarse grid to those of
       * its ghosts that are parents here. */
      ExchangePlan prolongated;
    };
  } // namespace patch
} // namespace tessera

#endif
