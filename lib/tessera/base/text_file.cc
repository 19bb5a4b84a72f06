// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/text_file.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace tessera
{
  namespace
  {
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

    /** What a symbolic link points to; the file itself if there is none. */
    std::string
    resolve_links(const std::string &file)
    {
      const std::unique_ptr<char, decltype(&std::free)> path(
        ::realpath(file.c_str(), nullptr), &std::free);
      return path ? path.get() : file;
    }

    /** A device or a pipe: there is a file, but none that could be replaced. */
    bool
    is_special(const std::string &file)
    {
      struct stat status;
      return ::stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode) &&
             !S_ISDIR(status.st_mode);
    }
  } // namespace

  std::string
  replace_file(const std::string &file, const std::string &text)
  {
    // A device would be lost if a file took its name.
    if (is_special(file))
      return write_file(file, text) ? std::string() : std::strerror(errno);
    const std::string target = resolve_links(file);
    const std::string temporary =
      target + ".tmp." + std::to_string(static_cast<long>(::getpid()));
    if (write_file(temporary, text) &&
        std::rename(temporary.c_str(), target.c_str()) == 0)
      return {};
    const std::string reason = std::strerror(errno);
    std::remove(temporary.c_str());
    return reason;
  }
} // namespace tessera
