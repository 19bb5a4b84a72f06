// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/tables.h"

#include <tessera/base/exceptions.h>
#include <tessera/base/text_file.h>

#include <sstream>
#include <vector>

namespace tessera::apps
{
  namespace
  {
    /** A field of a CSV file, in quotes where it needs them. */
    std::string
    csv_field(const std::string &text)
    {
      if (text.find_first_of(",\"\n\r") == std::string::npos)
        return text;
      std::string quoted = "\"";
      for (const char c : text)
        quoted += (c == '"' ? std::string("\"\"") : std::string(1, c));
      return quoted + "\"";
    }



    /** The name of a column for programs that read the file: deal.II calls the
     * rates of "L2" "L2...red.rate.log2" or "L2...red.rate". */
    std::string
    column_name(std::string name)
    {
      const auto position = name.find("...red.rate");
      if (position != std::string::npos)
        name.replace(position, std::string::npos, " rate");
      return name;
    }



    /**
     * deal.II keeps the numbers of a table to derived classes. This one is a
     * copy, so that the text forms it makes are not those of the original.
     */
    class Values : public dealii::TableHandler
    {
    public:
      explicit Values(const dealii::TableHandler &table)
        : dealii::TableHandler(table)
      {}

      void
      write(std::ostream &out) const
      {
        std::vector<std::string> names;
        get_selected_columns(names);
        const char *separator = "";
        for (const std::string &name : names)
          {
            out << separator << csv_field(column_name(name));
            separator = ",";
          }
        out << '\n';

        // 16 digits behind the first one reproduce a double.
        constexpr unsigned int precision = 16;
        for (unsigned int row = 0; row < n_rows(); ++row)
          {
            separator = "";
            for (const std::string &name : names)
              {
                // A column without values in the last rows is shorter.
                const auto &entries = columns.at(name).entries;
                std::string text;
                if (row < entries.size())
                  {
                    entries[row].cache_string(true, precision);
                    text = entries[row].get_cached_string();
                  }
                out << separator << csv_field(text);
                separator = ",";
              }
            out << '\n';
          }
      }
    };
  } // namespace



  void
  print_table(const dealii::TableHandler &table,
              dealii::ConditionalOStream &out)
  {
    if (!out.is_active())
      return;
    std::stringstream text;
    table.write_text(text);
    // deal.II ends each row with a blank.
    for (std::string line; std::getline(text, line);)
      out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
    out << std::flush;
  }



  void
  write_csv(const dealii::TableHandler &table, std::ostream &out)
  {
    Values(table).write(out);
  }



  void
  write_table(const dealii::TableHandler &table,
              const std::string          &path,
              const Communicator         &communicator)
  {
    communicator.collectively([&] {
      if (communicator.rank() != 0)
        return;
      std::ostringstream csv, tex;
      write_csv(table, csv);
      table.write_tex(tex);
      std::string reason = replace_file(path + ".csv", csv.str());
      if (reason.empty())
        reason = replace_file(path + ".tex", tex.str());
      if (!reason.empty())
        throw InputError("the table '" + path +
                         "' cannot be written as .csv and .tex: " + reason +
                         "; is the disk full, or the results directory gone?");
    });
  }
} // namespace tessera::apps
