// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/aggregation.h>
#include <tessera/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

namespace tessera
{
  namespace amg
  {
    using sparse::LocalIndex;

    namespace
    {
      /** Place of a node in the order: nodes with a smaller one come first. */
      class Priority
      {
      public:
        Priority(const StrengthGraph              &graph,
                 const std::vector<std::uint64_t> &node_keys,
                 const AggregationOrder            aggregation_order)
          : keys(node_keys)
          , order(aggregation_order)
        {
          if (keys.size() != static_cast<std::size_t>(graph.n_nodes()))
            throw InputError(
              std::to_string(keys.size()) + " keys were given for " +
              std::to_string(graph.n_nodes()) + " nodes; each needs one.");
        }

        /** Of (hash(key), key, number) the largest comes first. */
        bool
        comes_before(const LocalIndex i, const LocalIndex j) const
        {
          if (order == AggregationOrder::natural)
            return i < j;
          return std::make_tuple(hash_of_key(keys[i]), keys[i], i) >
                 std::make_tuple(hash_of_key(keys[j]), keys[j], j);
        }

        /** All nodes. */
        std::vector<LocalIndex>
        sorted_nodes() const
        {
          std::vector<LocalIndex> result(keys.size());
          if (order == AggregationOrder::natural)
            {
              std::iota(result.begin(), result.end(), 0);
              return result;
            }
          // Hashes are computed once, and hardly ever equal.
          std::vector<std::pair<std::uint64_t, LocalIndex>> hashes;
          hashes.reserve(keys.size());
          for (std::size_t i = 0; i < keys.size(); ++i)
            hashes.emplace_back(hash_of_key(keys[i]),
                                static_cast<LocalIndex>(i));
          std::sort(hashes.begin(),
                    hashes.end(),
                    [this](const auto &a, const auto &b) {
                      return a.first != b.first ?
                               a.first > b.first :
                               comes_before(a.second, b.second);
                    });
          std::transform(hashes.begin(),
                         hashes.end(),
                         result.begin(),
                         [](const auto &entry) { return entry.second; });
          return result;
        }

      private:
        const std::vector<std::uint64_t> &keys;
        const AggregationOrder            order;
      };

      template <typename F>
      void
      for_each_neighbour(const StrengthGraph &graph,
                         const LocalIndex     i,
                         const F             &f)
      {
        for (std::int64_t k = graph.begin[i]; k < graph.begin[i + 1]; ++k)
          f(graph.neighbours[k]);
      }

      /** Aggregates from the root of each node, or -1. */
      Aggregates
      number_in_order_of_roots(const std::vector<LocalIndex> &root_of_node)
      {
        const LocalIndex n = static_cast<LocalIndex>(root_of_node.size());
        Aggregates       result;
        std::vector<LocalIndex> number(n, -1);
        for (LocalIndex i = 0; i < n; ++i)
          if (root_of_node[i] == i)
            {
              number[i] = result.n_aggregates();
              result.roots.push_back(i);
            }
        result.aggregate_of_node.resize(n, -1);
        for (LocalIndex i = 0; i < n; ++i)
          if (root_of_node[i] >= 0)
            result.aggregate_of_node[i] = number[root_of_node[i]];
        return result;
      }

      /** The sums of weights between an aggregate and each of its neighbours,
       * in fixed point, so that their order does not matter. */
      class ConnectionSums
      {
      public:
        explicit ConnectionSums(const LocalIndex n_aggregates)
          : sums(n_aggregates, 0)
        {}

        void
        add(const LocalIndex aggregate, const float weight)
        {
          if (sums[aggregate] == 0)
            neighbours.push_back(aggregate);
          sums[aggregate] +=
            std::max<std::int64_t>(1, std::llround(weight * 16777216.));
        }

        /** The neighbour with the largest sum, or -1; and forget all. */
        template <typename Before>
        LocalIndex
        strongest(const Before &before)
        {
          LocalIndex best = -1;
          for (const LocalIndex a : neighbours)
            if (best < 0 || sums[a] > sums[best] ||
                (sums[a] == sums[best] && before(a, best)))
              best = a;
          for (const LocalIndex a : neighbours)
            sums[a] = 0;
          neighbours.clear();
          return best;
        }

      private:
        std::vector<std::int64_t> sums;
        std::vector<LocalIndex>   neighbours;
      };
    } // namespace



    std::uint64_t
    hash_of_key(std::uint64_t key)
    {
      // The output function of SplitMix64: Steele, Lea, Flood, OOPSLA 2014. A
      // bijection, of which every bit depends on all bits of the key.
      key += 0x9e3779b97f4a7c15u;
      key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9u;
      key = (key ^ (key >> 27)) * 0x94d049bb133111ebu;
      return key ^ (key >> 31);
    }



