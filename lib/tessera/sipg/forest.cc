// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sipg/forest.h>
#include <tessera/sipg/text.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace tessera
{
  namespace sipg
  {
    template <int dim>
    Forest<dim>::Forest(const CoarseMesh<dim> &coarse_mesh)
      : Forest(coarse_mesh, [&] {
        std::vector<CellKey> keys(coarse_mesh.positions.size());
        for (std::size_t c = 0; c < keys.size(); ++c)
          keys[c].coarse_cell = std::uint32_t(c);
        return keys;
      }())
    {}



    template <int dim>
    Forest<dim>::Forest(const CoarseMesh<dim> &coarse_mesh,
                        std::vector<CellKey>   active)
      : mesh(std::make_shared<CoarseMesh<dim>>(coarse_mesh))
    {
      check_coarse_mesh();
      std::sort(active.begin(), active.end());
      const std::size_t n_coarse = mesh->positions.size();
      for (std::size_t i = 0; i < active.size(); ++i)
        {
          const CellKey &key = active[i];
          if (key.coarse_cell >= n_coarse || key.level > max_level ||
              key.morton >= (std::uint64_t(1) << (dim * key.level)))
            throw InputError("There is no " +
                             (key.level > max_level ?
                                "cell of level " + std::to_string(key.level) :
                                text<dim>(key)) +
                             " in a forest of " + std::to_string(n_coarse) +
                             " coarse cells with levels up to " +
                             std::to_string(max_level) + how_to_name_cells +
                             '.');
          if (i > 0 && key == active[i - 1])
            throw InputError("The " + text<dim>(key) +
                             " is given twice as an active cell" +
                             how_to_name_cells + '.');
        }

      // From the finest level: active cells and the parents of the next level.
      const int n_levels = active.empty() ? 1 : int(active.back().level) + 1;
      auto      built    = std::make_shared<std::vector<Level>>(n_levels);
      std::vector<CellKey> parents;
      auto                 end = active.end();
      for (int l = n_levels - 1; l >= 0; --l)
        {
          CellKey first;
          first.level      = std::uint32_t(l);
          const auto begin = std::lower_bound(active.begin(), end, first);
          Level     &cells = (*built)[l];
          cells.keys.resize((end - begin) + parents.size());
          std::merge(
            begin, end, parents.begin(), parents.end(), cells.keys.begin());
          cells.refined.resize(cells.keys.size());
          for (std::size_t i = 0, next_parent = 0; i < cells.keys.size(); ++i)
            {
              if (i > 0 && cells.keys[i] == cells.keys[i - 1])
                throw InputError("The " + text<dim>(cells.keys[i]) +
                                 " and cells inside of it are given as active "
                                 "cells" +
                                 how_to_name_cells + '.');
              if (next_parent < parents.size() &&
                  cells.keys[i] == parents[next_parent])
                {
                  cells.refined[i] = 1;
                  ++next_parent;
                }
            }
          end = begin;

          parents.clear();
          if (l > 0)
            for (std::size_t i = 0; i < cells.keys.size(); i += 1u << dim)
              {
                const CellKey p = sipg::parent<dim>(cells.keys[i]);
                for (std::size_t c = 0; c < 1u << dim; ++c)
                  if (i + c >= cells.keys.size() ||
                      !(cells.keys[i + c] == sipg::child<dim>(p, int(c))))
                    throw InputError("The active cells do not cover the " +
                                     text<dim>(p) + ": the " +
                                     text<dim>(sipg::child<dim>(p, int(c))) +
                                     " is missing" + how_to_name_cells + '.');
                parents.push_back(p);
              }
        }
      if ((*built)[0].keys.size() != n_coarse)
        throw InputError("The active cells cover " +
                         std::to_string((*built)[0].keys.size()) + " of " +
                         std::to_string(n_coarse) +
                         " coarse cells: each must be covered once.");
      levels = std::move(built);
      check_balance();
    }



    template <int dim>
    void
    Forest<dim>::check_coarse_mesh()
    {
      const std::size_t n = mesh->positions.size();
      if (n == 0 || n > std::numeric_limits<std::int32_t>::max())
        throw InputError("A forest with " + std::to_string(n) +
                         " coarse cells: at least one is needed.");
      if (mesh->boundary.size() != n)
        throw InputError("Boundary conditions are given for " +
                         std::to_string(mesh->boundary.size()) + " of " +
                         std::to_string(n) + " coarse cells.");
      for (int d = 0; d < dim; ++d)
        if (!(std::isfinite(mesh->cell_size[d]) && mesh->cell_size[d] > 0.) ||
            !std::isfinite(mesh->origin[d]))
          throw InputError("Coarse cells with the sides " +
                           text<dim>(mesh->cell_size) + " and the origin " +
                           text<dim>(mesh->origin) +
                           ": sides must be positive numbers.");

      auto places = std::make_shared<std::map<Coordinates, std::uint32_t>>();
      for (std::size_t c = 0; c < n; ++c)
        {
          for (int d = 0; d < dim; ++d)
            if (mesh->positions[c][d] < 0 ||
                mesh->positions[c][d] >= max_coarse_cells)
              throw InputError(
                "Coarse cell " + std::to_string(c) + " is at place " +
                std::to_string(mesh->positions[c][d]) +
                " of a direction: 0 to " +
                std::to_string(max_coarse_cells - 1) +
                " are supported. Use fewer coarse cells and refine them.");
          const auto entry =
            places->emplace(mesh->positions[c], std::uint32_t(c));
          if (!entry.second)
            throw InputError("Coarse cells " +
                             std::to_string(entry.first->second) + " and " +
                             std::to_string(c) + " are at the same place.");
        }
      coarse_places = std::move(places);

      for (std::size_t c = 0; c < n; ++c)
        for (int face = 0; face < 2 * dim; ++face)
          {
            Coordinates place = mesh->positions[c];
            place[face / 2] += face % 2 == 1 ? 1 : -1;
            if (mesh->boundary[c][face] == BoundaryCondition::periodic &&
                coarse_places->count(place) == 0)
              throw InputError(
                "Face " + std::to_string(face) + " of coarse cell " +
                std::to_string(c) +
                " is periodic. Periodic faces are not supported; use Dirichlet "
                "or Neumann conditions.");
          }
    }



    template <int dim>
    void
    Forest<dim>::check_balance() const
    {
      for (int l = 1; l < n_levels(); ++l)
        for (const CellKey &key : level(l).keys)
          for (int face = 0; face < 2 * dim; ++face)
            {
              // Within a group of siblings there is nothing to check.
              if (((child_number<dim>(key) >> (face / 2)) & 1) != face % 2)
                continue;
              CellKey beyond;
              if (!neighbour_key(key, face / 2, face % 2, beyond) ||
                  find(sipg::parent<dim>(beyond)) != no_cell)
                continue;
              while (find(beyond) == no_cell)
                beyond = sipg::parent<dim>(beyond);
              throw InputError(
                "The mesh is not balanced: the " + text<dim>(key) + " at " +
                text<dim>(lower_corner(key)) + " and the " + text<dim>(beyond) +
                " share a face and differ by " +
                std::to_string(key.level - beyond.level) + " levels" +
                how_to_name_cells +
                "; one is allowed. Refine the larger cell, or ask the mesh for "
                "2:1 balance.");
            }
    }



    template <int dim>
    Forest<dim>
    Forest<dim>::uniform(const CoarseMesh<dim> &mesh, const int n_refinements)
    {
      Forest forest(mesh);
      for (int i = 0; i < n_refinements; ++i)
        forest = forest.refine([](const CellKey &) { return true; });
      return forest;
    }



    template <int dim>
    Forest<dim>
    Forest<dim>::refine(const std::function<bool(const CellKey &)> &marked,
                        const Balance balance) const
    {
      std::vector<std::vector<char>> wanted(n_levels());
      for (int l = 0; l < n_levels(); ++l)
        {
          wanted[l].resize(level(l).keys.size());
          for (std::size_t i = 0; i < level(l).keys.size(); ++i)
            wanted[l][i] = !level(l).refined[i] && marked(level(l).keys[i]);
        }

      // Around a cell that is refined, places of its size must be cells.
      constexpr int n_places = dim == 2 ? 9 : 27;
      for (int l = n_levels() - 1; l >= 1; --l)
        for (std::size_t i = 0; i < wanted[l].size(); ++i)
          if (wanted[l][i])
            for (int place = 0; place < n_places; ++place)
              {
                Coordinates x           = coordinates(level(l).keys[i]);
                int         n_different = 0;
                for (int d = 0, rest = place; d < dim; ++d, rest /= 3)
                  {
                    x[d] += rest % 3 - 1;
                    n_different += rest % 3 != 1;
                  }
                CellKey beyond;
                if (n_different == 0 ||
                    (balance == Balance::faces && n_different > 1) ||
                    !key_at(l, x, beyond))
                  continue;
                const CellIndex larger = find(sipg::parent<dim>(beyond));
                // Missing only across a corner of a forest balanced by faces.
                if (larger != no_cell && !level(l - 1).refined[larger])
                  wanted[l - 1][larger] = 1;
              }

      std::vector<CellKey> active;
      for (int l = 0; l < n_levels(); ++l)
        for (std::size_t i = 0; i < wanted[l].size(); ++i)
          if (wanted[l][i])
            for (int c = 0; c < (1 << dim); ++c)
              active.push_back(sipg::child<dim>(level(l).keys[i], c));
          else if (!level(l).refined[i])
            active.push_back(level(l).keys[i]);
      return Forest(*mesh, std::move(active));
    }



    template <int dim>
    std::size_t
    Forest<dim>::n_active_cells() const
    {
      std::size_t n = 0;
      for (const Level &l : *levels)
        n += std::count(l.refined.begin(), l.refined.end(), 0);
      return n;
    }



    template <int dim>
    std::vector<CellKey>
    Forest<dim>::active_cells() const
    {
      std::vector<CellKey> active;
      for (const Level &l : *levels)
        for (std::size_t i = 0; i < l.keys.size(); ++i)
          if (!l.refined[i])
            active.push_back(l.keys[i]);
      return active;
    }



    template <int dim>
    Point<dim>
    Forest<dim>::cell_size(const int l) const
    {
      Point<dim> h;
      for (int d = 0; d < dim; ++d)
        h[d] = std::ldexp(mesh->cell_size[d], -l);
      return h;
    }



    template <int dim>
    typename Forest<dim>::Coordinates
    Forest<dim>::coordinates(const CellKey &key) const
    {
      Coordinates x = mesh->positions[key.coarse_cell];
      for (int l = int(key.level) - 1; l >= 0; --l)
        for (int d = 0; d < dim; ++d)
          x[d] = 2 * x[d] + int((key.morton >> (dim * l + d)) & 1);
      return x;
    }



    template <int dim>
    Point<dim>
    Forest<dim>::lower_corner(const CellKey &key) const
    {
      const Coordinates x = coordinates(key);
      const Point<dim>  h = cell_size(int(key.level));
      Point<dim>        corner;
      for (int d = 0; d < dim; ++d)
        corner[d] = mesh->origin[d] + x[d] * h[d];
      return corner;
    }



    template <int dim>
    CellIndex
    Forest<dim>::find(const CellKey &key) const
    {
      if (key.level >= levels->size())
        return no_cell;
      const std::vector<CellKey> &keys = level(int(key.level)).keys;
      const auto position = std::lower_bound(keys.begin(), keys.end(), key);
      return position != keys.end() && *position == key ?
               CellIndex(position - keys.begin()) :
               no_cell;
    }



    template <int dim>
    bool
    Forest<dim>::neighbour_key(const CellKey &key,
                               const int      axis,
                               const int      side,
                               CellKey       &out) const
    {
      Coordinates x = coordinates(key);
      x[axis] += side == 1 ? 1 : -1;
      return key_at(int(key.level), x, out);
    }



    template <int dim>
    BoundaryCondition
    Forest<dim>::boundary_condition(const CellKey &key,
                                    const int      axis,
                                    const int      side) const
    {
      return mesh->boundary[key.coarse_cell][face_number(axis, side)];
    }



    template <int dim>
    bool
    Forest<dim>::key_at(const int          l,
                        const Coordinates &place,
                        CellKey           &out) const
    {
      Coordinates coarse;
      for (int d = 0; d < dim; ++d)
        {
          if (place[d] < 0)
            return false;
          coarse[d] = place[d] >> l;
        }
      const auto cell = coarse_places->find(coarse);
      if (cell == coarse_places->end())
        return false;
      out.coarse_cell = cell->second;
      out.level       = std::uint32_t(l);
      out.morton      = 0;
      for (int k = l - 1; k >= 0; --k)
        for (int d = dim - 1; d >= 0; --d)
          out.morton = (out.morton << 1) | std::uint64_t((place[d] >> k) & 1);
      return true;
    }



    template class Forest<2>;
    template class Forest<3>;
  } // namespace sipg
} // namespace tessera
