// SPDX-License-Identifier: LGPL-2.1-or-later
// Exchange plans over random graphs against a reference that knows the whole
// graph: every rank builds the same random graph, so nothing needs to be
// communicated to know what must arrive.
#include <tessera/base/communication_backend.h>
#include <tessera/base/communication_session.h>
#include <tessera/base/counters.h>
#include <tessera/base/exchange.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <numeric>
#include <random>
#include <vector>

#include "check.h"

using namespace tessera;

// Count allocations, to see that recurring exchanges make none.
static std::size_t n_allocations = 0;

void *
operator new(const std::size_t n)
{
  ++n_allocations;
  if (void *const memory = std::malloc(n > 0 ? n : 1))
    return memory;
  throw std::bad_alloc();
}

void *
operator new(const std::size_t n, const std::nothrow_t &) noexcept
{
  ++n_allocations;
  return std::malloc(n > 0 ? n : 1);
}

void
operator delete(void *memory) noexcept
{
  std::free(memory);
}

void
operator delete(void *memory, std::size_t) noexcept
{
  std::free(memory);
}

struct Graph
{
  std::vector<std::size_t>             n_owned; // per rank
  std::vector<std::vector<RemoteItem>> ghosts;  // per rank
};

Graph
random_graph(const unsigned int n_ranks, const unsigned int seed)
{
  std::mt19937 random(seed);
  Graph        graph;
  for (unsigned int r = 0; r < n_ranks; ++r)
    graph.n_owned.push_back(random() % 4 == 0 ? 0 : 1 + random() % 50);
  graph.ghosts.resize(n_ranks);
  for (unsigned int r = 0; r < n_ranks; ++r)
    for (unsigned int owner = 0; owner < n_ranks; ++owner)
      {
        // Asymmetric: each direction of each pair is drawn on its own. Items
        // may have several ghosts, also on the owner itself.
        if (graph.n_owned[owner] == 0 || random() % 3 == 0)
          continue;
        const unsigned int n_ghosts = random() % 40;
        for (unsigned int g = 0; g < n_ghosts; ++g)
          graph.ghosts[r].push_back(
            {owner,
             static_cast<unsigned int>(random() % graph.n_owned[owner])});
      }
  for (std::vector<RemoteItem> &list : graph.ghosts)
    std::shuffle(list.begin(), list.end(), random);
  return graph;
}

/** A value that identifies item and component, and needs rounding in sums. */
template <typename T>
T
owned_value(const unsigned int rank, const std::size_t item, const unsigned c)
{
  if (std::is_floating_point<T>::value)
    return static_cast<T>(std::sin(1. + rank + 10. * item + 1000. * c));
  return static_cast<T>(rank + 10 * item + 1000 * c);
}

template <typename T>
T
ghost_value(const unsigned int rank, const std::size_t ghost, const unsigned c)
{
  if (std::is_floating_point<T>::value)
    return static_cast<T>(std::cos(3. + rank + 7. * ghost + 300. * c) *
                          std::pow(10., ghost % 7));
  return static_cast<T>(7 * rank + 3 * ghost + 100 * c);
}

template <typename T>
T
poison()
{
  return std::numeric_limits<T>::has_quiet_NaN ?
           std::numeric_limits<T>::quiet_NaN() :
           std::numeric_limits<T>::max();
}

template <typename T>
bool
is_poison(const T value)
{
  return std::numeric_limits<T>::has_quiet_NaN ? value != value :
                                                 value == poison<T>();
}

template <typename T>
std::vector<T>
owned_values(const Communicator &comm, const Graph &graph, const unsigned int n)
{
  std::vector<T> values(graph.n_owned[comm.rank()] * n);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = owned_value<T>(comm.rank(), i / n, i % n);
  return values;
}

template <typename T>
std::vector<T>
ghost_values(const Communicator &comm, const Graph &graph, const unsigned int n)
{
  std::vector<T> values(graph.ghosts[comm.rank()].size() * n);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = ghost_value<T>(comm.rank(), i / n, i % n);
  return values;
}

