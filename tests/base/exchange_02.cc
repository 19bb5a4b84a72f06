// SPDX-License-Identifier: LGPL-2.1-or-later
// Wrong input to exchange plans and wrong use of exchanges is reported, the
// former on all ranks although one rank alone is to blame.
#include <tessera/base/communication_session.h>
#include <tessera/base/exchange.h>
#include <tessera/base/sparse_exchange.h>

#include "check.h"

using namespace tessera;

void
test_plans(const Communicator &comm)
{
  const unsigned int n_ranks = comm.n_ranks();
  const bool         last    = comm.rank() + 1 == n_ranks;
  using Ghosts               = std::vector<RemoteItem>;
  using Links                = std::vector<ExchangePlan::Link>;

  // Every rank owns two items; the last one asks for what does not exist.
  const auto message = [&](const Ghosts &of_last) {
    return CHECK_THROWS(InputError,
                        ExchangePlan(comm, 2, last ? of_last : Ghosts()));
  };
  CHECK(message({{n_ranks, 0}}).find("Ghost 0") == 0);
  CHECK(message({{0, 1}, {0, 2}}).find("owns 2 items") != std::string::npos);

  const auto list_message = [&](const Links &send, const Links &receive) {
    return CHECK_THROWS(InputError,
                        ExchangePlan(comm,
                                     2,
                                     2,
                                     last ? send : Links(),
                                     last ? receive : Links()));
  };
  const unsigned int self = n_ranks - 1;
  CHECK(!list_message({{n_ranks, {0}}}, {}).empty());
  CHECK(!list_message({{self, {2}}}, {{self, {0}}}).empty());
  CHECK(!list_message({{self, {0}}}, {{self, {2}}}).empty());
  CHECK(list_message({{self, {0, 1}}}, {{self, {1, 1}}}).find("twice") !=
        std::string::npos);
  CHECK(list_message({{self, {0}}, {self, {1}}}, {{self, {0, 1}}})
          .find("two lists") != std::string::npos);
  CHECK(!list_message({{self, {0, 1}}}, {{self, {0}}}).empty());
  CHECK(!list_message({{0, {0}}}, {}).empty());
  CHECK(!list_message({}, {{0, {0}}}).empty());

  const ExchangePlan plan(comm, 2, Ghosts{{(comm.rank() + 1) % n_ranks, 1}});
  CHECK_THROWS(InputError, plan.restricted(std::vector<char>(last ? 3 : 2, 1)));
  CHECK_THROWS(InputError,
               plan.restricted({}, std::vector<char>(last ? 2 : 1, 1)));
}

void
test_use(const Communicator &comm)
{
  const ExchangePlan plan(comm, 2, {{(comm.rank() + 1) % comm.n_ranks(), 1}});
  GhostExchange<double> exchange(plan);
  const double          owned[2] = {1., 2. + comm.rank()};
  double                ghost    = -1.;

  CHECK_THROWS(InputError, exchange.update_ghosts_finish(&ghost));
  CHECK_THROWS(InputError, exchange.accumulate_finish(&ghost));
  exchange.update_ghosts_start(owned);
  const std::string message =
    CHECK_THROWS(InputError, exchange.update_ghosts_start(owned));
  CHECK(message.find("update_ghosts") != std::string::npos);
  CHECK_THROWS(InputError, exchange.accumulate_start(&ghost));
  CHECK_THROWS(InputError, exchange.accumulate_finish(&ghost));
  CHECK_EQUAL(ghost, -1.);

  // None of this has disturbed what is in flight, and it may be moved.
  GhostExchange<double> moved = std::move(exchange);
  moved.update_ghosts_finish(&ghost);
  CHECK_EQUAL(ghost, 2. + (comm.rank() + 1) % comm.n_ranks());
  CHECK_THROWS(InputError, moved.update_ghosts_finish(&ghost));

  {
    GhostExchange<double> abandoned(plan);
    abandoned.update_ghosts_start(owned);
  }
  moved.update_ghosts(owned, &ghost);
  CHECK_EQUAL(ghost, 2. + (comm.rank() + 1) % comm.n_ranks());
}

void
test_locate()
{
  // Ranks 0 and 2 own nothing.
  const std::vector<std::uint64_t> first_items{5, 5, 8, 8, 10};
  const auto items = locate_items(first_items, {7, 8, 5, 9});
  CHECK(items[0].owner == 1 && items[0].index == 2);
  CHECK(items[1].owner == 3 && items[1].index == 0);
  CHECK(items[2].owner == 1 && items[2].index == 0);
  CHECK(items[3].owner == 3 && items[3].index == 1);
  CHECK_THROWS(InputError, locate_items(first_items, {10}));
  CHECK_THROWS(InputError, locate_items(first_items, {4}));
  CHECK_THROWS(InputError, locate_items({}, {0}));
}

void
test_sparse_exchange(const Communicator &comm)
{
  // Rank r sends r + s numbers to each s >= r; repeatedly, without a barrier.
  for (unsigned int round = 0; round < 50; ++round)
    {
      std::vector<Message<unsigned int>> messages;
      for (unsigned int s = comm.n_ranks(); s-- > comm.rank();)
        messages.push_back(
          {s, std::vector<unsigned int>(comm.rank() + s, 1000 * round + s)});
      const auto received = sparse_exchange(comm, messages);
      CHECK_EQUAL(received.size(), comm.rank() + 1);
      for (unsigned int r = 0; r < received.size(); ++r)
        {
          CHECK_EQUAL(received[r].rank, r);
          CHECK(received[r].data ==
                std::vector<unsigned int>(r + comm.rank(),
                                          1000 * round + comm.rank()));
        }
    }
  const bool last = comm.rank() + 1 == comm.n_ranks();
  using Messages  = std::vector<Message<char>>;
  CHECK_THROWS(
    InputError,
    sparse_exchange(comm, last ? Messages{{comm.n_ranks(), {}}} : Messages()));
  CHECK_THROWS(InputError,
               sparse_exchange(comm,
                               last ? Messages{{0, {'a'}}, {0, {'b'}}} :
                                      Messages()));
}

int
main(int argc, char **argv)
{
  // These outlive MPI, which must be harmless.
  ExchangePlan          surviving_plan;
  GhostExchange<double> surviving_exchange;

  CommunicationSession session(argc, argv);
  const Communicator   comm = Communicator::world();
  test_plans(comm);
  test_use(comm);
  test_locate();
  test_sparse_exchange(comm);
  test_sparse_exchange(comm.duplicate());

  surviving_plan        = ExchangePlan(comm.duplicate(),
                                1,
                                {{(comm.rank() + 1) % comm.n_ranks(), 0}});
  surviving_exchange    = GhostExchange<double>(surviving_plan, 2);
  const double owned[2] = {1., comm.rank() + 2.};
  double       ghost[2];
  surviving_exchange.update_ghosts(owned, ghost);
  CHECK_EQUAL(ghost[1], (comm.rank() + 1) % comm.n_ranks() + 2.);
  return check::result();
}
