// SPDX-License-Identifier: LGPL-2.1-or-later
// Collective operations against values computed from rank and size alone.
#include <tessera/base/communication.h>
#include <tessera/base/communication_backend.h>
#include <tessera/base/communication_session.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "check.h"

using namespace tessera;

template <typename T>
void
test_reductions(const Communicator &comm)
{
  const T p    = static_cast<T>(comm.n_ranks());
  const T mine = static_cast<T>(comm.rank() + 1);
  CHECK_EQUAL(comm.sum(mine), p * (p + 1) / 2);
  CHECK_EQUAL(comm.min(mine), T(1));
  CHECK_EQUAL(comm.max(mine), p);
  CHECK_EQUAL(comm.exclusive_prefix_sum(mine), mine * (mine - 1) / 2);

  std::vector<T> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<T>(i) * mine;
  std::vector<T> lowest = values, highest = values;
  comm.sum(values.data(), values.size());
  comm.min(lowest.data(), lowest.size());
  comm.max(highest.data(), highest.size());
  bool sums = true, extremes = true;
  for (std::size_t i = 0; i < values.size(); ++i)
    {
      sums     = sums && values[i] == static_cast<T>(i) * (p * (p + 1) / 2);
      extremes = extremes && lowest[i] == static_cast<T>(i) &&
                 highest[i] == static_cast<T>(i) * p;
    }
  CHECK(sums);
  CHECK(extremes);
}

struct Item
{
  double        value;
  std::uint32_t rank;
  char          letter;
};

std::vector<double>
vector_of_rank(const unsigned int rank)
{
  std::vector<double> values(rank % 2 == 1 ? 0 : 3 * rank + 2);
  std::iota(values.begin(), values.end(), 100. * rank);
  return values;
}

void
test_moving(const Communicator &comm)
{
  const unsigned int p = comm.n_ranks();
  for (unsigned int root = 0; root < p; ++root)
    {
      CHECK_EQUAL(comm.broadcast(comm.rank(), root), root);
      std::vector<int> values(7, static_cast<int>(comm.rank()));
      comm.broadcast(values.data(), values.size(), root);
      CHECK(values == std::vector<int>(7, static_cast<int>(root)));
      CHECK(comm.broadcast(vector_of_rank(comm.rank()), root) ==
            vector_of_rank(root));
      CHECK_EQUAL(comm.broadcast(std::string(comm.rank(), 'x'), root),
                  std::string(root, 'x'));

      const std::vector<unsigned int> ranks = comm.gather(comm.rank(), root);
      CHECK_EQUAL(ranks.size(), comm.rank() == root ? p : 0u);
      for (unsigned int r = 0; r < ranks.size(); ++r)
        CHECK_EQUAL(ranks[r], r);
      const auto vectors = comm.gather(vector_of_rank(comm.rank()), root);
      CHECK_EQUAL(vectors.size(), comm.rank() == root ? p : 0u);
      for (unsigned int r = 0; r < vectors.size(); ++r)
        CHECK(vectors[r] == vector_of_rank(r));
      const auto strings = comm.gather(std::string(comm.rank(), 'y'), root);
      CHECK_EQUAL(strings.size(), comm.rank() == root ? p : 0u);
      for (unsigned int r = 0; r < strings.size(); ++r)
        CHECK_EQUAL(strings[r], std::string(r, 'y'));
    }

  const Item item{0.5 * comm.rank(),
                  comm.rank(),
                  static_cast<char>('a' + comm.rank())};
  const auto items   = comm.all_gather(item);
  const auto vectors = comm.all_gather(vector_of_rank(comm.rank()));
  const auto strings = comm.all_gather(std::string(comm.rank(), 'z'));
  CHECK_EQUAL(items.size(), p);
  CHECK_EQUAL(vectors.size(), p);
  CHECK_EQUAL(strings.size(), p);
  for (unsigned int r = 0; r < p; ++r)
    {
      CHECK(items[r].value == 0.5 * r && items[r].rank == r &&
            items[r].letter == static_cast<char>('a' + r));
      CHECK(vectors[r] == vector_of_rank(r));
      CHECK_EQUAL(strings[r], std::string(r, 'z'));
    }
}

void
test_extremes(const Communicator &comm)
{
  const double p      = comm.n_ranks();
  const double r      = comm.rank();
  const auto   result = comm.min_max_average({r, -r, 1., (r - 1) * (r - 1)});
  CHECK_EQUAL(result.size(), 4u);
  CHECK_EQUAL(result[0].min, 0.);
  CHECK_EQUAL(result[0].max, p - 1);
  CHECK_EQUAL(result[0].max_rank, comm.n_ranks() - 1);
  CHECK_NEAR(result[0].average, (p - 1) / 2, 1e-15);
  CHECK_EQUAL(result[1].min_rank, comm.n_ranks() - 1);
  CHECK_EQUAL(result[2].min_rank, 0u);
  CHECK_EQUAL(result[2].max_rank, 0u);
  CHECK_EQUAL(result[3].min_rank, p > 1 ? 1u : 0u);
  CHECK(comm.min_max_average({}).empty());
}

