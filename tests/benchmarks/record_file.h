// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_record_file_h
#define tessera_tests_benchmarks_record_file_h

// Results as JSON where there is a compiler alone. Programs that run where the
// applications do write theirs by a JSON library, see program.h.

#include <tessera/base/exceptions.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace benchmark
{
  /**
   * A flat JSON object: names, each with a number, a text, a truth value, or
   * null, in the order in which they were first set.
   *
   * Numbers are written such that they are read back with all bits. Those that
   * are not finite, for which JSON has no notation, become the texts "nan",
   * "inf" and "-inf", as in run.json. Bytes of texts that are not ASCII become
   * question marks.
   */
  class Record
  {
  public:
    Record &
    set(const std::string &name, const std::string &text)
    {
      return set_encoded(name, quoted(text));
    }

    Record &
    set(const std::string &name, const char *text)
    {
      return set(name, std::string(text));
    }

    template <typename T>
    typename std::enable_if<std::is_arithmetic<T>::value, Record &>::type
    set(const std::string &name, const T value)
    {
      if constexpr (std::is_same<T, bool>::value)
        return set_encoded(name, value ? "true" : "false");
      else if constexpr (std::is_integral<T>::value)
        return set_encoded(name, std::to_string(value));
      else if (std::isnan(value))
        return set(name, "nan");
      else if (std::isinf(value))
        return set(name, value > 0 ? "inf" : "-inf");
      else
        {
          char text[32];
          std::snprintf(text, sizeof(text), "%.17g", double(value));
          return set_encoded(name, text);
        }
    }

    Record &
    set_null(const std::string &name)
    {
      return set_encoded(name, "null");
    }

    /** In one line. */
    std::string
    to_json() const
    {
      std::string text;
      for (const auto &entry : entries)
        text += (text.empty() ? "{" : ", ") + quoted(entry.first) + ": " +
                entry.second;
      return text.empty() ? "{}" : text + "}";
    }

  private:
    Record &
    set_encoded(const std::string &name, const std::string &value)
    {
      for (auto &entry : entries)
        if (entry.first == name)
          {
            entry.second = value;
            return *this;
          }
      entries.emplace_back(name, value);
      return *this;
    }

    static std::string
    quoted(const std::string &text)
    {
      std::string result = "\"";
      for (const char c : text)
        if (c == '"' || c == '\\')
          result += std::string("\\") + c;
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
          {
            char code[8];
            std::snprintf(code, sizeof(code), "\\u%04x", unsigned(c));
            result += code;
          }
        else
          result += static_cast<unsigned char>(c) < 0x80 ? c : '?';
      return result + '"';
    }

    std::vector<std::pair<std::string, std::string>> entries;
  };



  /**
   * A JSON file `{"run": {...}, "records": [{...}, ...]}`: under which
   * circumstances was measured, and what.
   */
  class RecordFile
  {
  public:
    /** @param[in] file_name Empty: write() does nothing. */
    explicit RecordFile(const std::string &file_name)
      : name(file_name)
    {}

    Record run;

    void
    add(const Record &record)
    {
      records.push_back(record);
    }

    /**
     * Write all there is so far, in one step: readers, and those who find the
     * file after a crash, see the old content or the new one.
     * @throws InputError if the file cannot be written.
     */
    void
    write() const
    {
      if (name.empty())
        return;
      const std::string new_name = name + ".new";
      {
        std::ofstream file(new_name);
        file << "{\n\"run\": " << run.to_json() << ",\n\"records\": [";
        for (std::size_t i = 0; i < records.size(); ++i)
          file << (i == 0 ? "\n" : ",\n") << records[i].to_json();
        file << "\n]\n}\n" << std::flush;
        if (!file)
          fail(new_name);
      }
      if (std::rename(new_name.c_str(), name.c_str()) != 0)
        fail(new_name);
    }

  private:
    [[noreturn]] void
    fail(const std::string &new_name) const
    {
      const std::string reason = std::strerror(errno);
      std::remove(new_name.c_str());
      throw tessera::InputError(
        "The file '" + name +
        "' of option --json cannot be written: " + reason + ".");
    }

    std::string         name;
    std::vector<Record> records;
  };
} // namespace benchmark

#endif
