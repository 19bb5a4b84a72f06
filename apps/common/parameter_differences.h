// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_parameter_differences_h
#define tessera_apps_common_parameter_differences_h

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace tessera::apps
{
  /** A parameter that two runs have different values of. */
  struct ParameterDifference
  {
    /** Names of sections and of the parameter, joined by '/'. */
    std::string path;

    /** The values as JSON, or "absent". */
    std::string first;
    std::string second;
  };

  /** What differs between two results of ParameterSet::as_json(), in the order
   * of the first. Numbers are compared as such: 1e-8 is 0.00000001. */
  std::vector<ParameterDifference>
  parameter_differences(const nlohmann::ordered_json &first,
                        const nlohmann::ordered_json &second);

  /** Whether a path is that of a parameter or in a section that the list names
   * ("Solver", "Mesh/Refinements"). */
  bool
  is_one_of(const std::string &path, const std::vector<std::string> &list);
} // namespace tessera::apps

#endif
