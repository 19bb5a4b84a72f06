// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sparse/product/traffic_model.h>

#include <algorithm>
#include <cstdio>

namespace tessera
{
  namespace sparse
  {
    namespace
    {
      double
      two_pass_flops(const ProductSizes &s)
      {
        return 2. * s.fine * s.coarse *
               (s.fine * s.n_products_W + s.coarse * s.n_products_C);
      }

      /** A and P read, C written. */
      double
      operand_stream(const ProductSizes &s)
      {
        return s.bytes_A() * s.n_blocks_A + s.bytes_P() * s.n_blocks_P +
               s.bytes_C() * s.n_blocks_C;
      }

      std::string
      megabytes(const double bytes)
      {
        char text[32];
        std::snprintf(text, sizeof(text), "%.4g MB", bytes * 1e-6);
        return text;
      }
    } // namespace

    ProductTraffic
    traffic(const ProductSizes &s, const ProductAlgorithm algorithm)
    {
      const double P = s.bytes_P() * s.n_blocks_P;
      const double W = s.bytes_W() * s.n_blocks_W;

      // Of the two passes: A and R read once, P and W once a product.
      const double two_pass_reads = s.bytes_A() * s.n_blocks_A +
                                    s.bytes_P() * s.n_products_W + P +
                                    s.bytes_W() * s.n_products_C;
      const double two_pass_updates = 2 * s.bytes_C() * s.n_products_C;

      ProductTraffic t;
      t.flops = two_pass_flops(s);
      switch (algorithm)
        {
          case ProductAlgorithm::two_pass:
            t.floor_bytes     = operand_stream(s) + P + 2 * W;
            t.read_requests   = two_pass_reads;
            t.update_requests = two_pass_updates;
            t.footprint_bytes = W + P;
            t.peak_bytes      = t.footprint_bytes;
            break;

          case ProductAlgorithm::fused:
          case ProductAlgorithm::fused_ordered:
            t.floor_bytes = operand_stream(s) + P;
            t.read_requests =
              s.bytes_A() * s.n_fused_reads_A + s.bytes_P() * s.n_fused_reads_P;
            t.update_requests = 2 * s.bytes_C() * s.n_fused_reads_P;
            t.footprint_bytes = P;
            t.peak_bytes      = P;
            t.flops =
              2. * s.fine * s.coarse *
              (s.fine * s.n_fused_reads_A + s.coarse * s.n_fused_reads_P);
            break;

          case ProductAlgorithm::tiled:
          case ProductAlgorithm::schedule:
            {
              // A schedule is as long where windows do not fit 16 bits, and is
              // made from lists, which are there at the same time.
              const double lists = schedule_bytes(s, 8);
              t.floor_bytes      = operand_stream(s) + P + 2 * W + lists;
              t.read_requests = (s.bytes_A() + s.bytes_P()) * s.n_products_W +
                                (s.bytes_P() + s.bytes_W()) * s.n_products_C;
              t.footprint_bytes = W + P + lists;
              t.peak_bytes =
                W + P +
                (algorithm == ProductAlgorithm::schedule ? 2 : 1) * lists;
              break;
            }

          case ProductAlgorithm::outer_product:
            t.floor_bytes   = operand_stream(s) + P + 2 * W;
            t.read_requests = s.bytes_A() * s.n_blocks_A +
                              s.bytes_P() * s.n_products_W + W +
                              s.bytes_P() * s.n_products_C;
            t.update_requests = two_pass_updates;
            t.footprint_bytes = W;
            t.peak_bytes      = W;
            break;

          case ProductAlgorithm::cached_positions:
            {
              const double positions = s.position_bytes_W * s.n_products_W +
                                       s.position_bytes_C * s.n_products_C;
              t.floor_bytes   = operand_stream(s) + positions;
              t.read_requests = s.bytes_A() * s.n_blocks_A +
                                s.bytes_P() * s.n_products_W + P +
                                s.bytes_W() * s.n_products_C;
              t.update_requests = two_pass_updates;
              t.footprint_bytes = positions;
              // The patterns of W and R are there while positions are made.
              t.peak_bytes = positions + 4 * s.n_blocks_W + 12 * s.n_blocks_P;
              break;
            }

          case ProductAlgorithm::automatic:
            TESSERA_ASSERT(false, "an algorithm has been chosen");
        }
      return t;
    }

