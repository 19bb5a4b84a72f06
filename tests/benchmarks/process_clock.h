// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_process_clock_h
#define tessera_tests_benchmarks_process_clock_h

#include <time.h>

namespace benchmark
{
  /** Seconds that all threads of this process have used: other programs count
   * only in what they take of caches and memory. */
  inline double
  process_seconds()
  {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
  }
} // namespace benchmark

#endif
