// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/cellwise/cell_grid.h>

#include <algorithm>
#include <limits>
#include <string>

namespace tessera
{
  namespace cellwise
  {
    namespace
    {
      /** A grid whose local cells can be counted by CellIndex. */
      void
      check_size(const std::uint64_t n_cells)
      {
        if (n_cells > std::uint64_t(std::numeric_limits<CellIndex>::max()))
          throw InputError(
            "A process would have " + std::to_string(n_cells) +
            " cells, but local cells are counted to " +
            std::to_string(std::numeric_limits<CellIndex>::max()) +
            ". Refine less or use more processes.");
      }

      CellIndex
      position(const std::vector<std::uint64_t> &keys, const std::uint64_t key)
      {
        const auto place = std::lower_bound(keys.begin(), keys.end(), key);
        return place != keys.end() && *place == key ?
                 CellIndex(place - keys.begin()) :
                 no_cell;
      }
    } // namespace



    template <int dim>
    CellGrid<dim>::CellGrid(const GridDescription<dim> &description)
      : box(description)
    {
      check_size(n_global());
    }



    template <int dim>
    CellGrid<dim>::CellGrid(const GridDescription<dim> &description,
                            std::vector<std::uint64_t>  owned_keys,
                            std::vector<std::uint64_t>  ghost_keys)
      : box(description)
      , complete(false)
      , owned(std::move(owned_keys))
      , ghosts(std::move(ghost_keys))
    {
      check_size(std::uint64_t(owned.size()) + ghosts.size());
      TESSERA_ASSERT(std::is_sorted(owned.begin(), owned.end()),
                     "keys are ascending");
      TESSERA_ASSERT(std::is_sorted(ghosts.begin(), ghosts.end()),
                     "keys are ascending");
      if (owned.size() == n_global())
        {
          complete = true;
          owned.clear();
        }
    }



    template <int dim>
    const GridDescription<dim> &
    CellGrid<dim>::description() const
    {
      return box;
    }



    template <int dim>
    CellIndex
    CellGrid<dim>::n_owned() const
    {
      return complete ? CellIndex(n_global()) : CellIndex(owned.size());
    }



    template <int dim>
    CellIndex
    CellGrid<dim>::n_local() const
    {
      return n_owned() + CellIndex(ghosts.size());
    }



    template <int dim>
    std::uint64_t
    CellGrid<dim>::n_global() const
    {
      std::uint64_t n = 1;
      for (int d = 0; d < dim; ++d)
        n *= std::uint64_t(box.n_cells[d]);
      return n;
    }



    template <int dim>
    std::uint64_t
    CellGrid<dim>::key(const CellIndex cell) const
    {
      TESSERA_ASSERT(0 <= cell && cell < n_local(), "no such cell");
      if (cell >= n_owned())
        return ghosts[cell - n_owned()];
      return complete ? std::uint64_t(cell) : owned[cell];
    }



    template <int dim>
    std::array<int, dim>
    CellGrid<dim>::coordinates(const CellIndex cell) const
    {
      std::uint64_t rest = key(cell);
      Coordinates   c;
      for (int d = 0; d < dim; ++d)
        {
          c[d] = int(rest % box.n_cells[d]);
          rest /= box.n_cells[d];
        }
      return c;
    }



    template <int dim>
    CellIndex
    CellGrid<dim>::find(const Coordinates &c) const
    {
      std::uint64_t wanted = 0;
      for (int d = dim - 1; d >= 0; --d)
        {
          if (c[d] < 0 || c[d] >= box.n_cells[d])
            return no_cell;
          wanted = wanted * box.n_cells[d] + c[d];
        }
      if (complete)
        return CellIndex(wanted);
      const CellIndex among_owned = position(owned, wanted);
      if (among_owned != no_cell)
        return among_owned;
      const CellIndex among_ghosts = position(ghosts, wanted);
      return among_ghosts == no_cell ? no_cell : n_owned() + among_ghosts;
    }



    template <int dim>
    std::array<double, dim>
    CellGrid<dim>::stiffness_weights() const
    {
      std::array<double, dim> s;
      for (int d = 0; d < dim; ++d)
        {
          // Factor by factor, so that no intermediate result under- or
          // overflows.
          s[d] = 1.;
          for (int e = 0; e < dim; ++e)
            if (e != d)
              s[d] *= box.cell_size[e];
          s[d] /= box.cell_size[d];
        }
      return s;
    }



    template class CellGrid<2>;
    template class CellGrid<3>;
  } // namespace cellwise
} // namespace tessera
