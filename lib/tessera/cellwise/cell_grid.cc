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
      else
        set_rows();
    }



    template <int dim>
    void
    CellGrid<dim>::set_rows()
    {
      if (n_local() == 0)
        return;
      const auto row = [&](const std::uint64_t k) {
        return k / box.n_cells[0];
      };
      std::uint64_t end_row = 0;
      first_row             = n_global();
      for (const std::vector<std::uint64_t> *keys : {&owned, &ghosts})
        if (!keys->empty())
          {
            first_row = std::min(first_row, row(keys->front()));
            end_row   = std::max(end_row, row(keys->back()) + 1);
          }

      // Pieces by ascending keys, which merges the two lists.
      row_begin.assign(end_row - first_row + 1, 0);
      std::size_t i = 0, j = 0;
      while (i < owned.size() || j < ghosts.size())
        {
          const bool from_owned =
            j == ghosts.size() || (i < owned.size() && owned[i] < ghosts[j]);
          const std::vector<std::uint64_t> &keys  = from_owned ? owned : ghosts;
          std::size_t                      &next  = from_owned ? i : j;
          const std::size_t                 begin = next++;
          while (next < keys.size() &&
                 keys[next] == keys[begin] + (next - begin) &&
                 row(keys[next]) == row(keys[begin]))
            ++next;
          const int x = int(keys[begin] % box.n_cells[0]);
          pieces.push_back(
            {x,
             x + int(next - begin),
             CellIndex(begin + (from_owned ? 0 : owned.size()))});
          row_begin[row(keys[begin]) - first_row + 1] =
            std::int32_t(pieces.size());
        }
      // Rows without cells.
      for (std::size_t r = 1; r < row_begin.size(); ++r)
        row_begin[r] = std::max(row_begin[r], row_begin[r - 1]);
    }



    template <int dim>
    std::uint64_t
    CellGrid<dim>::n_cells(const GridDescription<dim> &description)
    {
      std::uint64_t n = 1;
      for (const int n_d : description.n_cells)
        n *= std::uint64_t(n_d);
      return n;
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
      return n_cells(box);
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
    std::uint64_t
    CellGrid<dim>::key(const Coordinates &c) const
    {
      std::uint64_t result = 0;
      for (int d = dim - 1; d >= 0; --d)
        {
          TESSERA_ASSERT(0 <= c[d] && c[d] < box.n_cells[d], "no such cell");
          result = result * box.n_cells[d] + c[d];
        }
      return result;
    }



    template <int dim>
    std::array<int, dim>
    CellGrid<dim>::coordinates(const CellIndex cell) const
    {
      return coordinates_of_key(key(cell));
    }



    template <int dim>
    std::array<int, dim>
    CellGrid<dim>::coordinates_of_key(const std::uint64_t cell_key) const
    {
      std::uint64_t rest = cell_key;
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
      for (int d = 0; d < dim; ++d)
        if (c[d] < 0 || c[d] >= box.n_cells[d])
          return no_cell;
      const std::uint64_t wanted = key(c);
      if (complete)
        return CellIndex(wanted);

      const std::uint64_t row = wanted / box.n_cells[0];
      if (row < first_row || row - first_row + 1 >= row_begin.size())
        return no_cell;
      const std::int32_t end = row_begin[row - first_row + 1];
      for (std::int32_t i = row_begin[row - first_row]; i < end; ++i)
        if (c[0] < pieces[i].end)
          return c[0] < pieces[i].begin ?
                   no_cell :
                   pieces[i].first + (c[0] - pieces[i].begin);
      return no_cell;
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
