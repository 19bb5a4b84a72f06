// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sipg/level_hierarchy.h>
#include <tessera/sipg/text.h>

#include <cmath>
#include <string>
#include <utility>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      CellIndex
      padded(const CellIndex n, const int block_size)
      {
        return (n + block_size - 1) / block_size * block_size;
      }

      /** For each refined cell of a level, the number of the group of its
       * children on the next one; no_cell for active cells. */
      std::vector<CellIndex>
      children_groups(const std::vector<char> &refined)
      {
        std::vector<CellIndex> groups(refined.size(), no_cell);
        CellIndex              n_refined = 0;
        for (std::size_t i = 0; i < refined.size(); ++i)
          if (refined[i])
            groups[i] = n_refined++;
        return groups;
      }

      /** Sizes, active cells, parents, skeleton and slots; not yet variants and
       * coefficients. */
      template <int dim>
      LevelData<dim>
      level_tables(const Forest<dim> &forest, const int l, const int block_size)
      {
        const typename Forest<dim>::Level &cells = forest.level(l);
        LevelData<dim>                     data;
        data.level           = l;
        data.block_size      = block_size;
        data.group_size      = l == 0 ? 1 : 1 << dim;
        data.cell_size       = forest.cell_size(l);
        data.n_cells         = CellIndex(cells.keys.size());
        data.n_owned_cells   = data.n_cells;
        data.n_padded_cells  = padded(data.n_cells, block_size);
        data.n_active_cells  = 0;
        data.has_coefficient = false;

        data.active = AlignedVector<std::uint8_t>(data.n_padded_cells);
        for (CellIndex c = 0; c < data.n_cells; ++c)
          if (!cells.refined[c])
            {
              data.active[c] = 1;
              ++data.n_active_cells;
            }

        const CellIndex n_groups = data.n_groups();
        const CellIndex n_padded_groups =
          (data.n_padded_cells + data.group_size - 1) / data.group_size;
        data.skeleton =
          AlignedVector<SkeletonEntry>(std::size_t(n_padded_groups) * 2 * dim,
                                       neumann_face);

        // Groups are what is refined on the level below: it has their faces.
        // Level 0 has cells only.
        std::vector<CellIndex> groups;
        if (l == 0)
          {
            groups.resize(n_groups);
            for (CellIndex g = 0; g < n_groups; ++g)
              groups[g] = g;
          }
        else
          {
            groups            = children_groups(forest.level(l - 1).refined);
            data.group_parent = AlignedVector<CellIndex>(n_groups);
          }

        std::array<std::vector<std::pair<CellIndex, CellIndex>>, 2 * dim> slots;
        const typename Forest<dim>::Level &owners =
          forest.level(l == 0 ? 0 : l - 1);
        for (std::size_t owner = 0; owner < groups.size(); ++owner)
          {
            const CellIndex group = groups[owner];
            if (group == no_cell)
              continue;
            if (l > 0)
              data.group_parent[group] = CellIndex(owner);
            for (int face = 0; face < 2 * dim; ++face)
              {
                SkeletonEntry &entry =
                  data.skeleton[std::size_t(group) * 2 * dim + face];
                CellKey beyond;
                if (forest.neighbour_key(
                      owners.keys[owner], face / 2, face % 2, beyond))
                  {
                    const CellIndex other = forest.find(beyond);
                    TESSERA_ASSERT(other != no_cell, "the forest is balanced");
                    entry = groups[other];
                    if (entry == no_cell)
                      slots[face].emplace_back(group, other);
                  }
                else
                  entry = forest.boundary_condition(owners.keys[owner],
                                                    face / 2,
                                                    face % 2) ==
                              BoundaryCondition::dirichlet ?
                            dirichlet_face :
                            neumann_face;
              }
          }

        data.slot_begin[0] = 0;
        for (int face = 0; face < 2 * dim; ++face)
          data.slot_begin[face + 1] =
            data.slot_begin[face] + CellIndex(slots[face].size());
        data.n_slots               = data.slot_begin[2 * dim];
        data.n_padded_shadow_cells = padded(data.n_shadow_cells(), block_size);
        data.slot_group            = AlignedVector<CellIndex>(data.n_slots);
        data.slot_parent           = AlignedVector<CellIndex>(data.n_slots);
        for (int face = 0; face < 2 * dim; ++face)
          for (std::size_t i = 0; i < slots[face].size(); ++i)
            {
              const CellIndex slot   = data.slot_begin[face] + CellIndex(i);
              const CellIndex group  = slots[face][i].first;
              data.slot_group[slot]  = group;
              data.slot_parent[slot] = slots[face][i].second;
              data.skeleton[std::size_t(group) * 2 * dim + face] =
                first_slot - slot;
            }
        return data;
      }

      template <int dim>
      void
      set_variants(LevelData<dim> &data)
      {
        data.variant = AlignedVector<std::uint16_t>(data.n_padded_cells);
        for (CellIndex c = 0; c < data.n_padded_cells; ++c)
          for (int face = 0; face < 2 * dim; ++face)
            {
              EndKind end = EndKind::neighbour;
              switch (data.neighbour_of(c, face / 2, face % 2).kind)
                {
                  case NeighbourKind::dirichlet:
                    end = EndKind::dirichlet;
                    break;
                  case NeighbourKind::neumann:
                    end = EndKind::neumann;
                    break;
                  default:
                    break;
                }
              data.variant[c] |= std::uint16_t(end) << (2 * face);
            }
      }

      template <int dim>
      void
      set_coefficients(const std::vector<double>   &coefficient,
                       std::vector<LevelData<dim>> &levels)
      {
        std::size_t next = 0;
        for (LevelData<dim> &data : levels)
          {
            data.has_coefficient = true;
            data.coefficient = AlignedVector<double>(data.n_padded_cells, 1.);
            for (CellIndex c = 0; c < data.n_cells; ++c)
              if (data.active[c])
                data.coefficient[c] = coefficient[next++];
          }
        for (int l = int(levels.size()) - 1; l >= 1; --l)
          {
            const LevelData<dim> &data   = levels[l];
            LevelData<dim>       &coarse = levels[l - 1];
            for (CellIndex group = 0; group < data.n_groups(); ++group)
              {
                double sum = 0.;
                for (int c = 0; c < (1 << dim); ++c)
                  sum += data.coefficient[(group << dim) + c] / (1 << dim);
                coarse.coefficient[data.group_parent[group]] = sum;
              }
          }
        for (std::size_t l = 0; l < levels.size(); ++l)
          {
            LevelData<dim> &data  = levels[l];
            data.slot_coefficient = AlignedVector<double>(data.n_slots);
            for (CellIndex slot = 0; slot < data.n_slots; ++slot)
              data.slot_coefficient[slot] =
                levels[l - 1].coefficient[data.slot_parent[slot]];
          }
      }

      template <int dim>
      void
      check_coefficient(const Forest<dim>         &forest,
                        const std::vector<double> &coefficient)
      {
        const std::vector<CellKey> active = forest.active_cells();
        if (coefficient.size() != active.size())
          throw InputError("A diffusion coefficient with " +
                           std::to_string(coefficient.size()) +
                           " values for a mesh of " +
                           std::to_string(active.size()) +
                           " active cells: one value for each is needed.");
        for (std::size_t i = 0; i < active.size(); ++i)
          if (!(std::isfinite(coefficient[i]) && coefficient[i] > 0.))
            throw InputError("The diffusion coefficient is " +
                             std::to_string(coefficient[i]) +
                             " in the cell with the lower corner " +
                             text<dim>(forest.lower_corner(active[i])) +
                             "; it must be positive and finite.");
      }
    } // namespace



    template <int dim>
    LevelHierarchy<dim>::LevelHierarchy(const Forest<dim>         &forest,
                                        const int                  block_size,
                                        const std::vector<double> &coefficient)
      : mesh(forest)
      , cells_per_block(block_size)
    {
      if (block_size < 1 || block_size > 1024 ||
          (block_size & (block_size - 1)) != 0)
        throw InputError("Blocks of " + std::to_string(block_size) +
                         " cells: a power of two up to 1024 is needed; " +
                         std::to_string(default_block_size) +
                         " is a good choice.");
      if (!coefficient.empty())
        check_coefficient(forest, coefficient);
      for (int l = 0; l < forest.n_levels(); ++l)
        {
          levels.push_back(level_tables(forest, l, block_size));
          set_variants(levels.back());
        }
      for (const double k : coefficient)
        if (k != 1.)
          {
            set_coefficients(coefficient, levels);
            break;
          }
    }



    template <int dim>
    std::size_t
    LevelHierarchy<dim>::n_active_cells() const
    {
      std::size_t n = 0;
      for (const LevelData<dim> &data : levels)
        n += data.n_active_cells;
      return n;
    }



    template <int dim>
    std::size_t
    LevelHierarchy<dim>::n_slots() const
    {
      std::size_t n = 0;
      for (const LevelData<dim> &data : levels)
        n += data.n_slots;
      return n;
    }



    template <int dim>
    std::size_t
    LevelHierarchy<dim>::memory_consumption() const
    {
      std::size_t n = sizeof(*this) + levels.size() * sizeof(LevelData<dim>);
      for (const LevelData<dim> &data : levels)
        n += data.skeleton.size_in_bytes() + data.active.size_in_bytes() +
             data.variant.size_in_bytes() + data.group_parent.size_in_bytes() +
             data.slot_group.size_in_bytes() +
             data.slot_parent.size_in_bytes() +
             data.coefficient.size_in_bytes() +
             data.slot_coefficient.size_in_bytes();
      return n;
    }



    template class LevelHierarchy<2>;
    template class LevelHierarchy<3>;
  } // namespace sipg
} // namespace tessera
