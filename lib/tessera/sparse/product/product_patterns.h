// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_product_product_patterns_h
#define tessera_sparse_product_product_patterns_h

#include <tessera/base/aligned_vector.h>
#include <tessera/sparse/block_pattern.h>
#include <tessera/sparse/product/product_shape.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera
{
  namespace sparse
  {
    /** What kernels need of a pattern. */
    CompressedRows
    compressed_rows(const BlockPattern &pattern);

    /** Row starts and columns of a pattern that no layout belongs to. */
    struct PatternArrays
    {
      std::vector<std::int64_t> row_begin;
      std::vector<std::int32_t> columns;

      CompressedRows
      compressed_rows() const
      {
        return {row_begin.data(), columns.data()};
      }

      std::size_t
      memory_consumption() const
      {
        return row_begin.capacity() * sizeof(row_begin[0]) +
               columns.capacity() * sizeof(columns[0]);
      }
    };

    /** The pattern of A B, with ascending columns, where A has n_rows rows and
     * B has n_columns columns. Structural: it contains all that can be
     * different from zero. */
    PatternArrays
    product_pattern(std::int32_t          n_rows,
                    std::int32_t          n_columns,
                    const CompressedRows &A,
                    const CompressedRows &B);

    /** A transposed pattern, and where its blocks are in the original. */
    struct TransposedPattern
    {
      PatternArrays               pattern;
      AlignedVector<std::int64_t> source; ///< [n_blocks]

      std::size_t
      memory_consumption() const
      {
        return pattern.memory_consumption() + source.size_in_bytes();
      }
    };

    /** Of n_rows rows and n_columns columns. */
    TransposedPattern
    transpose_pattern(std::int32_t          n_rows,
                      std::int32_t          n_columns,
                      const CompressedRows &A);

    /** The blocks of the transposed matrix, rows x columns numbers each:
     * gathered and transposed. */
    template <typename Number>
    void
    transpose_values(const TransposedPattern &transposed,
                     int                      rows,
                     int                      columns,
                     const Number            *values,
                     Number                  *transposed_values);
  } // namespace sparse
} // namespace tessera

#endif
