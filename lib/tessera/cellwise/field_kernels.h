// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_field_kernels_h
#define tessera_cellwise_field_kernels_h

#include <tessera/base/instruction_set.h>
#include <tessera/cellwise/layout.h>

namespace tessera
{
  namespace cellwise
  {
    TESSERA_DECLARE_SIMD(
      /**
       * @name Leaf kernels of field_operations.h
       * n_cells cells of n_nodes nodes; numbers are float or double, converted
       * as they are read or written. Arrays are blocked where nothing else is
       * said. Their last block may be incomplete: it is there as a whole.
       * @{
       */

      /** Change the layout. What is in the padding is not looked at. */
      template <typename To, typename From>
      void blocked_to_contiguous(To         *dst,
                                 const From *src,
                                 CellIndex   n_cells,
                                 int         n_nodes);

      /** Change the layout. The padding becomes zero. */
      template <typename To, typename From>
      void contiguous_to_blocked(To         *dst,
                                 const From *src,
                                 CellIndex   n_cells,
                                 int         n_nodes);

      /** u <- u + a z. */
      template <typename Number>
      void add(double       *u,
               double        a,
               const Number *z,
               CellIndex     n_cells,
               int           n_nodes);

      /** Sum of the products of two fields in every cell, of ascending nodes.
       * There is room for sums of the padding. */
      template <typename Number>
      void dot(double       *sums,
               const double *r,
               const Number *z,
               CellIndex     n_cells,
               int           n_nodes);

      /** Largest magnitude of a field; NaN if a number is not finite. */
      double max_abs(const double *r, CellIndex n_cells, int n_nodes);

      /**
       * b = a (A x ... x A) r, of degree p in dim directions: n_nodes =
       * (p+1)^dim. A is as for transform_to_modes().
       */
      template <int dim, typename Number>
      void transform_and_scale(int           degree,
                               Number       *b,
                               double        a,
                               const double *A,
                               const double *r,
                               CellIndex     n_cells);

      /** @} */
    )
  } // namespace cellwise
} // namespace tessera

#endif
