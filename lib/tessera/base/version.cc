// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/communication_backend.h>
#include <tessera/base/device/device.h>
#include <tessera/base/version.h>

#include <tessera_git_revision.h>

#include <algorithm>

namespace tessera
{
  std::string
  version()
  {
    return TESSERA_VERSION;
  }

  std::string
  git_revision()
  {
    return TESSERA_GIT_REVISION;
  }

  namespace
  {
    std::string
    compiler()
    {
#if defined(__clang__)
      return "Clang " + std::to_string(__clang_major__) + "." +
             std::to_string(__clang_minor__) + "." +
             std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
      return "GCC " + std::to_string(__GNUC__) + "." +
             std::to_string(__GNUC_MINOR__) + "." +
             std::to_string(__GNUC_PATCHLEVEL__);
#else
      return "unknown";
#endif
    }
  } // namespace

  VersionInformation
  version_information(const VersionInformation &more)
  {
    VersionInformation result{{"version", version()},
                              {"git revision", git_revision()},
                              {"build type", TESSERA_BUILD_TYPE},
                              {"compiler", compiler()},
                              {"MPI", internal::process::mpi_library_version()},
                              {"CUDA", device::toolkit_description()},
                              {"device",
                               device::available_device().description()}};
    result.insert(result.end(), more.begin(), more.end());
    return result;
  }

  void
  print_version(std::ostream             &out,
                const std::string        &application,
                const VersionInformation &information)
  {
    std::size_t width = 0;
    for (const auto &[name, value] : information)
      width = std::max(width, name.size());
    out << application << '\n';
    for (const auto &[name, value] : information)
      out << "  " << name << std::string(width - name.size() + 2, ' ') << value
          << '\n';
  }
} // namespace tessera
