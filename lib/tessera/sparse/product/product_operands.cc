// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sparse/product/product_operands.h>

#include <utility>

namespace tessera
{
  namespace sparse
  {
    std::string
    to_string(const BlockShape shape)
    {
      return std::to_string(shape.rows) + " x " + std::to_string(shape.columns);
    }

    void
    check_operand(const std::string  &product,
                  const std::string  &operand,
                  const BlockPattern &pattern,
                  const BlockShape    shape,
                  const BlockPattern &expected_pattern,
                  const BlockShape    expected_shape)
    {
      if (!(shape == expected_shape))
        throw InputError(product + ": " + operand + " has blocks of " +
                         to_string(shape) +
                         " entries; the product was made for " +
                         to_string(expected_shape) + ".");
      if (!(pattern == expected_pattern))
        throw InputError(
          product + ": " + operand + " has " +
          std::to_string(pattern.n_rows()) + " block rows and " +
          std::to_string(pattern.n_blocks()) +
          " blocks in another pattern than that with " +
          std::to_string(expected_pattern.n_rows()) + " and " +
          std::to_string(expected_pattern.n_blocks()) +
          " which the product was made for. Make a new product.");
    }

    void
    check_shape(const std::string &product,
                const std::string &operand,
                const BlockShape   shape)
    {
      if (shape.rows < 1 || shape.rows > max_block_size || shape.columns < 1 ||
          shape.columns > max_block_size)
        throw InputError(product + ": " + operand + " has blocks of " +
                         to_string(shape) + " entries; blocks have 1 to " +
                         std::to_string(max_block_size) + " rows and columns.");
    }

    BlockPattern
    make_pattern(const IndexLayout &rows,
                 const IndexLayout &columns,
                 PatternArrays      arrays)
    {
      return BlockPattern(rows,
                          columns,
                          std::move(arrays.row_begin),
                          std::move(arrays.columns));
    }

    IndexLayout
    local_layout(const IndexLayout &layout, const LocalIndex n)
    {
      if (layout.n_global() == std::uint64_t(n) && layout.n_owned() == n)
        return layout;
      return IndexLayout(std::uint64_t(n));
    }
  } // namespace sparse
} // namespace tessera
