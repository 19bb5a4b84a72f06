// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_hierarchy_tables_h
#define tessera_sipg_hierarchy_tables_h

#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/field.h>
#include <tessera/sipg/level_tables.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace tessera
{
  namespace sipg
  {
    /** What the kernels of operators read on all levels of a hierarchy, for one
     * degree, penalty, and precision. */
    template <int dim, typename Number>
    struct HierarchyTables
    {
      HierarchyTables(std::shared_ptr<const LevelHierarchy<dim>> levels,
                      const ElementMatrices                     &matrices);

      std::shared_ptr<const LevelHierarchy<dim>> levels;
      std::shared_ptr<const FieldLayout>         layout;
      std::vector<LevelFlags<dim>>               flags;
      std::vector<LevelMatrices<dim, Number>>    matrices;

      /** Bytes, without the hierarchy. */
      std::size_t
      memory_consumption() const;
    };
  } // namespace sipg
} // namespace tessera

#endif
