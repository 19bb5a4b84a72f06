// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_fused_operator_h
#define tessera_sipg_fused_operator_h

#include <tessera/sipg/hierarchy_tables.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace tessera
{
  namespace sipg
  {
    /**
     * The operator of the active mesh, Y = A_split U, in the fused own-side
     * form: the fast path. Equal to apply_reference() to round-off.
     *
     * Cost: dim (2 n + 4) fused multiply-adds a value; u is read and y written
     * once.
     */
    template <int dim, typename Number = double>
    class FusedOperator
    {
    public:
      FusedOperator(std::shared_ptr<const LevelHierarchy<dim>> levels,
                    const ElementMatrices                     &matrices);

      /** y <- A_split u on all levels: consistent in, split out. Overwrites
       * all of y. */
      void
      apply(const PrimalField<Number> &u, DualField<Number> &y) const;

      const LevelHierarchy<dim> &
      hierarchy() const
      {
        return *tables.levels;
      }

      /** Of fields that this operator takes. */
      const std::shared_ptr<const FieldLayout> &
      layout() const
      {
        return tables.layout;
      }

      std::size_t
      memory_consumption() const
      {
        return tables.memory_consumption();
      }

    private:
      HierarchyTables<dim, Number> tables;
    };
  } // namespace sipg
} // namespace tessera

#endif
