// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/progress.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <iostream>
#include <limits>

namespace tessera
{
  ProgressOptions::ProgressOptions()
    : stream(&std::cerr)
    , is_terminal(::isatty(STDERR_FILENO) == 1)
    , width(79)
  {
    struct winsize size;
    // Some terminals move to the next line when the last column is written.
    if (is_terminal && ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 &&
        size.ws_col > 1)
      width = size.ws_col - 1u;
  }

  Progress::Progress(const Communicator    &communicator,
                     const ProgressOptions &how)
    : options(how)
    , is_shown_here(communicator.rank() == 0 && how.stream != nullptr)
  {}

  namespace
  {
    bool
    begins_character(const char byte)
    {
      return (static_cast<unsigned char>(byte) & 0xc0u) != 0x80u; // UTF-8
    }

    std::size_t
    n_characters_of(const std::string &text)
    {
      return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), begins_character));
    }

    /** The first characters of a text, of which none is cut. */
    std::string
    shortened(const std::string &text, const std::size_t n)
    {
      std::size_t n_found = 0;
      for (std::size_t i = 0; i < text.size(); ++i)
        if (begins_character(text[i]) && n_found++ == n)
          return text.substr(0, i);
      return text;
    }

    /** A duration with the digits that people care for. */
    std::string
    duration(const double seconds)
    {
      char text[32];
      if (seconds < 9.95)
        std::snprintf(text, sizeof(text), "%.1f s", seconds);
      else if (seconds < 99.5)
        std::snprintf(text, sizeof(text), "%.0f s", seconds);
      else if (seconds < 5970.)
        std::snprintf(text, sizeof(text), "%.0f min", seconds / 60.);
      else
        std::snprintf(text, sizeof(text), "%.1f h", seconds / 3600.);
      return text;
    }
  } // namespace

  void
  Progress::show(const std::string &line)
  {
    const std::string text     = shortened(line, options.width);
    const std::size_t n_before = n_characters;
    n_characters               = n_characters_of(text);
    *options.stream << '\r' << text;
    if (n_before > n_characters) // blank out the rest of the previous line
      *options.stream << std::string(n_before - n_characters, ' ')
                      << std::string(n_before - n_characters, '\b');
    options.stream->flush();
  }

  void
  Progress::clear()
  {
    if (n_characters == 0)
      return;
    show("");
    *options.stream << '\r';
    options.stream->flush();
  }

  ProgressPhase::ProgressPhase(Progress           &progress,
                               const std::string  &title,
                               const std::uint64_t n_steps,
                               const std::string  &unit)
    : progress_of_phase(progress)
    , title_of_phase(title)
    , n_steps_of_phase(n_steps)
    , unit_of_phase(unit)
    , start_time(progress.options.clock())
    , time_of_line(-std::numeric_limits<double>::infinity())
    , n_exceptions(std::uncaught_exceptions())
  {}

  ProgressPhase::~ProgressPhase()
  {
    try
      {
        finish();
      }
    catch (...)
      {
        // A stream that throws must not end the program from here.
      }
  }

  std::string
  ProgressPhase::line(const std::uint64_t n_done,
                      const double        seconds,
                      const std::string  &remark) const
  {
    const std::string of_steps =
      n_steps_of_phase > 0 ? " of " + std::to_string(n_steps_of_phase) : "";
    const std::string steps =
      std::to_string(n_done) + of_steps + ' ' + unit_of_phase;

    std::string text = title_of_phase + ": ";
    if (n_steps_of_phase > 0)
      {
        // Rounded down: 100 % means done.
        const double fraction =
          std::min(1.,
                   static_cast<double>(n_done) /
                     static_cast<double>(n_steps_of_phase));
        text += std::to_string(static_cast<int>(100. * fraction)) + " % (" +
                steps + "), " + duration(seconds);
        if (n_done > 0 && fraction < 1.)
          text += ", about " + duration(seconds * (1. - fraction) / fraction) +
                  " left";
      }
    else
      text += steps + ", " + duration(seconds);
    if (!remark.empty())
      text += ", " + remark;
    return text;
  }

  void
  ProgressPhase::update(const std::uint64_t n_done, const std::string &remark)
  {
    n_done_last = n_done;
    if (!progress_of_phase.is_shown_here || !is_open)
      return;
    const ProgressOptions &options = progress_of_phase.options;
    const double           now     = options.clock();
    if (now - start_time < options.threshold)
      return;
    if (options.is_terminal)
      {
        if (now - time_of_line < options.interval)
          return;
        progress_of_phase.show(line(n_done, now - start_time, remark));
      }
    else
      {
        // The first line, too, waits for its interval.
        if (now - std::max(time_of_line, start_time) < options.long_interval)
          return;
        *options.stream << line(n_done, now - start_time, remark) << std::endl;
      }
    time_of_line = now;
    has_printed  = true;
  }

  void
  ProgressPhase::finish()
  {
    if (!is_open)
      return;
    is_open = false;
    if (!progress_of_phase.is_shown_here)
      return;
    const ProgressOptions &options = progress_of_phase.options;
    if (options.is_terminal)
      progress_of_phase.clear();
    else if (has_printed && std::uncaught_exceptions() == n_exceptions)
      *options.stream << title_of_phase << ": done (" << n_done_last << ' '
                      << unit_of_phase << "), "
                      << duration(options.clock() - start_time) << std::endl;
  }
} // namespace tessera
