// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_parameter_warnings_h
#define tessera_apps_common_parameter_warnings_h

#include <string>
#include <vector>

#include "common/parameter_set.h"

namespace tessera::apps
{
  /**
   * Note a setting that has no effect, for a reason (" on chebyshev
   * multigrid"; ", as 'Mesh/Type = file'").
   *
   * @param[in] changed Whether it is not the default: the files of
   * --print-parameters and parameters.prm set everything, and are silent.
   */
  inline void
  warn_without_effect(std::vector<std::string> &warnings,
                      const bool                changed,
                      const ParameterSet       &set,
                      const std::string        &path,
                      const std::string        &reason)
  {
    if (changed)
      warnings.push_back(set.origin(path) + ": " + path + " has no effect" +
                         reason);
  }
} // namespace tessera::apps

#endif
