// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sparse/matrix_market_parser.h>

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string_view>

namespace tessera
{
  namespace sparse
  {
    namespace
    {
      /** Lines of a file with their numbers, divided into words. */
      class MarketReader
      {
      public:
        explicit MarketReader(const std::string &name)
          : file(name)
          , stream(name)
        {
          if (!stream)
            throw_market_error(file,
                               0,
                               std::string("cannot be opened: ") +
                                 std::strerror(errno));
          next_line();
          read_header();
        }

        /** Go to the next line that is neither empty nor a comment; false at
         * the end of the file. */
        bool
        next()
        {
          while (next_line())
            if (!words.empty() && words[0][0] != '%')
              return true;
          if (stream.bad())
            fail("the file cannot be read any further.");
          return false;
        }

        void
        expect_words(const std::size_t n, const char *what) const
        {
          if (words.size() != n)
            fail(std::string(what) + " was expected, but there are " +
                 std::to_string(words.size()) + " words.");
        }

        std::uint64_t
        count(const std::size_t w) const
        {
          std::uint64_t n = 0;
          if (!parse(words[w], n))
            fail("\"" + std::string(words[w]) +
                 "\" is not a number of rows, columns or entries.");
          return n;
        }

        /** An index in 1, ..., n, counted from 0 from here on. */
        std::uint64_t
        index(const std::size_t   w,
              const char         *what,
              const std::uint64_t n) const
        {
          std::uint64_t i = 0;
          if (!parse(words[w], i) || i < 1 || i > n)
            fail("\"" + std::string(words[w]) + "\" is not a " + what +
                 ": there are 1 to " + std::to_string(n) + ".");
          return i - 1;
        }

        double
        value(const std::size_t w) const
        {
          double       x = 0.;
          std::int64_t i = 0;
          if (is_integer)
            {
              if (!parse(words[w], i))
                fail("\"" + std::string(words[w]) + "\" is not an integer.");
              return static_cast<double>(i);
            }
          if (!parse(words[w], x))
            fail("\"" + std::string(words[w]) + "\" is not a number.");
          if (!std::isfinite(x))
            fail("the value " + std::string(words[w]) +
                 " is not finite; values must be.");
          return x;
        }

        std::string
        format() const
        {
          return format_name;
        }

        bool
        symmetric() const
        {
          return is_symmetric;
        }

        std::uint64_t
        line_number() const
        {
          return n_lines;
        }

        [[noreturn]] void
        fail(const std::string &message) const
        {
          throw_market_error(file, n_lines, message);
        }

      private:
        bool
        next_line()
        {
          words.clear();
          if (!std::getline(stream, line))
            return false;
          ++n_lines;
          const std::string_view text(line);
          const char            *space = " \t\r\v\f";
          for (std::size_t begin = text.find_first_not_of(space);
               begin != std::string_view::npos;)
            {
              const std::size_t end = text.find_first_of(space, begin);
              words.push_back(text.substr(begin, end - begin));
              begin = text.find_first_not_of(space, end);
            }
          return true;
        }

        void
        read_header()
        {
          const char *expected =
            "the first line must be \"%%MatrixMarket matrix\", followed by "
            "\"coordinate\" or \"array\", \"real\" or \"integer\", and "
            "\"general\" or \"symmetric\"; found \"";
          std::vector<std::string> header;
          for (const std::string_view word : words)
            {
              header.emplace_back(word);
              for (char &c : header.back())
                c = static_cast<char>(
                  std::tolower(static_cast<unsigned char>(c)));
            }
          if (header.size() != 5 || header[0] != "%%matrixmarket" ||
              header[1] != "matrix" ||
              (header[2] != "coordinate" && header[2] != "array") ||
              (header[3] != "real" && header[3] != "integer") ||
              (header[4] != "general" && header[4] != "symmetric"))
            throw_market_error(file, 1, expected + line.substr(0, 100) + "\".");
          format_name  = header[2];
          is_integer   = header[3] == "integer";
          is_symmetric = header[4] == "symmetric";
        }

        /** All of a word; a plus sign is allowed. */
        template <typename T>
        static bool
        parse(std::string_view word, T &result)
        {
          if (word.size() > 1 && word[0] == '+' && word[1] != '-')
            word.remove_prefix(1);
          const char *const end    = word.data() + word.size();
          const auto        parsed = std::from_chars(word.data(), end, result);
          return parsed.ec == std::errc() && parsed.ptr == end;
        }

