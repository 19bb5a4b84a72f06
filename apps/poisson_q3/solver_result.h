// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_poisson_q3_solver_result_h
#define tessera_apps_poisson_q3_solver_result_h

#include <vector>

namespace tessera::poisson_q3
{
  /** How a linear solve went. */
  struct SolverResult
  {
    /** Stopped by the tolerance, or after the fixed number of iterations. */
    bool converged = false;

    unsigned int n_iterations = 0;

    /** Residual norms $\|r_k\|$, k = 0 ... n_iterations. */
    std::vector<double> residual_history;

    /** Mean reduction an iteration: $\rho = (\|r_n\| / \|r_0\|)^{1/n}$; 0 where
     * the residual is zero. */
    double contraction = 0.;

    /**
     * The real number of iterations that meet the relative tolerance $\tau$ at
     * the mean rate: $\log\tau / \log\rho$ with the contraction $\rho$. It
     * compares methods that differ by less than an iteration. Infinite where
     * the residual has not become smaller; n_iterations where it is zero.
     */
    double fractional_iterations = 0.;

    /**
     * Compute contraction and fractional_iterations from the history.
     * @param[in] tolerance Relative, in (0, 1).
     */
    void
    set_rates(const double tolerance);
  };
} // namespace tessera::poisson_q3

#endif
