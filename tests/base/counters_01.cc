// SPDX-License-Identifier: LGPL-2.1-or-later
// Counters by phase, snapshots and their differences.
#include <tessera/base/counters.h>
#include <tessera/base/exceptions.h>

#include "check.h"

using namespace tessera;

int
main()
{
  Counters           counters;
  const Counters::Id bytes = counters.id("bytes");
  CHECK_EQUAL(counters.id("bytes"), bytes);
  CHECK(counters.id("messages") != bytes);

  counters.add(bytes, 5);
  {
    CounterPhase solve("solve", counters);
    CHECK_EQUAL(counters.current_phase(), "solve");
    counters.add(bytes, 100);
    for (int i = 0; i < 3; ++i)
      {
        CounterPhase smooth("smooth", counters);
        CHECK_EQUAL(counters.current_phase(), "solve/smooth");
        counters.add(bytes, 10);
        // A counter that is younger than the phase.
        counters.add(counters.id("conversions"), 1);
      }
  }
  {
    CounterPhase other("solve2", counters); // not inside of "solve"
    counters.add(bytes, 1000);
  }
  CHECK_EQUAL(counters.current_phase(), "");

  const CounterSnapshot first = counters.snapshot();
  CHECK_EQUAL(first.value("bytes").total, 1135u);
  CHECK_EQUAL(first.value("bytes").n_events, 6u);
  CHECK_EQUAL(first.value("bytes").largest, 1000u);
  CHECK_EQUAL(first.value("bytes", "").total, 5u);
  CHECK_EQUAL(first.value("bytes", "solve").total, 130u);
  CHECK_EQUAL(first.value("bytes", "solve").largest, 100u);
  CHECK_EQUAL(first.value("bytes", "solve/smooth").total, 30u);
  CHECK_EQUAL(first.value("bytes", "smooth").total, 0u);
  CHECK_EQUAL(first.value("conversions", "solve").total, 3u);
  CHECK_EQUAL(first.value("unknown").n_events, 0u);
  CHECK_EQUAL(first.values().size(), 4u);

  {
    CounterPhase solve("solve", counters);
    counters.add(bytes, 7);
    counters.add(counters.id("messages"), 0); // an event of no amount
  }
  const CounterSnapshot difference = counters.snapshot().since(first);
  CHECK_EQUAL(difference.value("bytes").total, 7u);
  CHECK_EQUAL(difference.value("bytes").n_events, 1u);
  CHECK_EQUAL(difference.value("bytes").largest, 100u); // an upper bound
  CHECK_EQUAL(difference.value("messages").n_events, 1u);
  CHECK_EQUAL(difference.value("conversions").n_events, 0u);
  CHECK_EQUAL(difference.values().size(), 1u);

  {
    CounterPhase solve("solve", counters);
    counters.reset();
    CHECK_EQUAL(counters.current_phase(), "solve");
    counters.add(bytes, 2);
  }
  CHECK_EQUAL(counters.snapshot().value("bytes").total, 2u);

  CHECK_THROWS(InputError, CounterPhase("", counters));
  CHECK_THROWS(InputError, CounterPhase("a/b", counters));
  CHECK_EQUAL(counters.current_phase(), "");
  CHECK(&Counters::process() == &Counters::process());
  return check::result();
}
