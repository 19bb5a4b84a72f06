// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/checkpoint_file.h"

#include <tessera/base/text_file.h>

#include <boost/crc.hpp>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace tessera::apps
{
  namespace
  {
    using json = RunRecord::json;

    constexpr std::string_view magic          = "tessera restart\n";
    constexpr std::uint32_t    format_version = 1;

    std::uint32_t
    check_sum(const std::vector<std::string_view> &pieces)
    {
      boost::crc_32_type sum;
      for (const std::string_view piece : pieces)
        sum.process_bytes(piece.data(), piece.size());
      return sum.checksum();
    }

    std::string_view
    view(const std::vector<char> &bytes)
    {
      return {bytes.data(), bytes.size()};
    }

    template <typename T>
    std::string
    text_of(const T number)
    {
      std::string text(sizeof(T), '\0');
      for (std::size_t b = 0; b < sizeof(T); ++b)
        text[b] = static_cast<char>(number >> (8 * b));
      return text;
    }

    template <typename T>
    T
    number_of(const std::string_view text)
    {
      T number = 0;
      for (std::size_t b = 0; b < sizeof(T); ++b)
        number |= T(static_cast<unsigned char>(text[b])) << (8 * b);
      return number;
    }



    /** A file that is read from the front to the end and knows how much is
     * left, so that no damaged length leads to a large allocation. */
    class Reader
    {
    public:
      explicit Reader(const std::string &file)
      {
        std::error_code code;
        remaining = std::filesystem::file_size(file, code);
        errno     = 0;
        stream.open(file, std::ios::binary);
        if (code || !stream)
          throw DamagedCheckpoint(
            "it cannot be read: " +
            (code ? code.message() : std::string(std::strerror(errno))));
      }

      template <typename Bytes>
      Bytes
      read(const std::uint64_t n)
      {
        if (n > remaining)
          throw DamagedCheckpoint("it is cut off");
        Bytes bytes(n, '\0');
        errno = 0;
        if (!stream.read(bytes.data(), static_cast<std::streamsize>(n)))
          throw DamagedCheckpoint("it cannot be read: " +
                                  std::string(std::strerror(errno)));
        remaining -= n;
        return bytes;
      }

      template <typename T>
      T
      read_number()
      {
        return number_of<T>(read<std::string>(sizeof(T)));
      }

      std::uint32_t
      check_sum_of_next(std::uint64_t n)
      {
        constexpr std::uint64_t piece = 1 << 20;
        boost::crc_32_type      sum;
        for (; n > 0; n -= std::min(n, piece))
          {
            const auto bytes = read<std::string>(std::min(n, piece));
            sum.process_bytes(bytes.data(), bytes.size());
          }
        return sum.checksum();
      }

      bool
      at_end() const
      {
        return remaining == 0;
      }

    private:
      std::ifstream stream;
      std::uint64_t remaining = 0;
    };



    void
    compare_check_sums(const std::uint32_t found, const std::uint32_t expected)
    {
      if (found != expected)
        throw DamagedCheckpoint("its bytes are not those that were written");
    }
  } // namespace



  const std::vector<char> &
  Checkpoint::bytes(const std::string &name, const std::size_t size) const
  {
    for (const auto &[key, array] : data)
      if (key == name)
        {
          if (array.size() % size != 0)
            throw InputError("the array '" + name + "' of a checkpoint has " +
                             std::to_string(array.size()) +
                             " bytes, which are no numbers of " +
                             std::to_string(size) + " bytes");
          return array;
        }
    throw InputError("a checkpoint has no array '" + name + "'");
  }



  std::string
  write_checkpoint_file(const std::string &file, const Checkpoint &checkpoint)
  {
    json all;
    all["data"] = json::array();
    for (const auto &[name, bytes] : checkpoint.data)
      all["data"].push_back({{"name", name},
                             {"bytes", bytes.size()},
                             {"check_sum", check_sum({view(bytes)})}});
    all["header"] = checkpoint.header;
    const std::string header =
      all.dump(1, ' ', false, json::error_handler_t::replace) + '\n';

    std::string start(magic);
    start += text_of(format_version);
    start += text_of(check_sum({start}));
    const std::string length = text_of(std::uint64_t(header.size()));
    start += length;
    start += text_of(check_sum({length, header}));

    std::vector<std::string_view> pieces = {start, header};
    for (const auto &[name, bytes] : checkpoint.data)
      pieces.push_back(view(bytes));
    return replace_file(file, pieces);
  }



  namespace
  {
    /** @param[in] keep_data whether to store the arrays or only check them. */
    Checkpoint
    read(const std::string &file, const bool keep_data)
    {
      Reader     reader(file);
      const auto start = reader.read<std::string>(magic.size());
      if (start != magic)
        throw DamagedCheckpoint("it is no checkpoint");
      const auto version = reader.read<std::string>(sizeof(std::uint32_t));
      compare_check_sums(check_sum({start, version}),
                         reader.read_number<std::uint32_t>());
      if (number_of<std::uint32_t>(version) > format_version)
        throw InputError("the checkpoint '" + file + "' has version " +
                         std::to_string(number_of<std::uint32_t>(version)) +
                         " of the format, of which this program knows up to " +
                         std::to_string(format_version) +
                         "; go on with the newer program that has written it");

      const auto length   = reader.read<std::string>(sizeof(std::uint64_t));
      const auto expected = reader.read_number<std::uint32_t>();
      const auto header =
        reader.read<std::string>(number_of<std::uint64_t>(length));
      compare_check_sums(check_sum({length, header}), expected);

      // The check sum is right, so what follows is what was written.
      const json all = json::parse(header);
      Checkpoint checkpoint;
      checkpoint.header = all.at("header");
      checkpoint.file   = file;
      for (const json &entry : all.at("data"))
        {
          const auto        n   = entry.at("bytes").get<std::uint64_t>();
          const auto        sum = entry.at("check_sum").get<std::uint32_t>();
          std::vector<char> bytes;
          if (keep_data)
            bytes = reader.read<std::vector<char>>(n);
          compare_check_sums(keep_data ? check_sum({view(bytes)}) :
                                         reader.check_sum_of_next(n),
                             sum);
          checkpoint.data.emplace_back(entry.at("name").get<std::string>(),
                                       std::move(bytes));
        }
      if (!reader.at_end())
        throw DamagedCheckpoint("there are further bytes behind its end");
      return checkpoint;
    }
  } // namespace



  Checkpoint
  read_checkpoint_file(const std::string &file)
  {
    return read(file, true);
  }



  void
  check_checkpoint_file(const std::string &file)
  {
    read(file, false);
  }
} // namespace tessera::apps
