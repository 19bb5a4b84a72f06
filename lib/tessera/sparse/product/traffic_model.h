// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_product_traffic_model_h
#define tessera_sparse_product_traffic_model_h

#include <tessera/sparse/product/product_algorithm.h>
#include <tessera/sparse/product/product_sizes.h>

#include <cstddef>
#include <string>

namespace tessera
{
  namespace sparse
  {
    /**
     * What a numeric Galerkin product moves and computes, after the model of
     * arXiv:2607.28891, section 3.
     *
     * The floor counts each distinct byte once, an intermediate matrix twice
     * (written and read); a product cannot be faster than its floor over the
     * bandwidth of memory. Requests count every block that an inner loop reads
     * or updates: what caches have to serve. Indices of blocks are not counted
     * but where they are the point: lists, schedules and positions.
     */
    struct ProductTraffic
    {
      double floor_bytes   = 0;
      double read_requests = 0; ///< bytes of blocks of A, P, R, W read

      /** Bytes of blocks of $A_c$ that are read and written back to add to
       * them; 0 where a block is summed in registers. */
      double update_requests = 0;

      /** Bytes kept between numeric products beyond A, P and $A_c$: W, R,
       * lists, positions. Indices of rows are neglected. */
      double footprint_bytes = 0;

      /** Bytes needed while the product is set up or computed. */
      double peak_bytes = 0;

      double flops = 0;
    };

    /** @param[in] algorithm Not automatic. */
    ProductTraffic
    traffic(const ProductSizes &sizes, ProductAlgorithm algorithm);

    /** Bytes that any product must move which computes pieces of W in fast
     * memory, a part `halo` of them twice: the lowest published floor, to
     * compare those of the algorithms with. */
    double
    tile_fusion_floor(const ProductSizes &sizes, double halo = 0.25);

    /** The published estimate $n_P$ F of the operations of the fused form, F
     * being those of two_pass. */
    double
    estimated_fused_flops(const ProductSizes &sizes);

    /** Bytes of a schedule of pairs of offsets, 4 or 8 bytes a product. */
    double
    schedule_bytes(const ProductSizes &sizes, int bytes_per_product);

    /**
     * The number of blocks in a row of P at which the fused form, bound by
     * operations, is as fast as two_pass, bound by memory:
     * $n_P F(n_P) / \text{flops} = T(n_P) / \text{bandwidth}$,
     * with $Z_P = n_P m_F$ and $Z_W = w Z_P$. Below it, fused is faster.
     *
     * @param[in] bandwidth, flops_per_second Of the machine, bytes and
     * operations a second.
     */
    double
    fused_crossover(const ProductSizes &sizes,
                    double              fill_growth,
                    double              bandwidth,
                    double              flops_per_second);

    /** The same with F and T held at their values for the given sizes. */
    double
    fused_crossover_at(const ProductSizes &sizes,
                       double              bandwidth,
                       double              flops_per_second);

    /** Blocks of rows x columns numbers of 8 bytes in a tile of so many bytes.
     */
    std::size_t
    tile_capacity(std::size_t tile_bytes, int rows, int columns);

    /** An algorithm and why it was chosen, for the log. */
    struct ProductChoice
    {
      ProductAlgorithm algorithm;
      std::string      reason;
    };

    /** For the host: cached_positions, or fused where these, with what is
     * needed to make them, do not fit into free_bytes. */
    ProductChoice
    choose_algorithm(const ProductSizes &sizes, double free_bytes);

    /** The published rule for GPUs: tiled, if W and the making of lists (24
     * bytes a product) fit; fused, if W does not fit; else two_pass. */
    ProductChoice
    choose_device_algorithm(const ProductSizes &sizes, double free_bytes);

    /** The published rule for portable kernels: outer_product if the pattern of
     * A is symmetric, else two_pass. */
    ProductChoice
    choose_portable_algorithm(bool structurally_symmetric);
  } // namespace sparse
} // namespace tessera

#endif
