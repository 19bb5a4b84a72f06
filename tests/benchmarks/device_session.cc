// SPDX-License-Identifier: LGPL-2.1-or-later
#include "device_session.h"

#include <cstdio>

namespace benchmark
{
  namespace
  {
    /** A number in so many columns, or a dash for NaN. */
    std::string
    column(const double value, const int width, const int digits)
    {
      char text[40];
      if (std::isnan(value))
        std::snprintf(text, sizeof(text), " %*s", width, "-");
      else
        std::snprintf(text, sizeof(text), " %*.*f", width, digits, value);
      return text;
    }

    double
    ratio(const double amount, const double unit)
    {
      return amount > 0. && unit > 0. ? amount / unit : not_a_number;
    }

    constexpr char head[] =
      "section    case                                      cells       ms    "
      "GB/s  %copy  TFLOP/s  %peak |  GB/s  %copy  %peak |    error\n";

    /** Rates of a measurement. */
    struct Rates
    {
      explicit Rates(const Measurement &m, const DeviceBounds &bounds)
      {
        seconds = device_is_emulated ? not_a_number : m.seconds.median;
        bytes   = ratio(m.bytes, seconds);
        flops   = ratio(m.flops, seconds);
        const double peak =
          m.precision == "float" ? bounds.float_peak : bounds.double_peak;
        fraction_of_copy = ratio(bytes, bounds.copy);
        fraction_of_peak = ratio(flops, peak);
        fraction_of_issue =
          ratio(ratio(m.operations, seconds), peak > 0. ? peak / 2. : peak);
        published_of_copy = m.published.bytes_per_second / published_copy;
        published_of_peak = m.published.flops_per_second / published_float_peak;
      }

      double seconds, bytes, flops;
      double fraction_of_copy, fraction_of_peak, fraction_of_issue;
      double published_of_copy, published_of_peak;
    };
  } // namespace



  void
  DeviceSession::add(const Measurement &m)
  {
    if (head_is_due)
      std::fputs(head, stdout);
    head_is_due = false;
    measurements.push_back(m);
    file.add(to_record(m));
    print(m);
  }



  void
  DeviceSession::start_table(const std::string &head_of_table)
  {
    other_tables += '\n' + head_of_table + '\n';
    head_is_due = true;
    std::printf("\n%s\n", head_of_table.c_str());
  }



  void
  DeviceSession::add(const Record      &record,
                     const std::string &line,
                     const bool         is_correct)
  {
    const std::string marked = line + (is_correct ? "\n" : " WRONG\n");
    file.add(record);
    other_tables += marked;
    other_tables_are_correct = other_tables_are_correct && is_correct;
    std::fputs(marked.c_str(), stdout);
    std::fflush(stdout);
  }



  Record
  DeviceSession::to_record(const Measurement &m) const
  {
    const Rates rates(m, bounds);
    Record      record;
    const auto  set = [&](const char *name, const double value) {
      if (std::isnan(value))
        record.set_null(name);
      else
        record.set(name, value);
    };
    const auto set_published = [&](const char *name, const double value) {
      if (!std::isnan(value))
        record.set(name, value);
    };
    record.set("section", m.section)
      .set("case", m.name)
      .set("precision", m.precision)
      .set("n_cells", m.n_cells)
      .set("n_visits", m.n_visits)
      .set("bytes", m.bytes)
      .set("shared_bytes", m.shared_bytes)
      .set("flops", m.flops)
      .set("operations", m.operations);
    set("seconds", rates.seconds);
    set("seconds_min", device_is_emulated ? not_a_number : m.seconds.min);
    set("seconds_max", device_is_emulated ? not_a_number : m.seconds.max);
    set("bytes_per_second", rates.bytes);
    set("fraction_of_copy", rates.fraction_of_copy);
    set("flops_per_second", rates.flops);
    set("fraction_of_peak", rates.fraction_of_peak);
    set("fraction_of_issue", rates.fraction_of_issue);
    set_published("published_seconds", m.published.seconds);
    set_published("published_bytes_per_second", m.published.bytes_per_second);
    set_published("published_fraction_of_copy", rates.published_of_copy);
    set_published("published_flops_per_second", m.published.flops_per_second);
    set_published("published_fraction_of_peak", rates.published_of_peak);
    record.set("error", m.error).set("tolerance", m.tolerance);
    record.set("is_correct", m.is_correct());
    return record;
  }



  void
  DeviceSession::print(const Measurement &m) const
  {
    const Rates       rates(m, bounds);
    const std::string line =
      column(1e3 * rates.seconds, 8, 3) + column(1e-9 * rates.bytes, 7, 0) +
      column(100. * rates.fraction_of_copy, 6, 1) +
      column(1e-12 * rates.flops, 8, 2) +
      column(100. * rates.fraction_of_peak, 6, 1) + " |" +
      column(1e-9 * m.published.bytes_per_second, 5, 0) +
      column(100. * rates.published_of_copy, 6, 1) +
      column(100. * rates.published_of_peak, 6, 1);
    std::printf("%-10s %-36s %10zu%s | %8.1e%s\n",
                m.section.c_str(),
                (m.name + (m.precision == "float" ? "" : ", FP64")).c_str(),
                m.n_cells,
                line.c_str(),
                m.error,
                m.is_correct() ? "" : " WRONG");
    std::fflush(stdout);
  }



  void
  DeviceSession::print_table() const
  {
    std::printf("\nTable of all measurements\n%s", head);
    for (const Measurement &m : measurements)
      print(m);
    std::printf(
      "\nms: median. %%copy, %%peak: of the plain copy and of fused "
      "multiply-adds in this run;\nbetween the bars: published figures of an "
      "A100 and their share of its own copy, %.0f GB/s,\nand peak, %.1f "
      "TFLOP/s. error: to a reference on the host, on a small problem.\n",
      1e-9 * published_copy,
      1e-12 * published_float_peak);
    std::fputs(other_tables.c_str(), stdout);
    if (device_is_emulated)
      std::printf("The device is emulated: times mean nothing and are left "
                  "out.\n");
  }
} // namespace benchmark
