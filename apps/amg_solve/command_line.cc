// SPDX-License-Identifier: LGPL-2.1-or-later
#include "amg_solve/command_line.h"

#include <tessera/base/exceptions.h>
#include <tessera/sparse/block_shape.h>
#include <tessera/sparse/product/product_algorithm.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <sstream>
#include <utility>

#include "common/nearest_name.h"
#include "common/text_layout.h"

namespace tessera::amg_solve
{
  namespace
  {
    const std::string program = "amg_solve";
    const std::string advice  = "; see '" + program + " --help'";

    struct Option
    {
      std::string name;
      std::string operand; ///< for the help; empty: takes none
      std::string explanation;
      std::string default_value; ///< empty: none to be shown

      /** Apply an operand. */
      std::function<void(CommandLine &, const std::string &)> set;
    };

    template <typename T>
    std::string
    text(const T value)
    {
      std::ostringstream stream;
      stream << value;
      return stream.str();
    }

    template <typename T>
    T
    number(const std::string &option, const std::string &operand)
    {
      T                 result{};
      const char *const end    = operand.data() + operand.size();
      const auto        parsed = std::from_chars(operand.data(), end, result);
      if (parsed.ec != std::errc() || parsed.ptr != end)
        throw InputError(
          "option '" + option + "' needs " +
          (std::is_integral<T>::value ? "a whole number" : "a number") +
          ", found '" + operand + "'");
      return result;
    }

    /** An option for a number that a function finds in the command line. */
    template <typename Find>
    Option
    number_option(const std::string &name,
                  const std::string &explanation,
                  const Find         find)
    {
      CommandLine defaults;
      using T = std::decay_t<decltype(find(defaults))>;
      return {name,
              std::is_integral<T>::value ? "N" : "X",
              explanation,
              text(find(defaults)),
              [name, find](CommandLine &line, const std::string &operand) {
                find(line) = number<T>(name, operand);
              }};
    }

    /** An option for one of a few named values; the first is the default. */
    template <typename T, typename Find>
    Option
    choice_option(const std::string                            &name,
                  const std::string                            &explanation,
                  const std::vector<std::pair<std::string, T>> &choices,
                  const Find                                    find)
    {
      std::string all;
      for (const auto &choice : choices)
        all += (all.empty() ? "" : "|") + choice.first;
      return {name,
              all,
              explanation,
              choices[0].first,
              [=](CommandLine &line, const std::string &operand) {
                for (const auto &choice : choices)
                  if (choice.first == operand)
                    {
                      find(line) = choice.second;
                      return;
                    }
                throw InputError("option '" + name + "' takes " + all +
                                 ", found '" + operand + "'");
              }};
    }

    /** An option for the name of a file. */
    Option
    file_option(const std::string &name,
                const std::string &explanation,
                std::string CommandLine::*member)
    {
      return {name,
              "FILE",
              explanation,
              "",
              [member](CommandLine &line, const std::string &operand) {
                line.*member = operand;
              }};
    }

    Option
    action_option(const std::string        &name,
                  const std::string        &explanation,
                  const CommandLine::Action action)
    {
      return {name,
              "",
              explanation,
              "",
              [action](CommandLine &line, const std::string &) {
                line.action = action;
              }};
    }

    std::vector<Option>
    problem_options()
    {
      return {
        number_option("--block-size",
                      "unknowns of a node; they are numbered one after the "
                      "other",
                      [](CommandLine &line) -> int & {
                        return line.block_size;
                      }),
        file_option("--rhs",
                    "right-hand side: array of one column; all ones without",
                    &CommandLine::right_hand_side),
        file_option("--coordinates",
                    "of the nodes: array with a row for each node and a column "
                    "for each direction, or one column, node after node. With "
                    "blocks of 2 or 3, rigid-body modes are made of them",
                    &CommandLine::coordinates),
        file_option("--output",
                    "for the solution: array of one column",
                    &CommandLine::output),
        number_option("--tolerance",
                      "of the residual, relative to the right-hand side, in "
                      "the Euclidean norm",
                      [](CommandLine &line) -> double & {
                        return line.solve_options.tolerance;
                      }),
        number_option("--maximum-iterations",
                      "of conjugate gradients",
                      [](CommandLine &line) -> unsigned int & {
                        return line.solve_options.max_iterations;
                      }),
        number_option("--updates",
                      "repeat the set-up that often as if values had changed, "
                      "to see what it takes",
                      [](CommandLine &line) -> unsigned int & {
                        return line.n_updates;
                      })};
    }

