// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_nearest_name_h
#define tessera_apps_common_nearest_name_h

#include <string>
#include <vector>

namespace tessera::apps
{
  /**
   * The smallest number of insertions, deletions and replacements of a
   * character, and swaps of two neighbours, that turn one text into the other,
   * none changing a character twice (Levenshtein's distance with swaps), where
   * upper and lower case are the same. $O(|a| |b|)$ time and memory.
   */
  unsigned int
  edit_distance(const std::string &a, const std::string &b);

  /** Equal up to upper and lower case. */
  bool
  same_name(const std::string &a, const std::string &b);

  /**
   * The candidate nearest to a name, for "did you mean": the first of those
   * with the smallest edit distance. Empty where none is near enough, that is,
   * where more than a third of the longer name would have to change (a single
   * character of a name of two or three).
   */
  std::string
  nearest_name(const std::string              &name,
               const std::vector<std::string> &candidates);
} // namespace tessera::apps

#endif
