// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/solver_result.h"

#include <tessera/base/exceptions.h>

#include <cmath>
#include <limits>

namespace tessera::poisson_q3
{
  std::string
  name(const ResidualMeasure measure)
  {
    return measure == ResidualMeasure::euclidean_norm ? "euclidean norm" :
                                                        "duality pairing";
  }



  void
  SolverResult::set_rates(const double tolerance)
  {
    TESSERA_ASSERT(!residual_history.empty(), "the first one is always known");
    contraction           = 0.;
    fractional_iterations = n_iterations;
    const std::size_t n   = residual_history.size() - 1;
    if (n == 0 && n_iterations > 0)
      contraction = fractional_iterations =
        std::numeric_limits<double>::quiet_NaN();
    if (n == 0 || !(residual_history.front() > 0.) ||
        !(residual_history.back() > 0.))
      return;

    const double log_reduction =
      std::log(residual_history.back() / residual_history.front());
    contraction           = std::exp(log_reduction / n);
    fractional_iterations = log_reduction < 0. ?
                              n * std::log(tolerance) / log_reduction :
                              std::numeric_limits<double>::infinity();
  }
} // namespace tessera::poisson_q3