    double
    tile_fusion_floor(const ProductSizes &s, const double halo)
    {
      return operand_stream(s) + s.bytes_P() * s.n_blocks_P +
             halo * (s.bytes_A() * s.n_blocks_A + s.bytes_P() * s.n_blocks_P);
    }

    double
    estimated_fused_flops(const ProductSizes &s)
    {
      return s.blocks_per_row() * two_pass_flops(s);
    }

    double
    schedule_bytes(const ProductSizes &s, const int bytes_per_product)
    {
      return bytes_per_product * (s.n_products_W + s.n_products_C);
    }

    double
    fused_crossover(const ProductSizes &s,
                    const double        fill_growth,
                    const double        bandwidth,
                    const double        flops_per_second)
    {
      // Fused minus two-pass time: a cubic polynomial that grows from a
      // negative value at 0.
      const auto difference = [&](const double n_P) {
        const ProductSizes at =
          estimate_sizes(s.fine,
                         s.coarse,
                         s.number_bytes,
                         s.n_fine_rows,
                         s.n_coarse_rows,
                         s.n_blocks_A,
                         n_P * s.n_fine_rows,
                         fill_growth * n_P * s.n_fine_rows,
                         s.n_blocks_C,
                         n_P);
        return estimated_fused_flops(at) / flops_per_second -
               traffic(at, ProductAlgorithm::two_pass).floor_bytes / bandwidth;
      };
      double below = 0, above = 1;
      while (difference(above) < 0)
        above *= 2;
      while (above - below > 1e-12 * above)
        {
          const double middle = (below + above) / 2;
          if (middle == below || middle == above)
            break;
          (difference(middle) < 0 ? below : above) = middle;
        }
      return above;
    }

    double
    fused_crossover_at(const ProductSizes &s,
                       const double        bandwidth,
                       const double        flops_per_second)
    {
      return traffic(s, ProductAlgorithm::two_pass).floor_bytes / bandwidth /
             (two_pass_flops(s) / flops_per_second);
    }

    std::size_t
    tile_capacity(const std::size_t tile_bytes,
                  const int         rows,
                  const int         columns)
    {
      return tile_bytes / (8 * std::size_t(rows) * columns);
    }

    ProductChoice
    choose_algorithm(const ProductSizes &sizes, const double free_bytes)
    {
      const double needed =
        traffic(sizes, ProductAlgorithm::cached_positions).peak_bytes;
      const std::string compared = megabytes(needed) + " for positions, " +
                                   megabytes(free_bytes) + " free";
      if (needed <= free_bytes)
        return {ProductAlgorithm::cached_positions, compared};
      return {ProductAlgorithm::fused, "not enough memory: " + compared};
    }

    ProductChoice
    choose_device_algorithm(const ProductSizes &s, const double free_bytes)
    {
      const double      W      = s.bytes_W() * s.n_blocks_W;
      const double      needed = W + schedule_bytes(s, 24);
      const std::string compared =
        megabytes(W) + " for A P, " + megabytes(needed) +
        " with the making of lists, " + megabytes(free_bytes) + " free";
      const int largest = s.coarse * std::max(s.fine, s.coarse);
      if (largest <= max_block_size * max_block_size && needed <= free_bytes)
        return {ProductAlgorithm::tiled, compared};
      if (W > free_bytes)
        return {ProductAlgorithm::fused, "not enough memory: " + compared};
      return {ProductAlgorithm::two_pass, "no memory for lists: " + compared};
    }

    ProductChoice
    choose_portable_algorithm(const bool structurally_symmetric)
    {
      if (structurally_symmetric)
        return {ProductAlgorithm::outer_product, "the pattern is symmetric"};
      return {ProductAlgorithm::two_pass, "the pattern is not symmetric"};
    }
  } // namespace sparse
} // namespace tessera
