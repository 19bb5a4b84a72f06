// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/cellwise/key_directory.h>
#include <tessera/patch/grid_transfer.h>
#include <tessera/patch/hierarchy.h>

#include <algorithm>
#include <cstdint>

namespace tessera
{
  namespace patch
  {
    using cellwise::CellGrid;
    using cellwise::DistributedGrid;
    using cellwise::KeyDirectory;
    using cellwise::no_cell;

    namespace
    {
      /** Parents by ascending keys, of those owned cells of the fine grid that
       * are the first child, or else of those whose first child is not owned.
       */
      template <int dim>
      std::vector<CellIndex>
      find_parents(const CellGrid<dim> &fine,
                   const CellGrid<dim> &coarse,
                   const bool           first_child_is_owned)
      {
        std::vector<std::uint64_t> keys;
        for (CellIndex c = 0; c < fine.n_owned(); ++c)
          {
            const auto      cell        = fine.coordinates(c);
            const auto      parent      = parent_of<dim>(cell);
            const CellIndex first_child = fine.find(child_of<dim>(parent, 0));
            if (first_child_is_owned ?
                  first_child == c :
                  (first_child == no_cell || first_child >= fine.n_owned()))
              keys.push_back(coarse.key(parent));
          }
        std::sort(keys.begin(), keys.end());
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());

        std::vector<CellIndex> parents;
        parents.reserve(keys.size());
        for (const std::uint64_t key : keys)
          parents.push_back(coarse.find(coarse.coordinates_of_key(key)));
        return parents;
      }

      /** Flags of the ghosts that receive something in a plan. */
      std::vector<char>
      ghosts_of(const ExchangePlan &plan)
      {
        std::vector<char> flags(plan.n_ghosts(), 0);
        for (const unsigned int g : plan.receive_ghosts())
          flags[g] = 1;
        return flags;
      }
    } // namespace



    template <int dim>
    GridTransfer<dim>::GridTransfer(const DistributedGrid<dim> &fine_grid,
                                    const DistributedGrid<dim> &coarse_grid)
    {
      const Communicator  &communicator = fine_grid.communicator();
      const CellGrid<dim> &fine         = fine_grid.cells();
      const CellGrid<dim> &coarse       = coarse_grid.cells();

      parents      = find_parents(fine, coarse, true);
      n_restricted = parents.size();
      for (const CellIndex parent : find_parents(fine, coarse, false))
        parents.push_back(parent);

      children.reserve(parents.size() << dim);
      std::vector<char> is_sibling(fine.n_local() - fine.n_owned(), 0);
      for (std::size_t i = 0; i < parents.size(); ++i)
        for (int which = 0; which < (1 << dim); ++which)
          {
            const CellIndex child =
              fine.find(child_of<dim>(coarse.coordinates(parents[i]), which));
            TESSERA_ASSERT(child != no_cell,
                           "siblings are neighbours, and so are here");
            children.push_back(child);
            if (i < n_restricted && child >= fine.n_owned())
              is_sibling[child - fine.n_owned()] = 1;
          }
      siblings = fine_grid.ghosts().restricted({}, is_sibling);

      std::vector<std::uint64_t> keys;
      std::vector<unsigned int>  indices;
      std::vector<char>          is_restricted(coarse.n_local(), 0),
        is_parent(coarse.n_local(), 0);
      for (std::size_t i = 0; i < parents.size(); ++i)
        {
          is_parent[parents[i]] = 1;
          if (i >= n_restricted)
            continue;
          is_restricted[parents[i]] = 1;
          keys.push_back(coarse.key(parents[i]));
          indices.push_back((unsigned int)(parents[i]));
        }
      const KeyDirectory directory(communicator,
                                   coarse.n_global(),
                                   keys,
                                   indices);

      const std::vector<char> is_neighbour =
        ghosts_of(coarse_grid.neighbours());
      std::vector<std::uint64_t> received_keys;
      for (CellIndex c = 0; c < coarse.n_local(); ++c)
        if (!is_restricted[c] &&
            (c < coarse.n_owned() || is_neighbour[c - coarse.n_owned()]))
          {
            received_parents.push_back(c);
            received_keys.push_back(coarse.key(c));
          }
      restricted = ExchangePlan(communicator,
                                coarse.n_local(),
                                directory.find(received_keys));

      prolongated = coarse_grid.ghosts().restricted(
        {}, {is_parent.begin() + coarse.n_owned(), is_parent.end()});
    }



    template struct GridTransfer<2>;
    template struct GridTransfer<3>;
  } // namespace patch
} // namespace tessera
