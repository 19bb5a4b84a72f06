// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_cellwise_ghost_plans_h
#define tessera_tests_cellwise_ghost_plans_h

// Plans of ghost cells as tests need them.

#include <tessera/base/exchange_plan.h>
#include <tessera/cellwise/layout.h>

#include <vector>

namespace test
{
  constexpr unsigned int n_owned_cells = 35;

  /** Every rank has cells of all ranks, itself included, some of them twice;
   * it does not send as many as it receives. */
  inline std::vector<tessera::RemoteItem>
  many_ghosts(const tessera::Communicator &world)
  {
    std::vector<tessera::RemoteItem> ghosts;
    for (unsigned int i = 0; i < 41 + 5 * world.rank(); ++i)
      ghosts.push_back({i % world.n_ranks(), i * 7 % 33});
    return ghosts;
  }

  /** The same, but no cell has two ghosts: each rank has some of its own. For
   * up to 4 ranks. */
  inline std::vector<tessera::RemoteItem>
  single_ghosts(const tessera::Communicator &world)
  {
    std::vector<tessera::RemoteItem> ghosts;
    for (unsigned int i = 0; i < 8; ++i)
      for (unsigned int owner = 0; owner < world.n_ranks(); ++owner)
        if ((i + owner + 2 * world.rank()) % 5 != 0)
          ghosts.push_back({owner, i * 4 + world.rank() % 4});
    return ghosts;
  }

  inline tessera::ExchangePlan
  make_plan(const tessera::Communicator            &world,
            const std::vector<tessera::RemoteItem> &ghosts)
  {
    return tessera::ExchangePlan(world, n_owned_cells, ghosts);
  }

  /** Cells of a field of n_cells for n ghosts, descending, with two between
   * one and the next: n_cells is at least 3n. */
  inline std::vector<tessera::cellwise::CellIndex>
  scattered_cells(const std::size_t                  n,
                  const tessera::cellwise::CellIndex n_cells)
  {
    std::vector<tessera::cellwise::CellIndex> cells;
    for (std::size_t g = 0; g < n; ++g)
      cells.push_back(n_cells - 1 - tessera::cellwise::CellIndex(3 * g));
    return cells;
  }
} // namespace test

#endif
