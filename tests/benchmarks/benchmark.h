// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_benchmark_h
#define tessera_tests_benchmarks_benchmark_h

// Time measurement for benchmarks: wall clock, warm-up, repeats, medians. Needs
// a compiler alone.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace benchmark
{
  /** Wall-clock time in seconds since some fixed instant; never goes back. */
  inline double
  wall_clock()
  {
    return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
  }

  /**
   * Make the compiler believe that the value, and all memory that can be
   * reached, is read and changed here: the computation before it is not
   * removed, and is not moved across.
   */
  template <typename T>
  inline void
  do_not_optimize(T &value)
  {
    asm volatile("" : "+m"(value) : : "memory");
  }

  /** The order statistics of repeated measurements. */
  struct Statistics
  {
    double median = 0.;
    double min    = 0.;
    double max    = 0.;
  };

  /** Of an even number of measurements the median is the mean of the middle
   * two. All zero for no measurement. */
  inline Statistics
  statistics(std::vector<double> samples)
  {
    if (samples.empty())
      return {};
    std::sort(samples.begin(), samples.end());
    const std::size_t n = samples.size();
    return {0.5 * (samples[(n - 1) / 2] + samples[n / 2]),
            samples.front(),
            samples.back()};
  }

  /** How often to measure. */
  struct Repeats
  {
    unsigned int n_warm_ups = 2; ///< runs before the first measured one
    unsigned int n_repeats  = 11;
  };

  /**
   * Run f() several times and return the seconds of each measured run.
   *
   * `synchronize` is called before each run, outside of the measured time: a
   * barrier, where several ranks are to run at once.
   */
  template <typename F, typename Synchronize>
  std::vector<double>
  measure(const Repeats &repeats, const Synchronize &synchronize, const F &f)
  {
    std::vector<double> seconds;
    seconds.reserve(repeats.n_repeats);
    for (unsigned int i = 0; i < repeats.n_warm_ups + repeats.n_repeats; ++i)
      {
        synchronize();
        const double start = wall_clock();
        f();
        const double end = wall_clock();
        if (i >= repeats.n_warm_ups)
          seconds.push_back(end - start);
      }
    return seconds;
  }

  /** The same on a single process. */
  template <typename F>
  std::vector<double>
  measure(const Repeats &repeats, const F &f)
  {
    return measure(
      repeats, [] {}, f);
  }
} // namespace benchmark

#endif