        const std::string             file;
        std::ifstream                 stream;
        std::string                   line;
        std::vector<std::string_view> words;
        std::uint64_t                 n_lines = 0;
        std::string                   format_name;
        bool                          is_integer   = false;
        bool                          is_symmetric = false;
      };

      void
      expect_format(const MarketReader &reader,
                    const char         *format,
                    const char         *what)
      {
        if (reader.format() != format)
          reader.fail("a " + std::string(what) + " in the format \"" + format +
                      "\" was expected, but the file is in the format \"" +
                      reader.format() + "\".");
      }

      void
      expect_entry(MarketReader       &reader,
                   const std::uint64_t k,
                   const std::uint64_t n)
      {
        if (!reader.next())
          reader.fail("the file ends after " + std::to_string(k) + " of " +
                      std::to_string(n) + " entries.");
      }

      void
      expect_end(MarketReader &reader, const std::uint64_t n)
      {
        if (reader.next())
          reader.fail("there are more than the " + std::to_string(n) +
                      " entries that the file was to have.");
      }
    } // namespace



    void
    throw_market_error(const std::string  &file,
                       const std::uint64_t line,
                       const std::string  &message)
    {
      throw InputError("MatrixMarket file \"" + file + "\"" +
                       (line > 0 ? ", line " + std::to_string(line) : "") +
                       ": " + message);
    }



    MarketMatrix
    parse_market_matrix(const std::string &file)
    {
      MarketReader reader(file);
      expect_format(reader, "coordinate", "matrix");
      if (!reader.next())
        reader.fail("the file ends before the line of sizes.");
      reader.expect_words(3, "a line of the numbers of rows, columns, entries");
      MarketMatrix result;
      result.n_rows         = reader.count(0);
      result.n_columns      = reader.count(1);
      const std::uint64_t n = reader.count(2);
      if (reader.symmetric() && result.n_rows != result.n_columns)
        reader.fail("a symmetric matrix is square, this one has " +
                    std::to_string(result.n_rows) + " rows and " +
                    std::to_string(result.n_columns) + " columns.");

      for (std::uint64_t k = 0; k < n; ++k)
        {
          expect_entry(reader, k, n);
          reader.expect_words(3, "a line of row, column, value");
          const MarketEntry entry = {reader.index(0, "row", result.n_rows),
                                     reader.index(1,
                                                  "column",
                                                  result.n_columns),
                                     reader.value(2),
                                     reader.line_number()};
          result.entries.push_back(entry);
          if (!reader.symmetric())
            continue;
          if (entry.column > entry.row)
            reader.fail("the entry of row " + std::to_string(entry.row + 1) +
                        ", column " + std::to_string(entry.column + 1) +
                        " is above the diagonal; a file of a symmetric matrix "
                        "has the lower triangle only.");
          if (entry.column < entry.row)
            result.entries.push_back(
              {entry.column, entry.row, entry.value, entry.line});
        }
      expect_end(reader, n);
      return result;
    }



    namespace
    {
      /** @param[in] what For messages: "a vector". */
      MarketArray
      parse_array(const std::string &file,
                  const char        *what,
                  const bool         one_column)
      {
        MarketReader reader(file);
        expect_format(reader, "array", what);
        if (reader.symmetric())
          reader.fail("a " + std::string(what) + " is not symmetric.");
        if (!reader.next())
          reader.fail("the file ends before the line of sizes.");
        reader.expect_words(2, "a line of the numbers of rows and columns");
        MarketArray result;
        result.n_rows    = reader.count(0);
        result.n_columns = reader.count(1);
        if (one_column && result.n_columns != 1)
          reader.fail("a vector has one column.");
        if (result.n_columns > 0 &&
            result.n_rows > UINT64_MAX / result.n_columns)
          reader.fail("there are too many rows and columns.");
        const std::uint64_t n = result.n_rows * result.n_columns;
        for (std::uint64_t k = 0; k < n; ++k)
          {
            expect_entry(reader, k, n);
            reader.expect_words(1, "a value");
            result.values.push_back(reader.value(0));
          }
        expect_end(reader, n);
        return result;
      }
    } // namespace



    MarketArray
    parse_market_array(const std::string &file)
    {
      return parse_array(file, "table of numbers", false);
    }



    std::vector<double>
    parse_market_vector(const std::string &file)
    {
      return parse_array(file, "vector", true).values;
    }
  } // namespace sparse
} // namespace tessera
