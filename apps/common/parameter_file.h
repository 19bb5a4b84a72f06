// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_parameter_file_h
#define tessera_apps_common_parameter_file_h

#include <mpi.h>

#include <istream>
#include <string>
#include <vector>

namespace tessera::apps
{
  /**
   * One statement of a parameter file or of the command line: `set NAME =
   * VALUE`, or the entry into a section, which has an empty name.
   */
  struct Statement
  {
    std::string              file; ///< as the user named it; empty: --set
    unsigned int             line = 0;
    std::vector<std::string> section; ///< from the root
    std::string              name;
    std::string              value;

    bool
    enters_section() const
    {
      return name.empty();
    }

    /** "run.prm:12", or "--set". */
    std::string
    place() const;

    template <class Archive>
    void
    serialize(Archive &archive, const unsigned int /*version*/)
    {
      archive &file &line &section &name &value;
    }
  };

  /**
   * Scan text in the syntax of deal.II's parameter files:
   * @code
   * # a comment, from '#' to the end of the line
   * set NAME = VALUE
   * subsection NAME
   *   ...
   * end
   * include FILE
   * @endcode
   * Keywords may be in upper or lower case. A line whose last character is a
   * backslash is continued by the next, whose leading blanks are dropped. DOS
   * line ends and a UTF-8 byte-order mark are accepted. `include` splices in
   * another file, looked for beside the including one.
   *
   * The statements are not checked against any declarations here; see
   * ParameterSet::apply().
   *
   * @param[in] file The name of the text in messages.
   * @param[in] directory Where included files are looked for.
   * @throws InputError listing all errors of syntax, one a line: unknown
   * statement, `set` without `=`, `end` without `subsection`, `subsection`
   * without `end`, unreadable or circular include.
   */
  std::vector<Statement>
  scan_parameters(std::istream      &in,
                  const std::string &file,
                  const std::string &directory);

  /**
   * Read and scan a file, or the standard input for "-". Rank 0 reads; all
   * ranks return the same statements or throw the same exception. Collective.
   *
   * @throws InputError if the file is missing, a directory, or unreadable, and
   * as scan_parameters().
   */
  std::vector<Statement>
  read_parameter_file(const std::string &file, MPI_Comm communicator);

  /**
   * The statement of `--set "Section/Name=value"`.
   * @throws InputError without '=' or with an empty name.
   */
  Statement
  parse_assignment(const std::string &text);
} // namespace tessera::apps

#endif
