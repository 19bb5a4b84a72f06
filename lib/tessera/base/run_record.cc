// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/run_record.h>
#include <tessera/base/version.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace tessera
{
  namespace
  {
    using json = RunRecord::json;

    void
    make_finite(json &value)
    {
      if (value.is_number_float())
        {
          const double number = value.get<double>();
          if (std::isnan(number))
            value = "nan";
          else if (std::isinf(number))
            value = number > 0 ? "inf" : "-inf";
        }
      else if (value.is_structured())
        for (json &entry : value)
          make_finite(entry);
    }

    /** Write all of a text to a new or emptied file and have it on the disk;
     * false with errno set on failure. */
    bool
    write_file(const std::string &file, const std::string &text)
    {
      const int descriptor =
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
      if (descriptor < 0)
        return false;

      const char *next      = text.data();
      std::size_t remaining = text.size();
      while (remaining > 0)
        {
          const ssize_t written = ::write(descriptor, next, remaining);
          if (written < 0 && errno == EINTR)
            continue;
          if (written < 0)
            {
              const int error = errno;
              ::close(descriptor);
              errno = error;
              return false;
            }
          next += written;
          remaining -= static_cast<std::size_t>(written);
        }
      // Without this the new name could survive a crash, but not its content.
      // Some file systems (pipes, some network mounts) do not support it.
      if (::fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP)
        {
          const int error = errno;
          ::close(descriptor);
          errno = error;
          return false;
        }
      return ::close(descriptor) == 0;
    }
  } // namespace

  RunRecord::RunRecord(const std::string &application, const Communicator &comm)
    : communicator(comm)
  {
    head["application"]  = application;
    head["version"]      = version();
    head["git_revision"] = git_revision();
    head["status"]       = "error";
    head["message"]      = "the run ended before its status was known";
    head["backend"]      = json::object();
    json &backend        = head["backend"];
    backend["name"]      = "host";
    backend["simd_bits"] = nullptr;
    backend["device"]    = "none";
    head["mpi_ranks"]    = comm.n_ranks();
    head["parameters"]   = json::object();
    head["log"]          = json::array();
    head["cycles"]       = json::array();
  }

  RunRecord::json &
  RunRecord::data()
  {
    return head;
  }

  RunRecord::json &
  RunRecord::new_cycle()
  {
    cycles.push_back(json::object());
    cycles.back()["cycle"] = n_cycles() - 1;
    return cycles.back();
  }

  unsigned int
  RunRecord::n_cycles() const
  {
    return static_cast<unsigned int>(cycles.size());
  }

  RunRecord::json &
  RunRecord::cycle(const unsigned int n)
  {
    if (n >= n_cycles())
      throw InputError("Cycle " + std::to_string(n) +
                       " of the run record was asked for; there are " +
                       std::to_string(n_cycles()) +
                       ". Add cycles with new_cycle().");
    return cycles[n];
  }

  void
  RunRecord::log(const std::string &line)
  {
    head["log"].push_back(line);
  }

  void
  RunRecord::set_status(const std::string &status, const std::string &message)
  {
    if (status != "success" && status != "not converged" && status != "error")
      throw InputError("The status of a run record is \"" + status +
                       "\"; allowed are \"success\", \"not converged\" and "
                       "\"error\".");
    head["status"]  = status;
    head["message"] = message;
  }

  RunRecord::json
  RunRecord::document() const
  {
    json  result  = head;
    json &entries = result["cycles"];
    for (const json &entry : cycles)
      entries.push_back(entry);
    make_finite(result);
    return result;
  }

  void
  RunRecord::write(const std::string &file) const
  {
    communicator.collectively([&] {
      if (communicator.rank() != 0)
        return;
      const std::string text =
        document().dump(2, ' ', false, json::error_handler_t::replace) + '\n';
      const std::string temporary =
        file + ".tmp." + std::to_string(static_cast<long>(::getpid()));
      if (!write_file(temporary, text) ||
          std::rename(temporary.c_str(), file.c_str()) != 0)
        {
          const std::string reason = std::strerror(errno);
          std::remove(temporary.c_str());
          throw InputError("The run record \"" + file +
                           "\" cannot be written: " + reason +
                           ". Its directory must exist and be writable; choose "
                           "another results directory or change permissions.");
        }
    });
  }
} // namespace tessera
