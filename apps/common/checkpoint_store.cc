// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/checkpoint_store.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>

namespace tessera::apps
{
  namespace filesystem = std::filesystem;

  namespace
  {
    using Number = std::uint64_t;

    const std::string prefix = "checkpoint_";
    const std::string suffix = ".tessera";

    /** What follows the suffix while replace_file() writes. */
    const std::string temporary_suffix = ".tmp.";

    std::string
    file_name(const Number number)
    {
      return prefix + std::to_string(number) + suffix;
    }



    /** The n of checkpoint_<n>.tessera; nothing for all other names. */
    std::optional<Number>
    number_of(const std::string &name)
    {
      if (name.size() <= prefix.size() + suffix.size())
        return {};
      Number     number = 0;
      const auto result =
        std::from_chars(name.data() + prefix.size(),
                        name.data() + name.size() - suffix.size(),
                        number);
      // Also no leading zeros and no number that does not fit.
      if (result.ec != std::errc() || file_name(number) != name)
        return {};
      return number;
    }



    /** Whether a write that was interrupted can have left a file of this name.
     */
    bool
    is_temporary(const std::string &name)
    {
      const std::size_t end = name.rfind(temporary_suffix);
      return end != std::string::npos && number_of(name.substr(0, end));
    }



    /** What is in a directory. */
    struct Listing
    {
      /** Newest first. */
      std::map<Number, filesystem::path, std::greater<>> checkpoints;
      std::vector<filesystem::path>                      temporaries;

      /** Above those of all entries, also of such that are no files. */
      Number next = 1;
    };



    /** @throws InputError */
    Listing
    list(const std::string &directory)
    {
      Listing         listing;
      std::error_code code;
      if (!filesystem::exists(directory, code) && !code)
        return listing;

      filesystem::directory_iterator entry(directory, code), end;
      for (; !code && entry != end; entry.increment(code))
        {
          const std::string name   = entry->path().filename().string();
          const auto        number = number_of(name);
          if (number)
            listing.next = std::max(listing.next, *number + 1);
          std::error_code not_a_file;
          if (!entry->is_regular_file(not_a_file))
            continue;
          if (number)
            listing.checkpoints.emplace(*number, entry->path());
          else if (is_temporary(name))
            listing.temporaries.push_back(entry->path());
        }
      if (code)
        throw InputError("the directory '" + directory +
                         "' of checkpoints cannot be read: " + code.message());
      return listing;
    }



    bool
    is_complete(const filesystem::path &file)
    {
      try
        {
          check_checkpoint_file(file.string());
          return true;
        }
      catch (const InputError &)
        {
          return false;
        }
    }



    /** What cannot be deleted is in nobody's way. */
    void
    remove_file(const filesystem::path &file)
    {
      std::error_code ignored;
      filesystem::remove(file, ignored);
    }
  } // namespace



  CheckpointStore::CheckpointStore(const std::string  &directory_name,
                                   const Communicator &comm)
    : directory(directory_name)
    , communicator(comm)
  {}



  std::string
  CheckpointStore::write(const Checkpoint &checkpoint)
  {
    std::string file;
    communicator.collectively([&] {
      if (communicator.rank() != 0)
        return;
      const Listing older = list(directory);
      for (const filesystem::path &temporary : older.temporaries)
        remove_file(temporary);

      file = (filesystem::path(directory) / file_name(older.next)).string();
      const std::string reason = write_checkpoint_file(file, checkpoint);
      if (!reason.empty())
        throw InputError("the checkpoint '" + file +
                         "' cannot be written: " + reason +
                         "; make room, or choose another directory with "
                         "--results. Older checkpoints are as they were");

      bool has_predecessor = false;
      for (const auto &[number, path] : older.checkpoints)
        if (!has_predecessor && is_complete(path))
          has_predecessor = true;
        else
          remove_file(path);
    });
    return communicator.broadcast(file);
  }



  std::optional<Checkpoint>
  CheckpointStore::read_last(std::vector<std::string> &warnings) const
  {
    std::optional<Checkpoint> last;
    std::string               damaged;
    communicator.collectively([&] {
      if (communicator.rank() != 0)
        return;
      for (const auto &[number, path] : list(directory).checkpoints)
        try
          {
            last = read_checkpoint_file(path.string());
            return;
          }
        catch (const DamagedCheckpoint &e)
          {
            damaged += (damaged.empty() ? "'" : "; '") + path.string() +
                       "' cannot be used: " + e.what();
          }
      if (!damaged.empty())
        throw InputError("no checkpoint in '" + directory + "' is complete: " +
                         damaged + ". Remove them to start from the beginning");
    });

    damaged = communicator.broadcast(damaged);
    if (!damaged.empty())
      warnings.push_back("the checkpoint " + damaged +
                         ". The one before it is used");
    if (!communicator.broadcast(last.has_value()))
      return {};

    if (communicator.rank() != 0)
      last.emplace();
    last->header =
      RunRecord::json::parse(communicator.broadcast(last->header.dump()));
    last->file = communicator.broadcast(last->file);
    last->data.resize(communicator.broadcast(last->data.size()));
    for (auto &[name, bytes] : last->data)
      {
        name  = communicator.broadcast(name);
        bytes = communicator.broadcast(std::move(bytes));
      }
    return last;
  }



  std::string
  CheckpointStore::newest_file() const
  {
    std::string file;
    communicator.collectively([&] {
      if (communicator.rank() != 0)
        return;
      const Listing listing = list(directory);
      if (!listing.checkpoints.empty())
        file = listing.checkpoints.begin()->second.string();
    });
    return communicator.broadcast(file);
  }
} // namespace tessera::apps
