// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_shadow_transfer_h
#define tessera_sipg_shadow_transfer_h

#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/field.h>

namespace tessera
{
  namespace sipg
  {
    /**
     * Refresh, E: give the shadows of all levels the values $P_c u$ of the
     * active cells they belong to.
     *
     * Reads the two layers of the parents at the face. Cost: about
     * 2 (2 n^(dim-1)) (2 + (dim-1) n) flops a shadow cell.
     */
    template <int dim, typename Number>
    void
    refresh_shadows(const LevelHierarchy<dim> &levels,
                    const ElementMatrices     &matrices,
                    PrimalField<Number>       &u);

    /**
     * Assembly, $E^T$: add $\sum_c P_c^T y$ of the shadows to the active cells
     * they belong to, and set the shadows to zero. The functional stays the
     * same.
     *
     * Parts are added in the order of the slots: deterministic. To be called
     * in double before a field is rounded to float: parts of a small residual
     * are not small.
     */
    template <int dim, typename Number>
    void
    assemble_shadows(const LevelHierarchy<dim> &levels,
                     const ElementMatrices     &matrices,
                     DualField<Number>         &y);

    /** @name The same for one level, and for any vectors of it and the level
     * below, with strides of FieldLayout
     * @{ */

    /** shadows of level l <- $P_c$ coarse (cells of level l-1); padding is
     * set to zero. */
    template <int dim, typename Number>
    void
    prolong_to_shadows(const LevelData<dim>  &level,
                       const ElementMatrices &matrices,
                       const Number          *coarse,
                       Number                *shadows);

    /** coarse <- coarse + factor $\sum_c P_c^T$ shadows. */
    template <int dim, typename Number>
    void
    restrict_from_shadows(const LevelData<dim>  &level,
                          const ElementMatrices &matrices,
                          Number                 factor,
                          const Number          *shadows,
                          Number                *coarse);
    /** @} */
  } // namespace sipg
} // namespace tessera

#endif
