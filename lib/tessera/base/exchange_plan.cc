// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exchange.h>
#include <tessera/base/exchange_plan.h>
#include <tessera/base/sparse_exchange.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace tessera
{
  std::vector<RemoteItem>
  locate_items(const std::vector<std::uint64_t> &first_items,
               const std::vector<std::uint64_t> &items)
  {
    std::vector<RemoteItem> result;
    result.reserve(items.size());
    for (const std::uint64_t item : items)
      {
        // The first range that ends behind the item; this skips empty ranges.
        const auto end =
          std::upper_bound(first_items.begin(), first_items.end(), item);
        if (end == first_items.begin() || end == first_items.end())
          throw InputError(
            "No rank owns item " + std::to_string(item) + "; " +
            (first_items.empty() ?
               std::string("there are no items.") :
               "items from " + std::to_string(first_items.front()) + " to " +
                 std::to_string(first_items.back()) + " (exclusive) exist."));
        const auto begin = end - 1;
        result.push_back(
          {static_cast<unsigned int>(begin - first_items.begin()),
           static_cast<unsigned int>(item - *begin)});
      }
    return result;
  }

  namespace
  {
    constexpr std::size_t n_items_limit =
      std::numeric_limits<unsigned int>::max();

    std::string
    error_of_size(const char *what, const std::size_t n)
    {
      return n <= n_items_limit ?
               "" :
               "An exchange plan has " + std::to_string(n) + ' ' + what +
                 " on one rank; at most 2^32-1 are possible. Use more ranks.";
    }

    std::string
    error_of_owners(const std::vector<RemoteItem> &ghosts,
                    const unsigned int             n_ranks)
    {
      for (std::size_t g = 0; g < ghosts.size(); ++g)
        if (ghosts[g].owner >= n_ranks)
          return "Ghost " + std::to_string(g) + " is owned by rank " +
                 std::to_string(ghosts[g].owner) +
                 "; the group has the ranks 0 to " +
                 std::to_string(n_ranks - 1) + ".";
      return "";
    }

    std::string
    error_of_requests(const std::vector<Message<unsigned int>> &requests,
                      const std::size_t                         n_owned)
    {
      for (const Message<unsigned int> &request : requests)
        for (const unsigned int item : request.data)
          if (item >= n_owned)
            return "Rank " + std::to_string(request.rank) +
                   " has a ghost of item " + std::to_string(item) +
                   " of a rank that owns " + std::to_string(n_owned) +
                   " items only.";
      return "";
    }

    std::string
    error_of_links(const std::vector<ExchangePlan::Link> &links,
                   const char                            *what,
                   const std::size_t                      n_items,
                   const unsigned int                     n_ranks)
    {
      std::vector<unsigned int> ranks;
      for (const ExchangePlan::Link &link : links)
        {
          if (link.rank >= n_ranks)
            return "An exchange plan names rank " + std::to_string(link.rank) +
                   "; the group has the ranks 0 to " +
                   std::to_string(n_ranks - 1) + ".";
          for (const unsigned int item : link.items)
            if (item >= n_items)
              return "An exchange plan moves " + std::string(what) + ' ' +
                     std::to_string(item) + " of a rank that has " +
                     std::to_string(n_items) + " of them only.";
          ranks.push_back(link.rank);
        }
      std::sort(ranks.begin(), ranks.end());
      const auto twice = std::adjacent_find(ranks.begin(), ranks.end());
      if (twice != ranks.end())
        return "An exchange plan has two lists for rank " +
               std::to_string(*twice) + " in one direction; join them.";
      return "";
    }

    std::string
    error_of_repeated_ghosts(const std::vector<ExchangePlan::Link> &receive,
                             const std::size_t                      n_ghosts)
    {
      std::vector<bool> received(n_ghosts, false);
      for (const ExchangePlan::Link &link : receive)
        for (const unsigned int ghost : link.items)
          {
            if (received[ghost])
              return "An exchange plan receives ghost " +
                     std::to_string(ghost) +
                     " twice; a ghost is a copy of one item.";
            received[ghost] = true;
          }
      return "";
    }

    /** Compare what others expect from this rank to what it sends. */
    std::string
    error_of_lengths(const std::vector<Message<std::uint64_t>> &expected,
                     const std::vector<ExchangePlan::Link>     &send,
                     const unsigned int                         rank)
    {
      const auto differs = [rank](const unsigned int  to,
                                  const std::uint64_t n_sent,
                                  const std::uint64_t n_expected) {
        return "In an exchange plan rank " + std::to_string(rank) + " sends " +
               std::to_string(n_sent) + " items to rank " + std::to_string(to) +
               ", which expects " + std::to_string(n_expected) + '.';
      };
      std::size_t n_found = 0;
      for (const ExchangePlan::Link &link : send)
        {
          if (link.items.empty())
            continue;
          const auto entry =
            std::find_if(expected.begin(),
                         expected.end(),
                         [&](const Message<std::uint64_t> &message) {
                           return message.rank == link.rank;
                         });
          const std::uint64_t n_expected =
            entry == expected.end() ? 0 : entry->data[0];
          if (n_expected != link.items.size())
            return differs(link.rank, link.items.size(), n_expected);
          ++n_found;
        }
      if (n_found != expected.size())
        for (const Message<std::uint64_t> &message : expected)
          if (std::none_of(
                send.begin(), send.end(), [&](const ExchangePlan::Link &link) {
                  return link.rank == message.rank && !link.items.empty();
                }))
            return differs(message.rank, 0, message.data[0]);
      return "";
    }

    void
    append(const unsigned int                    rank,
           const std::vector<unsigned int>      &new_items,
           std::vector<ExchangePlan::Neighbour> &neighbours,
           std::vector<unsigned int>            &items)
    {
      if (new_items.empty())
        return;
      neighbours.push_back(
        {rank, items.size(), items.size() + new_items.size()});
      items.insert(items.end(), new_items.begin(), new_items.end());
    }

    /** Flatten lists in the order of their ranks. */
    void
    flatten(const std::vector<ExchangePlan::Link> &links,
            std::vector<ExchangePlan::Neighbour>  &neighbours,
            std::vector<unsigned int>             &items)
    {
      std::vector<const ExchangePlan::Link *> sorted;
      for (const ExchangePlan::Link &link : links)
        sorted.push_back(&link);
      std::sort(sorted.begin(),
                sorted.end(),
                [](const ExchangePlan::Link *a, const ExchangePlan::Link *b) {
                  return a->rank < b->rank;
                });
      for (const ExchangePlan::Link *link : sorted)
        append(link->rank, link->items, neighbours, items);
    }

    /** Keep the flagged connections. */
    void
    filter(const char                                 *flags,
           const std::vector<ExchangePlan::Neighbour> &neighbours,
           const std::vector<unsigned int>            &items,
           std::vector<ExchangePlan::Neighbour>       &kept_neighbours,
           std::vector<unsigned int>                  &kept_items)
    {
      std::vector<unsigned int> kept;
      for (const ExchangePlan::Neighbour &neighbour : neighbours)
        {
          kept.clear();
          for (std::size_t k = neighbour.begin; k < neighbour.end; ++k)
            if (flags[k] != 0)
              kept.push_back(items[k]);
          append(neighbour.rank, kept, kept_neighbours, kept_items);
        }
    }
  } // namespace

  ExchangePlan::ExchangePlan()
    : data(std::make_shared<const Data>())
  {}

  ExchangePlan::ExchangePlan(const Communicator            &communicator,
                             const std::size_t              n_owned,
                             const std::vector<RemoteItem> &ghosts)
  {
    std::string error = error_of_size("owned items", n_owned);
    if (error.empty())
      error = error_of_size("ghosts", ghosts.size());
    if (error.empty())
      error = error_of_owners(ghosts, communicator.n_ranks());
    communicator.throw_collectively(error);

    auto result          = std::make_shared<Data>();
    result->communicator = communicator;
    result->n_owned      = n_owned;
    result->n_ghosts     = ghosts.size();

    // Ghosts by owner, in their own order within an owner.
    std::vector<unsigned int> &order = result->receive_ghosts;
    order.resize(ghosts.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(),
                     order.end(),
                     [&](const unsigned int a, const unsigned int b) {
                       return ghosts[a].owner < ghosts[b].owner;
                     });

    std::vector<Message<unsigned int>> requests;
    for (std::size_t k = 0; k < order.size(); ++k)
      {
        const RemoteItem &ghost = ghosts[order[k]];
        if (requests.empty() || requests.back().rank != ghost.owner)
          {
            requests.push_back({ghost.owner, {}});
            result->receive_neighbours.push_back({ghost.owner, k, k});
          }
        requests.back().data.push_back(ghost.index);
        ++result->receive_neighbours.back().end;
      }

    const std::vector<Message<unsigned int>> requested =
      sparse_exchange(communicator, requests);
    communicator.throw_collectively(error_of_requests(requested, n_owned));
    for (const Message<unsigned int> &request : requested)
      append(request.rank,
             request.data,
             result->send_neighbours,
             result->send_items);
    data = std::move(result);
  }

  ExchangePlan::ExchangePlan(const Communicator      &communicator,
                             const std::size_t        n_owned,
                             const std::size_t        n_ghosts,
                             const std::vector<Link> &send,
                             const std::vector<Link> &receive)
  {
    const unsigned int n_ranks = communicator.n_ranks();
    std::string        error   = error_of_size("owned items", n_owned);
    if (error.empty())
      error = error_of_size("ghosts", n_ghosts);
    if (error.empty())
      error = error_of_links(send, "owned item", n_owned, n_ranks);
    if (error.empty())
      error = error_of_links(receive, "ghost", n_ghosts, n_ranks);
    if (error.empty())
      error = error_of_repeated_ghosts(receive, n_ghosts);
    communicator.throw_collectively(error);

    std::vector<Message<std::uint64_t>> expectations;
    for (const Link &link : receive)
      if (!link.items.empty())
        expectations.push_back({link.rank, {link.items.size()}});
    communicator.throw_collectively(error_of_lengths(
      sparse_exchange(communicator, expectations), send, communicator.rank()));

    auto result          = std::make_shared<Data>();
    result->communicator = communicator;
    result->n_owned      = n_owned;
    result->n_ghosts     = n_ghosts;
    flatten(send, result->send_neighbours, result->send_items);
    flatten(receive, result->receive_neighbours, result->receive_ghosts);
    data = std::move(result);
  }

  ExchangePlan
  ExchangePlan::restricted(const std::vector<char> &owned_flags,
                           const std::vector<char> &ghost_flags) const
  {
    const auto error_of_flags = [](const char       *what,
                                   const std::size_t n_flags,
                                   const std::size_t n_items) {
      return n_flags == 0 || n_flags == n_items ?
               std::string() :
               "An exchange plan is restricted by " + std::to_string(n_flags) +
                 " flags for " + std::to_string(n_items) + ' ' + what +
                 "; give one for each, or none at all to keep all.";
    };
    std::string error =
      error_of_flags("owned items", owned_flags.size(), n_owned());
    if (error.empty())
      error = error_of_flags("ghosts", ghost_flags.size(), n_ghosts());
    communicator().throw_collectively(error);

    // The holder learns what the owner keeps, the owner what then remains.
    GhostExchange<char> exchange(*this);
    exchange.update_ghosts_start_with(
      [&](const std::size_t item, char *const flag) {
        *flag = owned_flags.empty() || owned_flags[item] != 0 ? 1 : 0;
      });
    std::vector<char> is_kept(n_ghosts(), 0);
    exchange.update_ghosts_finish(is_kept.data());
    if (!ghost_flags.empty())
      for (std::size_t g = 0; g < is_kept.size(); ++g)
        is_kept[g] = is_kept[g] != 0 && ghost_flags[g] != 0 ? 1 : 0;
    exchange.accumulate_start(is_kept.data());
    exchange.accumulate_finish_packed();

    auto result          = std::make_shared<Data>();
    result->communicator = communicator();
    result->n_owned      = n_owned();
    result->n_ghosts     = n_ghosts();
    filter(exchange.owner_buffer(),
           send_neighbours(),
           send_items(),
           result->send_neighbours,
           result->send_items);
    filter(exchange.ghost_buffer(),
           receive_neighbours(),
           receive_ghosts(),
           result->receive_neighbours,
           result->receive_ghosts);
    ExchangePlan plan;
    plan.data = std::move(result);
    return plan;
  }

  std::vector<unsigned int>
  ExchangePlan::boundary_items() const
  {
    std::vector<unsigned int> items = send_items();
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
    return items;
  }
} // namespace tessera
