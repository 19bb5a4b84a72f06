// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/base/sparse_exchange.h>
#include <tessera/cellwise/key_directory.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace tessera
{
  namespace cellwise
  {
    namespace
    {
      /** The message for a rank; ranks are asked for in ascending order. */
      template <typename T>
      std::vector<T> &
      message_for(std::vector<Message<T>> &messages, const unsigned int rank)
      {
        if (messages.empty() || messages.back().rank != rank)
          messages.push_back({rank, {}});
        return messages.back().data;
      }

      std::vector<unsigned int>
      counting_indices(const std::size_t n)
      {
        std::vector<unsigned int> indices(n);
        std::iota(indices.begin(), indices.end(), 0u);
        return indices;
      }

      /** Positions of keys in ascending order of the keys. */
      std::vector<std::size_t>
      ascending_order(const std::vector<std::uint64_t> &keys)
      {
        std::vector<std::size_t> order(keys.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        if (!std::is_sorted(keys.begin(), keys.end()))
          std::sort(order.begin(),
                    order.end(),
                    [&](const std::size_t a, const std::size_t b) {
                      return keys[a] < keys[b];
                    });
        return order;
      }
    } // namespace



    KeyDirectory::KeyDirectory(const Communicator               &comm,
                               const std::uint64_t               n_keys,
                               const std::vector<std::uint64_t> &keys)
      : KeyDirectory(comm, n_keys, keys, counting_indices(keys.size()))
    {}



    KeyDirectory::KeyDirectory(const Communicator               &comm,
                               const std::uint64_t               n_keys,
                               const std::vector<std::uint64_t> &keys,
                               const std::vector<unsigned int>  &indices)
      : communicator(comm)
      , range(std::max<std::uint64_t>(1,
                                      (n_keys + comm.n_ranks() - 1) /
                                        comm.n_ranks()))
      , n_all(comm.sum(std::uint64_t(keys.size())))
    {
      TESSERA_ASSERT(keys.size() == indices.size(), "an index for each key");
      struct Announcement
      {
        std::uint64_t key;
        unsigned int  index;
      };
      const auto outside =
        std::find_if(keys.begin(), keys.end(), [&](const std::uint64_t key) {
          return key >= n_keys;
        });
      communicator.throw_collectively(
        outside == keys.end() ?
          std::string() :
          "Rank " + std::to_string(communicator.rank()) + " names cell " +
            std::to_string(*outside) + "; there are only " +
            std::to_string(n_keys) + ", counted from 0.");

      std::vector<Message<Announcement>> announcements;
      for (const std::size_t i : ascending_order(keys))
        message_for(announcements, rank_of(keys[i]))
          .push_back({keys[i], indices[i]});
      for (const Message<Announcement> &message :
           sparse_exchange(communicator, announcements))
        for (const Announcement &a : message.data)
          entries.push_back({a.key, {message.rank, a.index}});
      std::sort(entries.begin(),
                entries.end(),
                [](const Entry &a, const Entry &b) { return a.key < b.key; });

      const auto twice = std::adjacent_find(entries.begin(),
                                            entries.end(),
                                            [](const Entry &a, const Entry &b) {
                                              return a.key == b.key;
                                            });
      communicator.throw_collectively(
        twice == entries.end() ?
          std::string() :
          "Cell " + std::to_string(twice->key) + " is named by rank " +
            std::to_string(twice->item.owner) + " and by rank " +
            std::to_string((twice + 1)->item.owner) +
            "; every cell belongs to one rank.");
    }



    unsigned int
    KeyDirectory::rank_of(const std::uint64_t key) const
    {
      // Keys that do not exist may be asked for, too.
      return static_cast<unsigned int>(
        std::min<std::uint64_t>(key / range, communicator.n_ranks() - 1));
    }



    std::uint64_t
    KeyDirectory::n_entries() const
    {
      return n_all;
    }



    std::vector<RemoteItem>
    KeyDirectory::find(const std::vector<std::uint64_t> &keys) const
    {
      const std::vector<std::size_t>      order = ascending_order(keys);
      std::vector<Message<std::uint64_t>> questions;
      for (const std::size_t i : order)
        message_for(questions, rank_of(keys[i])).push_back(keys[i]);

      std::string                      missing;
      std::vector<Message<RemoteItem>> answers;
      for (const Message<std::uint64_t> &question :
           sparse_exchange(communicator, questions))
        {
          answers.push_back({question.rank, {}});
          for (const std::uint64_t key : question.data)
            {
              const auto entry =
                std::lower_bound(entries.begin(),
                                 entries.end(),
                                 key,
                                 [](const Entry &e, const std::uint64_t k) {
                                   return e.key < k;
                                 });
              const bool found = entry != entries.end() && entry->key == key;
              if (!found)
                missing = "Cell " + std::to_string(key) +
                          " belongs to no rank; every cell of the box must "
                          "belong to one.";
              answers.back().data.push_back(found ? entry->item :
                                                    RemoteItem{0, 0});
            }
        }
      communicator.throw_collectively(missing);

      // Ranks answer in the order in which they were asked.
      std::vector<RemoteItem> items(keys.size());
      auto                    place = order.begin();
      for (const Message<RemoteItem> &answer :
           sparse_exchange(communicator, answers))
        for (const RemoteItem &item : answer.data)
          items[*place++] = item;
      return items;
    }
  } // namespace cellwise
} // namespace tessera
