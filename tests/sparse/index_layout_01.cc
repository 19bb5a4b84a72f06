// SPDX-License-Identifier: LGPL-2.1-or-later
// Layouts number owned indices and ghosts as they say, move values from owners
// to ghosts, and refuse what cannot be, on all ranks.
#include <tessera/base/communication_session.h>
#include <tessera/base/exceptions.h>
#include <tessera/base/exchange.h>
#include <tessera/sparse/index_layout.h>

#include <numeric>
#include <set>

#include "check.h"
#include "random_matrices.h"

namespace
{
  using namespace sparse_test;

  void
  test_numbering(const Communicator &communicator, const unsigned int seed)
  {
    std::mt19937        random(seed);
    const std::uint64_t n = 60;
    const auto counts     = random_partition(random, n, communicator.n_ranks());
    const unsigned int    rank  = communicator.rank();
    const GlobalIndex     first = first_of(counts, rank);
    const GlobalIndex     end   = first + counts[rank];
    std::set<GlobalIndex> ghosts;
    std::mt19937          own(seed + 1000 * rank);
    for (int g = 0; g < 20; ++g)
      {
        const GlobalIndex i = own() % n;
        if (i < first || i >= end)
          ghosts.insert(i);
      }
    std::vector<GlobalIndex> shuffled(ghosts.begin(), ghosts.end());
    std::shuffle(shuffled.begin(), shuffled.end(), own);
    const IndexLayout layout(communicator, counts[rank], shuffled);

    CHECK_EQUAL(layout.n_global(), n);
    CHECK_EQUAL(layout.first_owned(), first);
    CHECK_EQUAL(static_cast<std::uint64_t>(layout.n_owned()), counts[rank]);
    CHECK_EQUAL(static_cast<std::size_t>(layout.n_ghosts()), ghosts.size());
    CHECK_EQUAL(layout.n_local(), layout.n_owned() + layout.n_ghosts());
    CHECK_EQUAL(layout.first_of_ranks().size(), communicator.n_ranks() + 1u);
    for (unsigned int r = 0; r <= communicator.n_ranks(); ++r)
      CHECK_EQUAL(layout.first_of_ranks()[r], first_of(counts, r));

    std::set<GlobalIndex> local(ghosts);
    for (GlobalIndex i = first; i < end; ++i)
      local.insert(i);
    for (GlobalIndex i = 0; i < n + 3; ++i)
      CHECK_EQUAL(layout.local(i) >= 0, local.count(i) == 1);
    GlobalIndex previous = 0;
    for (LocalIndex l = 0; l < layout.n_local(); ++l)
      {
        CHECK_EQUAL(layout.local(layout.global(l)), l);
        if (l > 0 && l != layout.n_owned())
          CHECK(layout.global(l) > previous);
        previous = layout.global(l);
      }

    std::vector<GlobalIndex> values(layout.n_local() + 1, 12345);
    for (LocalIndex l = 0; l < layout.n_owned(); ++l)
      values[l] = 3 * layout.global(l);
    GhostExchange<GlobalIndex> exchange(layout.ghosts());
    exchange.update_ghosts(values.data(), values.data() + layout.n_owned());
    for (LocalIndex l = 0; l < layout.n_local(); ++l)
      CHECK_EQUAL(values[l], 3 * layout.global(l));

    const IndexLayout same(communicator,
                           counts[rank],
                           std::vector<GlobalIndex>(ghosts.begin(),
                                                    ghosts.end()));
    CHECK(layout == same);
    const IndexLayout without(communicator, counts[rank], {});
    CHECK_EQUAL(layout == without, ghosts.empty());
    CHECK(layout.same_owned(without));
    const IndexLayout other(communicator, counts[rank] + 1, {});
    CHECK(!layout.same_owned(other));
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  const Communicator         world = Communicator::world();
  for (unsigned int seed = 0; seed < 20; ++seed)
    test_numbering(world, seed);

  const IndexLayout nothing;
  CHECK_EQUAL(nothing.n_local(), 0);
  CHECK_EQUAL(nothing.local(0), -1);
  const IndexLayout alone(7);
  CHECK_EQUAL(alone.n_owned(), 7);
  CHECK_EQUAL(alone.n_global(), 7u);
  CHECK_EQUAL(IndexLayout((std::uint64_t(1) << 31) - 1).n_local(), 2147483647);

  // Only rank 0 is wrong, but all throw.
  const bool        wrong = world.rank() == 0;
  const std::string large =
    CHECK_THROWS(InputError,
                 IndexLayout(world, wrong ? std::uint64_t(1) << 31 : 4, {}));
  CHECK(large.find("2147483648 owned") != std::string::npos);
  const std::string overflow =
    CHECK_THROWS(InputError,
                 IndexLayout(world, wrong ? ~std::uint64_t(0) : 4, {}));
  CHECK(overflow.find("18446744073709551615 owned") != std::string::npos);
  if (world.n_ranks() > 1)
    {
      const GlobalIndex ghost = (GlobalIndex(1) << 31) - 1;
      const std::string sum =
        CHECK_THROWS(InputError,
                     IndexLayout(world,
                                 wrong ? ghost : 4,
                                 wrong ? std::vector<GlobalIndex>{ghost} :
                                         std::vector<GlobalIndex>{}));
      CHECK(sum.find("2147483647 owned and 1 ghost") != std::string::npos);
    }
  const GlobalIndex n = 4 * world.n_ranks();
  for (const GlobalIndex ghost : {0, 3})
    {
      const std::string own =
        CHECK_THROWS(InputError,
                     IndexLayout(world,
                                 4,
                                 wrong ? std::vector<GlobalIndex>{ghost} :
                                         std::vector<GlobalIndex>{}));
      CHECK(own.find("global index " + std::to_string(ghost) +
                     ", which it owns itself") != std::string::npos);
    }
  const std::string outside =
    CHECK_THROWS(InputError,
                 IndexLayout(world,
                             4,
                             wrong ? std::vector<GlobalIndex>{n} :
                                     std::vector<GlobalIndex>{}));
  CHECK(outside.find("global index " + std::to_string(n)) != std::string::npos);
  const std::string twice =
    CHECK_THROWS(InputError,
                 IndexLayout(world,
                             4,
                             wrong ? std::vector<GlobalIndex>{n - 1, n - 1} :
                                     std::vector<GlobalIndex>{}));
  CHECK(twice.find("twice") != std::string::npos);
  return check::result();
}
