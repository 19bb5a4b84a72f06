// SPDX-License-Identifier: LGPL-2.1-or-later
// Buffers of exchanges in memory that somebody else provides: where they are,
// who copies what a rank has for itself, and how long they live.
#include <tessera/base/communication_session.h>
#include <tessera/base/exchange.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "check.h"

using namespace tessera;

/** Host memory that is watched. */
class WatchedMemory : public MessageMemory
{
public:
  std::shared_ptr<char>
  allocate(const std::size_t n_bytes) const override
  {
    n_allocated.push_back(n_bytes);
    if (n_bytes == 0)
      return nullptr;
    ++n_alive;
    return {new char[n_bytes], [this](const char *memory) {
              --n_alive;
              delete[] memory;
            }};
  }

  void
  copy(char *to, const char *from, const std::size_t n_bytes) const override
  {
    n_copied += n_bytes;
    std::memcpy(to, from, n_bytes);
  }

  mutable std::vector<std::size_t> n_allocated;
  mutable std::size_t              n_copied = 0;
  mutable int                      n_alive  = 0;
};



/** Two owned items; ghosts of both of this rank, and of one of the next. */
ExchangePlan
make_plan(const Communicator &comm)
{
  return ExchangePlan(comm,
                      2,
                      {{comm.rank(), 1},
                       {(comm.rank() + 1) % comm.n_ranks(), 0},
                       {comm.rank(), 0}});
}



void
test_exchange(const Communicator &comm)
{
  const auto         memory = std::make_shared<WatchedMemory>();
  const ExchangePlan plan   = make_plan(comm);
  const unsigned int next   = (comm.rank() + 1) % comm.n_ranks();
  const std::size_t  n_own  = comm.n_ranks() == 1 ? 3 : 2;
  {
    GhostExchange<double> exchange(plan, 2, memory);
    CHECK(memory->n_allocated == std::vector<std::size_t>(2, 3 * 16));
    CHECK_EQUAL(exchange.memory_consumption(), std::size_t(2 * 3 * 16));
    const double owned[4] = {1. + comm.rank(), -1, 100. + comm.rank(), -2};
    double       ghosts[6];
    std::fill(ghosts, ghosts + 6, 0.);

    // The copy belongs to the start.
    exchange.update_ghosts_start(owned);
    CHECK_EQUAL(memory->n_copied, n_own * 16);
    exchange.update_ghosts_finish(ghosts);
    CHECK_EQUAL(memory->n_copied, n_own * 16);
    const double expected[6] = {
      100. + comm.rank(), -2, 1. + next, -1, 1. + comm.rank(), -1};
    CHECK(std::equal(ghosts, ghosts + 6, expected));

    double sums[4] = {0, 0, 0, 0};
    exchange.accumulate(ghosts, sums);
    CHECK_EQUAL(memory->n_copied, 2 * n_own * 16);
    const double expected_sums[4] = {2 * owned[0],
                                     2 * owned[1],
                                     owned[2],
                                     owned[3]};
    CHECK(std::equal(sums, sums + 4, expected_sums));

    GhostExchange<double> moved = std::move(exchange);
    CHECK_EQUAL(memory->n_alive, 2);
  }
  CHECK_EQUAL(memory->n_alive, 0);

  // Without items there is nothing to allocate.
  GhostExchange<int> nothing(ExchangePlan(comm, 2, {}), 1, memory);
  CHECK_EQUAL(memory->n_alive, 0);
  CHECK(nothing.owner_buffer() == nullptr && nothing.ghost_buffer() == nullptr);
}



void
test_destroyed_in_flight(const Communicator &comm)
{
  const auto memory   = std::make_shared<WatchedMemory>();
  const int  owned[2] = {1, 2};
  {
    GhostExchange<int> abandoned(make_plan(comm), 1, memory);
    abandoned.update_ghosts_start(owned);
  }
  CHECK_EQUAL(memory->n_alive, 2);
  {
    GhostExchange<int> finished(make_plan(comm), 1, memory);
    int                ghosts[3];
    finished.update_ghosts(owned, ghosts);
    CHECK_EQUAL(memory->n_alive, 4);
  }
  CHECK_EQUAL(memory->n_alive, 2);
}



int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  const Communicator         comm = Communicator::world();
  test_exchange(comm);
  test_destroyed_in_flight(comm);
  return check::result();
}
