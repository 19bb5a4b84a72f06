// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/communication.h>
#include <tessera/base/communication_session.h>
#include <tessera/base/exceptions.h>
#include <tessera/base/instruction_set.h>
#include <tessera/base/version.h>

#include <iostream>
#include <new>

#include "amg_solve/command_line.h"
#include "amg_solve/solve.h"

namespace
{
  using namespace tessera;

  /** @throws InputError on more than one rank. */
  void
  check_ranks()
  {
    const unsigned int n_ranks = Communicator::world().n_ranks();
    if (n_ranks > 1)
      throw InputError("started on " + std::to_string(n_ranks) +
                       " ranks, but it runs as one process: start it "
                       "without mpirun");
  }

  ExitStatus
  work(const std::vector<std::string> &arguments)
  {
    using amg_solve::CommandLine;
    const CommandLine command_line = amg_solve::parse_command_line(arguments);
    switch (command_line.action)
      {
        case CommandLine::Action::usage:
          std::cerr << amg_solve::usage_text();
          return ExitStatus::error;
        case CommandLine::Action::help:
          std::cout << amg_solve::help_text();
          return ExitStatus::success;
        case CommandLine::Action::version:
          print_version(std::cout,
                        "amg_solve",
                        version_information(
                          {{"SIMD", to_string(active_instruction_set())}}));
          return ExitStatus::success;
        case CommandLine::Action::solve:
          break;
      }
    return amg_solve::solve(command_line, std::cout);
  }

  /** @throws InputError if not all output could be written. */
  ExitStatus
  work_and_flush(const std::vector<std::string> &arguments)
  {
    check_ranks();
    const ExitStatus status = work(arguments);
    if (!std::cout.flush())
      throw InputError("the output could not be written completely; is the "
                       "disk full?");
    return status;
  }

  ExitStatus
  fail(const ExitStatus status, const std::string &message)
  {
    std::cout << std::flush;
    if (Communicator::world().rank() == 0)
      std::cerr << "amg_solve: error: " + message + '\n';
    return status;
  }
} // namespace



int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  const auto                 run = [&] {
    try
      {
        return work_and_flush({argv + 1, argv + argc});
      }
    catch (const Exception &e)
      {
        return fail(e.exit_status(), e.what());
      }
    catch (const std::bad_alloc &)
      {
        return fail(ExitStatus::device, "out of memory on the host");
      }
    catch (const std::exception &e)
      {
        return fail(ExitStatus::error, e.what());
      }
  };
  return static_cast<int>(run());
}
