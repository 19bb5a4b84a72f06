// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_text_of_numbers_h
#define tessera_apps_common_text_of_numbers_h

#include <cstdint>
#include <iomanip>
#include <sstream>
#include <string>

namespace tessera::apps
{
  /** Text of a number for people. */
  inline std::string
  short_number(const double x, const int digits = 3)
  {
    std::ostringstream text;
    text << std::setprecision(digits) << x;
    return text.str();
  }

  /** A number and its unit, in the plural where that is right. */
  inline std::string
  counted(const std::uint64_t n, const std::string &unit)
  {
    return std::to_string(n) + " " + unit + (n == 1 ? "" : "s");
  }
} // namespace tessera::apps

#endif
