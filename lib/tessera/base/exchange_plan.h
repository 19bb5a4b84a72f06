// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_exchange_plan_h
#define tessera_base_exchange_plan_h

#include <tessera/base/communication.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tessera
{
  /** An item by its owner and its number among the items of the owner. */
  struct RemoteItem
  {
    unsigned int owner;
    unsigned int index;
  };

  /**
   * Where items with a global numbering live that gives each rank a contiguous
   * range: rank r owns [first_items[r], first_items[r+1]). The argument has
   * n_ranks+1 entries and does not decrease; build it with
   * Communicator::all_gather() or exclusive_prefix_sum().
   * Local; $O(\log p)$ per item.
   *
   * @throws InputError if an item lies outside of all ranges. (Not collective;
   * see Communicator::collectively().)
   */
  std::vector<RemoteItem>
  locate_items(const std::vector<std::uint64_t> &first_items,
               const std::vector<std::uint64_t> &items);

  /**
   * Who sends which items to whom, where each rank owns some items (cells,
   * nodes, block rows) and has copies of others, the *ghosts*.
   *
   * A rank numbers its owned items 0, ..., n_owned()-1 and its ghosts
   * 0, ..., n_ghosts()-1, the latter in whatever order the caller finds
   * useful. A plan consists of connections, each from an owned item to a ghost
   * of the same or another rank. Between two ranks connections are ordered by
   * the number of the ghost, on both sides. An item may have several ghosts,
   * also on one rank; a ghost belongs to one item. A rank may have ghosts of
   * its own items (periodic meshes); these take no message.
   *
   * The plan does not know what the items carry: GhostExchange moves data
   * along it, and many of these can share a plan. A plan is a handle to
   * constant data: copies are cheap.
   *
   * All ranks of the communicator create a plan together; ranks without items
   * and without neighbours do too. The neighbour relation need not be
   * symmetric. Everything but construction and restriction is local.
   *
   * Memory: 4 bytes per connection and side, 24 per neighbour.
   */
  class ExchangePlan
  {
  public:
    /** The connections [begin, end) go to, or come from, this rank. */
    struct Neighbour
    {
      unsigned int rank;
      std::size_t  begin;
      std::size_t  end;
    };

    /** Owned items, or ghosts, in the order in which they are sent to, or
     * received from, a rank. */
    struct Link
    {
      unsigned int              rank;
      std::vector<unsigned int> items;
    };

    /** A plan of one rank without items. */
    ExchangePlan();

    /**
     * A plan in which each ghost is a copy of a given owned item. Collective.
     *
     * Owners learn from this who needs their items, by sparse_exchange(): one
     * message to each owner, $O(k + \log p)$ messages in all for $k$
     * neighbours on $p$ ranks, no array of length $p$. The ghosts may have any
     * order.
     *
     * @param[in] n_owned Number of items this rank owns.
     * @param[in] ghosts For each ghost of this rank, which item it copies.
     *
     * @throws InputError on all ranks if an owner does not exist, or does not
     * have the item.
     */
    ExchangePlan(const Communicator            &communicator,
                 std::size_t                    n_owned,
                 const std::vector<RemoteItem> &ghosts);

    /**
     * A plan from lists that both sides have already: entry k of the list with
     * which rank q receives from rank r is the ghost of entry k of the list
     * with which r sends to q. Ghosts in no list are not moved. Collective;
     * what it communicates is a check that both sides expect the same number of
     * items.
     *
     * @throws InputError on all ranks if a rank does not exist or has two
     * lists, an item is out of range, a ghost is received twice, or lengths
     * differ.
     */
    ExchangePlan(const Communicator      &communicator,
                 std::size_t              n_owned,
                 std::size_t              n_ghosts,
                 const std::vector<Link> &send,
                 const std::vector<Link> &receive);

    /**
     * The plan with only those connections whose item is flagged by its owner
     * and whose ghost is flagged by its holder: for example the cells that the
     * previous colour of a smoother has changed. Items and ghosts keep their
     * numbers; neighbours that are left without a connection drop out.
     *
     * Collective: two exchanges of one byte per connection between neighbours.
     *
     * @param[in] owned_flags One entry per owned item, nonzero to keep; or
     * empty to keep all.
     * @param[in] ghost_flags The same per ghost.
     *
     * @throws InputError on all ranks if an array has another length.
     */
    ExchangePlan
    restricted(const std::vector<char> &owned_flags,
               const std::vector<char> &ghost_flags = {}) const;

    const Communicator &
    communicator() const
    {
      return data->communicator;
    }

    std::size_t
    n_owned() const
    {
      return data->n_owned;
    }

    std::size_t
    n_ghosts() const
    {
      return data->n_ghosts;
    }

    /** Ranks that copy items of this one, ascending, possibly including this
     * rank itself; the ranges index send_items(). */
    const std::vector<Neighbour> &
    send_neighbours() const
    {
      return data->send_neighbours;
    }

    /** The owned item of every connection that leaves this rank. */
    const std::vector<unsigned int> &
    send_items() const
    {
      return data->send_items;
    }

    /** Ranks that own ghosts of this one, ascending, possibly including this
     * rank itself; the ranges index receive_ghosts(). */
    const std::vector<Neighbour> &
    receive_neighbours() const
    {
      return data->receive_neighbours;
    }

    /** The ghost of every connection that ends on this rank. */
    const std::vector<unsigned int> &
    receive_ghosts() const
    {
      return data->receive_ghosts;
    }

    /** The owned items that somebody copies, ascending, each once: what must be
     * computed before an exchange starts, while the rest can overlap with it.
     * Computed at every call. */
    std::vector<unsigned int>
    boundary_items() const;

  private:
    struct Data
    {
      Communicator              communicator;
      std::size_t               n_owned  = 0;
      std::size_t               n_ghosts = 0;
      std::vector<Neighbour>    send_neighbours;
      std::vector<unsigned int> send_items;
      std::vector<Neighbour>    receive_neighbours;
      std::vector<unsigned int> receive_ghosts;
    };

    std::shared_ptr<const Data> data;
  };
} // namespace tessera

#endif
