// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_split_operator_h
#define tessera_sipg_split_operator_h

#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/field.h>
#include <tessera/sipg/level_tables.h>

#include <memory>

namespace tessera
{
  namespace sipg
  {
    /**
     * The operator of the active mesh, Y = A_split U, in split form: a volume
     * kernel, then for each axis one sweep over faces that adds to both of its
     * cells, each face once. Equal to FusedOperator, which is faster, up to
     * round-off.
     *
     * For p >= 3 the two layers below a face and the two above are distinct
     * ones of a cell, so that all faces of an axis can be treated at once; for
     * p < 3 a sweep has two passes.
     *
     * Bytes a value of p = 3: 16 for the volume kernel, 24 for each axis.
     */
    template <int dim, typename Number = double>
    class SplitOperator
    {
    public:
      SplitOperator(std::shared_ptr<const LevelHierarchy<dim>> levels,
                    const ElementMatrices                     &matrices);

      /** y <- A_split u on all levels: consistent in, split out. Overwrites
       * all of y. */
      void
      apply(const PrimalField<Number> &u, DualField<Number> &y) const;
    };
  } // namespace sipg
} // namespace tessera

#endif
