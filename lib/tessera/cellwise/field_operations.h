// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_field_operations_h
#define tessera_cellwise_field_operations_h

#include <tessera/cellwise/field.h>
#include <tessera/cellwise/reference_cell.h>

namespace tessera
{
  namespace cellwise
  {
    /**
     * @name Vector operations
     * On all cells, padding included. Both fields of a sum are of the same
     * space, or it does not compile. Local, deterministic.
     * @{
     */

    /** $u \leftarrow u + a v$. */
    template <typename Number, Space space, Layout layout>
    void
    add(Field<Number, space, layout>       &u,
        const Number                        a,
        const Field<Number, space, layout> &v);

    /** $u \leftarrow s u + v$. */
    template <typename Number, Space space, Layout layout>
    void
    scale_and_add(Field<Number, space, layout>       &u,
                  const Number                        s,
                  const Field<Number, space, layout> &v);

    /**
     * The pairing $\langle r, z \rangle = \sum_{K,i} r_{K,i} z_{K,i} =
     * (G^T r) \cdot z_{CG}$ over the first @p n_cells (owned) cells: no weights.
     * Sums in a fixed order.
     */
    double
    dot(const DualField<double>   &r,
        const PrimalField<double> &z,
        CellIndex                  n_cells);

    /** The same, z widened. */
    template <typename Number>
    double
    dot(const DualField<double>                       &r,
        const PrimalField<Number, Layout::contiguous> &z,
        CellIndex                                      n_cells);

    /** Largest magnitude in the first @p n_cells cells; NaN if there is one. */
    double
    max_abs(const DualField<double> &r, CellIndex n_cells);

    /** @} */

    /**
     * @name Between layouts and precisions
     * Conversion of both in one pass over memory; between float and double,
     * rounded to nearest. Fields have the same cells and nodes.
     * @{
     */

    /** $dst = src$, for any combination of float, double and layouts. */
    template <typename To,
              Layout to_layout,
              typename From,
              Layout from_layout,
              Space  space>
    void
    convert(Field<To, space, to_layout>           &dst,
            const Field<From, space, from_layout> &src);

    /**
     * Enter the hierarchy: $\hat b = \mathrm{round}(a\,(S^T)^{\otimes} r)$,
     * transformed to the eigenbasis in double.
     * @tparam Number of the level, float or double.
     */
    template <int dim, typename Number>
    void
    to_modal(DualModalField<Number>  &b,
             const double             a,
             const DualField<double> &r,
             const ReferenceCell     &cell);

    /** Leave it: $u \leftarrow s u + a z$, z widened first. */
    template <typename Number>
    void
    scale_and_add(PrimalField<double>                           &u,
                  const double                                   s,
                  const double                                   a,
                  const PrimalField<Number, Layout::contiguous> &z);

    /** @} */
  } // namespace cellwise
} // namespace tessera

#endif