    std::vector<Option>
    amg_options()
    {
      using amg::Options;
      const auto real =
        [](const char *name, const char *explanation, double Options::*member) {
          return number_option(name,
                               explanation,
                               [member](CommandLine &line) -> double & {
                                 return line.options.*member;
                               });
        };
      const auto count = [](const char  *name,
                            const char  *explanation,
                            unsigned int Options::*member) {
        return number_option(name,
                             explanation,
                             [member](CommandLine &line) -> unsigned int & {
                               return line.options.*member;
                             });
      };
      const auto flag =
        [](const char *name, const char *explanation, bool Options::*member) {
          return choice_option<bool>(name,
                                     explanation,
                                     {{"true", true}, {"false", false}},
                                     [member](CommandLine &line) -> bool & {
                                       return line.options.*member;
                                     });
        };
      return {
        choice_option<amg::StrengthMeasure>(
          "--strength-measure",
          "what makes couplings strong: block norms, or, for stretched cells, "
          "how negative they are, with a threshold of 0.3 and a scale of 1",
          {{"norms", amg::StrengthMeasure::block_norms},
           {"couplings", amg::StrengthMeasure::negative_couplings}},
          [](CommandLine &line) -> amg::StrengthMeasure & {
            return line.options.strength_measure;
          }),
        real("--strength-threshold",
             "couplings above it are strong",
             &Options::strength_threshold),
        real("--threshold-scale",
             "factor of the threshold from level to level",
             &Options::threshold_scale),
        count("--aggressive-levels",
              "finest levels on which aggregates reach two nodes far",
              &Options::aggressive_levels),
        choice_option<amg::AggregationOrder>(
          "--aggregation-order",
          "which nodes become roots of aggregates first",
          {{"hash", amg::AggregationOrder::hash},
           {"natural", amg::AggregationOrder::natural}},
          [](CommandLine &line) -> amg::AggregationOrder & {
            return line.options.aggregation_order;
          }),
        flag("--prolongator-smoothing",
             "smooth prolongators",
             &Options::prolongator_smoothing),
        real("--prolongator-filter",
             "blocks of prolongators below it, relative to their row, are left "
             "out; 0: none",
             &Options::prolongator_filter),
        real("--filter-scale",
             "factor of the filter from level to level",
             &Options::filter_scale),
        count("--smoother-degree",
              "Chebyshev steps before and after the coarse correction",
              &Options::smoother_degree),
        number_option("--coarse-size-limit",
                      "levels of no more equations are solved exactly",
                      [](CommandLine &line) -> std::uint64_t & {
                        return line.options.coarse_size_limit;
                      }),
        count("--maximum-levels", "of the hierarchy", &Options::max_levels),
        choice_option<amg::LevelPrecision>(
          "--level-precision",
          "of the cycle",
          {{"float", amg::LevelPrecision::single_precision},
           {"double", amg::LevelPrecision::double_precision}},
          [](CommandLine &line) -> amg::LevelPrecision & {
            return line.options.level_precision;
          }),
        choice_option<amg::SingularMatrix>(
          "--singular-matrix",
          "what to do with a matrix that has modes in its kernel: end with an "
          "error, or solve in the orthogonal complement",
          {{"refuse", amg::SingularMatrix::refuse},
           {"complement", amg::SingularMatrix::complement}},
          [](CommandLine &line) -> amg::SingularMatrix & {
            return line.options.singular_matrix;
          }),
        {"--product-algorithm",
         "NAME",
         "of the Galerkin products: \"auto\", \"two-pass\", \"fused\", \"fused "
         "ordered\", \"tiled\", \"schedule\", \"outer product\" or \"cached "
         "positions\"",
         "auto",
         [](CommandLine &line, const std::string &operand) {
           line.options.product.algorithm =
             sparse::product_algorithm_from_string(operand);
         }}};
    }

    std::vector<Option>
    other_options()
    {
      return {
        action_option("--help", "print this text", CommandLine::Action::help),
        action_option("--version",
                      "print the versions of this program and of what it was "
                      "built with",
                      CommandLine::Action::version)};
    }

    std::vector<Option>
    known_options()
    {
      std::vector<Option> result;
      for (const std::vector<Option> &group :
           {problem_options(), amg_options(), other_options()})
        result.insert(result.end(), group.begin(), group.end());
      return result;
    }