    Aggregates
    aggregate(const StrengthGraph              &graph,
              const std::vector<std::uint64_t> &keys,
              const AggregationOrder            order,
              const bool                        aggressive)
    {
      if (graph.nodes.communicator().n_ranks() > 1)
        throw InputError(
          "Aggregation is for matrices of one process, and this one is "
          "distributed to " +
          std::to_string(graph.nodes.communicator().n_ranks()) + '.');
      const Priority          priority(graph, keys, order);
      std::vector<LocalIndex> root(graph.n_nodes(), -1);
      for (const LocalIndex i : priority.sorted_nodes())
        if (root[i] < 0 && graph.begin[i + 1] - graph.begin[i] > 1)
          {
            root[i]         = i;
            const auto join = [&](const LocalIndex j) {
              if (root[j] < 0)
                root[j] = i;
            };
            if (aggressive)
              for_each_neighbour(graph, i, [&](const LocalIndex j) {
                for_each_neighbour(graph, j, join);
              });
            else
              for_each_neighbour(graph, i, join);
          }
      // No two roots have a neighbour in common: the order does not matter.
      if (aggressive)
        for (LocalIndex i = 0; i < graph.n_nodes(); ++i)
          if (root[i] == i)
            for_each_neighbour(graph, i, [&](const LocalIndex j) {
              root[j] = i;
            });
      return number_in_order_of_roots(root);
    }



    LocalIndex
    merge_small_aggregates(const StrengthGraph              &graph,
                           const std::vector<std::uint64_t> &keys,
                           const AggregationOrder            order,
                           const unsigned int                min_nodes,
                           Aggregates                       &aggregates)
    {
      const Priority priority(graph, keys, order);
      const auto     before = [&](const LocalIndex a, const LocalIndex b) {
        return priority.comes_before(aggregates.roots[a], aggregates.roots[b]);
      };
      std::vector<LocalIndex> &aggregate_of_node = aggregates.aggregate_of_node;
      std::vector<unsigned int> sizes(aggregates.n_aggregates(), 0);
      for (const LocalIndex a : aggregate_of_node)
        if (a >= 0)
          ++sizes[a];
      std::vector<LocalIndex> small;
      for (LocalIndex a = 0; a < aggregates.n_aggregates(); ++a)
        if (sizes[a] < min_nodes)
          small.push_back(a);
      if (small.empty())
        return 0;
      std::sort(small.begin(),
                small.end(),
                [&](const LocalIndex a, const LocalIndex b) {
                  return before(b, a);
                });

      std::vector<std::vector<LocalIndex>> members(aggregates.n_aggregates());
      for (LocalIndex i = 0; i < graph.n_nodes(); ++i)
        if (aggregate_of_node[i] >= 0)
          members[aggregate_of_node[i]].push_back(i);
      ConnectionSums sums(aggregates.n_aggregates());
      LocalIndex     n_merged = 0;
      for (const LocalIndex a : small)
        {
          if (members[a].size() >= min_nodes)
            continue;
          for (const LocalIndex i : members[a])
            for (std::int64_t k = graph.begin[i]; k < graph.begin[i + 1]; ++k)
              {
                const LocalIndex b = aggregate_of_node[graph.neighbours[k]];
                if (b >= 0 && b != a)
                  sums.add(b, graph.weights[k]);
              }
          const LocalIndex target = sums.strongest(before);
          if (target < 0)
            continue;
          for (const LocalIndex i : members[a])
            {
              aggregate_of_node[i] = target;
              members[target].push_back(i);
            }
          members[a].clear();
          ++n_merged;
        }

      std::vector<LocalIndex> root_of_node(graph.n_nodes(), -1);
      for (LocalIndex i = 0; i < graph.n_nodes(); ++i)
        if (aggregate_of_node[i] >= 0)
          root_of_node[i] = aggregates.roots[aggregate_of_node[i]];
      aggregates = number_in_order_of_roots(root_of_node);
      return n_merged;
    }



    std::vector<std::uint64_t>
    keys_of_roots(const Aggregates                 &aggregates,
                  const std::vector<std::uint64_t> &keys)
    {
      std::vector<std::uint64_t> result;
      result.reserve(aggregates.roots.size());
      for (const LocalIndex root : aggregates.roots)
        result.push_back(hash_of_key(keys[root]));
      return result;
    }
  } // namespace amg
} // namespace tessera
