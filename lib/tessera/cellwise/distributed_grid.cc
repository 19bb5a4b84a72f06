// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/distributed_grid.h>
#include <tessera/cellwise/key_directory.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace tessera
{
  namespace cellwise
  {
    namespace
    {
      void
      sort_and_make_unique(std::vector<std::uint64_t> &keys)
      {
        std::sort(keys.begin(), keys.end());
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
      }

      /** Cells that share a vertex with one of the grid, all owned, and are not
       * in it; ascending. */
      template <int dim>
      std::vector<std::uint64_t>
      find_neighbours(const CellGrid<dim> &grid)
      {
        const std::array<int, dim> &n = grid.description().n_cells;
        std::vector<std::uint64_t>  keys;
        for (CellIndex cell = 0; cell < grid.n_owned(); ++cell)
          {
            const auto center = grid.coordinates(cell);
            for (int i = 0; i < power(3, dim); ++i)
              {
                auto c         = center;
                bool is_inside = true;
                for (int d = 0; d < dim; ++d)
                  {
                    c[d] += i / power(3, d) % 3 - 1;
                    is_inside = is_inside && c[d] >= 0 && c[d] < n[d];
                  }
                if (is_inside && grid.find(c) == no_cell)
                  keys.push_back(grid.key(c));
              }
          }
        sort_and_make_unique(keys);
        return keys;
      }
    } // namespace



    template <int dim>
    DistributedGrid<dim>::DistributedGrid(
      const GridDescription<dim> &description)
      : local_cells(description)
      , all_ghosts(Communicator(), local_cells.n_owned(), {})
      , neighbour_ghosts(all_ghosts)
    {}



    template <int dim>
    DistributedGrid<dim>::DistributedGrid(
      const Communicator               &communicator,
      const GridDescription<dim>       &description,
      std::vector<std::uint64_t>        owned_keys,
      const std::vector<std::uint64_t> &additional_ghosts)
    {
      const KeyDirectory directory(communicator,
                                   CellGrid<dim>::n_cells(description),
                                   owned_keys);
      if (directory.n_entries() != CellGrid<dim>::n_cells(description))
        throw InputError("The ranks have " +
                         std::to_string(directory.n_entries()) +
                         " cells of a box of " +
                         std::to_string(CellGrid<dim>::n_cells(description)) +
                         "; every cell must belong to one rank.");

      const CellGrid<dim>              owned(description, owned_keys, {});
      const std::vector<std::uint64_t> near = find_neighbours(owned);

      std::vector<std::uint64_t> far = additional_ghosts;
      sort_and_make_unique(far);
      std::vector<std::uint64_t> not_owned, ghosts;
      std::set_difference(far.begin(),
                          far.end(),
                          owned_keys.begin(),
                          owned_keys.end(),
                          std::back_inserter(not_owned));
      std::set_union(near.begin(),
                     near.end(),
                     not_owned.begin(),
                     not_owned.end(),
                     std::back_inserter(ghosts));

      all_ghosts =
        ExchangePlan(communicator, owned_keys.size(), directory.find(ghosts));

      std::vector<char> is_near(ghosts.size());
      for (std::size_t g = 0; g < ghosts.size(); ++g)
        is_near[g] = std::binary_search(near.begin(), near.end(), ghosts[g]);
      neighbour_ghosts = all_ghosts.restricted({}, is_near);

      communicator.collectively([&] {
        local_cells =
          CellGrid<dim>(description, std::move(owned_keys), std::move(ghosts));
      });
    }



    template <int dim>
    const CellGrid<dim> &
    DistributedGrid<dim>::cells() const
    {
      return local_cells;
    }



    template <int dim>
    const GridDescription<dim> &
    DistributedGrid<dim>::description() const
    {
      return local_cells.description();
    }



    template <int dim>
    const Communicator &
    DistributedGrid<dim>::communicator() const
    {
      return all_ghosts.communicator();
    }



    template <int dim>
    const ExchangePlan &
    DistributedGrid<dim>::ghosts() const
    {
      return all_ghosts;
    }



    template <int dim>
    const ExchangePlan &
    DistributedGrid<dim>::neighbours() const
    {
      return neighbour_ghosts;
    }



    template class DistributedGrid<2>;
    template class DistributedGrid<3>;
  } // namespace cellwise
} // namespace tessera
