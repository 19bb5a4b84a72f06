// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/neighbour_messages.h>
#include <tessera/base/sparse_exchange.h>

#include <algorithm>
#include <limits>

namespace tessera
{
  namespace
  {
    std::string
    error_of(const std::vector<internal::MessageToSend> &messages,
             const unsigned int                          n_ranks)
    {
      std::vector<unsigned int> destinations;
      for (const internal::MessageToSend &message : messages)
        {
          if (message.rank >= n_ranks)
            return "A message goes to rank " + std::to_string(message.rank) +
                   "; the group has the ranks 0 to " +
                   std::to_string(n_ranks - 1) + ".";
          if (message.n_bytes >
              static_cast<std::size_t>(std::numeric_limits<int>::max()))
            return "A message has " + std::to_string(message.n_bytes) +
                   " bytes; less than 2^31 are allowed. Use more ranks.";
          destinations.push_back(message.rank);
        }
      std::sort(destinations.begin(), destinations.end());
      const auto twice =
        std::adjacent_find(destinations.begin(), destinations.end());
      if (twice != destinations.end())
        return "Two messages go to rank " + std::to_string(*twice) +
               "; join them into one.";
      return "";
    }
  } // namespace

  std::vector<Message<char>>
  internal::sparse_exchange(const Communicator               &communicator,
                            const std::vector<MessageToSend> &messages)
  {
    communicator.throw_collectively(error_of(messages, communicator.n_ranks()));

    std::vector<Message<char>> received;
    std::vector<MessageToSend> to_others;
    for (const MessageToSend &message : messages)
      if (message.rank == communicator.rank())
        {
          const char *const bytes = static_cast<const char *>(message.data);
          received.push_back(
            {message.rank,
             message.n_bytes == 0 ?
               std::vector<char>() :
               std::vector<char>(bytes, bytes + message.n_bytes)});
        }
      else
        to_others.push_back(message);

    if (communicator.n_ranks() > 1)
      backend::sparse_exchange(communicator, to_others, received);
    std::sort(received.begin(),
              received.end(),
              [](const Message<char> &a, const Message<char> &b) {
                return a.rank < b.rank;
              });
    return received;
  }
} // namespace tessera
