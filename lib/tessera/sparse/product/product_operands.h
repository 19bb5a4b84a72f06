// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_product_product_operands_h
#define tessera_sparse_product_product_operands_h

#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/block_pattern.h>
#include <tessera/sparse/product/product_patterns.h>
#include <tessera/sparse/product/product_shape.h>

#include <string>

namespace tessera
{
  namespace sparse
  {
    /** "3 x 6" */
    std::string
    to_string(BlockShape shape);

    /** @throws InputError, naming product and operand, unless the pattern and
     * the shape of a matrix are the ones that a product was made for. */
    void
    check_operand(const std::string  &product,
                  const std::string  &operand,
                  const BlockPattern &pattern,
                  BlockShape          shape,
                  const BlockPattern &expected_pattern,
                  BlockShape          expected_shape);

    /** @throws InputError, naming product and operand, unless blocks have 1 to
     * max_block_size rows and columns. */
    void
    check_shape(const std::string &product,
                const std::string &operand,
                BlockShape         shape);

    /** What kernels need of a matrix. */
    template <typename Number>
    CompressedBlocks<Number>
    compressed_blocks(const BlockMatrix<Number> &matrix)
    {
      const CompressedRows rows = compressed_rows(matrix.pattern());
      return {rows.row_begin, rows.columns, matrix.values()};
    }

    /** The pattern of arrays whose columns ascend. */
    BlockPattern
    make_pattern(const IndexLayout &rows,
                 const IndexLayout &columns,
                 PatternArrays      arrays);

    /** A layout that owns the local indices 0, ..., n-1 of another one: that
     * one itself, if a process alone has it. */
    IndexLayout
    local_layout(const IndexLayout &layout, LocalIndex n);
  } // namespace sparse
} // namespace tessera

#endif
