// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/command_line.h"

#include <tessera/base/exceptions.h>

#include <algorithm>

#include "common/application.h"
#include "common/nearest_name.h"
#include "common/text_layout.h"

namespace tessera::apps
{
  namespace
  {
    struct Option
    {
      const char *name;
      const char *operand; ///< null: takes none
      const char *explanation;
    };

    const std::vector<Option> &
    known_options()
    {
      static const std::vector<Option> options = {
        {"--help", nullptr, "print this text"},
        {"--version",
         nullptr,
         "print the versions of this program and of what it was built with"},
        {"--print-parameters",
         nullptr,
         "print all parameters with documentation, what is allowed, and the "
         "default, as a parameter file"},
        {"--validate",
         "FILE",
         "check a parameter file and compute nothing; says 'FILE: valid', or "
         "lists its errors"},
        {"--set",
         "\"Section/Name=value\"",
         "override a parameter of the file; may be repeated"},
        {"--results",
         "DIR",
         "directory for all results, created where it is missing; overrides "
         "the parameter 'Results directory'"}};
      return options;
    }

  } // namespace



  CommandLine
  parse_command_line(const std::vector<std::string> &arguments,
                     const std::string              &program)
  {
    CommandLine command_line;
    if (arguments.empty())
      {
        command_line.action = CommandLine::Action::usage;
        return command_line;
      }

    const std::string advice   = "; see '" + program + " --help'";
    const auto        add_file = [&](const std::string &file) {
      if (!command_line.file.empty())
        throw InputError("found two parameter files, '" + command_line.file +
                         "' and '" + file + "'; expected one" + advice);
      if (file.empty())
        throw InputError("the name of the parameter file is empty" + advice);
      command_line.file = file;
    };

    bool options_ended = false, help = false;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      {
        const std::string &argument = arguments[i];
        if (options_ended || argument == "-" || argument.empty() ||
            argument[0] != '-')
          {
            add_file(argument);
            continue;
          }
        if (argument == "--")
          {
            options_ended = true;
            continue;
          }

        const auto  equals = argument.find('=');
        std::string name   = argument.substr(0, equals);
        if (name == "-h" || name == "-help")
          name = "--help";
        const auto &options = known_options();
        const auto  option  = std::find_if(options.begin(),
                                         options.end(),
                                         [&](const Option &candidate) {
                                           return name == candidate.name;
                                         });
        if (option == options.end())
          {
            std::vector<std::string> names;
            for (const Option &candidate : options)
              names.emplace_back(candidate.name);
            const std::string nearest = nearest_name(name, names);
            throw InputError(
              "unknown option '" + name + "'" +
              (nearest.empty() ? advice : "; did you mean '" + nearest + "'?"));
          }

        std::string operand;
        if (option->operand == nullptr)
          {
            if (equals != std::string::npos)
              throw InputError("option '" + name +
                               "' takes no operand, found '" + argument + "'" +
                               advice);
          }
        else if (equals != std::string::npos)
          operand = argument.substr(equals + 1);
        else if (i + 1 < arguments.size() &&
                 (arguments[i + 1] == "-" ||
                  arguments[i + 1].compare(0, 2, "--") != 0))
          operand = arguments[++i];
        if (option->operand != nullptr && operand.empty())
          throw InputError("option '" + name + "' needs an operand: " + name +
                           " " + option->operand);

        if (name == "--help")
          help = true;
        else if (name == "--version")
          command_line.action = CommandLine::Action::version;
        else if (name == "--print-parameters")
          command_line.action = CommandLine::Action::print_parameters;
        else if (name == "--validate")
          {
            command_line.action = CommandLine::Action::validate;
            add_file(operand);
          }
        else if (name == "--set")
          command_line.settings.push_back(operand);
        else if (name == "--results")
          command_line.results_directory = operand;
      }
    // Whoever asks for help gets it, whatever else stands there.
    if (help)
      command_line.action = CommandLine::Action::help;

    if (command_line.action == CommandLine::Action::run &&
        command_line.file.empty())
      throw InputError("no parameter file is given" + advice);
    return command_line;
  }



  std::string
  usage_text(const std::string &program)
  {
    return "usage: " + program +
           " [options] FILE.prm\n"
           "       " +
           program +
           " --print-parameters > FILE.prm   writes a file to begin with\n"
           "       " +
           program + " --help                         explains all options\n";
  }



  std::string
  help_text(const Application &application)
  {
    const std::string program = application.name();
    std::string text = indent_text(program + ": " + application.summary(), "");
    if (!application.description().empty())
      text += "\n" + indent_text(application.description(), "");

    text += "\nusage: " + program +
            " [options] FILE.prm\n"
            "       FILE.prm holds the parameters; - reads them from the "
            "standard input.\n\noptions:\n";
    for (const Option &option : known_options())
      text +=
        std::string("  ") + option.name +
        (option.operand == nullptr ? "" : std::string(" ") + option.operand) +
        "\n" + indent_text(option.explanation, "      ");

    text += "\nexamples:\n"
            "  " +
            program +
            " --print-parameters > my.prm\n"
            "  " +
            program +
            " my.prm\n"
            "  " +
            program + " --validate my.prm\n  " +
            (application.is_parallel() ? "mpirun -n 4 " : "") + program +
            " my.prm --set \"Dimension=" +
            std::to_string(application.common.maximum_dimension) +
            "\" --results results-3\n";

    text += "\nresults, in the directory of --results:\n"
            "  run.json         machine-readable record of the run\n"
            "  log.txt          what was printed on the screen\n"
            "  parameters.prm   all parameters as used; reproduces the run\n"
            "  tables and files for ParaView, as the parameters ask for\n";

    text += "\nexit status:\n"
            "  0  success\n"
            "  1  wrong use or wrong input\n"
            "  2  a solver did not converge\n"
            "  3  no usable device, or out of memory\n";
    return text;
  }
} // namespace tessera::apps
