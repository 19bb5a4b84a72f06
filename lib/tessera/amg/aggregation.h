// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_aggregation_h
#define tessera_amg_aggregation_h

#include <tessera/amg/options.h>
#include <tessera/amg/strength_graph.h>

#include <cstdint>
#include <vector>

namespace tessera
{
  namespace amg
  {
    /** A partition of nodes into aggregates, which are numbered in the order of
     * their roots. */
    struct Aggregates
    {
      /** [n_nodes]; -1: in none. */
      std::vector<sparse::LocalIndex> aggregate_of_node;

      /** [n_aggregates], ascending. */
      std::vector<sparse::LocalIndex> roots;

      sparse::LocalIndex
      n_aggregates() const
      {
        return sparse::LocalIndex(roots.size());
      }
    };

    /**
     * Aggregates by a maximal independent set, which is the lexicographically
     * first one in the given order: any schedule that respects it gives the
     * same, on any number of ranks.
     *
     * In the graph, or where aggressive in its square, a node that has no
     * aggregate becomes the root of one, which all its neighbours join that
     * have none. Where aggressive, neighbours of a root in the graph itself
     * then go over to it from the aggregates they are in. Nodes that have no
     * neighbours are in no aggregate.
     *
     * @param[in] keys [n_nodes]. With AggregationOrder::hash the order is that
     * of (hash(key), key, number), largest first.
     */
    Aggregates
    aggregate(const StrengthGraph              &graph,
              const std::vector<std::uint64_t> &keys,
              AggregationOrder                  order,
              bool                              aggressive);

    /**
     * Merge aggregates of less than min_nodes nodes into that neighbour to
     * which their nodes have the largest sum of weights (the lowest number of
     * several); one without neighbours stays. Deterministic.
     */
    void
    merge_small_aggregates(const StrengthGraph &graph,
                           unsigned int         min_nodes,
                           Aggregates          &aggregates);

    /** A hash of 64 bits, the same everywhere. */
    std::uint64_t
    hash_of_key(std::uint64_t key);
  } // namespace amg
} // namespace tessera

#endif
