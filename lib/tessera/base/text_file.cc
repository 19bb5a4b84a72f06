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
    /** Close a file and keep errno if it failed before. */
    bool
    close_file(const int descriptor, const bool ok)
    {
      const int error = errno;
      if (::close(descriptor) != 0)
        return false;
      errno = error;
      return ok;
    }

    /** Have what was written on the disk. Some file systems (pipes, some
     * network mounts) do not support it. */
    bool
    flush_to_disk(const int descriptor)
    {
      return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
    }

    bool
    write_all(const int descriptor, std::string_view text)
    {
      while (!text.empty())
        {
          const ssize_t written = ::write(descriptor, text.data(), text.size());
          if (written < 0 && errno == EINTR)
            continue;
          if (written < 0)
            return false;
          text.remove_prefix(static_cast<std::size_t>(written));
        }
      return true;
    }

    /** Write all pieces to a new or emptied file and have it on the disk; false
     * with errno set on failure. */
    bool
    write_file(const std::string                   &file,
               const std::vector<std::string_view> &pieces)
    {
      const int descriptor =
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
      if (descriptor < 0)
        return false;

      bool ok = true;
      for (const std::string_view piece : pieces)
        ok = ok && write_all(descriptor, piece);
      // Without this the new name could survive a crash, but not its content.
      return close_file(descriptor, ok && flush_to_disk(descriptor));
    }

    /** Have the names in the directory of a file on the disk. */
    bool
    flush_directory(const std::string &file)
    {
      const std::size_t slash = file.find_last_of('/');
      const std::string directory =
        slash == std::string::npos ? "." : file.substr(0, slash + 1);
      const int descriptor =
        ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      // One may be allowed to create files where one must not list them.
      if (descriptor < 0)
        return errno == EACCES;
      return close_file(descriptor, flush_to_disk(descriptor));
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
    return replace_file(file, std::vector<std::string_view>{text});
  }

  std::string
  replace_file(const std::string                   &file,
               const std::vector<std::string_view> &pieces)
  {
    // A device would be lost if a file took its name.
    if (is_special(file))
      return write_file(file, pieces) ? std::string() : std::strerror(errno);
    const std::string target = resolve_links(file);
    const std::string temporary =
      target + ".tmp." + std::to_string(static_cast<long>(::getpid()));
    if (!write_file(temporary, pieces) ||
        std::rename(temporary.c_str(), target.c_str()) != 0)
      {
        const std::string reason = std::strerror(errno);
        std::remove(temporary.c_str());
        return reason;
      }
    return flush_directory(target) ? std::string() : std::strerror(errno);
  }
} // namespace tessera
