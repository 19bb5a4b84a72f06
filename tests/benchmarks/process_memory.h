// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_process_memory_h
#define tessera_tests_benchmarks_process_memory_h

#include <fstream>

#ifdef __GLIBC__
#  include <malloc.h>
#endif

namespace benchmark
{
  /** Give memory that is not in use back to the system, which the C library
   * else keeps in part, and in whole where MPI told it so. From now on
   * tessera::peak_resident_bytes() is of what comes. Without effect where the
   * system has no /proc/self/clear_refs. */
  inline void
  restart_peak_resident_bytes()
  {
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
    std::ofstream("/proc/self/clear_refs") << "5" << std::flush;
  }
} // namespace benchmark

#endif
