// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sparse/index_layout.h>

#include <algorithm>
#include <limits>
#include <string>

namespace tessera
{
  namespace sparse
  {
    namespace
    {
      constexpr std::uint64_t n_local_limit =
        std::numeric_limits<LocalIndex>::max();

      std::string
      error_of_size(const std::uint64_t n_owned, const std::uint64_t n_ghosts)
      {
        // Both terms are bounded first, so that the sum does not overflow.
        if (n_owned <= n_local_limit && n_ghosts <= n_local_limit &&
            n_owned + n_ghosts <= n_local_limit)
          return "";
        return "A rank has " + std::to_string(n_owned) + " owned and " +
               std::to_string(n_ghosts) +
               " ghost block indices; at most 2^31-1 together can be numbered "
               "by 32 bits. Use more ranks.";
      }

      /** Ghosts are sorted. */
      std::string
      error_of_ghosts(const std::vector<GlobalIndex> &ghosts,
                      const GlobalIndex               first_owned,
                      const GlobalIndex               end_owned,
                      const std::uint64_t             n_global)
      {
        const auto twice = std::adjacent_find(ghosts.begin(), ghosts.end());
        if (twice != ghosts.end())
          return "Global index " + std::to_string(*twice) +
                 " is named twice among the ghosts of a rank.";
        if (!ghosts.empty() && ghosts.back() >= n_global)
          return "A rank has a ghost of global index " +
                 std::to_string(ghosts.back()) + "; there are " +
                 std::to_string(n_global) + " indices.";
        const auto own =
          std::lower_bound(ghosts.begin(), ghosts.end(), first_owned);
        if (own != ghosts.end() && *own < end_owned)
          return "A rank has a ghost of global index " + std::to_string(*own) +
                 ", which it owns itself: it owns [" +
                 std::to_string(first_owned) + ", " +
                 std::to_string(end_owned) + ").";
        return "";
      }
    } // namespace



    struct IndexLayout::Data
    {
      Communicator             communicator;
      std::vector<GlobalIndex> first_of_ranks = {0, 0};
      std::vector<GlobalIndex> ghosts;
      GlobalIndex              first_owned = 0;
      LocalIndex               n_owned     = 0;
      ExchangePlan             plan;
    };



    IndexLayout::IndexLayout()
      : data(std::make_shared<const Data>())
    {}



    IndexLayout::IndexLayout(const std::uint64_t n)
      : IndexLayout(Communicator(), n, {})
    {}



    IndexLayout::IndexLayout(const Communicator             &communicator,
                             const std::uint64_t             n_owned,
                             const std::vector<GlobalIndex> &ghosts)
    {
      communicator.throw_collectively(error_of_size(n_owned, ghosts.size()));

      auto result            = std::make_shared<Data>();
      result->communicator   = communicator;
      result->n_owned        = static_cast<LocalIndex>(n_owned);
      result->first_of_ranks = {0};
      for (const std::uint64_t n : communicator.all_gather(n_owned))
        result->first_of_ranks.push_back(result->first_of_ranks.back() + n);
      result->first_owned = result->first_of_ranks[communicator.rank()];

      result->ghosts = ghosts;
      std::sort(result->ghosts.begin(), result->ghosts.end());
      communicator.throw_collectively(
        error_of_ghosts(result->ghosts,
                        result->first_owned,
                        result->first_owned + n_owned,
                        result->first_of_ranks.back()));
      result->plan =
        ExchangePlan(communicator,
                     n_owned,
                     locate_items(result->first_of_ranks, result->ghosts));
      data = std::move(result);
    }



    const Communicator &
    IndexLayout::communicator() const
    {
      return data->communicator;
    }



    LocalIndex
    IndexLayout::n_owned() const
    {
      return data->n_owned;
    }



    LocalIndex
    IndexLayout::n_ghosts() const
    {
      return static_cast<LocalIndex>(data->ghosts.size());
    }



    LocalIndex
    IndexLayout::n_local() const
    {
      return n_owned() + n_ghosts();
    }



    std::uint64_t
    IndexLayout::n_global() const
    {
      return data->first_of_ranks.back();
    }



    GlobalIndex
    IndexLayout::first_owned() const
    {
      return data->first_owned;
    }



    const std::vector<GlobalIndex> &
    IndexLayout::first_of_ranks() const
    {
      return data->first_of_ranks;
    }



    GlobalIndex
    IndexLayout::global(const LocalIndex local) const
    {
      TESSERA_ASSERT(0 <= local && local < n_local(), "a local index");
      return local < data->n_owned ? data->first_owned + local :
                                     data->ghosts[local - data->n_owned];
    }



    LocalIndex
    IndexLayout::local(const GlobalIndex global) const
    {
      if (global >= data->first_owned &&
          global - data->first_owned < static_cast<GlobalIndex>(data->n_owned))
        return static_cast<LocalIndex>(global - data->first_owned);
      const auto ghost =
        std::lower_bound(data->ghosts.begin(), data->ghosts.end(), global);
      if (ghost == data->ghosts.end() || *ghost != global)
        return -1;
      return data->n_owned +
             static_cast<LocalIndex>(ghost - data->ghosts.begin());
    }



    const ExchangePlan &
    IndexLayout::ghosts() const
    {
      return data->plan;
    }



    bool
    IndexLayout::operator==(const IndexLayout &other) const
    {
      return data == other.data ||
             (data->communicator.rank() == other.data->communicator.rank() &&
              data->first_of_ranks == other.data->first_of_ranks &&
              data->ghosts == other.data->ghosts);
    }



    bool
    IndexLayout::same_owned(const IndexLayout &other) const
    {
      return data == other.data ||
             (data->communicator.rank() == other.data->communicator.rank() &&
              data->n_owned == other.data->n_owned &&
              data->first_owned == other.data->first_owned &&
              n_global() == other.n_global());
    }



    std::size_t
    IndexLayout::memory_consumption() const
    {
      return sizeof(Data) +
             (data->first_of_ranks.size() + data->ghosts.size()) *
               sizeof(GlobalIndex) +
             (data->plan.send_items().size() +
              data->plan.receive_ghosts().size()) *
               sizeof(unsigned int);
    }
  } // namespace sparse
} // namespace tessera
