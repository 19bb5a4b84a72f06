// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_poisson_q3_solver_result_h
#define tessera_apps_poisson_q3_solver_result_h

#include <tessera/patch/poisson_solver.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tessera::poisson_q3
{
  /** What a solver takes for the size of a residual r. */
  enum class ResidualMeasure
  {
    euclidean_norm, ///< $\|r\|_2$ of the assembled residual
    duality_pairing ///< $\eta = (r \cdot M^{-1} r)^{1/2}$, M^{-1} the cycle
  };

  /** "euclidean norm" or "duality pairing". */
  std::string
  name(const ResidualMeasure measure);

  /** How a linear solve went. */
  struct SolverResult
  {
    /** Stopped by the tolerance, or after the fixed number of iterations. */
    bool converged = false;

    unsigned int n_iterations = 0;

    ResidualMeasure residual_measure = ResidualMeasure::euclidean_norm;

    /**
     * Sizes of the residuals of the iterates k = 0, 1, ..., n_iterations. In
     * the duality pairing, measuring the size takes the cycle of the next
     * iteration, which is not always done for its own sake (see
     * patch::SolverStatistics): the last one is then the estimate
     * $\eta_{n-1}^2 / \eta_{n-2}$ where there is one, otherwise missing.
     */
    std::vector<double> residual_history;

    /** How many of these, from the first, were measured. */
    std::size_t n_measured = 0;

    /** Set where a solver gave up because the residual had ceased to become
     * smaller. */
    std::optional<patch::SolverStatistics::Stagnation> stagnation;

    unsigned int n_levels = 0;

    /** How well the work on the levels is spread over the ranks (see
     * patch::Multigrid); not known of deal.II's multigrid. */
    std::optional<double> partition_efficiency;

    /** Of the multigrid method on this rank, without vectors and matrix-free
     * data of the problem. */
    std::size_t memory_bytes = 0;

    /**
     * Mean reduction an iteration, from the first to the last of the n + 1
     * known residuals: $\rho = (\|r_n\| / \|r_0\|)^{1/n}$. 0 where the last
     * one is zero, NaN where only the first one is known.
     */
    double contraction = 0.;

    /**
     * The real number of iterations that meet the relative tolerance $\tau$ at
     * the mean rate: $\log\tau / \log\rho$ with the contraction $\rho$. It
     * compares methods that differ by less than an iteration. Infinite where
     * the residual has not become smaller; n_iterations where it is zero; NaN
     * where only the first residual is known.
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
