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
    return std::equal(a.begin(),
                      a.end(),
                      b.begin(),
                      b.end(),
                      [](const char x, const char y) {
                        return lower_case(x) == lower_case(y);
                      });
  }



  unsigned int
  edit_distance(const std::string &a, const std::string &b)
  {
    // distance[j]: between the first i characters of a and the first j of b.
    std::vector<unsigned int> distance(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
      distance[j] = j;

    for (std::size_t i = 1; i <= a.size(); ++i)
      {
        unsigned int diagonal = distance[0];
        distance[0]           = i;
        for (std::size_t j = 1; j <= b.size(); ++j)
          {
            const bool equal = lower_case(a[i - 1]) == lower_case(b[j - 1]);
            const unsigned int replaced = diagonal + (equal ? 0 : 1);
            diagonal                    = distance[j];
            distance[j] =
              std::min({replaced, distance[j] + 1, distance[j - 1] + 1});
          }
      }
    return distance[b.size()];
  }



  std::string
  nearest_name(const std::string &name,
               const std::vector<std::string> &candidates)
  {
    std::string nearest;
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
