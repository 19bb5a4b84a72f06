// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_fractional_iterations_h
#define tessera_apps_common_fractional_iterations_h

#include <vector>

namespace tessera::apps
{
  /**
   * The real number of iterations that reduce the residual to the tolerance
   * $\tau$ at the mean rate of a history: $\log\tau / \log\rho$ with $\rho =
   * (\|r_n\| / \|r_0\|)^{1/n}$. n where the last residual is zero or there were
   * no iterations.
   *
   * @param[in] tolerance Relative to the first entry of the history.
   */
  double
  fractional_iterations(const std::vector<double> &residual_history,
                        const double               tolerance);
} // namespace tessera::apps

#endif
