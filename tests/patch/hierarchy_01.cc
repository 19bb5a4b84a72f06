// SPDX-License-Identifier: LGPL-2.1-or-later
// The grids of a hierarchy on several ranks: who gets a parent, how many ranks
// have cells, and which families a rank restricts.
#include <tessera/base/communication_session.h>
#include <tessera/patch/grid_transfer.h>
#include <tessera/patch/hierarchy.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "../cellwise/partitions.h"
#include "check.h"

using namespace tessera;
using namespace tessera::patch;
using namespace reference;
using cellwise::CellGrid;
using cellwise::DistributedGrid;
using cellwise::GridDescription;

namespace
{
  /** The owners of all cells, by key; on all ranks. */
  template <int dim>
  std::vector<unsigned int>
  owners(const DistributedGrid<dim> &grid)
  {
    std::vector<std::uint64_t> mine;
    for (CellIndex c = 0; c < grid.cells().n_owned(); ++c)
      mine.push_back(grid.cells().key(c));
    const auto keys_of_ranks = grid.communicator().all_gather(mine);
    std::vector<unsigned int> result(grid.cells().n_global(), ~0u);
    for (unsigned int r = 0; r < keys_of_ranks.size(); ++r)
      for (const std::uint64_t key : keys_of_ranks[r])
        result[key] = r;
    return result;
  }

  template <int dim>
  void
  check_coarsening(const DistributedGrid<dim> &fine,
                   const DistributedGrid<dim> &coarse,
                   const unsigned int          min_cells_per_rank,
                   const bool                  is_coarsest)
  {
    const auto                fine_owners   = owners(fine);
    const auto                coarse_owners = owners(coarse);
    const CellGrid<dim>       all_coarse(coarse.description());
    const CellGrid<dim>       all_fine(fine.description());
    std::vector<unsigned int> first_child_owners;
    for (CellIndex c = 0; c < all_coarse.n_local(); ++c)
      first_child_owners.push_back(
        fine_owners[all_fine.key(child_of<dim>(all_coarse.coordinates(c), 0))]);

    const std::set<unsigned int> before(first_child_owners.begin(),
                                        first_child_owners.end());
    const std::set<unsigned int> after(coarse_owners.begin(),
                                       coarse_owners.end());
    const std::size_t            wanted =
      is_coarsest ?
                   1 :
                   std::max<std::size_t>(1, all_coarse.n_global() / min_cells_per_rank);
    CHECK_EQUAL(after.size(), std::min(before.size(), wanted));
    if (after.size() == before.size())
      CHECK(coarse_owners == first_child_owners);

    // Groups of consecutive ranks, whose first one gets all they have.
    std::map<unsigned int, unsigned int> new_owner;
    for (std::size_t c = 0; c < coarse_owners.size(); ++c)
      {
        const auto entry =
          new_owner.emplace(first_child_owners[c], coarse_owners[c]).first;
        CHECK_EQUAL(entry->second, coarse_owners[c]);
      }
    std::map<unsigned int, int> group_sizes;
    unsigned int                previous = 0;
    for (const auto &[rank, owner] : new_owner)
      {
        CHECK(previous <= owner && owner <= rank);
        if (group_sizes[owner]++ == 0)
          CHECK_EQUAL(owner, rank);
        previous = owner;
      }
    int smallest = group_sizes.begin()->second, largest = 0;
    for (const auto &[owner, size] : group_sizes)
      {
        smallest = std::min(smallest, size);
        largest  = std::max(largest, size);
      }
    CHECK(largest - smallest <= 1);
  }

  template <int dim>
  void
  check_families(const DistributedGrid<dim> &fine_grid,
                 const DistributedGrid<dim> &coarse_grid)
  {
    const CellGrid<dim>    &fine   = fine_grid.cells();
    const CellGrid<dim>    &coarse = coarse_grid.cells();
    const GridTransfer<dim> transfer(fine_grid, coarse_grid);
    CHECK(transfer.n_restricted <= transfer.parents.size());
    CHECK_EQUAL(transfer.children.size(), transfer.parents.size() << dim);
    CHECK_EQUAL(fine_grid.communicator().sum(
                  std::uint64_t(transfer.n_restricted)),
                coarse.n_global());

    std::set<CellIndex> parents, owned_children;
    for (std::size_t i = 0; i < transfer.parents.size(); ++i)
      {
        const auto parent = coarse.coordinates(transfer.parents[i]);
        CHECK(parents.insert(transfer.parents[i]).second);
        for (int which = 0; which < (1 << dim); ++which)
          {
            const CellIndex child = transfer.children[(i << dim) + which];
            CHECK(fine.coordinates(child) == child_of<dim>(parent, which));
            CHECK(parent_of<dim>(fine.coordinates(child)) == parent);
            if (child < fine.n_owned())
              owned_children.insert(child);
          }
        CHECK_EQUAL(i < transfer.n_restricted,
                    transfer.children[i << dim] < fine.n_owned());
      }
    CHECK_EQUAL(owned_children.size(), std::size_t(fine.n_owned()));
    for (const CellIndex parent : transfer.received_parents)
      CHECK(parents.count(parent) == 0 || parent < coarse.n_owned() ||
            std::find(transfer.parents.begin(),
                      transfer.parents.begin() + transfer.n_restricted,
                      parent) ==
              transfer.parents.begin() + transfer.n_restricted);
  }

  template <int dim>
  void
  check_hierarchy(const GridDescription<dim> &box, const Partition partition)
  {
    for (const unsigned int min_cells : {1u, 10u, 30u, 64u, 100000u})
      {
        const auto finest = distribute(partition, box, Communicator::world());
        const auto grids  = make_hierarchy(finest, min_cells);
        CHECK(grids.size() >= 3);
        for (std::size_t l = 1; l < grids.size(); ++l)
          {
            check_coarsening(grids[l], grids[l - 1], min_cells, l == 1);
            check_families(grids[l], grids[l - 1]);
          }
      }
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  for (const Partition partition : all_partitions)
    {
      check_hierarchy<2>({{{24, 16}}, {{1., 1.}}, {}}, partition);
      check_hierarchy<3>({{{8, 12, 8}}, {{1., 1., 1.}}, {}}, partition);
    }
  return check::result();
}
