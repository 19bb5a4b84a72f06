// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_reference_operator_h
#define tessera_sipg_reference_operator_h

#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/field.h>

namespace tessera
{
  namespace sipg
  {
    /** Which cells and faces of a level take part; see apply_reference(). */
    enum class CellSet
    {
      /** The operator of the active mesh: active cells, faces between two of
       * them, faces to shadows. What is between an active and a refined cell is
       * a face to shadows of the next level. */
      active,

      /** The operator of a multigrid level: all level cells and their faces. */
      level
    };

    /**
     * y <- A u on one level, in split form, number by number: what the kernels
     * are compared with.
     *
     * Volume terms, then for each axis the two-sided terms of faces between
     * cells and between cells and shadows, and Nitsche terms; shadows get the
     * fluxes of their faces, but neither volume nor boundary terms. Values of
     * cells that do not take part are not read, and their y is zero.
     *
     * @param[in] cells, shadows u, in the storage of FieldLayout
     * @param[out] y_cells, y_shadows are overwritten, padding with zeros.
     *
     * Cost: O(dim n^(dim+1)) a cell with large constants.
     */
    template <int dim, typename Number>
    void
    apply_reference(const LevelData<dim>  &level,
                    const ElementMatrices &matrices,
                    CellSet                set,
                    const Number          *cells,
                    const Number          *shadows,
                    Number                *y_cells,
                    Number                *y_shadows);

    /**
     * y <- A_split u on the active mesh, all levels: consistent in, split out.
     *
     * $E^T A_{split} E = A$, the matrix of the SIPG with sub-face quadrature on
     * the non-matching mesh.
     */
    template <int dim, typename Number>
    void
    apply_reference(const LevelHierarchy<dim> &levels,
                    const ElementMatrices     &matrices,
                    const PrimalField<Number> &u,
                    DualField<Number>         &y);
  } // namespace sipg
} // namespace tessera

#endif
