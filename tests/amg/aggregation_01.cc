// SPDX-License-Identifier: LGPL-2.1-or-later
// Aggregates are those of the definition (an independent set that is the first
// one in the order, owners, stealing), whatever the numbering; small ones are
// merged.
#include <tessera/amg/aggregation.h>
#include <tessera/base/exceptions.h>

#include <numeric>
#include <set>
#include <string>
#include <tuple>

#include "amg/amg_test.h"
#include "check.h"

namespace
{
  using namespace amg_test;

  using Weights = std::vector<std::vector<float>>;

  /** Neighbours where weights are not zero; those of a node with itself are
   * one. */
  StrengthGraph
  graph_of(const Weights &weights)
  {
    StrengthGraph    graph;
    const LocalIndex n = LocalIndex(weights.size());
    graph.nodes        = IndexLayout(n);
    graph.begin        = {0};
    for (LocalIndex i = 0; i < n; ++i)
      {
        for (LocalIndex j = 0; j < n; ++j)
          if (weights[i][j] != 0.f)
            {
              graph.neighbours.push_back(j);
              graph.weights.push_back(weights[i][j]);
            }
        graph.begin.push_back(std::int64_t(graph.neighbours.size()));
      }
    return graph;
  }

  Weights
  random_weights(std::mt19937 &random, const int n, const int reach)
  {
    Weights weights(n, std::vector<float>(n, 0.f));
    for (int i = 0; i < n; ++i)
      {
        weights[i][i] = 1.f;
        for (int j = std::max(0, i - reach); j < i; ++j)
          if (random() % 3 == 0 && i % 17 != 0 && j % 17 != 0)
            weights[i][j] = weights[j][i] = 0.1f + (random() % 64) / 128.f;
      }
    return weights;
  }

  std::vector<std::uint64_t>
  random_keys(std::mt19937 &random, const int n)
  {
    std::vector<std::uint64_t> keys(n);
    for (std::uint64_t &key : keys)
      key = random() % 3 == 0 ? 7 : random(); // some are equal
    return keys;
  }

  /** By definition: the owner of a node that is not in the set is the member
   * of the set that is first in the order, of those it is adjacent to. */
  std::vector<LocalIndex>
  reference_roots(const Weights                    &weights,
                  const std::vector<std::uint64_t> &keys,
                  const AggregationOrder            order,
                  const bool                        aggressive)
  {
    const int         n = int(weights.size());
    std::vector<char> adjacent(n * n, 0);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (weights[i][j] != 0.f)
          for (int k = 0; k < n; ++k)
            if (aggressive ? weights[j][k] != 0.f : j == k)
              adjacent[i * n + k] = 1;
    std::vector<LocalIndex> nodes(n);
    std::iota(nodes.begin(), nodes.end(), 0);
    if (order == AggregationOrder::hash)
      std::sort(nodes.begin(),
                nodes.end(),
                [&](const LocalIndex i, const LocalIndex j) {
                  return std::make_tuple(hash_of_key(keys[i]), keys[i], i) >
                         std::make_tuple(hash_of_key(keys[j]), keys[j], j);
                });
    const auto is_alone = [&](const int i) {
      return std::accumulate(adjacent.begin() + i * n,
                             adjacent.begin() + (i + 1) * n,
                             0) == 1;
    };
    std::vector<LocalIndex> members; // of the set, in the order
    for (const LocalIndex i : nodes)
      if (!is_alone(i) &&
          std::none_of(members.begin(), members.end(), [&](const LocalIndex m) {
            return adjacent[i * n + m] != 0;
          }))
        members.push_back(i);
    std::vector<LocalIndex> roots(n, -1);
    for (int i = 0; i < n; ++i)
      for (const LocalIndex m : members)
        if (roots[i] < 0 && adjacent[i * n + m] != 0)
          roots[i] = m;
    for (int i = 0; i < n && aggressive; ++i)
      for (const LocalIndex m : members)
        if (weights[i][m] != 0.f)
          roots[i] = m;
    return roots;
  }

  void
  check_numbering(const Aggregates &aggregates)
  {
    CHECK(std::is_sorted(aggregates.roots.begin(), aggregates.roots.end()));
    for (LocalIndex a = 0; a < aggregates.n_aggregates(); ++a)
      CHECK_EQUAL(aggregates.aggregate_of_node[aggregates.roots[a]], a);
  }

  std::vector<LocalIndex>
  roots_of(const Aggregates &aggregates)
  {
    std::vector<LocalIndex> result;
    for (const LocalIndex a : aggregates.aggregate_of_node)
      result.push_back(a < 0 ? -1 : aggregates.roots[a]);
    return result;
  }

