// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_process_memory_h
#define tessera_tests_benchmarks_process_memory_h

#include <fstream>

namespace benchmark
{
  /** From now on tessera::peak_resident_bytes() is of what comes. Without
   * effect where the system has no /proc/self/clear_refs. */
  inline void
  restart_peak_resident_bytes()
  {
    std::ofstream("/proc/self/clear_refs") << "5" << std::flush;
  }
} // namespace benchmark

#endif
