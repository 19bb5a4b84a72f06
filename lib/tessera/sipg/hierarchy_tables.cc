// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sipg/hierarchy_tables.h>

#include <utility>

namespace tessera
{
  namespace sipg
  {
    template <int dim, typename Number>
    HierarchyTables<dim, Number>::HierarchyTables(
      std::shared_ptr<const LevelHierarchy<dim>> hierarchy,
      const ElementMatrices                     &element_matrices)
      : levels(std::move(hierarchy))
      , layout(
          std::make_shared<const FieldLayout>(*levels, element_matrices.degree))
    {
      for (int l = 0; l < levels->n_levels(); ++l)
        {
          flags.emplace_back(levels->level(l));
          matrices.emplace_back(levels->level(l), element_matrices);
        }
    }



    template <int dim, typename Number>
    std::size_t
    HierarchyTables<dim, Number>::memory_consumption() const
    {
      std::size_t bytes = matrices.size() * sizeof(LevelMatrices<dim, Number>);
      for (const LevelFlags<dim> &level : flags)
        bytes += level.memory_consumption();
      return bytes;
    }



    template struct HierarchyTables<2, float>;
    template struct HierarchyTables<2, double>;
    template struct HierarchyTables<3, float>;
    template struct HierarchyTables<3, double>;
  } // namespace sipg
} // namespace tessera
