// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/nearest_name.h"

#include <algorithm>
#include <cctype>

namespace tessera::apps
{
  namespace
  {
    char
    lower_case(const char c)
    {
      return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  } // namespace



  bool
  same_name(const std::string &a, const std::string &b)
  {
    return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](const char x, const char y) {
        return lower_case(x) == lower_case(y);
      });
  }



  unsigned int
  edit_distance(const std::string &a, const std::string &b)
  {
    // distance[i][j]: between the first i characters of a and the first j of
    // b; names are short, so the whole table is kept.
    std::vector<std::vector<unsigned int>> distance(
      a.size() + 1, std::vector<unsigned int>(b.size() + 1));
    const auto equal = [&](const std::size_t i, const std::size_t j) {
      return lower_case(a[i]) == lower_case(b[j]);
    };
    for (std::size_t i = 0; i <= a.size(); ++i)
      for (std::size_t j = 0; j <= b.size(); ++j)
        {
          unsigned int &d = distance[i][j];
          if (i == 0 || j == 0)
            {
              d = i + j;
              continue;
            }
          d =
            std::min({distance[i - 1][j] + 1,
                      distance[i][j - 1] + 1,
                      distance[i - 1][j - 1] + (equal(i - 1, j - 1) ? 0 : 1)});
          if (i > 1 && j > 1 && equal(i - 1, j - 2) && equal(i - 2, j - 1))
            d = std::min(d, distance[i - 2][j - 2] + 1);
        }
    return distance[a.size()][b.size()];
  }



  std::string
  nearest_name(const std::string              &name,
               const std::vector<std::string> &candidates)
  {
    std::string  nearest;
    unsigned int smallest = static_cast<unsigned int>(-1);
    for (const std::string &candidate : candidates)
      {
        const unsigned int distance = edit_distance(name, candidate);
        const unsigned int longer   = std::max(name.size(), candidate.size());
        const unsigned int allowed  = std::max(1u, longer / 3);
        // Nothing is left of a name all of whose characters change.
        if (distance <= allowed && distance < longer && distance < smallest)
          {
            smallest = distance;
            nearest  = candidate;
          }
      }
    return nearest;
  }
} // namespace tessera::apps
