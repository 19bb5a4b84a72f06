// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_vector_sizes_h
#define tessera_sparse_vector_sizes_h

#include <tessera/base/exceptions.h>
#include <tessera/sparse/block_vector.h>

#include <string>

namespace tessera
{
  namespace sparse
  {
    /** The argument.
     * @throws InputError unless 1 <= block_size <= max_block_size. */
    inline int
    checked_block_size(const int block_size)
    {
      if (block_size < 1 || block_size > max_block_size)
        throw InputError("Blocks of " + std::to_string(block_size) +
                         " entries were asked for; they have 1 to " +
                         std::to_string(max_block_size) + ".");
      return block_size;
    }

    /** @throws InputError unless the vector has the owned blocks of a layout,
     * and blocks of this size. Local. */
    template <typename Number>
    void
    check_owned_vector(const char                *name,
                       const BlockVector<Number> &vector,
                       const IndexLayout         &layout,
                       const int                  block_size)
    {
      if (vector.block_size() != block_size ||
          !vector.layout().same_owned(layout))
        throw InputError(
          "The vector " + std::string(name) + " has " +
          std::to_string(vector.layout().n_global()) + " blocks (" +
          std::to_string(vector.layout().n_owned()) + " of this rank) of " +
          std::to_string(vector.block_size()) + " entries where " +
          std::to_string(layout.n_global()) + " (" +
          std::to_string(layout.n_owned()) + ") of " +
          std::to_string(block_size) + " are needed.");
    }

    /** The same for its ghosts, too. */
    template <typename Number>
    void
    check_local_vector(const char                *name,
                       const BlockVector<Number> &vector,
                       const IndexLayout         &layout,
                       const int                  block_size)
    {
      check_owned_vector(name, vector, layout, block_size);
      if (!(vector.layout() == layout))
        throw InputError("The vector " + std::string(name) + " has " +
                         std::to_string(vector.layout().n_ghosts()) +
                         " ghosts where those of the columns of a matrix, " +
                         std::to_string(layout.n_ghosts()) +
                         " of them, are needed: make it with "
                         "pattern().columns().");
    }

    /** @throws InputError if two vectors that must differ are the same. */
    template <typename Number>
    void
    check_different(const char                *name_a,
                    const BlockVector<Number> &a,
                    const char                *name_b,
                    const BlockVector<Number> &b)
    {
      if (&a == &b)
        throw InputError("The vectors " + std::string(name_a) + " and " +
                         name_b + " are the same one; they must differ.");
    }
  } // namespace sparse
} // namespace tessera

#endif
