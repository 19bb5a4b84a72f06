// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sparse/block_matrix.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

namespace tessera
{
  namespace sparse
  {
    namespace
    {
      std::uint64_t
      new_state()
      {
        static std::atomic<std::uint64_t> last(0);
        return ++last;
      }

      BlockShape
      checked(const BlockShape shape)
      {
        if (shape.rows < 1 || shape.rows > max_block_size ||
            shape.columns < 1 || shape.columns > max_block_size)
          throw InputError(
            "A matrix was asked for with blocks of " +
            std::to_string(shape.rows) + " x " + std::to_string(shape.columns) +
            " entries; blocks have 1 to " + std::to_string(max_block_size) +
            " rows and columns.");
        return shape;
      }
    } // namespace



    template <typename Number>
    BlockMatrix<Number>::BlockMatrix()
      : BlockMatrix(BlockPattern(), BlockShape())
    {}



    template <typename Number>
    BlockMatrix<Number>::BlockMatrix(const BlockPattern &pattern,
                                     const BlockShape    shape)
      : blocks(pattern)
      , block_shape(checked(shape))
      , entries(pattern.n_blocks() * shape.size() + n_values_behind)
      , current_state(new_state())
    {}



    template <typename Number>
    const BlockPattern &
    BlockMatrix<Number>::pattern() const
    {
      return blocks;
    }



    template <typename Number>
    BlockShape
    BlockMatrix<Number>::shape() const
    {
      return block_shape;
    }



    template <typename Number>
    const Number *
    BlockMatrix<Number>::values() const
    {
      return entries.data();
    }



    template <typename Number>
    Number *
    BlockMatrix<Number>::values_to_write()
    {
      current_state = new_state();
      return entries.data();
    }



    template <typename Number>
    std::size_t
    BlockMatrix<Number>::n_values() const
    {
      return blocks.n_blocks() * block_shape.size();
    }



    template <typename Number>
    const Number *
    BlockMatrix<Number>::block(const std::size_t position) const
    {
      TESSERA_ASSERT(position < blocks.n_blocks(), "a block of the pattern");
      return entries.data() + position * block_shape.size();
    }



    template <typename Number>
    BlockMatrix<Number>
    BlockMatrix<Number>::copy() const
    {
      BlockMatrix result;
      result.blocks        = blocks;
      result.block_shape   = block_shape;
      result.entries       = entries.copy();
      result.current_state = new_state();
      return result;
    }



    template <typename Number>
    void
    BlockMatrix<Number>::set_zero()
    {
      entries.fill(Number());
      current_state = new_state();
    }



    template <typename Number>
    std::uint64_t
    BlockMatrix<Number>::state() const
    {
      return current_state;
    }



    template <typename Number>
    void
    BlockMatrix<Number>::check_finite() const
    {
      // The place is found afterwards: this loop has no row to think of.
      const Number *const end = entries.data() + n_values();
      const Number *const bad =
        std::find_if(entries.data(), end, [](const Number x) {
          return !std::isfinite(x);
        });
      if (bad == end)
        return;
      const std::int64_t value = bad - entries.data();
      const std::int64_t block = value / block_shape.size();
      const int          entry = static_cast<int>(value % block_shape.size());
      const LocalIndex   row   = blocks.row_of(block);
      throw InputError(
        "A matrix has the value " + std::to_string(*bad) + " in block row " +
        std::to_string(blocks.rows().global(row)) + ", block column " +
        std::to_string(
          blocks.columns().global(blocks.column_indices()[block])) +
        " (global), entry (" + std::to_string(entry / block_shape.columns) +
        ", " + std::to_string(entry % block_shape.columns) +
        ") of the block; values must be finite.");
    }



    template <typename Number>
    std::size_t
    BlockMatrix<Number>::memory_consumption() const
    {
      return entries.size_in_bytes() + blocks.memory_consumption();
    }



    template class BlockMatrix<float>;
    template class BlockMatrix<double>;
  } // namespace sparse
} // namespace tessera