  void
  check_random_graphs()
  {
    std::mt19937 random(1);
    int          n_stolen = 0, n_alone = 0;
    for (int repeat = 0; repeat < 20; ++repeat)
      for (const int reach : {3, 8, 30})
        for (const bool aggressive : {false, true})
          for (const AggregationOrder order :
               {AggregationOrder::hash, AggregationOrder::natural})
            {
              const int     n       = 60;
              const Weights weights = random_weights(random, n, reach);
              const std::vector<std::uint64_t> keys = random_keys(random, n);
              const Aggregates                 aggregates =
                aggregate(graph_of(weights), keys, order, aggressive);
              check_numbering(aggregates);
              const std::vector<LocalIndex> roots = roots_of(aggregates);
              CHECK(roots == reference_roots(weights, keys, order, aggressive));

              // Independent, maximal, and as close as promised.
              for (int i = 0; i < n; ++i)
                {
                  bool has_root = false, has_neighbours = false;
                  for (int j = 0; j < n; ++j)
                    if (weights[i][j] != 0.f && i != j)
                      {
                        has_neighbours = true;
                        CHECK(roots[i] != i || roots[j] != j);
                        if (roots[j] == j)
                          {
                            has_root = true;
                            CHECK(!aggressive || roots[i] == j);
                          }
                      }
                  CHECK_EQUAL(roots[i] >= 0, has_neighbours);
                  CHECK(aggressive || roots[i] < 0 || roots[i] == i ||
                        has_root);
                  n_alone += !has_neighbours;
                  n_stolen += aggressive && has_root;
                }
            }
    CHECK(n_alone > 100);
    CHECK(n_stolen > 1000);
  }

  /** A partition as sets of original numbers. */
  std::set<std::set<LocalIndex>>
  partition(const Aggregates &aggregates, const std::vector<LocalIndex> &old)
  {
    std::vector<std::set<LocalIndex>> sets(aggregates.n_aggregates());
    for (std::size_t i = 0; i < old.size(); ++i)
      if (aggregates.aggregate_of_node[i] >= 0)
        sets[aggregates.aggregate_of_node[i]].insert(old[i]);
    return std::set<std::set<LocalIndex>>(sets.begin(), sets.end());
  }

  void
  check_renumbering()
  {
    std::mt19937 random(2);
    int          n_merged_in_all = 0;
    for (int repeat = 0; repeat < 30; ++repeat)
      for (const bool aggressive : {false, true})
        {
          const int                  n       = 80;
          const Weights              weights = random_weights(random, n, 4);
          std::vector<std::uint64_t> keys(n);
          std::iota(keys.begin(), keys.end(), random());
          std::vector<LocalIndex> old(n);
          std::iota(old.begin(), old.end(), 0);
          std::set<std::set<LocalIndex>> first, first_merged;
          for (int shuffle = 0; shuffle < 3; ++shuffle)
            {
              Weights                    new_weights = weights;
              std::vector<std::uint64_t> new_keys(n);
              for (int i = 0; i < n; ++i)
                {
                  new_keys[i] = keys[old[i]];
                  for (int j = 0; j < n; ++j)
                    new_weights[i][j] = weights[old[i]][old[j]];
                }
              const StrengthGraph graph = graph_of(new_weights);
              Aggregates          aggregates =
                aggregate(graph, new_keys, AggregationOrder::hash, aggressive);
              const auto sets = partition(aggregates, old);
              n_merged_in_all += merge_small_aggregates(
                graph, new_keys, AggregationOrder::hash, 5, aggregates);
              check_numbering(aggregates);
              const auto merged = partition(aggregates, old);
              if (shuffle == 0)
                {
                  first        = sets;
                  first_merged = merged;
                }
              CHECK(sets == first);
              CHECK(merged == first_merged);
              std::shuffle(old.begin(), old.end(), random);
            }
        }
    CHECK(n_merged_in_all > 100);
  }

  /** Aggregates of nodes that are given, the first of each being its root. */
  Aggregates
  aggregates_of(const int n, const std::vector<std::vector<LocalIndex>> &sets)
  {
    Aggregates result;
    result.aggregate_of_node.resize(n, -1);
    for (std::size_t a = 0; a < sets.size(); ++a)
      {
        result.roots.push_back(sets[a][0]);
        for (const LocalIndex i : sets[a])
          result.aggregate_of_node[i] = LocalIndex(a);
      }
    return result;
  }

