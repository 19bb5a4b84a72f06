// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/results_directory.h"

#include <tessera/base/communication.h>
#include <tessera/base/exceptions.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace tessera::apps
{
  namespace filesystem = std::filesystem;

  namespace
  {
    const char *const advice =
      "; choose another with --results or the parameter 'Results directory'";



    void
    create(const std::string &name)
    {
      const std::string what = "results directory '" + name + "': ";

      std::error_code code;
      const auto      status = filesystem::status(name, code);
      if (filesystem::exists(status) && !filesystem::is_directory(status))
        throw InputError(what + "a file of this name is in its place" + advice);

      filesystem::create_directories(name, code);
      if (code)
        throw InputError(what + "it cannot be created: " + code.message() +
                         advice);

      // Permissions do not tell; only an attempt does.
      const filesystem::path probe = filesystem::path(name) / ".write-test";
      errno                        = 0;
      std::ofstream file(probe);
      file << "can be written" << std::endl;
      const bool ok    = file.good();
      const int  error = errno;
      file.close();
      filesystem::remove(probe, code);
      if (!ok)
        throw InputError(what + "files cannot be written to it: " +
                         std::strerror(error) + advice);
    }
  } // namespace



  std::string
  results_directory_name(const std::string &option,
                         const std::string &parameter,
                         const std::string &parameter_file)
  {
    if (!option.empty())
      return option;
    if (!parameter.empty())
      return parameter;
    return "results-" + (parameter_file == "-" ?
                           std::string("stdin") :
                           filesystem::path(parameter_file).stem().string());
  }



  void
  create_results_directory(const std::string  &name,
                           const Communicator &communicator)
  {
    communicator.collectively([&] {
      if (communicator.rank() == 0)
        create(name);
    });
  }



  ResultsDirectoryLock::ResultsDirectoryLock(const std::string  &name,
                                             const Communicator &communicator)
  {
    communicator.collectively([&] {
      if (communicator.rank() != 0)
        return;
      descriptor = open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      if (descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 ||
          errno != EWOULDBLOCK)
        return;
      close(descriptor);
      throw InputError("results directory '" + name +
                       "': another run is writing to it; wait for its end" +
                       advice);
    });
  }



  ResultsDirectoryLock::~ResultsDirectoryLock()
  {
    if (descriptor >= 0)
      close(descriptor);
  }
} // namespace tessera::apps
