// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sparse/block_vector.h>
#include <tessera/sparse/vector_sizes.h>

namespace tessera
{
  namespace sparse
  {
    template <typename Number>
    BlockVector<Number>::BlockVector(const IndexLayout &layout,
                                     const int          block_size)
      : index_layout(layout)
      , size_of_block(checked_block_size(block_size))
      , entries(static_cast<std::size_t>(layout.n_local()) * block_size)
    {}



    template <typename Number>
    const IndexLayout &
    BlockVector<Number>::layout() const
    {
      return index_layout;
    }



    template <typename Number>
    int
    BlockVector<Number>::block_size() const
    {
      return size_of_block;
    }



    template <typename Number>
    Number *
    BlockVector<Number>::data()
    {
      return entries.data();
    }



    template <typename Number>
    const Number *
    BlockVector<Number>::data() const
    {
      return entries.data();
    }



    template <typename Number>
    std::size_t
    BlockVector<Number>::n_owned_values() const
    {
      return static_cast<std::size_t>(index_layout.n_owned()) * size_of_block;
    }



    template <typename Number>
    std::size_t
    BlockVector<Number>::n_values() const
    {
      return entries.size();
    }



    template <typename Number>
    BlockVector<Number>
    BlockVector<Number>::copy() const
    {
      BlockVector result;
      result.index_layout  = index_layout;
      result.size_of_block = size_of_block;
      result.entries       = entries.copy();
      return result;
    }



    template <typename Number>
    void
    BlockVector<Number>::set_zero()
    {
      entries.fill(Number());
    }



    template class BlockVector<float>;
    template class BlockVector<double>;
  } // namespace sparse
} // namespace tessera
