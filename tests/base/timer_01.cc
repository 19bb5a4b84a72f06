// SPDX-License-Identifier: LGPL-2.1-or-later
// Hierarchical timers with a clock that the test moves.
#include <tessera/base/communication_session.h>
#include <tessera/base/timer.h>

#include <sstream>
#include <stdexcept>

#include "check.h"

using namespace tessera;

void
test_scopes()
{
  double time = 100.;
  Timers timers([&] { return time; });
  {
    TimerScope solve("solve", timers);
    time += 1.;
    for (int i = 0; i < 3; ++i)
      {
        TimerScope smooth("smooth", timers);
        time += 2.;
        CHECK_EQUAL(smooth.elapsed(), 2.);
      }
    {
      TimerScope transfer("transfer", timers);
      time += 4.;
      TimerScope smooth("smooth", timers); // not that of "solve"
      time += 8.;
    }
    TimerScope late("smooth", timers);
    time += 16.;
    CHECK_EQUAL(late.stop(), 16.);
    CHECK_EQUAL(late.stop(), 0.);
    time += 32.;
  }
  {
    TimerScope output("output", timers);
    time += 64.;
  }
  const std::vector<TimerEntry> entries = timers.entries();
  CHECK_EQUAL(entries.size(), 5u);
  const char *const paths[]   = {"solve",
                                 "solve/smooth",
                                 "solve/transfer",
                                 "solve/transfer/smooth",
                                 "output"};
  const double      seconds[] = {67., 22., 12., 8., 64.};
  const unsigned    counts[]  = {1, 4, 1, 1, 1};
  const unsigned    depths[]  = {0, 1, 1, 2, 0};
  for (unsigned int i = 0; i < 5; ++i)
    {
      CHECK_EQUAL(entries[i].path, paths[i]);
      CHECK_EQUAL(entries[i].seconds, seconds[i]);
      CHECK_EQUAL(entries[i].count, counts[i]);
      CHECK_EQUAL(entries[i].depth, depths[i]);
      CHECK_EQUAL(timers.seconds(paths[i]), seconds[i]);
    }
  CHECK_EQUAL(entries[3].name(), "smooth");
  CHECK_EQUAL(timers.seconds("unknown"), 0.);

  // One rank prints totals.
  std::ostringstream table;
  timers.print(table, Communicator());
  CHECK_EQUAL(table.str(),
              "seconds       count       total   share\n"
              "solve             1          67  51.1 %\n"
              "  smooth          4          22  32.8 %\n"
              "  transfer        1          12  17.9 %\n"
              "    smooth        1           8  66.7 %\n"
              "output            1          64  48.9 %\n");
  timers.reset();
  CHECK(timers.entries().empty());
}

void
test_misuse()
{
  double time = 0.;
  Timers timers([&] { return time; });
  CHECK_THROWS(InputError, TimerScope("", timers));
  CHECK_THROWS(InputError, TimerScope("a/b", timers));
  {
    TimerScope outer("outer", timers);
    {
      TimerScope inner("inner", timers);
      time += 1.;
      CHECK_THROWS(InputError, outer.stop());
      CHECK_THROWS(InputError, timers.reset());
    }
    CHECK_EQUAL(outer.stop(), 1.);
  }
  CHECK_EQUAL(timers.seconds("outer/inner"), 1.);
}

void
test_synchronization()
{
  // Work that is only done, and takes its time, when somebody waits for it.
  double time = 0., pending = 0.;
  bool   fails = false;
  Timers timers([&] { return time; });
  timers.set_synchronization([&] {
    if (fails)
      throw std::runtime_error("the device is gone");
    time += pending;
    pending = 0.;
  });
  pending = 5.;
  {
    TimerScope scope("kernel", timers); // waits for what came before
    pending = 3.;
  }
  CHECK_EQUAL(timers.seconds("kernel"), 3.);
  {
    TimerScope scope("kernel", timers);
    time += 1.;
    fails = true;
    CHECK_THROWS(std::runtime_error, scope.stop());
    CHECK_THROWS(std::runtime_error, TimerScope("inner", timers));
  } // must not throw
  CHECK_EQUAL(timers.seconds("kernel"), 4.);
  fails = false;
  {
    TimerScope scope("next", timers); // at the top again
  }
  CHECK_EQUAL(timers.entries().back().depth, 0u);
}

void
test_reduction(const Communicator &comm)
{
  const double p    = comm.n_ranks();
  double       time = 0.;
  Timers       timers([&] { return time; });
  const auto   spend = [&](const std::string &name, const double seconds) {
    TimerScope scope(name, timers);
    time += seconds;
  };
  {
    TimerScope solve("solve", timers);
    spend("smooth", 1. + comm.rank());
    if (comm.rank() == comm.n_ranks() - 1)
      spend("coarse", 5.); // on the last rank only
  }
  spend("output", 2.);
  const std::vector<ReducedTimerEntry> all = timers.reduced(comm);
  CHECK_EQUAL(all.size(), 4u);
  CHECK_EQUAL(all[0].path, "solve");
  CHECK_EQUAL(all[1].path, "solve/smooth");
  CHECK_EQUAL(all[1].seconds.min, 1.);
  CHECK_EQUAL(all[1].seconds.max, p);
  CHECK_EQUAL(all[1].seconds.max_rank, comm.n_ranks() - 1);
  CHECK_NEAR(all[1].seconds.average, (p + 1) / 2, 1e-15);
  CHECK_EQUAL(all[2].path, "solve/coarse");
  CHECK_EQUAL(all[2].depth, 1u);
  CHECK_EQUAL(all[2].count, 1u);
  CHECK_EQUAL(all[2].seconds.min, p > 1 ? 0. : 5.);
  CHECK_EQUAL(all[2].seconds.max, 5.);
  CHECK_EQUAL(all[3].path, "output");

  std::ostringstream table;
  timers.print(table, comm);
  CHECK_EQUAL(table.str().empty(), comm.rank() != 0);
  if (comm.rank() == 0)
    {
      const std::string header = table.str().substr(0, table.str().find('\n'));
      CHECK_EQUAL(header.find("rank") != std::string::npos, p > 1);
      CHECK(table.str().find("\n  coarse") != std::string::npos);
    }
}

int
main(int argc, char **argv)
{
  CommunicationSession session(argc, argv);
  test_scopes();
  test_misuse();
  test_synchronization();
  test_reduction(Communicator::world());
  const double before = wall_clock();
  CHECK(wall_clock() >= before);
  return check::result();
}
