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
     * Cost: sorting of the nodes; one pass over the graph where not aggressive,
     * else over the neighbours of neighbours of roots.
     *
     * @param[in] keys [n_nodes]. With AggregationOrder::hash the order is that
     * of (hash(key), key, number), largest first.
     * @throws InputError if there is not a key for each node, or on more than
     * one rank.
     */
    Aggregates
    aggregate(const StrengthGraph              &graph,
              const std::vector<std::uint64_t> &keys,
              AggregationOrder                  order,
              bool                              aggressive);

    /**
     * Merge aggregates of less than min_nodes nodes into that neighbour to
     * which their nodes have the largest sum of weights; one without neighbours
     * stays. Of several small ones that with the last root in the order goes
     * first; of equal sums that with the first root is taken: the numbering of
     * nodes does not matter.
     *
     * For elasticity in 3D, min_nodes = 3 is right: one or two nodes cannot
     * tell six modes apart (in 2D, 2; for as many modes as components, 1).
     *
     * @param[in] keys, order As for aggregate().
     * @return How many were merged.
     */
    sparse::LocalIndex
    merge_small_aggregates(const StrengthGraph              &graph,
                           const std::vector<std::uint64_t> &keys,
                           AggregationOrder                  order,
                           unsigned int                      min_nodes,
                           Aggregates                       &aggregates);

    /** Keys of the coarse nodes: hashes of those of the roots. With the same
     * keys the order would be that of this level, in which the first roots have
     * the largest aggregates: there would be fewer, larger ones on the next
     * level than for an order that knows nothing of it. */
    std::vector<std::uint64_t>
    keys_of_roots(const Aggregates                 &aggregates,
                  const std::vector<std::uint64_t> &keys);

    /** A hash of 64 bits, the same everywhere. */
    std::uint64_t
    hash_of_key(std::uint64_t key);
  } // namespace amg
} // namespace tessera

#endif
