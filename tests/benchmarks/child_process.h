// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_child_process_h
#define tessera_tests_benchmarks_child_process_h

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <string>

namespace benchmark
{
  /** What a child process came to: figures by name, or an error. */
  struct ChildResult
  {
    std::map<std::string, double> figures;
    std::string                   error; ///< empty: there was none
  };

  /**
   * Call f() in a process of its own, whose memory is new and is all given
   * back: a fork of this one, which therefore should have little memory, and
   * no threads and no MPI.
   */
  inline ChildResult
  in_child_process(const std::function<std::map<std::string, double>()> &f)
  {
    int ends[2];
    if (::pipe(ends) != 0)
      return {{}, "no pipe could be made"};
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child < 0)
      return {{}, "no process could be made"};
    if (child == 0)
      {
        ::close(ends[0]);
        std::FILE *out = ::fdopen(ends[1], "w");
        try
          {
            for (const auto &figure : f())
              std::fprintf(out,
                           "%.17g %s\n",
                           figure.second,
                           figure.first.c_str());
          }
        catch (const std::exception &e)
          {
            std::fprintf(out, "error %s\n", e.what());
          }
        std::fclose(out);
        std::fflush(nullptr);
        ::_exit(0);
      }

    ::close(ends[1]);
    std::string text;
    char        buffer[4096];
    for (ssize_t n; (n = ::read(ends[0], buffer, sizeof(buffer))) > 0;)
      text.append(buffer, n);
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);

    ChildResult result;
    if (WIFSIGNALED(status))
      result.error = "ended by signal " + std::to_string(WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0)
      result.error = "ended with status " + std::to_string(WEXITSTATUS(status));
    const std::string mark = "error ";
    for (std::size_t begin = 0, end; begin < text.size(); begin = end + 1)
      {
        end                    = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        if (line.compare(0, mark.size(), mark) == 0)
          {
            // To the end, but for the line break.
            result.error = text.substr(begin + mark.size());
            result.error.pop_back();
            break;
          }
        const std::size_t blank = line.find(' ');
        if (blank != std::string::npos)
          result.figures[line.substr(blank + 1)] =
            std::strtod(line.c_str(), nullptr);
      }
    return result;
  }
} // namespace benchmark

#endif
