// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/parameter_file.h"

#include <tessera/base/exceptions.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/utilities.h>

#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "common/nearest_name.h"

namespace tessera::apps
{
  namespace
  {
    namespace filesystem = std::filesystem;

    std::string
    trim(const std::string &text)
    {
      const char *blanks = " \t\r\f\v";
      const auto  first  = text.find_first_not_of(blanks);
      if (first == std::string::npos)
        return {};
      return text.substr(first, text.find_last_not_of(blanks) - first + 1);
    }



    /** Read a whole file; the message of the exception lacks the place. */
    std::string
    read_text(const std::string &file)
    {
      std::error_code code;
      const auto      status = filesystem::status(file, code);
      if (status.type() == filesystem::file_type::not_found)
        throw InputError("no such file");
      if (status.type() == filesystem::file_type::directory)
        throw InputError("this is a directory; a parameter file is expected");

      errno = 0;
      std::ifstream in(file, std::ios::binary);
      if (!in)
        throw InputError(std::string("the file cannot be opened: ") +
                         std::strerror(errno));
      std::ostringstream text;
      if (in.peek() != std::ifstream::traits_type::eof())
        text << in.rdbuf();
      if (in.bad())
        throw InputError(std::string("the file cannot be read: ") +
                         std::strerror(errno));
      return text.str();
    }



    class Scanner
    {
    public:
      void
      scan(std::istream      &in,
           const std::string &file,
           const std::string &directory);

      /** Note that this file is being read: it must not include itself. */
      void
      begin(const filesystem::path &file);

      std::vector<Statement>   statements;
      std::vector<std::string> errors;

    private:
      struct OpenSection
      {
        std::string  name;
        unsigned int line;
      };

      void
      scan_statement(const std::string &text,
                     const std::string &file,
                     unsigned int       line,
                     const std::string &directory,
                     std::size_t        first_of_file);

      void
      include(const std::string &operand,
              const std::string &file,
              unsigned int       line,
              const std::string &directory);

      Statement
      statement_here(const std::string &file, const unsigned int line) const
      {
        Statement statement;
        statement.file = file;
        statement.line = line;
        for (const OpenSection &section : open)
          statement.section.push_back(section.name);
        return statement;
      }

      void
      error(const std::string &file,
            const unsigned int line,
            const std::string &message)
      {
        errors.push_back(file + ":" + std::to_string(line) + ": " + message);
      }

      /** Sections that are open, including those of the including files. */
      std::vector<OpenSection> open;

      /** Canonical paths of the files being read, to find circles. */
      std::vector<std::string> files;
    };



    void
    Scanner::begin(const filesystem::path &file)
    {
      std::error_code code;
      files.push_back(filesystem::weakly_canonical(file, code).string());
    }



    void
    Scanner::scan(std::istream      &in,
                  const std::string &file,
                  const std::string &directory)
    {
      const std::size_t first_of_file = open.size();

      std::string  physical, logical;
      unsigned int line = 0, first_line = 1;
      bool         continues = false;
      while (std::getline(in, physical))
        {
          ++line;
          if (line == 1 && physical.compare(0, 3, "\xEF\xBB\xBF") == 0)
            physical.erase(0, 3);
          physical = trim(physical);
          if (!continues)
            {
              first_line = line;
              logical.clear();
            }
          continues = !physical.empty() && physical.back() == '\\';
          if (continues)
            physical.pop_back();
          logical += physical;
          if (!continues)
            scan_statement(logical, file, first_line, directory, first_of_file);
        }
      if (continues)
        scan_statement(logical, file, first_line, directory, first_of_file);

      if (open.size() > first_of_file)
        {
          std::string others;
          for (std::size_t i = first_of_file; i + 1 < open.size(); ++i)
            others += (others.empty() ? "" : ", ") + ("'" + open[i].name) +
                      "' of line " + std::to_string(open[i].line);
          error(file,
                open.back().line,
                "subsection '" + open.back().name +
                  "' begins here and is not closed by 'end'" +
                  (others.empty() ? "" : "; still open are also " + others));
          open.resize(first_of_file);
        }
    }