template <typename T>
bool
ghosts_are_right(const Communicator   &comm,
                 const Graph          &graph,
                 const unsigned int    n,
                 const std::vector<T> &values)
{
  const std::vector<RemoteItem> &ghosts = graph.ghosts[comm.rank()];
  bool                           ok     = values.size() == ghosts.size() * n;
  for (std::size_t g = 0; ok && g < ghosts.size(); ++g)
    for (unsigned int c = 0; c < n; ++c)
      ok = ok && values[g * n + c] ==
                   owned_value<T>(ghosts[g].owner, ghosts[g].index, c);
  return ok;
}

/** The documented order: owner, then ranks ascending, then their ghosts. */
template <typename T>
std::vector<T>
accumulated(const Communicator &comm,
            const Graph        &graph,
            const unsigned int  n,
            const bool          descending = false)
{
  std::vector<T>            sums = owned_values<T>(comm, graph, n);
  std::vector<unsigned int> ranks(comm.n_ranks());
  std::iota(ranks.begin(), ranks.end(), 0u);
  if (descending)
    std::reverse(ranks.begin(), ranks.end());
  for (const unsigned int r : ranks)
    for (std::size_t g = 0; g < graph.ghosts[r].size(); ++g)
      if (graph.ghosts[r][g].owner == comm.rank())
        for (unsigned int c = 0; c < n; ++c)
          sums[graph.ghosts[r][g].index * n + c] += ghost_value<T>(r, g, c);
  return sums;
}

template <typename T>
void
test_type(const Communicator &comm,
          const Graph        &graph,
          const ExchangePlan &plan,
          const unsigned int  n)
{
  GhostExchange<T> exchange(plan, n);
  std::vector<T>   owned = owned_values<T>(comm, graph, n);
  std::vector<T>   ghosts(plan.n_ghosts() * n, poison<T>());

  // The values at the time of the start travel, and nothing is written before
  // the finish.
  exchange.update_ghosts_start(owned.data());
  CHECK(exchange.in_flight());
  std::fill(owned.begin(), owned.end(), poison<T>());
  CHECK(std::all_of(ghosts.begin(), ghosts.end(), is_poison<T>));
  exchange.test();
  exchange.update_ghosts_finish(ghosts.data());
  CHECK(!exchange.in_flight());
  CHECK(exchange.test());
  CHECK(ghosts_are_right(comm, graph, n, ghosts));

  owned  = owned_values<T>(comm, graph, n);
  ghosts = ghost_values<T>(comm, graph, n);
  exchange.accumulate_start(ghosts.data());
  std::fill(ghosts.begin(), ghosts.end(), poison<T>());
  exchange.accumulate_finish(owned.data());
  CHECK(owned == accumulated<T>(comm, graph, n)); // all bits
}

void
test_in_flight(const Communicator &comm,
               const Graph        &graph,
               const ExchangePlan &plan,
               const Graph        &other_graph,
               const ExchangePlan &other_plan)
{
  // Many exchanges at once, started and finished in another order on each rank.
  const unsigned int                 n_exchanges = 6;
  std::vector<GhostExchange<double>> exchanges;
  std::vector<std::vector<double>>   owned, ghosts;
  for (unsigned int e = 0; e < n_exchanges; ++e)
    {
      const unsigned int n = 1 + e / 2;
      const Graph       &g = e % 2 == 0 ? graph : other_graph;
      exchanges.emplace_back(e % 2 == 0 ? plan : other_plan, n);
      owned.push_back(owned_values<double>(comm, g, n));
      ghosts.push_back(e < 4 ?
                         std::vector<double>(g.ghosts[comm.rank()].size() * n,
                                             poison<double>()) :
                         ghost_values<double>(comm, g, n));
    }
  std::mt19937              random(comm.rank());
  std::vector<unsigned int> order(n_exchanges);
  std::iota(order.begin(), order.end(), 0u);
  for (unsigned int round = 0; round < 5; ++round)
    {
      std::shuffle(order.begin(), order.end(), random);
      for (const unsigned int e : order)
        if (e < 4)
          exchanges[e].update_ghosts_start(owned[e].data());
        else
          exchanges[e].accumulate_start(ghosts[e].data());
      std::shuffle(order.begin(), order.end(), random);
      for (const unsigned int e : order)
        {
          const unsigned int n = 1 + e / 2;
          const Graph       &g = e % 2 == 0 ? graph : other_graph;
          if (e < 4)
            {
              exchanges[e].update_ghosts_finish(ghosts[e].data());
              CHECK(ghosts_are_right(comm, g, n, ghosts[e]));
              std::fill(ghosts[e].begin(), ghosts[e].end(), poison<double>());
            }
          else
            {
              std::vector<double> sums = owned[e];
              exchanges[e].accumulate_finish(sums.data());
              CHECK(sums == accumulated<double>(comm, g, n));
            }
        }
    }
}

