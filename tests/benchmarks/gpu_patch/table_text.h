// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_gpu_patch_table_text_h
#define tessera_tests_benchmarks_gpu_patch_table_text_h

// Lines of tables, and records, where numbers may be unknown (NaN) and times
// are not to be told (on an emulated device).

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <string>

#include "benchmarks/device_session.h"

namespace benchmark
{
  __attribute__((format(printf, 1, 2))) inline std::string
  formatted(const char *format, ...)
  {
    char         text[512];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return text;
  }

  /** A space and a number in so many columns, or a dash for NaN. */
  inline std::string
  fixed(const double value, const int width, const int digits)
  {
    return std::isnan(value) ? formatted(" %*s", width, "-") :
                               formatted(" %*.*f", width, digits, value);
  }

  /** The same, such as 1.514e-08. */
  inline std::string
  scientific(const double value, const int width)
  {
    return std::isnan(value) ? formatted(" %*s", width, "-") :
                               formatted(" %*.3e", width, value);
  }

  /** What is said about a time: nothing on an emulated device. */
  inline double
  told(const double time)
  {
    return device_is_emulated ? not_a_number : time;
  }

  /** A number that may be unknown. */
  inline void
  set_if_known(Record &record, const std::string &name, const double value)
  {
    if (!std::isnan(value))
      record.set(name, value);
  }

  /** A time, or what follows from one: null on an emulated device. */
  inline void
  set_time(Record &record, const std::string &name, const double value)
  {
    if (device_is_emulated)
      record.set_null(name);
    else
      record.set(name, value);
  }
} // namespace benchmark

#endif
