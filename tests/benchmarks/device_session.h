// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_device_session_h
#define tessera_tests_benchmarks_device_session_h

// What sections of a benchmark on a device share: the stream, the measurement
// of time, the results.

#include <tessera/base/device/device.h>
#include <tessera/base/device/memory.h>
#include <tessera/base/device/stream.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "benchmark.h"
#include "record_file.h"

namespace benchmark
{
  inline constexpr double not_a_number =
    std::numeric_limits<double>::quiet_NaN();

#ifdef TESSERA_DEVICE_EMULATION
  /** Times of an emulated device mean nothing: none is printed or stored. */
  inline constexpr bool device_is_emulated = true;
#else
  inline constexpr bool device_is_emulated = false;
#endif

  /** What was published about a kernel, on an A100; NaN: nothing. */
  struct Published
  {
    double seconds          = not_a_number;
    double bytes_per_second = not_a_number;
    double flops_per_second = not_a_number;
  };

  /** Of the machine of the published figures: the plain copy, and the peak of
   * float. */
  inline constexpr double published_copy       = 1756e9;
  inline constexpr double published_float_peak = 19.5e12;

  /** One line of results. */
  struct Measurement
  {
    std::string section;
    std::string name;
    std::string precision    = "float";
    std::size_t n_cells      = 0;  ///< or values, of a copy
    double      n_visits     = 0.; ///< of cells in one run
    double      bytes        = 0.; ///< from and to memory in one run, at least
    double      shared_bytes = 0.; ///< through shared memory in one run
    double      flops        = 0.; ///< of one run; a fused one is two
    double      operations   = 0.; ///< of one run; a fused one is one
    Statistics  seconds;           ///< of a run
    Published   published;

    /** The largest difference to a reference on the host, relative to its
     * largest value, on a small problem; and what it may be. */
    double error     = not_a_number;
    double tolerance = 0.;

    bool
    is_correct() const
    {
      return error <= tolerance; // false for NaN
    }
  };

  /** The bounds of all kernels on this device. */
  struct DeviceBounds
  {
    double copy        = not_a_number; ///< bytes read and written a second
    double float_peak  = not_a_number; ///< operations a second, fused are two
    double double_peak = not_a_number;
  };

  /**
   * A run of the program: measures, collects, writes.
   */
  class DeviceSession
  {
  public:
    /** @param[in] cells Of the largest problems. */
    DeviceSession(const std::string &json_file,
                  const Repeats     &repeats_of_all,
                  const std::size_t  cells)
      : file(json_file)
      , repeats(repeats_of_all)
      , n_cells(cells)
    {}

    const tessera::device::Stream stream;
    RecordFile                    file;
    Repeats                       repeats;
    DeviceBounds                  bounds;

    /** Cells of the largest problems; what they hold is 256 bytes a cell and
     * field in float. */
    const std::size_t n_cells;

    /** An eighth of them, at least 32: problems that are still many times the
     * caches. */
    std::size_t
    n_medium_cells() const
    {
      return n_cells / 8 > 32 ? n_cells / 8 : 32;
    }

    /** Time of f(), which gives work to the stream, by events. What prepare()
     * gives to the stream before each run is not counted. */
    template <typename Prepare, typename F>
    Statistics
    time(const Prepare &prepare, const F &f) const
    {
      std::vector<double>    seconds;
      tessera::device::Event start, end;
      for (unsigned int i = 0; i < repeats.n_warm_ups + repeats.n_repeats; ++i)
        {
          prepare();
          start.record(stream);
          f();
          end.record(stream);
          const double s = tessera::device::seconds_between(start, end);
          if (i >= repeats.n_warm_ups)
            seconds.push_back(s);
        }
      return statistics(seconds);
    }

    template <typename F>
    Statistics
    time(const F &f) const
    {
      return time([] {}, f);
    }

    /** Print a line, and keep it. */
    void
    add(const Measurement &m);

    /** @name Tables with columns of their own @{ */
    /** Begin one: print its head, one or more lines. */
    void
    start_table(const std::string &head);

    /** Print a line of it, and keep both the line and the record. */
    void
    add(const Record &record, const std::string &line, bool is_correct);
    /** @} */

    /** All measurements, then all other tables. */
    void
    print_table() const;

    bool
    all_correct() const
    {
      for (const Measurement &m : measurements)
        if (!m.is_correct())
          return false;
      return other_tables_are_correct;
    }

  private:
    Record
    to_record(const Measurement &m) const;

    void
    print(const Measurement &m) const;

    std::vector<Measurement> measurements;
    bool                     head_is_due = true; ///< that of measurements
    std::string              other_tables;       ///< as printed
    bool                     other_tables_are_correct = true;
  };

  /** n numbers in [-1, 1), always the same for the same seed. */
  template <typename T>
  std::vector<T>
  random_values(const std::size_t n, const std::uint64_t seed)
  {
    std::vector<T> numbers(n);
    std::uint64_t  state = seed;
    for (T &x : numbers)
      {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x     = T(std::ldexp(double(state >> 11), -52) - 1.);
      }
    return numbers;
  }

  /** $\max_i |a_i - b_i| / \max_i |b_i|$; NaN if one of the values is. */
  template <typename A, typename B>
  double
  relative_difference(const std::vector<A> &a, const std::vector<B> &b)
  {
    double difference = 0., largest = 0.;
    for (std::size_t i = 0; i < b.size(); ++i)
      {
        const double d = std::fabs(double(a[i]) - double(b[i]));
        if (!(d <= std::numeric_limits<double>::max()))
          return not_a_number;
        difference = std::fmax(difference, d);
        largest    = std::fmax(largest, std::fabs(double(b[i])));
      }
    return difference / largest;
  }

  /** The values of a device array. */
  template <typename T>
  std::vector<T>
  to_host(const tessera::device::Memory<T> &memory,
          const tessera::device::Stream    &stream)
  {
    std::vector<T> values(memory.size());
    memory.copy_to_host(values.data(), stream);
    return values;
  }
} // namespace benchmark

#endif
