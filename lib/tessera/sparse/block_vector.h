// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_block_vector_h
#define tessera_sparse_block_vector_h

#include <tessera/base/aligned_vector.h>
#include <tessera/sparse/block_shape.h>
#include <tessera/sparse/index_layout.h>

#include <cstddef>

namespace tessera
{
  namespace sparse
  {
    /**
     * A vector of blocks of equal size, values[n_local][block_size]; ghosts
     * after owned ones. Host memory, Number float or double.
     *
     * A vector is moved, not copied by accident: see copy().
     */
    template <typename Number>
    class BlockVector
    {
    public:
      using value_type = Number;

      BlockVector() = default;

      /** A vector of zeros.
       * @throws InputError unless 1 <= block_size <= max_block_size. */
      BlockVector(const IndexLayout &layout, int block_size);

      const IndexLayout &
      layout() const;

      int
      block_size() const;

      Number *
      data();

      const Number *
      data() const;

      /** Owned values: n_owned * block_size. */
      std::size_t
      n_owned_values() const;

      /** With ghosts: n_local * block_size. */
      std::size_t
      n_values() const;

      /** A vector of the same values. */
      BlockVector
      copy() const;

      void
      set_zero();

    private:
      IndexLayout           index_layout;
      int                   size_of_block = 1;
      AlignedVector<Number> entries;
    };
  } // namespace sparse
} // namespace tessera

#endif
