// SPDX-License-Identifier: LGPL-2.1-or-later
// Files are replaced as a whole; links, pipes and devices stay what they are.
#include <tessera/base/text_file.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "check.h"

namespace
{
  using tessera::replace_file;

  const std::string directory = "text_file_01.files";

  std::string
  path(const std::string &name)
  {
    return directory + '/' + name;
  }

  std::string
  content(const std::string &file)
  {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  mode_t
  kind(const std::string &file)
  {
    struct stat status;
    return ::lstat(file.c_str(), &status) == 0 ? status.st_mode & S_IFMT : 0;
  }

  void
  check_regular_files()
  {
    const std::string file = path("file");
    CHECK_EQUAL(replace_file(file, "one"), "");
    CHECK_EQUAL(content(file), "one");
    CHECK_EQUAL(replace_file(file, "two\n"), "");
    CHECK_EQUAL(content(file), "two\n");
    CHECK_EQUAL(replace_file(file, {"three", "", std::string_view("\0!", 2)}),
                "");
    CHECK_EQUAL(content(file), std::string("three\0!", 7));
    CHECK(!replace_file(path("nowhere/file"), "three").empty());
    CHECK(!replace_file(directory, "three").empty());
    CHECK_EQUAL(kind(directory), mode_t(S_IFDIR));
  }

  void
  check_links()
  {
    CHECK_EQUAL(::symlink("file", path("link").c_str()), 0);
    CHECK_EQUAL(replace_file(path("link"), "by a link"), "");
    CHECK_EQUAL(kind(path("link")), mode_t(S_IFLNK));
    CHECK_EQUAL(content(path("file")), "by a link");
  }

  /** A pipe, as a device would need privileges. */
  void
  check_special_files()
  {
    const std::string pipe = path("pipe");
    CHECK_EQUAL(::mkfifo(pipe.c_str(), 0600), 0);
    const int descriptor = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    CHECK(descriptor >= 0);
    CHECK_EQUAL(replace_file(pipe, "through a pipe"), "");
    char          text[64];
    const ssize_t n = ::read(descriptor, text, sizeof(text));
    CHECK_EQUAL(std::string(text, n > 0 ? n : 0), "through a pipe");
    ::close(descriptor);
    CHECK_EQUAL(kind(pipe), mode_t(S_IFIFO));
  }
} // namespace



int
main()
{
  for (const char *name : {"file", "link", "pipe"})
    ::unlink(path(name).c_str());
  ::mkdir(directory.c_str(), 0700);
  check_regular_files();
  check_links();
  check_special_files();
  return check::result();
}
