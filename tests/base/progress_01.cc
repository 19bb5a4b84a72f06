// SPDX-License-Identifier: LGPL-2.1-or-later
// The progress line with a clock, stream and terminal of the test.
#include <tessera/base/communication_session.h>
#include <tessera/base/progress.h>

#include <sstream>
#include <stdexcept>
#include <vector>

#include "check.h"

using namespace tessera;

/** What a terminal shows after some output; the last line is the current one.
 */
std::vector<std::string>
screen(const std::string &output)
{
  std::vector<std::string> lines(1);
  std::size_t              column = 0;
  for (const char c : output)
    if (c == '\n')
      {
        lines.emplace_back();
        column = 0;
      }
    else if (c == '\r')
      column = 0;
    else if (c == '\b')
      --column;
    else
      {
        lines.back().resize(std::max(lines.back().size(), column + 1), ' ');
        lines.back()[column++] = c;
      }
  for (std::string &line : lines)
    line.erase(line.find_last_not_of(' ') + 1);
  return lines;
}

struct Setup
{
  explicit Setup(const bool is_terminal)
  {
    options.stream      = &out;
    options.clock       = [this] { return time; };
    options.is_terminal = is_terminal;
    options.width       = 79;
  }

  std::string
  line() const
  {
    return screen(out.str()).back();
  }

  double             time = 1000.;
  std::ostringstream out;
  ProgressOptions    options;
};

void
test_terminal()
{
  Setup    s(true);
  Progress progress(Communicator(), s.options);
  {
    ProgressPhase phase(progress, "Setup", 1000, "cells");
    s.time += 0.9;
    phase.update(100);
    CHECK(s.out.str().empty()); // below the threshold
    s.time += 6.1;
    phase.update(350);
    CHECK_EQUAL(s.line(),
                "Setup: 35 % (350 of 1000 cells), 7.0 s, about 13 s left");
    const std::string before = s.out.str();
    s.time += 0.1;
    phase.update(360);
    CHECK_EQUAL(s.out.str(), before); // too soon
    s.time += 8000.;
    phase.update(999, "residual 1e-3");
    CHECK_EQUAL(s.line(),
                "Setup: 99 % (999 of 1000 cells), 2.2 h, about 8.0 s left, "
                "residual 1e-3");
    // A shorter line leaves nothing of the longer one.
    s.time += 1.;
    phase.update(1000);
    CHECK_EQUAL(s.line(), "Setup: 100 % (1000 of 1000 cells), 2.2 h");
    progress.clear();
    CHECK_EQUAL(s.line(), "");
    s.out << "other output\n";
    s.time += 1.;
    phase.update(1000);
    CHECK_EQUAL(s.line(), "Setup: 100 % (1000 of 1000 cells), 2.2 h");
  }
  CHECK(screen(s.out.str()) == std::vector<std::string>({"other output", ""}));
  CHECK(s.out.str().back() == '\r');

  // Nothing is printed for short phases, nor after the end.
  const std::string before = s.out.str();
  {
    ProgressPhase phase(progress, "Short");
    s.time += 0.5;
    phase.update(3);
    phase.finish();
    s.time += 10.;
    phase.update(4);
    phase.finish();
  }
  CHECK_EQUAL(s.out.str(), before);

  // An exception, too, leaves a clean screen.
  try
    {
      ProgressPhase phase(progress, "Solve", 0, "iterations");
      s.time += 2.;
      phase.update(17);
      CHECK_EQUAL(s.line(), "Solve: 17 iterations, 2.0 s");
      throw std::runtime_error("breakdown");
    }
  catch (const std::runtime_error &)
    {}
  CHECK_EQUAL(s.line(), "");
}

void
test_width()
{
  Setup s(true);
  s.options.width = 10;
  Progress      progress(Communicator(), s.options);
  ProgressPhase phase(progress, "L\xc3\xb6sen\xc3\xbc", 10); // Lösenü
  s.time += 5.;
  phase.update(0);
  CHECK_EQUAL(s.out.str(), "\rL\xc3\xb6sen\xc3\xbc: 0 ");
  Setup narrow(true);
  narrow.options.width = 2;
  Progress      narrow_progress(Communicator(), narrow.options);
  ProgressPhase narrow_phase(narrow_progress, "L\xc3\xb6sen", 10);
  narrow.time += 5.;
  narrow_phase.update(0);
  CHECK_EQUAL(narrow.out.str(), "\rL\xc3\xb6"); // no character is cut
}

void
test_file()
{
  Setup    s(false);
  Progress progress(Communicator(), s.options);
  {
    ProgressPhase phase(progress, "Solve", 100);
    for (unsigned int i = 1; i <= 100; ++i)
      {
        s.time += 1.;
        phase.update(i);
      }
  }
  CHECK_EQUAL(s.out.str(),
              "Solve: 30 % (30 of 100 steps), 30 s, about 70 s left\n"
              "Solve: 60 % (60 of 100 steps), 60 s, about 40 s left\n"
              "Solve: 90 % (90 of 100 steps), 90 s, about 10 s left\n"
              "Solve: done (100 steps), 2 min\n");
  s.out.str("");
  {
    ProgressPhase phase(progress, "Short", 100);
    s.time += 29.;
    phase.update(99);
  }
  CHECK(s.out.str().empty());
  try
    {
      ProgressPhase phase(progress, "Solve", 100);
      s.time += 31.;
      phase.update(50);
      throw std::runtime_error("breakdown");
    }
  catch (const std::runtime_error &)
    {}
  CHECK(s.out.str().find("done") == std::string::npos);
}

void
test_ranks(const Communicator &comm)
{
  Setup    s(true);
  Progress progress(comm, s.options);
  {
    ProgressPhase phase(progress, "Setup", 2);
    s.time += 5.;
    phase.update(1);
  }
  CHECK_EQUAL(s.out.str().empty(), comm.rank() != 0);

  s.options.stream = nullptr;
  Progress      silent(comm, s.options);
  ProgressPhase phase(silent, "Setup", 2);
  s.time += 5.;
  phase.update(1);
  CHECK(ProgressOptions().width >= 1);
}

int
main(int argc, char **argv)
{
  CommunicationSession session(argc, argv);
  test_terminal();
  test_width();
  test_file();
  test_ranks(Communicator::world());
  return check::result();
}
