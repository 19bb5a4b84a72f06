// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_block_matrix_h
#define tessera_sparse_block_matrix_h

#include <tessera/base/aligned_vector.h>
#include <tessera/sparse/block_pattern.h>
#include <tessera/sparse/block_shape.h>

#include <cstddef>
#include <cstdint>

namespace tessera
{
  namespace sparse
  {
    /**
     * A sparse matrix of dense blocks: block CSR.
     *
     * Storage, host memory: values[n_blocks][shape.rows][shape.columns],
     * row-major, in the order of the pattern; Number is float or double. Behind
     * the last value there are n_values_behind zeros that kernels may read, so
     * that a register filled from the last row of the last block needs no mask.
     * Patterns are shared between matrices. state() changes with the values,
     * for those who keep what they have computed from them.
     *
     * A matrix is moved, not copied by accident: see copy().
     */
    template <typename Number>
    class BlockMatrix
    {
    public:
      using value_type = Number;

      static constexpr int n_values_behind = 8;

      /** No rows and columns. */
      BlockMatrix();

      /** A matrix of zeros.
       * @throws InputError unless 1 <= rows, columns <= max_block_size. */
      BlockMatrix(const BlockPattern &pattern, BlockShape shape);

      const BlockPattern &
      pattern() const;

      BlockShape
      shape() const;

      /** The first value; only to read. */
      const Number *
      values() const;

      /** The first value, to write: counts as a change. Who keeps the pointer
       * and writes later calls again. */
      Number *
      values_to_write();

      /** n_blocks * shape.size() */
      std::size_t
      n_values() const;

      /** A matrix of the same values, and pattern. */
      BlockMatrix
      copy() const;

      /** Of a block, by its position in the pattern. */
      const Number *
      block(std::size_t position) const;

      void
      set_zero();

      /** A number that is different after every change, and for different
       * matrices. */
      std::uint64_t
      state() const;

      /** @throws InputError naming row, column and entry of the first value
       * that is not finite; local. */
      void
      check_finite() const;

      /** Values, and the pattern, which others may share. */
      std::size_t
      memory_consumption() const;

    private:
      BlockPattern          blocks;
      BlockShape            block_shape;
      AlignedVector<Number> entries;
      std::uint64_t         current_state = 0;
    };
  } // namespace sparse
} // namespace tessera

#endif
