// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/solver_result.h"

#include <cmath>

namespace tessera::poisson_q3
{
  void
  SolverResult::set_rates(const double tolerance)
  {
    contraction           = 0.;
    fractional_iterations = n_iterations;
    if (residual_history.size() < 2 || !(residual_history.front() > 0.))
      return;

    const double       initial = residual_history.front();
    const unsigned int n       = residual_history.size() - 1;
    contraction = std::pow(residual_history.back() / initial, 1. / n);

    for (unsigned int k = 1; k <= n; ++k)
      if (residual_history[k] <= tolerance * initial)
        {
          const double before = residual_history[k - 1];
          // An exact zero is met at the end of the step.
          fractional_iterations = residual_history[k] > 0. ?
                                    k - 1 +
                                      std::log(before / (tolerance * initial)) /
                                        std::log(before / residual_history[k]) :
                                    double(k);
          return;
        }
  }
} // namespace tessera::poisson_q3
