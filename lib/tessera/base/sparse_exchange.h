// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_sparse_exchange_h
#define tessera_base_sparse_exchange_h

#include <tessera/base/communication.h>

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera
{
  /** Data for a rank, or from one. */
  template <typename T>
  struct Message
  {
    unsigned int   rank;
    std::vector<T> data;
  };

  namespace internal
  {
    struct MessageToSend
    {
      unsigned int rank;
      const void  *data;
      std::size_t  n_bytes;
    };

    std::vector<Message<char>>
    sparse_exchange(const Communicator               &communicator,
                    const std::vector<MessageToSend> &messages);
  } // namespace internal

  /**
   * Send a message to some ranks and receive what others have sent to this one,
   * without knowing who will. For set-up, where only one side knows that two
   * ranks have something to do with each other.
   *
   * At most one message per destination, in any order; messages may be empty
   * and may go to the own rank. The result is sorted by the rank of the sender.
   *
   * Collective. Cost: one message per pair, one nonblocking barrier, and one
   * reduction for the check of the input, i.e. $O(k + \log p)$ for $k$
   * neighbours on $p$ ranks, with no array of length $p$. Method: Hoefler,
   * Siebert, Lumsdaine, Scalable communication protocols for dynamic sparse
   * data exchange, PPoPP 2010 (algorithm NBX).
   *
   * @throws InputError on all ranks if a destination does not exist or is named
   * twice, or if a message has 2 GiB or more.
   */
  template <typename T>
  std::vector<Message<T>>
  sparse_exchange(const Communicator            &communicator,
                  const std::vector<Message<T>> &messages)
  {
    static_assert(std::is_trivially_copyable<T>::value, "moved as bytes");
    std::vector<internal::MessageToSend> to_send;
    to_send.reserve(messages.size());
    for (const Message<T> &message : messages)
      to_send.push_back(
        {message.rank, message.data.data(), message.data.size() * sizeof(T)});

    std::vector<Message<T>> result;
    for (const Message<char> &message :
         internal::sparse_exchange(communicator, to_send))
      {
        std::vector<T> data(message.data.size() / sizeof(T));
        if (!data.empty())
          std::memcpy(data.data(), message.data.data(), message.data.size());
        result.push_back({message.rank, std::move(data)});
      }
    return result;
  }
} // namespace tessera

#endif
