// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_product_coarse_order_h
#define tessera_sparse_product_coarse_order_h

#include <tessera/sparse/product/product_algorithm.h>
#include <tessera/sparse/product/product_shape.h>

#include <cstdint>
#include <vector>

namespace tessera
{
  namespace sparse
  {
    /**
     * The order in which rows of $A_c = R A P$ are computed: result[n] is the
     * row that comes n-th. Deterministic.
     *
     * @param[in] R Ascending fine rows of each of n coarse rows. Rows without
     * any come last in FusedOrder::minimum_fine_index.
     * @param[in] C The pattern of $A_c$, the graph of FusedOrder::rcm:
     * in each connected component breadth first from a row of least degree,
     * neighbours by ascending degree, then reversed. Edges are those of the
     * row, so that the pattern should be symmetric.
     */
    std::vector<std::int32_t>
    coarse_order(FusedOrder            order,
                 std::int32_t          n,
                 const CompressedRows &R,
                 const CompressedRows &C);
  } // namespace sparse
} // namespace tessera

#endif
