// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_split_operator_h
#define tessera_sipg_split_operator_h

#include <tessera/sipg/hierarchy_tables.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace tessera
{
  namespace sipg
  {
    /**
     * The operator of the active mesh, Y = A_split U, or of a level, in split
     * form: volume terms, then for each axis one sweep over faces that adds to
     * both of its cells, each face once. Equal to FusedOperator, which is
     * faster, and to apply_reference(), up to round-off.
     *
     * For p >= 3 the two layers below a face and the two above are distinct
     * ones of a cell, so that no value is written by two faces of an axis. For
     * p < 3 layers are in common, and each cell evaluates both of its faces and
     * writes its own values alone; also on level 0, whose cells have no
     * siblings, and where blocks have fewer cells than a group of siblings.
     *
     * Bytes a value, p = 3, double: 16 for the volume terms, 24 for each axis.
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

      /** The first part of apply(): the volume terms. Overwrites all of y. */
      void
      apply_volume_terms(const PrimalField<Number> &u,
                         DualField<Number>         &y) const;

      /** One of the others, in any order: y <- y + the terms of the faces
       * normal to an axis. */
      void
      add_face_terms(int                        axis,
                     const PrimalField<Number> &u,
                     DualField<Number>         &y) const;

      /**
       * y <- A u on one level, for the terms of the active mesh or of a
       * multigrid level (CellSet of apply_reference()). Values of cells that
       * do not take part are not used, and their y is zero.
       *
       * @param[in] cells, shadows u, in the storage of FieldLayout
       * @param[out] y, y_shadows are overwritten, padding of shadows with
       * zeros.
       */
      void
      apply_level(int           level,
                  FaceTerms     terms,
                  const Number *cells,
                  const Number *shadows,
                  Number       *y,
                  Number       *y_shadows) const;

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

      /** Bytes of the tables. */
      std::size_t
      memory_consumption() const
      {
        return tables.memory_consumption();
      }

    private:
      HierarchyTables<dim, Number> tables;

      void
      check(const PrimalField<Number> &u, const DualField<Number> &y) const;
    };
  } // namespace sipg
} // namespace tessera

#endif
