// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_index_layout_h
#define tessera_sparse_index_layout_h

#include <tessera/base/communication.h>
#include <tessera/base/exchange_plan.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tessera
{
  namespace sparse
  {
    /** Numbers a block row or column among those of a rank. */
    using LocalIndex = std::int32_t;

    /** Numbers one among those of all ranks. */
    using GlobalIndex = std::uint64_t;

    /**
     * Who owns the block rows or columns of matrices and the blocks of vectors,
     * and who has copies of whose.
     *
     * Each rank owns a contiguous range of global indices; ranges ascend with
     * the ranks. A rank numbers its local indices: owned ones 0, ...,
     * n_owned()-1 in ascending order of their global indices, then its ghosts
     * in ascending order of theirs. A process alone owns all and has no ghosts.
     *
     * A handle to constant data: copies are cheap.
     */
    class IndexLayout
    {
    public:
      /** No indices, in one process. */
      IndexLayout();

      /** 0, ..., n-1 in this process, alone. Not collective.
       * @throws InputError if n does not fit into LocalIndex. */
      explicit IndexLayout(std::uint64_t n);

      /**
       * Collective.
       * @param[in] n_owned Of this rank.
       * @param[in] ghosts Global indices owned by others that this rank has
       * copies of, in any order, without repetitions.
       * @throws InputError on all ranks if an index does not exist, is owned
       * by the rank itself, is repeated, or if there are more local indices
       * than fit into LocalIndex.
       */
      IndexLayout(const Communicator             &communicator,
                  std::uint64_t                   n_owned,
                  const std::vector<GlobalIndex> &ghosts);

      const Communicator &
      communicator() const;

      LocalIndex
      n_owned() const;

      LocalIndex
      n_ghosts() const;

      /** Owned ones and ghosts. */
      LocalIndex
      n_local() const;

      std::uint64_t
      n_global() const;

      /** Global index of the first owned one. */
      GlobalIndex
      first_owned() const;

      /** Of every rank, and n_global() behind the last: [n_ranks+1]. For
       * locate_items(). */
      const std::vector<GlobalIndex> &
      first_of_ranks() const;

      /** Of a local index. */
      GlobalIndex
      global(LocalIndex local) const;

      /** The way back; -1 for what is neither owned nor a ghost. O(log). */
      LocalIndex
      local(GlobalIndex global) const;

      /** From owned indices to ghosts: item i is local index i, ghost g is
       * n_owned() + g. */
      const ExchangePlan &
      ghosts() const;

      /** Whether both number the same indices in the same way, on this rank.
       * Local. */
      bool
      operator==(const IndexLayout &other) const;

      /** Whether both give this rank the same indices to own. Local, O(1). */
      bool
      same_owned(const IndexLayout &other) const;

      std::size_t
      memory_consumption() const;

    private:
      struct Data;
      std::shared_ptr<const Data> data;
    };
  } // namespace sparse
} // namespace tessera

#endif
