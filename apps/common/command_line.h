// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_command_line_h
#define tessera_apps_common_command_line_h

#include <string>
#include <vector>

namespace tessera::apps
{
  class Application;

  /** What the command line asks for. */
  struct CommandLine
  {
    enum class Action
    {
      run,
      usage, ///< there was no argument at all
      help,
      version,
      print_parameters,
      validate
    };

    Action action = Action::run;

    /** The parameter file; "-" is the standard input; may be empty for all
     * actions but run and validate. */
    std::string file;

    /** Operands of --set, in their order. */
    std::vector<std::string> settings;

    /** Operand of --results, or empty. */
    std::string results_directory;
  };

  /**
   * Understand a command line. Options may stand before or behind the file,
   * take their operand as `--option operand` or `--option=operand`, and end at
   * `--`. Local and deterministic: all ranks have the same command line.
   *
   * @param[in] arguments Without the name of the program.
   * @param[in] program For the messages.
   * @throws InputError: unknown option (with the nearest known one), missing
   * operand, operand where none belongs, more than one file, no file.
   */
  CommandLine
  parse_command_line(const std::vector<std::string> &arguments,
                     const std::string              &program);

  /** The few lines printed where there is no argument. */
  std::string
  usage_text(const std::string &program);

  /** The text of --help. */
  std::string
  help_text(const Application &application);

  /**
   * The text of --version: version and git revision; deal.II, its vector width
   * as compiled here; our instruction sets; MPI; CUDA.
   */
  std::string
  version_text(const std::string &program);
} // namespace tessera::apps

#endif
