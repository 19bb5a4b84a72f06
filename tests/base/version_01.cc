// SPDX-License-Identifier: LGPL-2.1-or-later
// Version information is complete, in order, and printed aligned.
#include <tessera/base/version.h>

#include <sstream>

#include "check.h"

using namespace tessera;

int
main()
{
  CHECK_EQUAL(version(), TESSERA_EXPECTED_VERSION);
  CHECK(!git_revision().empty());

  const VersionInformation information =
    version_information({{"deal.II", "9.4.1"}});
  const std::vector<std::string> names{"version",
                                       "git revision",
                                       "build type",
                                       "compiler",
                                       "MPI",
                                       "CUDA",
                                       "device",
                                       "deal.II"};
  CHECK_EQUAL(information.size(), names.size());
  for (std::size_t i = 0; i < information.size(); ++i)
    {
      CHECK_EQUAL(information[i].first, names[i]);
      CHECK(!information[i].second.empty());
    }
#ifdef NDEBUG
  CHECK_EQUAL(information[2].second, "Release");
#else
  CHECK_EQUAL(information[2].second, "Debug");
#endif
  CHECK_EQUAL(information[4].second != "none", TESSERA_EXPECTED_MPI != 0);

  std::ostringstream out;
  print_version(out, "app", {{"a", "1"}, {"long", "2"}});
  CHECK_EQUAL(out.str(), "app\n  a     1\n  long  2\n");
  return check::result();
}
