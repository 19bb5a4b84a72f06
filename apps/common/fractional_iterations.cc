// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/fractional_iterations.h"

#include <cmath>

namespace tessera::apps
{
  double
  fractional_iterations(const std::vector<double> &history,
                        const double               tolerance)
  {
    if (history.size() < 2 || history.back() == 0.)
      return history.empty() ? 0. : double(history.size() - 1);
    const double n = double(history.size() - 1);
    return n * std::log(tolerance) / std::log(history.back() / history.front());
  }
} // namespace tessera::apps
