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
     * space, or it does not compile. Local, deterministic; the sums and the
     * maximum have the same bits from every instruction set. Cost: one pass
     * over memory.
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
     *
     * The order of the summation is fixed. Every cell sums its products over
     * ascending nodes, by fused multiply-adds that start from zero. The sums of
     * cells at the same place c % B of all blocks, B = cells_per_block, are
     * added over ascending blocks. The B results are added as by sum_lanes():
     * neighbours first, then sums of two, of four, of eight.
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
     * rounded to nearest. Fields have the same cells and nodes. Local; the same
     * bits from every instruction set.
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

    /** Leave it: $u \leftarrow s u + a z$, z widened first; of the two products
     * the first is rounded, the second fused to the sum. */
    template <typename Number>
    void
    scale_and_add(PrimalField<double>                           &u,
                  const double                                   s,
                  const double                                   a,
                  const PrimalField<Number, Layout::contiguous> &z);

    /** @} */



    // ------------------------- templates ---------------------------------

    namespace internal
    {
      /** Arrays of the size of a Field of this shape. */
      template <typename To, typename From>
      void
      convert(To         *dst,
              Layout      to_layout,
              const From *src,
              Layout      from_layout,
              CellIndex   n_cells,
              int         n_nodes);

      template <typename FieldA, typename FieldB>
      bool
      have_same_shape(const FieldA &a, const FieldB &b)
      {
        return a.n_cells() == b.n_cells() && a.n_nodes() == b.n_nodes();
      }
    } // namespace internal



    template <typename Number, Space space, Layout layout>
    void
    add(Field<Number, space, layout>       &u,
        const Number                        a,
        const Field<Number, space, layout> &v)
    {
      TESSERA_ASSERT(internal::have_same_shape(u, v),
                     "fields of a sum have the same cells and nodes");
      Number       *x = u.data();
      const Number *y = v.data();
      for (std::size_t i = 0; i < u.size(); ++i)
        x[i] += a * y[i];
    }



    template <typename Number, Space space, Layout layout>
    void
    scale_and_add(Field<Number, space, layout>       &u,
                  const Number                        s,
                  const Field<Number, space, layout> &v)
    {
      TESSERA_ASSERT(internal::have_same_shape(u, v),
                     "fields of a sum have the same cells and nodes");
      Number       *x = u.data();
      const Number *y = v.data();
      for (std::size_t i = 0; i < u.size(); ++i)
        x[i] = s * x[i] + y[i];
    }



    template <typename To,
              Layout to_layout,
              typename From,
              Layout from_layout,
              Space  space>
    void
    convert(Field<To, space, to_layout>           &dst,
            const Field<From, space, from_layout> &src)
    {
      TESSERA_ASSERT(internal::have_same_shape(dst, src),
                     "both fields have the same cells and nodes");
      internal::convert(dst.data(),
                        to_layout,
                        src.data(),
                        from_layout,
                        src.n_cells(),
                        src.n_nodes());
    }
  } // namespace cellwise
} // namespace tessera

#endif
