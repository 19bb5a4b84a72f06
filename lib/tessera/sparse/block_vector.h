// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_block_vector_h
#define tessera_sparse_block_vector_h

#include <tessera/base/aligned_vector.h>
#include <tessera/sparse/index_layout.h>

#include <cstddef>

namespace tessera
{
  namespace sparse
  {
    /**
     * A vector of blocks of equal size, values[n_local][block_size]; ghosts
     * after owned ones. Host memory, Number float or double.
     */
    template <typename Number>
    class BlockVector
    {
    public:
      using value_type = Number;

      BlockVector() = default;

      /** A vector of zeros. */
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
