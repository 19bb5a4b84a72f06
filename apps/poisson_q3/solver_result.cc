// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/solver_result.h"

#include <cmath>
#include <limits>

namespace tessera::poisson_q3
{
  void
  SolverResult::set_rates(const double tolerance)
  {
    contraction           = 0.;
    fractional_iterations = n_iterations;
    if (residual_history.size() < 2 || !(residual_history.front() > 0.) ||
        !(residual_history.back() > 0.))
      return;

    const unsigned int n = residual_history.size() - 1;
    const double       log_reduction =
      std::log(residual_history.back() / residual_history.front());
    contraction           = std::exp(log_reduction / n);
    fractional_iterations = log_reduction < 0. ?
                              n * std::log(tolerance) / log_reduction :
                              std::numeric_limits<double>::infinity();
  }
} // namespace tessera::poisson_q3
