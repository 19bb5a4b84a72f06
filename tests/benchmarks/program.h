// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_program_h
#define tessera_tests_benchmarks_program_h

// What all benchmark programs share: options, errors, files of results.

#include <tessera/base/communication.h>
#include <tessera/base/exceptions.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#ifdef TESSERA_HAVE_JSON
#  include <nlohmann/json.hpp>

#  include <fstream>
#endif

#include "benchmark.h"

namespace benchmark
{
  using tessera::Communicator;
  using tessera::InputError;

  /** The options of a program, of the form "--name value" or "--name". */
  class Options
  {
  public:
    explicit Options(const char *usage_text)
      : usage(usage_text)
    {}

    /** A whole number from 1 to @p largest. */
    template <typename Integer>
    void
    add_number(const std::string &name, Integer &value, const unsigned largest)
    {
      options.push_back(
        {name, [name, &value, largest](const std::string &text) {
           value = parse_number(name, text, largest);
         }});
    }

    /** An option without a value, which sets @p value. */
    void
    add_flag(const std::string &name, bool &value)
    {
      options.push_back(
        {name, [&value](const std::string &) { value = true; }, false});
    }

    /** Any text. */
    void
    add_text(const std::string &name, std::string &value)
    {
      options.push_back(
        {name, [&value](const std::string &text) { value = text; }});
    }

    /** --json and the name of a file. */
    void
    add_json(std::string &file)
    {
      options.push_back({"--json", [&file](const std::string &text) {
#ifndef TESSERA_HAVE_JSON
                           throw InputError(
                             "Option --json " + text +
                             ": this program was built without a JSON library. "
                             "Install nlohmann/json >= 3.9 (Debian: "
                             "nlohmann-json3-dev) and build again.");
#endif
                           file = text;
                         }});
    }

    /** Returns whether the program is to run: not if help was asked for, which
     * is printed on rank 0. @throws InputError. */
    bool
    parse(const int argc, char **argv, const Communicator &ranks) const
    {
      for (int i = 1; i < argc; ++i)
        {
          const std::string name = argv[i];
          if (name == "--help")
            {
              if (ranks.rank() == 0)
                std::fputs(usage, stdout);
              return false;
            }
          const Option &option = find(name);
          if (!option.has_value)
            option.set("");
          else if (++i == argc)
            throw InputError("Option " + name + " needs a value; see --help.");
          else
            option.set(argv[i]);
        }
      return true;
    }

  private:
    struct Option
    {
      std::string                              name;
      std::function<void(const std::string &)> set;
      bool                                     has_value = true;
    };

    const Option &
    find(const std::string &name) const
    {
      std::string allowed;
      for (const Option &option : options)
        {
          if (option.name == name)
            return option;
          allowed += option.name + ", ";
        }
      throw InputError("There is no option '" + name + "'; allowed are " +
                       allowed + "and --help.");
    }

    static unsigned long
    parse_number(const std::string &name,
                 const std::string &text,
                 const unsigned     largest)
    {
      char *end                 = nullptr;
      errno                     = 0;
      const unsigned long value = std::strtoul(text.c_str(), &end, 10);
      if (text.empty() || text[0] < '0' || text[0] > '9' || *end != '\0' ||
          errno != 0 || value == 0 || value > largest)
        throw InputError("Option " + name + " has the value '" + text +
                         "'; allowed are whole numbers from 1 to " +
                         std::to_string(largest) + ".");
      return value;
    }

    const char         *usage;
    std::vector<Option> options;
  };

  /** Run a program; what it throws is printed by rank 0 and becomes the exit
   * status. */
  template <typename F>
  int
  run_program(const Communicator &ranks, const F &f)
  {
    const auto fail = [&](const char *message, const int status) {
      if (ranks.rank() == 0)
        std::fprintf(stderr, "%s\n", message);
      return status;
    };
    try
      {
        f();
        return 0;
      }
    catch (const tessera::Exception &e)
      {
        return fail(e.what(), static_cast<int>(e.exit_status()));
      }
    catch (const std::exception &e)
      {
        return fail(e.what(), 1);
      }
  }

  /** @throws InputError if there are several processes. */
  inline void
  require_one_process(const Communicator &ranks)
  {
    if (ranks.n_ranks() > 1)
      throw InputError("This program measures one process; there are " +
                       std::to_string(ranks.n_ranks()) +
                       ". Start it without mpirun, or with -np 1.");
  }

#ifdef TESSERA_HAVE_JSON
  inline nlohmann::ordered_json
  to_json(const Statistics &s)
  {
    return {{"median", s.median}, {"min", s.min}, {"max", s.max}};
  }

  /** @throws InputError if the file cannot be written. */
  inline void
  write_json(const std::string &name, const nlohmann::ordered_json &record)
  {
    std::ofstream file(name);
    file << record.dump(2) << std::endl;
    if (!file)
      throw InputError("The file '" + name +
                       "' of option --json cannot be written.");
  }
#endif
} // namespace benchmark

#endif
