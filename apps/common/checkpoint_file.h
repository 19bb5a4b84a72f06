// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_checkpoint_file_h
#define tessera_apps_common_checkpoint_file_h

#include <tessera/base/exceptions.h>
#include <tessera/base/run_record.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::apps
{
  /** What a run needs to go on as if it had not been interrupted. */
  struct Checkpoint
  {
    /** Anything small, for people to read: what is discretized, the number of
     * cycles done, the record so far. Finite numbers come back with the same
     * bits; others become null. */
    RunRecord::json header;

    /** Arrays of bytes, each with a name. */
    std::vector<std::pair<std::string, std::vector<char>>> data;

    /** Where it was read from; empty if it was not. */
    std::string file;

    /** Append an array of numbers, as bytes that mean the same on all
     * machines: the lowest byte first. */
    template <typename T>
    void
    add(const std::string &name, const std::vector<T> &values);

    /** An array of numbers that was added.
     * @throws InputError if there is none of this name, or if its length is not
     * that of whole numbers. */
    template <typename T>
    std::vector<T>
    values(const std::string &name) const;

  private:
    /** Unsigned integers of the size of T. */
    template <typename T>
    using Bits =
      std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

    /** @throws InputError */
    const std::vector<char> &
    bytes(const std::string &name, std::size_t size_of_value) const;
  };

  /** A file that is no complete checkpoint; the message says what is wrong with
   * it, without its name. */
  class DamagedCheckpoint : public InputError
  {
  public:
    using InputError::InputError;
  };

  /**
   * Write a checkpoint to a file, as a whole or not at all; see replace_file().
   *
   * The file is, with numbers of the lowest byte first,
   * ```
   * 16 bytes   "tessera restart\n"
   *  4 bytes   version of the format
   *  4 bytes   check sum of the 20 bytes above
   *  8 bytes   length of the header
   *  4 bytes   check sum of the length and the header
   *            the header, JSON: {"data": [{"name", "bytes", "check_sum"},
   * ...], "header": Checkpoint::header} the arrays, one after the other
   * ```
   * Check sums are CRC-32 (ISO 3309, that of zlib).
   *
   * @return the reason of a failure, in the words of the system; empty if all
   * went well.
   */
  std::string
  write_checkpoint_file(const std::string &file, const Checkpoint &checkpoint);

  /**
   * Read what write_checkpoint_file() has written.
   *
   * @throws DamagedCheckpoint if the file cannot be read, is something else, is
   * cut off or too long, or has other bytes than were written.
   * @throws InputError if its format is newer than this program.
   */
  Checkpoint
  read_checkpoint_file(const std::string &file);

  /** Read a file as read_checkpoint_file() does, only to see whether that would
   * throw. Takes little memory. */
  void
  check_checkpoint_file(const std::string &file);



  template <typename T>
  void
  Checkpoint::add(const std::string &name, const std::vector<T> &numbers)
  {
    static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                  "float, double, integers of 32 and 64 bits");
    std::vector<char> bytes(numbers.size() * sizeof(T));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      {
        Bits<T> bits;
        std::memcpy(&bits, &numbers[i], sizeof(T));
        for (std::size_t b = 0; b < sizeof(T); ++b)
          bytes[i * sizeof(T) + b] = static_cast<char>(bits >> (8 * b));
      }
    data.emplace_back(name, std::move(bytes));
  }



  template <typename T>
  std::vector<T>
  Checkpoint::values(const std::string &name) const
  {
    const std::vector<char> &all = bytes(name, sizeof(T));
    std::vector<T>           numbers(all.size() / sizeof(T));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      {
        Bits<T> bits = 0;
        for (std::size_t b = 0; b < sizeof(T); ++b)
          bits |= Bits<T>(static_cast<unsigned char>(all[i * sizeof(T) + b]))
                  << (8 * b);
        std::memcpy(&numbers[i], &bits, sizeof(T));
      }
    return numbers;
  }
} // namespace tessera::apps

#endif
