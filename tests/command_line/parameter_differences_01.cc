// SPDX-License-Identifier: LGPL-2.1-or-later
// Differences of the parameters of two runs.
#include <algorithm>

#include "check.h"
#include "common/parameter_differences.h"

using namespace tessera::apps;
using json = nlohmann::ordered_json;

int
main()
{
  const json first  = {{"Degree", 2},
                       {"Solver", {{"Tolerance", 1e-8}, {"Iteration", "cg"}}},
                       {"Mesh", {{"Coarse cells", {1, 2}}, {"Type", "box"}}}};
  json       second = first;
  CHECK(parameter_differences(first, second).empty());
  second["Solver"]["Tolerance"] = json::parse("0.00000001");
  CHECK(parameter_differences(first, second).empty());

  second["Mesh"]["Coarse cells"] = {2, 1};
  second["Mesh"].erase("Type");
  second["Degree"]              = "2";
  second["Boundary"]["1"]["Id"] = true;
  const auto differences        = parameter_differences(first, second);
  const std::vector<ParameterDifference> expected = {
    {"Degree", "2", "\"2\""},
    {"Mesh/Coarse cells", "[1,2]", "[2,1]"},
    {"Mesh/Type", "\"box\"", "absent"},
    {"Boundary/1/Id", "absent", "true"}};
  CHECK_EQUAL(differences.size(), expected.size());
  for (std::size_t i = 0; i < std::min(differences.size(), expected.size());
       ++i)
    {
      CHECK_EQUAL(differences[i].path, expected[i].path);
      CHECK_EQUAL(differences[i].first, expected[i].first);
      CHECK_EQUAL(differences[i].second, expected[i].second);
    }

  const std::vector<std::string> list = {"Solver", "Mesh/Type"};
  CHECK(is_one_of("Solver/Tolerance", list));
  CHECK(is_one_of("Mesh/Type", list));
  CHECK(!is_one_of("Mesh/Type 2", list));
  CHECK(!is_one_of("Mesh", list));
  CHECK(!is_one_of("Solvers/Tolerance", list));
  return check::result();
}
