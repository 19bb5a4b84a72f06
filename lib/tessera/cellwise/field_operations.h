// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_field_operations_h
#define tessera_cellwise_field_operations_h

#include <tessera/base/communication.h>
#include <tessera/cellwise/field.h>
#include <tessera/cellwise/reference_cell.h>

namespace tessera
{
  namespace cellwise
  {
    /**
     * @name Reductions
     * Over the first @p n_cells cells, those that a rank owns, of all ranks of
     * the communicator; without one, of this process alone. Collective. The
     * same bits from every instruction set, in any order of the cells, and on
     * any number of ranks. Cost: one pass over memory, one reduction.
     * @{
     */

    /**
     * The pairing $\langle r, z \rangle = \sum_{K,i} r_{K,i} z_{K,i} =
     * (G^T r) \cdot z_{CG}$: no weights.
     *
     * z is float or double, and widened. Every cell sums its products over
     * ascending nodes, by fused multiply-adds that start from zero. The sums of
     * cells are added exactly (see ExactSum), about 3 nanoseconds a cell, and
     * the result is rounded.
     */
    template <typename Number>
    double
    dot(const DualField<double>   &r,
        const PrimalField<Number> &z,
        CellIndex                  n_cells,
        const Communicator        &communicator = Communicator());

    /** Largest magnitude; NaN if a number is not finite. */
    double
    max_abs(const DualField<double> &r,
            CellIndex                n_cells,
            const Communicator      &communicator = Communicator());

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

    /** The same; for methods of any execution. */
    template <int dim, typename Number>
    void
    to_modal(DualModalField<Number>  &b,
             const double             a,
             const DualField<double> &r,
             const ReferenceCell     &cell,
             const execution::HostQueue &)
    {
      to_modal<dim>(b, a, r, cell);
    }

    /** Leave it: $u \leftarrow u + a z$, z widened first, product and sum
     * rounded once. Acts on all cells. */
    template <typename Number>
    void
    add(PrimalField<double> &u, const double a, const PrimalField<Number> &z);

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