void
test_restricted(const Communicator &comm,
                const Graph        &graph,
                const ExchangePlan &plan)
{
  const auto item_is_kept = [](const unsigned int rank, const std::size_t i) {
    return (rank + i) % 3 == 0;
  };
  const auto ghost_is_kept = [](const std::size_t g) { return g % 2 == 0; };

  std::vector<char> owned_flags(plan.n_owned()), ghost_flags(plan.n_ghosts());
  for (std::size_t i = 0; i < owned_flags.size(); ++i)
    owned_flags[i] = item_is_kept(comm.rank(), i) ? 2 : 0;
  for (std::size_t g = 0; g < ghost_flags.size(); ++g)
    ghost_flags[g] = ghost_is_kept(g);

  const ExchangePlan by_owner = plan.restricted(owned_flags);
  const ExchangePlan by_both  = plan.restricted(owned_flags, ghost_flags);
  for (const bool both : {false, true})
    {
      const ExchangePlan &part = both ? by_both : by_owner;
      CHECK_EQUAL(part.n_owned(), plan.n_owned());
      CHECK_EQUAL(part.n_ghosts(), plan.n_ghosts());
      const std::vector<RemoteItem> &sources = graph.ghosts[comm.rank()];
      const auto is_moved = [&](const unsigned int rank, const std::size_t g) {
        const RemoteItem &source = graph.ghosts[rank][g];
        return item_is_kept(source.owner, source.index) &&
               (!both || ghost_is_kept(g));
      };

      GhostExchange<int>     exchange(part, 2);
      const std::vector<int> owned = owned_values<int>(comm, graph, 2);
      std::vector<int>       ghosts(plan.n_ghosts() * 2, poison<int>());
      exchange.update_ghosts(owned.data(), ghosts.data());
      std::size_t n_moved = 0;
      bool        ok      = true;
      for (std::size_t g = 0; g < sources.size(); ++g)
        {
          n_moved += is_moved(comm.rank(), g);
          for (unsigned int c = 0; c < 2; ++c)
            ok = ok &&
                 ghosts[2 * g + c] ==
                   (is_moved(comm.rank(), g) ?
                      owned_value<int>(sources[g].owner, sources[g].index, c) :
                      poison<int>());
        }
      CHECK(ok);
      CHECK_EQUAL(part.receive_ghosts().size(), n_moved);

      std::vector<int> sums      = owned;
      std::vector<int> reference = owned;
      exchange.accumulate(ghost_values<int>(comm, graph, 2).data(),
                          sums.data());
      for (unsigned int r = 0; r < comm.n_ranks(); ++r)
        for (std::size_t g = 0; g < graph.ghosts[r].size(); ++g)
          if (graph.ghosts[r][g].owner == comm.rank() && is_moved(r, g))
            for (unsigned int c = 0; c < 2; ++c)
              reference[2 * graph.ghosts[r][g].index + c] +=
                ghost_value<int>(r, g, c);
      CHECK(sums == reference);
    }

  const ExchangePlan nothing =
    plan.restricted(std::vector<char>(plan.n_owned(), 0));
  CHECK(nothing.send_neighbours().empty() && nothing.send_items().empty());
  CHECK(nothing.receive_neighbours().empty());
  const ExchangePlan all = plan.restricted({});
  CHECK(all.send_items() == plan.send_items());
  CHECK(all.receive_ghosts() == plan.receive_ghosts());
}

