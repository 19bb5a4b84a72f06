// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/base/sparse_exchange.h>
#include <tessera/patch/hierarchy.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace tessera
{
  namespace patch
  {
    using cellwise::CellGrid;
    using cellwise::CellIndex;
    using cellwise::DistributedGrid;
    using cellwise::GridDescription;

    namespace
    {
      template <int dim>
      void
      check(const GridDescription<dim> &finest)
      {
        for (int d = 0; d < dim; ++d)
          if (finest.n_cells[d] < 2)
            throw InputError(
              "Patch multigrid needs at least two cells in every direction, "
              "for its patches are the cells around the vertices inside of the "
              "box; direction " +
              std::to_string(d) + " has " + std::to_string(finest.n_cells[d]) +
              ". Refine the mesh once more or use more coarse cells.");
      }

      template <int dim>
      bool
      can_be_halved(const GridDescription<dim> &grid)
      {
        return std::all_of(grid.n_cells.begin(),
                           grid.n_cells.end(),
                           [](const int n) { return n % 2 == 0 && n > 2; });
      }

      template <int dim>
      GridDescription<dim>
      halved(GridDescription<dim> grid)
      {
        for (int d = 0; d < dim; ++d)
          {
            grid.n_cells[d] /= 2;
            grid.cell_size[d] *= 2.;
          }
        return grid;
      }

      /** Keys, in the coarse grid, of the parents whose first child is owned
       * here. */
      template <int dim>
      std::vector<std::uint64_t>
      find_parents(const CellGrid<dim>        &fine,
                   const GridDescription<dim> &coarse)
      {
        const CellGrid<dim>        numbering(coarse, {}, {});
        std::vector<std::uint64_t> parents;
        for (CellIndex c = 0; c < fine.n_owned(); ++c)
          {
            const auto cell   = fine.coordinates(c);
            const auto parent = parent_of<dim>(cell);
            if (cell == child_of<dim>(parent, 0))
              parents.push_back(numbering.key(parent));
          }
        return parents;
      }

      /** The rank that gets the cells of this one; its own where it has none.
       */
      unsigned int
      find_new_owner(const Communicator &communicator,
                     const bool          has_cells,
                     const std::uint64_t n_groups_wanted)
      {
        std::vector<unsigned int> ranks; // with cells
        const std::vector<char>   flags =
          communicator.all_gather(char(has_cells ? 1 : 0));
        unsigned int position = 0;
        for (unsigned int r = 0; r < communicator.n_ranks(); ++r)
          {
            if (r == communicator.rank())
              position = (unsigned int)(ranks.size());
            if (flags[r] != 0)
              ranks.push_back(r);
          }
        if (!has_cells)
          return communicator.rank();

        const std::uint64_t n_ranks = ranks.size();
        const std::uint64_t n_groups =
          std::min(std::max<std::uint64_t>(n_groups_wanted, 1), n_ranks);
        const std::uint64_t group = position * n_groups / n_ranks;
        // The first position p with p * n_groups / n_ranks == group.
        return ranks[(group * n_ranks + n_groups - 1) / n_groups];
      }

      template <int dim>
      DistributedGrid<dim>
      coarsen(const DistributedGrid<dim> &fine,
              const unsigned int          min_cells_per_rank)
      {
        const Communicator              &communicator = fine.communicator();
        const GridDescription<dim>       box = halved(fine.description());
        const std::vector<std::uint64_t> parents =
          find_parents(fine.cells(), box);
        const std::uint64_t n_groups =
          can_be_halved(box) ?
            CellGrid<dim>::n_cells(box) / std::max(min_cells_per_rank, 1u) :
            1;
        const unsigned int owner =
          find_new_owner(communicator, !parents.empty(), n_groups);

        std::vector<Message<std::uint64_t>> moves;
        if (!parents.empty())
          moves.push_back({owner, parents});
        std::vector<std::uint64_t> owned;
        for (const Message<std::uint64_t> &move :
             sparse_exchange(communicator, moves))
          owned.insert(owned.end(), move.data.begin(), move.data.end());
        std::sort(owned.begin(), owned.end());

        // What this rank restricts to and prolongates from.
        const CellGrid<dim>        numbering(box, {}, {});
        std::vector<std::uint64_t> needed;
        for (CellIndex c = 0; c < fine.cells().n_owned(); ++c)
          needed.push_back(
            numbering.key(parent_of<dim>(fine.cells().coordinates(c))));
        return DistributedGrid<dim>(communicator,
                                    box,
                                    std::move(owned),
                                    needed);
      }
    } // namespace



    template <int dim>
    std::vector<DistributedGrid<dim>>
    make_hierarchy(const DistributedGrid<dim> &finest,
                   const unsigned int          min_cells_per_rank)
    {
      check(finest.description());
      std::vector<DistributedGrid<dim>> grids = {finest};
      while (can_be_halved(grids.back().description()))
        grids.push_back(coarsen(grids.back(), min_cells_per_rank));
      std::reverse(grids.begin(), grids.end());
      return grids;
    }



    template <int dim>
    std::array<int, dim>
    parent_of(const std::array<int, dim> &cell)
    {
      std::array<int, dim> parent;
      for (int d = 0; d < dim; ++d)
        parent[d] = cell[d] / 2;
      return parent;
    }



    template <int dim>
    std::array<int, dim>
    child_of(const std::array<int, dim> &cell, const int which)
    {
      std::array<int, dim> child;
      for (int d = 0; d < dim; ++d)
        child[d] = 2 * cell[d] + ((which >> d) & 1);
      return child;
    }



    template std::vector<DistributedGrid<2>>
    make_hierarchy(const DistributedGrid<2> &, unsigned int);
    template std::vector<DistributedGrid<3>>
    make_hierarchy(const DistributedGrid<3> &, unsigned int);
    template std::array<int, 2>
    parent_of<2>(const std::array<int, 2> &);
    template std::array<int, 3>
    parent_of<3>(const std::array<int, 3> &);
    template std::array<int, 2>
    child_of<2>(const std::array<int, 2> &, int);
    template std::array<int, 3>
    child_of<3>(const std::array<int, 3> &, int);
  } // namespace patch
} // namespace tessera
