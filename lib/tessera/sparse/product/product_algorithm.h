// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_product_product_algorithm_h
#define tessera_sparse_product_product_algorithm_h

#include <cstddef>
#include <string>

namespace tessera
{
  namespace sparse
  {
    /**
     * The algorithms for products of sparse matrices of blocks, $W = A P$ and
     * $A_c = P^T A P$. doc/developer/sparse.md compares them.
     *
     * All give the same pattern. two_pass, tiled, schedule and cached_positions
     * give the same bits; fused and fused_ordered have bits in common that
     * differ from those in rounding, and so does outer_product.
     */
    enum class ProductAlgorithm
    {
      automatic,       ///< chosen by sizes and memory, see choose_algorithm()
      two_pass,        ///< $W = A P$, then $A_c = P^T W$, row by row
      fused,           ///< rows of $A_c$ as $\sum (P^T A) P$ without W
      fused_ordered,   ///< fused, with the rows of $A_c$ in a FusedOrder
      tiled,           ///< two passes by lists of contributions to each block
      schedule,        ///< the same lists, with short offsets in windows
      outer_product,   ///< $W' = A^T P$, then $A_c = W'^T P$, by columns
      cached_positions ///< rows of W in cache, added to $A_c$ at stored places
    };

    /** The order in which ProductAlgorithm::fused_ordered computes coarse rows.
     */
    enum class FusedOrder
    {
      natural,            ///< as numbered
      minimum_fine_index, ///< by the first fine row that a row depends on
      rcm                 ///< reverse Cuthill-McKee order of the graph of $A_c$
    };

    /** The names in parameter files: "auto", "two-pass", "fused", "fused
     * ordered", "tiled", "schedule", "outer product", "cached positions". */
    std::string
    to_string(ProductAlgorithm algorithm);

    /** "natural", "minimum fine index", "rcm". */
    std::string
    to_string(FusedOrder order);

    /** @throws InputError listing the names if there is no such algorithm. */
    ProductAlgorithm
    product_algorithm_from_string(const std::string &name);

    /** @throws InputError listing the names if there is no such order. */
    FusedOrder
    fused_order_from_string(const std::string &name);

    /** How a product is computed. */
    struct ProductOptions
    {
      ProductAlgorithm algorithm = ProductAlgorithm::automatic;

      /** For ProductAlgorithm::fused_ordered. */
      FusedOrder fused_order = FusedOrder::natural;

      /** Bytes of the blocks of the result in a tile: bounds the windows of
       * ProductAlgorithm::schedule. The default is what a block of threads has
       * on a GPU without asking for more. */
      std::size_t tile_bytes = 48000;

      /** Bytes that the automatic choice may use; 0: what the machine has
       * free. */
      std::size_t memory_limit = 0;
    };
  } // namespace sparse
} // namespace tessera

#endif