void
test_logic(const Communicator &comm)
{
  const bool last = comm.rank() + 1 == comm.n_ranks();
  CHECK(comm.logical_and(true));
  CHECK(!comm.logical_or(false));
  CHECK(comm.logical_or(last));
  CHECK_EQUAL(comm.logical_and(last), comm.n_ranks() == 1);
  CHECK(!comm.all_ok(!last));
  CHECK(
    std::isnan(comm.sum(last ? std::numeric_limits<double>::quiet_NaN() : 1.)));
}

void
test_errors(const Communicator &comm)
{
  // All but rank 0 fail, where there are others; the lowest of them is heard.
  const unsigned int first = comm.n_ranks() > 1 ? 1 : 0;
  const bool         fails = comm.rank() >= first;
  const std::string  mine  = "rank " + std::to_string(comm.rank());
  const std::string  heard = "rank " + std::to_string(first);
  comm.throw_collectively("");
  CHECK_EQUAL(CHECK_THROWS(InputError,
                           comm.throw_collectively(fails ? mine : "")),
              heard);
  CHECK_EQUAL(CHECK_THROWS(DeviceError,
                           comm.throw_collectively(fails ? mine : "",
                                                   ExitStatus::device)),
              heard);
  int n_calls = 0;
  comm.collectively([&] { ++n_calls; });
  CHECK_EQUAL(n_calls, 1);
  CHECK_EQUAL(CHECK_THROWS(SolverBreakdown, comm.collectively([&] {
                if (fails)
                  throw SolverBreakdown(mine);
              })),
              heard);
  CHECK_THROWS(InputError, comm.collectively([&] {
    if (fails)
      throw InputError(""); // an error even without a message
  }));
  CHECK_EQUAL(CHECK_THROWS(InputError, comm.collectively([&] {
                if (fails)
                  throw std::runtime_error(mine);
              })),
              heard);
  CHECK_THROWS(DeviceError, comm.collectively([&] {
    if (fails)
      throw std::bad_alloc();
  }));
  CHECK_THROWS(InputError, comm.broadcast(1, comm.n_ranks()));
}

void
test_groups(const Communicator &comm)
{
  const Communicator half = comm.split(comm.rank() % 2);
  CHECK_EQUAL(half.rank(), comm.rank() / 2);
  CHECK_EQUAL(half.n_ranks(), (comm.n_ranks() + 1 - comm.rank() % 2) / 2);
  CHECK_EQUAL(half.min(comm.rank()), comm.rank() % 2);

  const Communicator reversed = comm.split(0, -static_cast<int>(comm.rank()));
  CHECK_EQUAL(reversed.rank(), comm.n_ranks() - 1 - comm.rank());
  CHECK_EQUAL(reversed.broadcast(comm.rank(), 0), comm.n_ranks() - 1);

  Communicator copy = comm.duplicate();
  CHECK_EQUAL(copy.rank(), comm.rank());
  copy = half; // releases the duplicate
  CHECK_EQUAL(copy.sum(1), static_cast<int>(half.n_ranks()));
  copy = Communicator();
  CHECK_EQUAL(copy.n_ranks(), 1u);
  CHECK_EQUAL(copy.sum(comm.rank()), comm.rank());
}

void
test_all(const Communicator &comm)
{
  test_reductions<double>(comm);
  test_reductions<float>(comm);
  test_reductions<int>(comm);
  test_reductions<unsigned int>(comm);
  test_reductions<std::int64_t>(comm);
  test_reductions<std::uint64_t>(comm);
  test_reductions<long long>(comm);
  test_reductions<std::size_t>(comm);
  test_moving(comm);
  test_extremes(comm);
  test_logic(comm);
  test_errors(comm);
  comm.barrier();
}

int
main(int argc, char **argv)
{
  CHECK_EQUAL(Communicator().n_ranks(), 1u); // before MPI is initialized

  // A handle that outlives MPI must be harmless.
  Communicator         survivor;
  CommunicationSession session(argc, argv);
  {
    CommunicationSession nested(argc, argv); // must not end MPI
  }
  const Communicator world = Communicator::world();
  survivor                 = world.duplicate();
  test_all(world);
  test_all(Communicator());
  test_groups(world);
  test_groups(world.split(world.rank() % 2));

  // The same once more with arrays moved in pieces of 5 entries.
  internal::maximum_message_count() = 5;
  test_all(world);
  return check::result();
}
