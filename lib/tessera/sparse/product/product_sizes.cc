// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sparse/product/cached_positions.h>
#include <tessera/sparse/product/product_sizes.h>

#include <algorithm>

namespace tessera
{
  namespace sparse
  {
    ProductSizes
    count_sizes(const int             fine,
                const int             coarse,
                const int             number_bytes,
                const std::int32_t    n_fine_rows,
                const std::int32_t    n_coarse_rows,
                const CompressedRows &A,
                const CompressedRows &P,
                const CompressedRows &W,
                const CompressedRows &C)
    {
      ProductSizes sizes;
      sizes.fine          = fine;
      sizes.coarse        = coarse;
      sizes.number_bytes  = number_bytes;
      sizes.n_fine_rows   = n_fine_rows;
      sizes.n_coarse_rows = n_coarse_rows;
      sizes.n_blocks_A    = A.row_begin[n_fine_rows];
      sizes.n_blocks_P    = P.row_begin[n_fine_rows];
      sizes.n_blocks_W    = W.row_begin[n_fine_rows];
      sizes.n_blocks_C    = C.row_begin[n_coarse_rows];

      const auto length = [](const CompressedRows &M, const std::int32_t i) {
        return double(M.row_begin[i + 1] - M.row_begin[i]);
      };
      for (std::int32_t i = 0; i < n_fine_rows; ++i)
        {
          double n_products = 0;
          for (std::int64_t a = A.row_begin[i]; a < A.row_begin[i + 1]; ++a)
            n_products += length(P, A.columns[a]);
          sizes.n_products_W += n_products;
          sizes.n_products_C += length(P, i) * length(W, i);
          sizes.n_fused_reads_A += length(P, i) * length(A, i);
          sizes.n_fused_reads_P += length(P, i) * n_products;
        }
      // As pairs of types that kernels exist for.
      sizes.position_bytes_W = bytes_of_position(longest_row(n_fine_rows, W));
      sizes.position_bytes_C =
        std::max(sizes.position_bytes_W,
                 bytes_of_position(longest_row(n_coarse_rows, C)));
      if (sizes.position_bytes_C == 4)
        sizes.position_bytes_W = 4;
      return sizes;
    }

    ProductSizes
    estimate_sizes(const int    fine,
                   const int    coarse,
                   const int    number_bytes,
                   const double n_fine_rows,
                   const double n_coarse_rows,
                   const double n_blocks_A,
                   const double n_blocks_P,
                   const double n_blocks_W,
                   const double n_blocks_C,
                   const double blocks_per_row)
    {
      ProductSizes sizes;
      sizes.fine             = fine;
      sizes.coarse           = coarse;
      sizes.number_bytes     = number_bytes;
      sizes.n_fine_rows      = n_fine_rows;
      sizes.n_coarse_rows    = n_coarse_rows;
      sizes.n_blocks_A       = n_blocks_A;
      sizes.n_blocks_P       = n_blocks_P;
      sizes.n_blocks_W       = n_blocks_W;
      sizes.n_blocks_C       = n_blocks_C;
      sizes.n_products_W     = blocks_per_row * n_blocks_A;
      sizes.n_products_C     = blocks_per_row * n_blocks_W;
      sizes.n_fused_reads_A  = blocks_per_row * n_blocks_A;
      sizes.n_fused_reads_P  = blocks_per_row * blocks_per_row * n_blocks_A;
      sizes.position_bytes_W = sizes.position_bytes_C = 2;
      return sizes;
    }
  } // namespace sparse
} // namespace tessera