    const Option &
    find_option(const std::vector<Option> &options, const std::string &name)
    {
      std::vector<std::string> names;
      for (const Option &option : options)
        {
          if (option.name == name)
            return option;
          names.push_back(option.name);
        }
      const std::string nearest = apps::nearest_name(name, names);
      throw InputError(
        "unknown option '" + name + "'" +
        (nearest.empty() ? advice : "; did you mean '" + nearest + "'?"));
    }

    std::string
    explain(const std::vector<Option> &options)
    {
      std::string result;
      for (const Option &option : options)
        {
          std::string explanation = option.explanation;
          if (!option.default_value.empty())
            explanation += "; default: " + option.default_value;
          result += "  " + option.name +
                    (option.operand.empty() ? "" : " " + option.operand) +
                    '\n' + apps::indent_text(explanation, "      ");
        }
      return result;
    }

    void
    check(const CommandLine &line)
    {
      if (line.matrix.empty())
        throw InputError("no matrix is given" + advice);
      if (line.block_size < 1 || line.block_size > sparse::max_block_size)
        throw InputError("option '--block-size' takes 1 to " +
                         std::to_string(sparse::max_block_size) + ", found " +
                         std::to_string(line.block_size));
      if (!(line.solve_options.tolerance > 0 &&
            line.solve_options.tolerance < 1))
        throw InputError("option '--tolerance' takes a number between 0 and 1, "
                         "found " +
                         text(line.solve_options.tolerance));
      amg::check(line.options);
    }
  } // namespace



  CommandLine
  parse_command_line(const std::vector<std::string> &arguments)
  {
    CommandLine result;
    if (arguments.empty())
      {
        result.action = CommandLine::Action::usage;
        return result;
      }
    const std::vector<Option> options = known_options();
    bool                      help    = false;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      {
        const std::string &argument = arguments[i];
        if (argument.empty() || argument[0] != '-')
          {
            if (argument.empty() || !result.matrix.empty())
              throw InputError("found '" + argument +
                               "' where an option was expected; the matrix is "
                               "a single file" +
                               advice);
            result.matrix = argument;
            continue;
          }
        const auto  equals = argument.find('=');
        std::string name   = argument.substr(0, equals);
        if (name == "-h")
          name = "--help";
        const Option &option = find_option(options, name);

        std::string operand;
        if (equals != std::string::npos)
          operand = argument.substr(equals + 1);
        else if (!option.operand.empty() && i + 1 < arguments.size() &&
                 arguments[i + 1].compare(0, 2, "--") != 0)
          operand = arguments[++i];
        if (option.operand.empty() && equals != std::string::npos)
          throw InputError("option '" + name + "' takes no operand, found '" +
                           argument + "'" + advice);
        if (!option.operand.empty() && operand.empty())
          throw InputError("option '" + name + "' needs an operand: " + name +
                           " " + option.operand);
        option.set(result, operand);
        help = help || result.action == CommandLine::Action::help;
      }
    // Whoever asks for help gets it, whatever else stands there.
    if (help)
      result.action = CommandLine::Action::help;
    if (result.action == CommandLine::Action::solve)
      check(result);
    return result;
  }



  std::string
  usage_text()
  {
    return "usage: " + program + " A.mtx [options]\n'" + program +
           " --help' explains the options.\n";
  }



  std::string
  help_text()
  {
    return "usage: " + program + " A.mtx [options]\n\n" +
           apps::indent_text(
             "Solve A x = b by conjugate gradients preconditioned by smoothed "
             "aggregation algebraic multigrid. A is symmetric and positive "
             "definite; all files are in MatrixMarket format: the matrix in "
             "coordinate format, general or symmetric, vectors as arrays.",
             "") +
           "\nproblem:\n" + explain(problem_options()) + "\nmultigrid:\n" +
           explain(amg_options()) + "\nothers:\n" + explain(other_options()) +
           "\nexamples:\n"
           "  amg_solve poisson.mtx\n"
           "  amg_solve beam.mtx --block-size 3 --coordinates nodes.mtx "
           "--rhs load.mtx\n"
           "\nexit status:\n"
           "  0  solved\n"
           "  1  error in the command line or in a file\n"
           "  2  not converged, or the matrix is not positive definite\n"
           "  3  out of memory\n";
  }
} // namespace tessera::amg_solve