  void
  check_merging()
  {
    // {0,1,2} - {3} - {4,5,6}, {7} with none, {8,9} - {4,5,6}.
    Weights    weights(11, std::vector<float>(11, 0.f));
    const auto connect = [&](const int i, const int j, const float w) {
      weights[i][j] = weights[j][i] = w;
    };
    for (int i = 0; i < 11; ++i)
      weights[i][i] = 1.f;
    connect(0, 3, 0.25f);
    connect(1, 3, 0.25f);
    connect(4, 3, 0.3f);
    connect(9, 6, 0.1f);
    const std::vector<std::uint64_t> keys(11, 0);
    const Aggregates                 before =
      aggregates_of(11, {{0, 1, 2}, {3}, {4, 5, 6}, {7}, {8, 9}});

    Aggregates aggregates = before;
    CHECK_EQUAL(merge_small_aggregates(graph_of(weights),
                                       keys,
                                       AggregationOrder::natural,
                                       3,
                                       aggregates),
                2);
    CHECK(aggregates.aggregate_of_node ==
          (std::vector<LocalIndex>{0, 0, 0, 0, 1, 1, 1, 2, 1, 1, -1}));
    CHECK(aggregates.roots == (std::vector<LocalIndex>{0, 4, 7}));

    // One strong connection, the other way; and a size that is large enough.
    connect(4, 3, 0.6f);
    aggregates = before;
    CHECK_EQUAL(merge_small_aggregates(graph_of(weights),
                                       keys,
                                       AggregationOrder::natural,
                                       2,
                                       aggregates),
                1);
    CHECK(aggregates.aggregate_of_node ==
          (std::vector<LocalIndex>{0, 0, 0, 1, 1, 1, 1, 2, 3, 3, -1}));

    // Equal sums: the root that comes first.
    connect(4, 3, 0.5f);
    for (const AggregationOrder order :
         {AggregationOrder::natural, AggregationOrder::hash})
      {
        aggregates = before;
        merge_small_aggregates(graph_of(weights), keys, order, 2, aggregates);
        // Of equal keys the largest number is the first.
        CHECK_EQUAL(aggregates.aggregate_of_node[3],
                    order == AggregationOrder::natural ? 0 : 1);
      }

    // Small ones that grow are small no more: 5 goes to 4, and 4 stays.
    Weights chain(8, std::vector<float>(8, 0.f));
    weights = chain;
    for (int i = 0; i < 8; ++i)
      weights[i][i] = 1.f;
    connect(4, 5, 0.3f);
    connect(4, 0, 0.2f);
    aggregates = aggregates_of(8, {{0, 1, 2, 3}, {4, 6}, {5, 7}});
    CHECK_EQUAL(merge_small_aggregates(graph_of(weights),
                                       std::vector<std::uint64_t>(8, 0),
                                       AggregationOrder::natural,
                                       3,
                                       aggregates),
                1);
    CHECK(aggregates.aggregate_of_node ==
          (std::vector<LocalIndex>{0, 0, 0, 0, 1, 1, 1, 1}));
    CHECK(aggregates.roots == (std::vector<LocalIndex>{0, 4}));
  }

  void
  check_keys()
  {
    // The first numbers that the generator gives from the seeds 0 and 1.
    CHECK_EQUAL(hash_of_key(0), 0xe220a8397b1dcdafu);
    CHECK_EQUAL(hash_of_key(1), 0x910a2dec89025cc1u);
    const Aggregates aggregates = aggregates_of(5, {{1, 0}, {3, 4}});
    CHECK(keys_of_roots(aggregates, {10, 11, 12, 13, 14}) ==
          (std::vector<std::uint64_t>{hash_of_key(11), hash_of_key(13)}));
  }

  void
  check_errors()
  {
    std::mt19937        random(9);
    const StrengthGraph graph = graph_of(random_weights(random, 10, 3));
    const std::string   message =
      CHECK_THROWS(InputError,
                   aggregate(graph,
                             std::vector<std::uint64_t>(9, 0),
                             AggregationOrder::hash,
                             true));
    CHECK(message.find("9 keys") != std::string::npos);
    // Nothing is nothing.
    const StrengthGraph empty = graph_of({});
    const Aggregates none = aggregate(empty, {}, AggregationOrder::hash, true);
    CHECK_EQUAL(none.n_aggregates(), 0);
  }
} // namespace

int
main()
{
  check_random_graphs();
  check_renumbering();
  check_merging();
  check_keys();
  check_errors();
  return check::result();
}
