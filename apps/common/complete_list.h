// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_complete_list_h
#define tessera_apps_common_complete_list_h

#include <string>
#include <vector>

#include "common/parameter_set.h"

namespace tessera::apps
{
  /** Bring a list that was given by one number for all directions, or one a
   * direction, to dim entries.
   * @throws InputError, naming the parameter, if it has another number. */
  template <typename T>
  void
  complete_list(std::vector<T>     &list,
                const ParameterSet &set,
                const std::string  &path,
                const unsigned int  dim)
  {
    if (list.size() == 1)
      list.resize(dim, list[0]);
    if (list.size() != dim)
      throw set.error(path,
                      "found " + std::to_string(list.size()) +
                        " numbers; give one for all directions, or " +
                        std::to_string(dim) + ", one a direction, as " +
                        "Dimension = " + std::to_string(dim));
  }
} // namespace tessera::apps

#endif
