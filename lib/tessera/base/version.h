// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_version_h
#define tessera_base_version_h

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace tessera
{
  /** Names and values, in the order in which they are to be shown. */
  using VersionInformation = std::vector<std::pair<std::string, std::string>>;

  /** The version of the library, "major.minor.patch". */
  std::string
  version();

  /** The abbreviated git commit that was built, with "-dirty" where files were
   * changed, or "unknown" outside a git checkout. */
  std::string
  git_revision();

  /**
   * What was built and with what: "version", "git revision", "build type",
   * "compiler", "MPI" (name and version of the library in use, or "none"),
   * "CUDA" and "device" (what was found, or why there is none). Local, and to
   * be called before or after MPI is initialized.
   *
   * @param[in] more What other layers add behind: instruction sets, deal.II.
   */
  VersionInformation
  version_information(const VersionInformation &more = {});

  /** Print the application's name and aligned lines of information. */
  void
  print_version(std::ostream             &out,
                const std::string        &application,
                const VersionInformation &information = version_information());
} // namespace tessera

#endif
