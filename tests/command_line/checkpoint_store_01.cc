// SPDX-License-Identifier: LGPL-2.1-or-later
// Checkpoints come back with the same bits, the last two are kept, and whatever
// happens to a file, it is noticed and its predecessor is used.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "check.h"
#include "command_line/checkpoints.h"
#include "common/checkpoint_store.h"

using namespace tessera;
using apps::Checkpoint;
using apps::CheckpointStore;
namespace filesystem = std::filesystem;

namespace
{
  const filesystem::path directory = "checkpoint_store_01.files";

  std::string
  file(const unsigned int n)
  {
    return (directory / ("checkpoint_" + std::to_string(n) + ".tessera"))
      .string();
  }



  void
  clear()
  {
    filesystem::remove_all(directory);
    filesystem::create_directory(directory);
  }



  CheckpointStore
  store()
  {
    return {directory.string(), Communicator()};
  }



  std::string
  content(const std::string &name)
  {
    std::ostringstream text;
    text << std::ifstream(name, std::ios::binary).rdbuf();
    return text.str();
  }



  void
  write(const std::string &name, const std::string &text)
  {
    std::ofstream(name, std::ios::binary) << text;
  }



  std::set<std::string>
  names()
  {
    std::set<std::string> result;
    for (const auto &entry : filesystem::directory_iterator(directory))
      result.insert(entry.path().filename().string());
    return result;
  }



  bool
  contains(const std::string &text, const std::string &part)
  {
    return text.find(part) != std::string::npos;
  }



  /** That checkpoint n is the one that is read, with so many warnings. */
  bool
  reads(const unsigned int n, const std::size_t n_warnings)
  {
    std::vector<std::string> warnings;
    const auto               last = store().read_last(warnings);
    return last && same(*last, numbered_checkpoint(n, 1)) &&
           warnings.size() == n_warnings;
  }



