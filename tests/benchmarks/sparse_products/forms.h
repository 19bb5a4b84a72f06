// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_sparse_products_forms_h
#define tessera_tests_benchmarks_sparse_products_forms_h

// Forms of one product: made together, so that they take turns and see the same
// machine, or one after the other where memory is too small for that.

#include <tessera/base/aligned_vector.h>
#include <tessera/base/instruction_set.h>
#include <tessera/base/memory.h>

#include <time.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/machine_kernels.h"
#include "benchmarks/process_memory.h"
#include "benchmarks/program.h"

namespace benchmark
{
  /** Seconds that this thread has used. */
  inline double
  processor_seconds()
  {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
  }

  /** What takes longer needs no warm-up. */
  constexpr double seconds_of_long_tasks = 0.5;

  /** A product, made and ready to run. */
  class Work
  {
  public:
    virtual ~Work() = default;

    virtual void
    run() = 0;

    /** Of the last run, in the order of all forms. */
    virtual std::vector<double>
    result() = 0;

    double bytes          = 0.; ///< that a run has to move
    double tolerance      = 1e-12;
    double set_up_seconds = 0.; ///< the symbolic phase, where it was measured,
    double first_seconds  = 0.; ///< and the first run
    double bytes_kept     = 0.;
  };

  /** A form of the product, not yet made. */
  struct Form
  {
    std::string name;

    /** Bytes that are needed to make and run it, counted. */
    double memory;

    std::function<std::unique_ptr<Work>()> make;
  };

  struct Measured
  {
    std::string name;
    double      bytes          = 0.;
    Statistics  seconds        = {};
    double      set_up_seconds = 0.;
    double      first_seconds  = 0.;
    double      bytes_kept     = 0.;

    /** Of the process, with all else that there is; of all forms together where
     * they take turns. */
    double peak_memory = 0.;
  };

  /** The forms of a product. */
  struct Measurements
  {
    std::vector<Measured>    forms;
    Measured                 copy; ///< the measure of all
    bool                     in_turns = true;
    std::vector<std::string> left_out; ///< and why

    /** NaN if it was not measured. */
    double
    seconds(const std::string &name) const
    {
      for (const Measured &form : forms)
        if (form.name == name)
          return form.seconds.median;
      return std::nan("");
    }

    /** Bytes a second. */
    double
    copy_rate() const
    {
      return copy.bytes / copy.seconds.median;
    }

    double
    peak_memory() const
    {
      double peak = 0.;
      for (const Measured &form : forms)
        peak = std::max(peak, form.peak_memory);
      return peak;
    }
  };

  struct MeasureSettings
  {
    Repeats     repeats{1, 7};
    std::size_t megabytes = 256; ///< of a copy

    /** Megabytes that forms may take; 0: four fifths of what is free. */
    std::size_t memory     = 0;
    bool        one_by_one = false;
  };

  /** Two arrays, one copied to the other. */
  class Copy : public Work
  {
  public:
    explicit Copy(const std::size_t megabytes)
      : from(megabytes * 1000000 / 256 * 16, 1.)
      , to(from.size(), 0.)
    {
      bytes = 16. * double(from.size());
    }

    void
    run() override
    {
      TESSERA_CALL_SIMD(copy(to.data(), from.data(), from.size()));
    }

    std::vector<double>
    result() override
    {
      return std::vector<double>(to.begin(), to.end());
    }

  private:
    tessera::AlignedVector<double> from, to;
  };

  /** Times of what gives different results are not comparable.
   * @throws std::runtime_error */
  inline void
  require_equal(const std::string         &what,
                const std::vector<double> &values,
                const std::vector<double> &expected,
                const double               tolerance)
  {
    double error = 0., norm = 0.;
    if (values.size() == expected.size())
      for (std::size_t i = 0; i < values.size(); ++i)
        {
          error += (values[i] - expected[i]) * (values[i] - expected[i]);
          norm += expected[i] * expected[i];
        }
    if (values.size() != expected.size() ||
        !(std::sqrt(error) <= tolerance * std::sqrt(norm)))
      throw std::runtime_error("'" + what +
                               "' gives another result: its difference is " +
                               std::to_string(std::sqrt(error / norm)) + ", " +
                               std::to_string(values.size()) + " values of " +
                               std::to_string(expected.size()) + ".");
  }

  /** Seconds of each, [work][repeat]. In turns; each twice, of which the second
   * counts, unless it is long. */
  inline std::vector<std::vector<double>>
  seconds_in_turns(const std::vector<Work *> &works, const unsigned n_repeats)
  {
    const auto time = [](Work &work) {
      const double start = processor_seconds();
      work.run();
      return processor_seconds() - start;
    };
    std::vector<std::vector<double>> seconds(works.size());
    for (unsigned int n = 0; n < n_repeats; ++n)
      for (std::size_t i = 0; i < works.size(); ++i)
        {
          double last = time(*works[i]);
          if (last < seconds_of_long_tasks)
            last = time(*works[i]);
          seconds[i].push_back(last);
        }
    return seconds;
  }

  /**
   * Measure forms beside a copy: all of them in turns if what they need is
   * there, else one after the other, each in turns with the copy; those that
   * need too much alone are left out.
   *
   * @param[in] expected The result that all must have; if empty, that of the
   * first form.
   * @throws std::runtime_error if a result differs.
   */
  inline Measurements
  measure_forms(const MeasureSettings   &settings,
                const std::vector<Form> &forms,
                std::vector<double>      expected = {})
  {
    restart_peak_resident_bytes();
    const double free_bytes = settings.memory > 0 ?
                                1e6 * double(settings.memory) :
                                0.8 * double(tessera::available_memory_bytes());
    double       all        = 2e6 * double(settings.megabytes);
    for (const Form &form : forms)
      all += form.memory;

    Measurements result;
    result.in_turns = !settings.one_by_one && all <= free_bytes;
    Copy                copy(settings.megabytes);
    std::vector<double> copy_seconds;

    const auto measure = [&](const std::vector<Form> &group) {
      restart_peak_resident_bytes();
      std::vector<std::unique_ptr<Work>> works;
      std::vector<Work *>                all_works;
      for (const Form &form : group)
        {
          works.push_back(form.make());
          all_works.push_back(works.back().get());
        }
      all_works.push_back(&copy);
      const auto seconds =
        seconds_in_turns(all_works, settings.repeats.n_repeats);
      copy_seconds.insert(copy_seconds.end(),
                          seconds.back().begin(),
                          seconds.back().end());
      const double peak = double(tessera::peak_resident_bytes());
      for (std::size_t i = 0; i < group.size(); ++i)
        {
          Work &work = *works[i];
          result.forms.push_back({group[i].name,
                                  work.bytes,
                                  statistics(seconds[i]),
                                  work.set_up_seconds,
                                  work.first_seconds,
                                  work.bytes_kept,
                                  peak});
          const std::vector<double> values = work.result();
          if (expected.empty())
            expected = values;
          require_equal(group[i].name, values, expected, work.tolerance);
        }
    };

    if (result.in_turns)
      measure(forms);
    else
      for (const Form &form : forms)
        if (form.memory <= free_bytes)
          measure({form});
        else
          result.left_out.push_back(
            form.name + ": needs " + std::to_string(long(1e-6 * form.memory)) +
            " MB, " + std::to_string(long(1e-6 * free_bytes)) + " MB are free");
    result.copy = {"copy", copy.bytes, statistics(copy_seconds)};
    return result;
  }
} // namespace benchmark

#endif
