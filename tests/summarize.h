// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_summarize_h
#define tessera_tests_summarize_h

#include <tessera/base/communication.h>
#include <tessera/base/run_record.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "common/application.h"

namespace tests
{
  /**
   * A positive number as its mantissa in [1, 10) and its decimal exponent.
   * numdiff lets pass what agrees to 1e-6 absolutely *or* to 1e-8 relatively;
   * split like this, even a tiny error norm is compared to six digits. What is
   * left of an error that should be zero is not compared.
   */
  inline std::string
  scaled(const double x)
  {
    if (!(x > 0.) || !std::isfinite(x))
      return std::to_string(x);
    if (x < 1e-10)
      return "below 1e-10";
    const int exponent = static_cast<int>(std::floor(std::log10(x)));
    char      text[64];
    std::snprintf(
      text, sizeof(text), "%.9f e%d", x / std::pow(10., exponent), exponent);
    return text;
  }

  /** The entries of a run record that do not depend on the machine. */
  inline void
  print_summary(std::ostream &out, const nlohmann::ordered_json &record)
  {
    for (const auto &cycle : record.at("cycles"))
      {
        out << "cycle " << cycle.at("cycle") << ": cells "
            << cycle.at("n_cells") << " dofs " << cycle.at("n_dofs")
            << " levels " << cycle.at("n_levels") << " iterations "
            << cycle.at("iterations")
            << (cycle.at("converged") ? "" : " NOT CONVERGED");
        // Of patch multigrid, whose residuals are the same bits everywhere.
        if (cycle.at("residual_measure") == "duality pairing")
          {
            char text[32];
            std::snprintf(text,
                          sizeof(text),
                          " fractional %.2f",
                          cycle.at("fractional_iterations").get<double>());
            out << text;
          }
        out << std::endl;
        for (const auto &[name, value] : cycle.at("errors").items())
          out << "  " << name << " " << scaled(value.get<double>())
              << std::endl;
        for (const auto &[name, value] : cycle.at("rates").items())
          {
            char text[32];
            std::snprintf(text, sizeof(text), "%.3f", value.get<double>());
            out << "  rate of " << name << " " << text << std::endl;
          }
      }
  }

  /**
   * An application whose screen output goes to the file `screen` and whose run
   * ends with a summary of its record instead, for deal.II's test framework to
   * compare. Everything else is the application as users run it.
   */
  template <typename App>
  class Summarized : public App
  {
  public:
    tessera::ExitStatus
    run(tessera::apps::RunContext &context) override
    {
      const tessera::ExitStatus status = App::run(context);
      if (context.communicator.rank() == 0)
        summary = context.record.document();
      return status;
    }

    /** Empty but for rank 0 of a run that came to its end. */
    nlohmann::ordered_json summary;
  };

  /** main() of a test executable: argv is a parameter file. */
  template <typename App>
  int
  run_summarized(const int argc, char **argv)
  {
    std::vector<std::string> arguments(argv, argv + argc);
    arguments.push_back("--results");
    arguments.push_back("results");
    std::vector<char *> pointers;
    for (std::string &argument : arguments)
      pointers.push_back(argument.data());
    pointers.push_back(nullptr);

    // Only rank 0 prints, so that the ranks do not share the file.
    std::ofstream         screen("screen");
    std::streambuf *const terminal = std::cout.rdbuf(screen.rdbuf());
    Summarized<App>       application;
    const int status = tessera::apps::run_application(arguments.size(),
                                                      pointers.data(),
                                                      application);
    std::cout.rdbuf(terminal);
    if (!application.summary.is_null())
      print_summary(std::cout, application.summary);
    return status;
  }
} // namespace tests

#endif
