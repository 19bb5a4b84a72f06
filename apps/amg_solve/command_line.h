// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_amg_solve_command_line_h
#define tessera_apps_amg_solve_command_line_h

#include <tessera/amg/conjugate_gradients.h>
#include <tessera/amg/options.h>

#include <string>
#include <vector>

namespace tessera::amg_solve
{
  /** What the command line asks for. */
  struct CommandLine
  {
    enum class Action
    {
      solve,
      usage, ///< there was no argument at all
      help,
      version
    };

    Action action = Action::solve;

    // Files; empty where they were not given.
    std::string matrix;
    std::string right_hand_side;
    std::string coordinates;
    std::string output;

    int               block_size = 1;
    unsigned int      n_updates  = 0;
    amg::Options      options;
    amg::SolveOptions solve_options;
  };

  /**
   * Options may stand before or behind the file of the matrix, and take their
   * operand as `--option operand` or `--option=operand`. Local.
   *
   * @param[in] arguments Without the name of the program.
   * @throws InputError: unknown option (with the nearest known one), operands
   * that are missing or not what an option takes, no or two matrices.
   */
  CommandLine
  parse_command_line(const std::vector<std::string> &arguments);

  /** The few lines printed where there is no argument. */
  std::string
  usage_text();

  /** The text of --help. */
  std::string
  help_text();
} // namespace tessera::amg_solve

#endif