  /** Bit by bit, as ISO 3309 defines it. */
  std::uint32_t
  crc_32(const std::string &text)
  {
    std::uint32_t crc = ~0u;
    for (const char c : text)
      {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit)
          crc = crc & 1 ? (crc >> 1) ^ 0xedb88320u : crc >> 1;
      }
    return ~crc;
  }



  std::string
  lowest_byte_first(const std::uint64_t number, const int n_bytes)
  {
    std::string text;
    for (int b = 0; b < n_bytes; ++b)
      text += static_cast<char>(number >> (8 * b));
    return text;
  }



  std::string
  start_of_file(const unsigned int version)
  {
    const std::string start =
      "tessera restart\n" + lowest_byte_first(version, 4);
    return start + lowest_byte_first(crc_32(start), 4);
  }



  void
  check_generations()
  {
    clear();
    std::vector<std::string> warnings;
    CHECK(!store().read_last(warnings));
    CHECK_EQUAL(store().newest_file(), "");

    for (unsigned int n = 1; n < 5; ++n)
      {
        CHECK_EQUAL(store().write(numbered_checkpoint(n, 1)), file(n));
        CHECK(reads(n, 0));
        CHECK_EQUAL(store().newest_file(), file(n));
        std::set<std::string> expected = {"checkpoint_" + std::to_string(n) +
                                          ".tessera"};
        if (n > 1)
          expected.insert("checkpoint_" + std::to_string(n - 1) + ".tessera");
        CHECK(names() == expected);
      }
    CHECK(same(apps::read_checkpoint_file(file(3)), numbered_checkpoint(3, 1)));

    // Ten is more than nine.
    for (unsigned int n = 5; n < 11; ++n)
      store().write(numbered_checkpoint(n, 1));
    CHECK(reads(10, 0));
    CHECK(names() == (std::set<std::string>{"checkpoint_9.tessera",
                                            "checkpoint_10.tessera"}));

    CHECK(!CheckpointStore((directory / "nowhere").string(), Communicator())
             .read_last(warnings));
    CHECK(warnings.empty());
  }



  void
  check_arrays()
  {
    const Checkpoint checkpoint = numbered_checkpoint(2, 1);
    CHECK_EQUAL(checkpoint.values<std::uint64_t>("keys")[1], ~std::uint64_t(0));
    const auto values = checkpoint.values<double>("values");
    CHECK_EQUAL(values.size(), 11u);
    CHECK(std::signbit(values[0]));
    CHECK_EQUAL(values[1], std::numeric_limits<double>::denorm_min());
    CHECK_EQUAL(values[5], 1.1 * 3);
    CHECK(checkpoint.values<float>("none").empty());
    CHECK(contains(CHECK_THROWS(InputError, checkpoint.values<float>("other")),
                   "'other'"));

    Checkpoint odd;
    odd.data.emplace_back("odd", std::vector<char>(12));
    CHECK_EQUAL(odd.values<std::int32_t>("odd").size(), 3u);
    CHECK_THROWS(InputError, odd.values<double>("odd"));
  }



  /** Another program can read the file from its description. */
  void
  check_format()
  {
    clear();
    Checkpoint checkpoint;
    checkpoint.header = {{"a", 1}};
    checkpoint.add("numbers", std::vector<double>{1.});
    store().write(checkpoint);

    const std::string text = content(file(1));
    CHECK_EQUAL(text.substr(0, 24), start_of_file(1));
    const std::string one("\0\0\0\0\0\0\xf0\x3f", 8);
    CHECK_EQUAL(text.substr(text.size() - 8), one);
    const std::string header = text.substr(36, text.size() - 36 - 8);
    const std::string length = lowest_byte_first(header.size(), 8);
    CHECK_EQUAL(text.substr(24, 8), length);
    CHECK_EQUAL(text.substr(32, 4),
                lowest_byte_first(crc_32(length + header), 4));
    const auto json = RunRecord::json::parse(header);
    CHECK(json["header"] == checkpoint.header);
    CHECK_EQUAL(json["data"][0]["name"].get<std::string>(), "numbers");
    CHECK_EQUAL(json["data"][0]["bytes"].get<int>(), 8);
    CHECK_EQUAL(json["data"][0]["check_sum"].get<std::uint32_t>(), crc_32(one));
  }



  /** Cut off at each byte, each byte changed, longer. */
  void
  check_damage()
  {
    clear();
    store().write(numbered_checkpoint(1, 1));
    store().write(numbered_checkpoint(2, 1));
    const std::string whole = content(file(2));
    CHECK(whole.size() > 200);

    unsigned int n_noticed = 0;
    for (std::size_t n = 0; n < whole.size(); ++n)
      {
        write(file(2), whole.substr(0, n));
        n_noticed += reads(1, 1);
      }
    CHECK_EQUAL(n_noticed, whole.size());

    std::mt19937 random(1);
    n_noticed = 0;
    for (std::size_t n = 0; n < whole.size(); ++n)
      {
        std::string changed = whole;
        changed[n] ^= static_cast<char>(1 + random() % 255);
        write(file(2), changed);
        n_noticed += reads(1, 1);
      }
    CHECK_EQUAL(n_noticed, whole.size());

    write(file(2), whole + '\n');
    CHECK(reads(1, 1));
    write(file(2), whole);
    CHECK(reads(2, 0));

    // Things that are no checkpoints at all.
    write(file(2),
          "notes of mine, longer than the first lines of a checkpoint");
    std::vector<std::string> warnings;
    CHECK(store().read_last(warnings).has_value());
    CHECK_EQUAL(warnings.size(), 1u);
    CHECK(contains(warnings[0], file(2)));
    CHECK(contains(warnings[0], "no checkpoint"));

    // One warning for two of them.
    write(file(3), "");
    CHECK(reads(1, 1));

    // The complete one stays when the next one is written.
    store().write(numbered_checkpoint(4, 1));
    CHECK(names() == (std::set<std::string>{"checkpoint_1.tessera",
                                            "checkpoint_4.tessera"}));
    write(file(4), content(file(4)).substr(0, 100));
    CHECK(reads(1, 1));

    // None is left.
    write(file(1), content(file(1)).substr(0, 100));
    const std::string message =
      CHECK_THROWS(InputError, store().read_last(warnings));
    CHECK(contains(message, file(1)));
    CHECK(contains(message, file(4)));
    CHECK(contains(message, "cut off"));
  }



  void
  check_newer_format()
  {
    clear();
    store().write(numbered_checkpoint(1, 1));
    store().write(numbered_checkpoint(2, 1));
    write(file(2), start_of_file(2) + "whatever there may be");
    std::vector<std::string> warnings;
    const std::string        message =
      CHECK_THROWS(InputError, store().read_last(warnings));
    CHECK(contains(message, "version 2"));
    CHECK(contains(message, file(2)));
    CHECK(warnings.empty());
  }



  /** What others have put there stays; what an interrupted write has left goes.
   */
  void
  check_other_files()
  {
    clear();
    const std::set<std::string> others = {"checkpoint_.tessera",
                                          "checkpoint_07.tessera",
                                          "checkpoint_-7.tessera",
                                          "checkpoint_7.tessera.bak",
                                          "checkpoint_a.tessera",
                                          "checkpoint_99999999999999999999"
                                          ".tessera",
                                          "my_checkpoint_7.tessera",
                                          "run.json.tmp.12"};
    for (const std::string &name : others)
      write((directory / name).string(), "mine");
    filesystem::create_directory(file(12));
    for (const char *const name :
         {"checkpoint_1.tessera.tmp.1", "checkpoint_22.tessera.tmp.4711"})
      write((directory / name).string(), "incomplete");

    std::vector<std::string> warnings;
    CHECK(!store().read_last(warnings));
    CHECK(warnings.empty());

    for (unsigned int n = 13; n < 16; ++n)
      CHECK_EQUAL(store().write(numbered_checkpoint(n, 1)), file(n));
    CHECK(reads(15, 0));
    std::set<std::string> expected = others;
    for (const int n : {12, 14, 15})
      expected.insert("checkpoint_" + std::to_string(n) + ".tessera");
    CHECK(names() == expected);
  }



  /** A file must not be longer than so many bytes: as a full disk is, but for
   * the words of the system. */
  void
  limit_file_size(const rlim_t n_bytes)
  {
    rlimit limit;
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = n_bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }



  void
  check_failing_writes()
  {
    clear();
    store().write(numbered_checkpoint(1, 1));
    store().write(numbered_checkpoint(2, 1));
    const auto before = names();

    std::signal(SIGXFSZ, SIG_IGN);
    const std::size_t size = filesystem::file_size(file(2));
    for (const std::size_t n : {std::size_t(0), std::size_t(30), size - 1})
      {
        limit_file_size(n);
        const std::string message =
          CHECK_THROWS(InputError, store().write(numbered_checkpoint(2, 1)));
        limit_file_size(RLIM_INFINITY);
        CHECK(contains(message, file(3)));
        CHECK(contains(message, "File too large"));
        CHECK(names() == before);
        CHECK(reads(2, 0));
      }

    // No permission; the superuser needs none.
    if (::geteuid() != 0)
      {
        ::chmod(directory.c_str(), 0500);
        const std::string message =
          CHECK_THROWS(InputError, store().write(numbered_checkpoint(3, 1)));
        ::chmod(directory.c_str(), 0700);
        CHECK(contains(message, "Permission denied"));
        CHECK(reads(2, 0));
      }

    // The place of the temporary file is taken.
    const std::string temporary =
      file(3) + ".tmp." + std::to_string(static_cast<long>(::getpid()));
    filesystem::create_directory(temporary);
    CHECK_THROWS(InputError, store().write(numbered_checkpoint(3, 1)));
    CHECK(reads(2, 0));
    filesystem::remove(temporary);

    // The directory is gone, or is none.
    filesystem::remove_all(directory);
    CHECK_THROWS(InputError, store().write(numbered_checkpoint(3, 1)));
    write(directory.string(), "a plain file");
    CHECK_THROWS(InputError, store().write(numbered_checkpoint(3, 1)));
    std::vector<std::string> warnings;
    CHECK(contains(CHECK_THROWS(InputError, store().read_last(warnings)),
                   directory.string()));
    filesystem::remove(directory);
  }
} // namespace



int
main()
{
  check_generations();
  check_arrays();
  check_format();
  check_damage();
  check_newer_format();
  check_other_files();
  check_failing_writes();
  return check::result();
}
