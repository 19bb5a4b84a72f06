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

    /** Mean reduction an iteration: $(\|r_n\| / \|r_0\|)^{1/n}$. */
    double contraction = 0.;

    /**
     * The real number of iterations at which the residual, interpolated
     * geometrically between the last two, meets the tolerance $\tau$:
     * $k - 1 + \log(\|r_{k-1}\| / \tau\|r_0\|) / \log(\|r_{k-1}\| / \|r_k\|)$
     * for the first k with $\|r_k\| \le \tau \|r_0\|$. It equals n_iterations
     * where the tolerance is not met.
     */
    double fractional_iterations = 0.;

    /**
     * Compute contraction and fractional_iterations from the history.
     * @param[in] tolerance Relative; 0 for a fixed number of iterations.
     */
    void
    set_rates(const double tolerance);
  };
} // namespace tessera::poisson_q3

#endif
