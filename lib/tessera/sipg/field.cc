// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/degree.h>
#include <tessera/sipg/field.h>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      /** So that parts begin at 64 bytes, in float too. */
      std::size_t
      aligned(const std::size_t n)
      {
        return (n + 15) / 16 * 16;
      }
    } // namespace



    template <int dim>
    FieldLayout::FieldLayout(const LevelHierarchy<dim> &hierarchy, const int p)
      : dimension(dim)
      , degree(p)
      , n(p + 1)
      , block_size(hierarchy.block_size())
      , n_cell_values(cellwise::power(n, dim))
      , n_shadow_values(2 * cellwise::power(n, dim - 1))
      , size(0)
    {
      for (int l = 0; l < hierarchy.n_levels(); ++l)
        {
          const LevelData<dim> &level = hierarchy.level(l);
          Part                  part;
          part.n_padded_cells        = level.n_padded_cells;
          part.n_padded_shadow_cells = level.n_padded_shadow_cells;
          part.cells                 = size;
          part.shadows               = aligned(
            part.cells + std::size_t(level.n_padded_cells) * n_cell_values);
          part.end =
            aligned(part.shadows +
                    std::size_t(level.n_padded_shadow_cells) * n_shadow_values);
          size = part.end;
          levels.push_back(part);
        }
    }



    template FieldLayout::FieldLayout(const LevelHierarchy<2> &, int);
    template FieldLayout::FieldLayout(const LevelHierarchy<3> &, int);
  } // namespace sipg
} // namespace tessera