    void
    Scanner::scan_statement(const std::string &text,
                            const std::string &file,
                            const unsigned int line,
                            const std::string &directory,
                            const std::size_t  first_of_file)
    {
      const std::string statement = trim(text.substr(0, text.find('#')));
      if (statement.empty())
        return;

      const auto        end_of_keyword = statement.find_first_of(" \t");
      const std::string keyword        = statement.substr(0, end_of_keyword);
      const std::string operand        = (end_of_keyword == std::string::npos) ?
                                           std::string() :
                                           trim(statement.substr(end_of_keyword));

      if (same_name(keyword, "set"))
        {
          const auto equals     = operand.find('=');
          Statement  assignment = statement_here(file, line);
          assignment.name       = trim(operand.substr(0, equals));
          if (equals == std::string::npos || assignment.name.empty())
            {
              error(file,
                    line,
                    "found '" + statement + "', expected 'set NAME = VALUE'");
              return;
            }
          assignment.value = trim(operand.substr(equals + 1));
          statements.push_back(assignment);
        }
      else if (same_name(keyword, "subsection"))
        {
          if (operand.empty())
            error(file, line, "found 'subsection' without a name");
          // Opened nevertheless, so that its 'end' is no second error.
          open.push_back({operand, line});
          if (!operand.empty())
            statements.push_back(statement_here(file, line));
        }
      else if (same_name(keyword, "end"))
        {
          if (!operand.empty())
            error(file,
                  line,
                  "found '" + statement +
                    "', expected 'end' alone on the line");
          if (open.size() == first_of_file)
            error(file,
                  line,
                  "'end' without a 'subsection' that it could close");
          else
            open.pop_back();
        }
      else if (same_name(keyword, "include"))
        include(operand, file, line, directory);
      else
        {
          std::string       hint;
          const std::string nearest =
            nearest_name(keyword, {"set", "subsection", "end", "include"});
          if (!nearest.empty())
            hint = "; did you mean '" + nearest + "'?";
          else if (statement.find('=') != std::string::npos)
            hint = "; is 'set' missing in front of it?";
          error(file,
                line,
                "found '" + statement +
                  "', expected 'set NAME = VALUE', 'subsection NAME', 'end' or "
                  "'include FILE'" +
                  hint);
        }
    }



    void
    Scanner::include(const std::string &operand,
                     const std::string &file,
                     const unsigned int line,
                     const std::string &directory)
    {
      if (operand.empty())
        {
          error(file, line, "found 'include' without the name of a file");
          return;
        }
      const filesystem::path path = filesystem::path(directory) / operand;
      std::error_code        code;
      const std::string      canonical =
        filesystem::weakly_canonical(path, code).string();
      if (std::find(files.begin(), files.end(), canonical) != files.end())
        {
          error(file,
                line,
                "'" + operand + "' is included while it is being read; " +
                  "remove the circle of includes");
          return;
        }
      try
        {
          std::istringstream in(read_text(path.string()));
          files.push_back(canonical);
          scan(in, path.string(), path.parent_path().string());
          files.pop_back();
        }
      catch (const InputError &e)
        {
          error(file, line, "cannot include '" + operand + "': " + e.what());
        }
    }



    std::vector<Statement>
    scan_all(std::istream      &in,
             const std::string &file,
             const std::string &directory)
    {
      Scanner scanner;
      scanner.begin(filesystem::path(file));
      scanner.scan(in, file, directory);
      if (!scanner.errors.empty())
        {
          std::string message;
          for (const std::string &error : scanner.errors)
            message += (message.empty() ? "" : "\n") + error;
          throw InputError(message);
        }
      return scanner.statements;
    }



    /** What rank 0 found, as it is sent to all. */
    struct Outcome
    {
      std::vector<Statement> statements;
      std::string            error;

      template <class Archive>
      void
      serialize(Archive &archive, const unsigned int /*version*/)
      {
        archive &statements &error;
      }
    };
  } // namespace



  std::string
  Statement::place() const
  {
    return file.empty() ? "--set" : file + ":" + std::to_string(line);
  }



  std::vector<Statement>
  scan_parameters(std::istream      &in,
                  const std::string &file,
                  const std::string &directory)
  {
    return scan_all(in, file, directory);
  }



  std::vector<Statement>
  read_parameter_file(const std::string &file, MPI_Comm communicator)
  {
    Outcome outcome;
    if (dealii::Utilities::MPI::this_mpi_process(communicator) == 0)
      try
        {
          if (file == "-")
            outcome.statements = scan_all(std::cin, "<stdin>", "");
          else
            {
              std::string text;
              try
                {
                  text = read_text(file);
                }
              catch (const InputError &e)
                {
                  throw InputError(file + ": " + e.what());
                }
              std::istringstream in(text);
              outcome.statements =
                scan_all(in,
                         file,
                         filesystem::path(file).parent_path().string());
            }
        }
      catch (const InputError &e)
        {
          outcome.error = e.what();
        }
    outcome = dealii::Utilities::MPI::broadcast(communicator, outcome);
    if (!outcome.error.empty())
      throw InputError(outcome.error);
    return outcome.statements;
  }



  Statement
  parse_assignment(const std::string &text)
  {
    const auto equals = text.find('=');
    const auto expected =
      "--set: found '" + text + "', expected \"Section/Name=value\"";
    if (equals == std::string::npos)
      throw InputError(expected);

    Statement          statement;
    std::istringstream path(text.substr(0, equals));
    for (std::string name; std::getline(path, name, '/');)
      statement.section.push_back(trim(name));
    if (statement.section.empty() ||
        std::any_of(statement.section.begin(),
                    statement.section.end(),
                    [](const std::string &name) { return name.empty(); }) ||
        text[equals - 1] == '/')
      throw InputError(expected);

    statement.name = statement.section.back();
    statement.section.pop_back();
    statement.value = trim(text.substr(equals + 1));
    if (statement.value.find_first_of("#\n") != std::string::npos ||
        (!statement.value.empty() && statement.value.back() == '\\'))
      throw InputError("--set: the value in '" + text +
                       "' contains '#' or a line break, or ends in '\\'; no "
                       "parameter file could express it");
    return statement;
  }
} // namespace tessera::apps