void
test_lists(const Communicator &comm,
           const Graph        &graph,
           const ExchangePlan &plan)
{
  std::vector<ExchangePlan::Link> send, receive;
  for (const auto &neighbour : plan.send_neighbours())
    send.insert(send.begin(), // descending, to be sorted by the plan
                {neighbour.rank,
                 {plan.send_items().begin() + neighbour.begin,
                  plan.send_items().begin() + neighbour.end}});
  for (const auto &neighbour : plan.receive_neighbours())
    receive.insert(receive.begin(),
                   {neighbour.rank,
                    {plan.receive_ghosts().begin() + neighbour.begin,
                     plan.receive_ghosts().begin() + neighbour.end}});
  const ExchangePlan same(comm, plan.n_owned(), plan.n_ghosts(), send, receive);
  CHECK(same.send_items() == plan.send_items());
  CHECK(same.receive_ghosts() == plan.receive_ghosts());
  test_type<float>(comm, graph, same, 2);
}

void
test_layout_and_operation(const Communicator &comm,
                          const Graph        &graph,
                          const ExchangePlan &plan)
{
  // Component-major storage, and a maximum instead of the sum.
  GhostExchange<int>     exchange(plan, 2);
  const std::vector<int> owned = owned_values<int>(comm, graph, 2);
  std::vector<int>       transposed(plan.n_ghosts() * 2, poison<int>());
  exchange.update_ghosts_start_with([&](const std::size_t item, int *values) {
    values[0] = owned[2 * item];
    values[1] = owned[2 * item + 1];
  });
  exchange.update_ghosts_finish_with(
    [&](const std::size_t ghost, const int *values) {
      transposed[ghost]                   = values[0];
      transposed[plan.n_ghosts() + ghost] = values[1];
    });
  std::vector<int> ghosts(transposed.size());
  for (std::size_t g = 0; g < plan.n_ghosts(); ++g)
    for (unsigned int c = 0; c < 2; ++c)
      ghosts[2 * g + c] = transposed[c * plan.n_ghosts() + g];
  CHECK(ghosts_are_right(comm, graph, 2, ghosts));

  std::vector<int> largest = owned, reference = owned;
  exchange.accumulate_start(ghost_values<int>(comm, graph, 2).data());
  exchange.accumulate_finish_with(
    [&](const std::size_t item, const int *values) {
      for (unsigned int c = 0; c < 2; ++c)
        largest[2 * item + c] = std::max(largest[2 * item + c], values[c]);
    });
  for (unsigned int r = 0; r < comm.n_ranks(); ++r)
    for (std::size_t g = 0; g < graph.ghosts[r].size(); ++g)
      if (graph.ghosts[r][g].owner == comm.rank())
        for (unsigned int c = 0; c < 2; ++c)
          {
            int &value = reference[2 * graph.ghosts[r][g].index + c];
            value      = std::max(value, ghost_value<int>(r, g, c));
          }
  CHECK(largest == reference);
}

