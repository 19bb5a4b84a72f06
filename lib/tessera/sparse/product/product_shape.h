// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_product_product_shape_h
#define tessera_sparse_product_product_shape_h

#include <cstdint>

namespace tessera
{
  namespace sparse
  {
    /** A product of blocks, rows x inner times inner x columns. */
    struct ProductShape
    {
      int rows;
      int inner;
      int columns;
    };

    /** A pattern as kernels see it. */
    struct CompressedRows
    {
      const std::int64_t *row_begin;
      const std::int32_t *columns;
    };

    /** A matrix as kernels see it: values of blocks in the order of columns. */
    template <typename Number>
    struct CompressedBlocks
    {
      const std::int64_t *row_begin;
      const std::int32_t *columns;
      const Number       *values;
    };
  } // namespace sparse
} // namespace tessera

#endif
