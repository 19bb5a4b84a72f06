// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_key_directory_h
#define tessera_cellwise_key_directory_h

#include <tessera/base/exchange_plan.h>

#include <cstdint>
#include <vector>

namespace tessera
{
  namespace cellwise
  {
    /**
     * Finds out who has the cell of a key, where nobody knows the partition:
     * the entries are spread over the ranks in equal ranges of keys, and asked
     * for there.
     *
     * Memory: 16 bytes for each key in the range of a rank.
     */
    class KeyDirectory
    {
    public:
      /**
       * Collective.
       *
       * @param[in] n_keys Keys are in [0, n_keys).
       * @param[in] keys Of this rank; that at position i has index i.
       * @throws InputError on all ranks if two ranks, or one twice, name a key,
       * or if a key is out of range.
       */
      KeyDirectory(const Communicator               &communicator,
                   std::uint64_t                     n_keys,
                   const std::vector<std::uint64_t> &keys);

      /** As above, with an index for each key. */
      KeyDirectory(const Communicator               &communicator,
                   std::uint64_t                     n_keys,
                   const std::vector<std::uint64_t> &keys,
                   const std::vector<unsigned int>  &indices);

      /** How many keys there are, of all ranks. */
      std::uint64_t
      n_entries() const;

      /**
       * Where these keys are, in the given order. Collective; two sparse
       * exchanges.
       * @throws InputError on all ranks if nobody has one of them.
       */
      std::vector<RemoteItem>
      find(const std::vector<std::uint64_t> &keys) const;

    private:
      struct Entry
      {
        std::uint64_t key;
        RemoteItem    item;
      };

      unsigned int
      rank_of(const std::uint64_t key) const;

      Communicator       communicator;
      std::uint64_t      range; ///< keys a rank
      std::uint64_t      n_all;
      std::vector<Entry> entries; ///< ascending keys
    };
  } // namespace cellwise
} // namespace tessera

#endif