void
test_costs(const Communicator &comm,
           const Graph        &graph,
           const ExchangePlan &plan)
{
  std::uint64_t n_bytes = 0, n_messages = 0;
  for (unsigned int r = 0; r < comm.n_ranks(); ++r)
    if (r != comm.rank())
      {
        const auto n = std::count_if(graph.ghosts[r].begin(),
                                     graph.ghosts[r].end(),
                                     [&](const RemoteItem &ghost) {
                                       return ghost.owner == comm.rank();
                                     });
        n_bytes += static_cast<std::uint64_t>(n) * 3 * sizeof(double);
        n_messages += n > 0;
      }

  GhostExchange<double>     exchange(plan, 3);
  const std::vector<double> owned = owned_values<double>(comm, graph, 3);
  std::vector<double>       ghosts(plan.n_ghosts() * 3);
  exchange.update_ghosts(owned.data(), ghosts.data());

  const CounterSnapshot before               = Counters::process().snapshot();
  std::vector<double>   sums                 = owned;
  const std::size_t     n_allocations_before = n_allocations;
  exchange.update_ghosts(owned.data(), ghosts.data());
  const std::size_t     n_allocations_update = n_allocations;
  const CounterSnapshot counts = Counters::process().snapshot().since(before);
  const std::size_t     n_allocations_between = n_allocations;
  exchange.accumulate(ghosts.data(), sums.data());
  const std::size_t n_allocations_after = n_allocations;
  CHECK_EQUAL(n_allocations_update, n_allocations_before);
  CHECK_EQUAL(n_allocations_after, n_allocations_between);
  CHECK_EQUAL(counts.value(Counters::exchange_bytes).total, n_bytes);
  CHECK_EQUAL(counts.value(Counters::exchange_messages).total, n_messages);
}

void
test_structure(const Communicator &comm,
               const Graph        &graph,
               const ExchangePlan &plan)
{
  CHECK_EQUAL(plan.n_owned(), graph.n_owned[comm.rank()]);
  CHECK_EQUAL(plan.n_ghosts(), graph.ghosts[comm.rank()].size());
  std::vector<bool> is_boundary(plan.n_owned(), false);
  for (const std::vector<RemoteItem> &ghosts : graph.ghosts)
    for (const RemoteItem &ghost : ghosts)
      if (ghost.owner == comm.rank())
        is_boundary[ghost.index] = true;
  std::vector<unsigned int> boundary;
  for (unsigned int i = 0; i < is_boundary.size(); ++i)
    if (is_boundary[i])
      boundary.push_back(i);
  CHECK(plan.boundary_items() == boundary);
}

int
main(int argc, char **argv)
{
  CommunicationSession session(argc, argv);
  const Communicator   comm = Communicator::world();

  bool order_matters = false;
  for (unsigned int seed = 0; seed < 12; ++seed)
    {
      // Also with long messages in pieces, here of 40 bytes.
      internal::maximum_message_count() =
        seed % 3 == 2 ? 40 : std::numeric_limits<int>::max();
      const Graph        graph = random_graph(comm.n_ranks(), seed);
      const Graph        other = random_graph(comm.n_ranks(), 100 + seed);
      const ExchangePlan plan(comm,
                              graph.n_owned[comm.rank()],
                              graph.ghosts[comm.rank()]);
      const ExchangePlan other_plan(comm,
                                    other.n_owned[comm.rank()],
                                    other.ghosts[comm.rank()]);
      test_structure(comm, graph, plan);
      test_type<double>(comm, graph, plan, 1);
      test_type<float>(comm, graph, plan, 3);
      test_type<std::int32_t>(comm, graph, plan, 1);
      test_type<std::int64_t>(comm, graph, plan, 5);
      test_type<unsigned int>(comm, graph, plan, 64);
      test_in_flight(comm, graph, plan, other, other_plan);
      test_restricted(comm, graph, plan);
      test_lists(comm, graph, plan);
      test_layout_and_operation(comm, graph, plan);
      if (seed % 3 != 2)
        test_costs(comm, graph, plan);
      order_matters =
        order_matters || accumulated<float>(comm, graph, 3) !=
                           accumulated<float>(comm, graph, 3, true);
    }
  // Otherwise the comparison of bits above says nothing about the order.
  CHECK(comm.logical_or(order_matters) || comm.n_ranks() == 1);

  ExchangePlan       empty;
  GhostExchange<int> nothing(empty, 3);
  nothing.update_ghosts(nullptr, nullptr);
  nothing.accumulate(nullptr, nullptr);
  return check::result();
}
