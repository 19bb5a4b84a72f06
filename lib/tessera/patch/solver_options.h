// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_solver_options_h
#define tessera_patch_solver_options_h

#include <tessera/patch/multigrid.h>

#include <optional>
#include <vector>

namespace tessera
{
  namespace patch
  {
    enum class Iteration
    {
      stationary,
      cg
    };

    /** Of the numbers on the levels. */
    enum class LevelPrecision
    {
      single_precision,
      double_precision
    };

    struct SolverOptions
    {
      Iteration        iteration       = Iteration::stationary;
      MultigridOptions multigrid       = {};
      LevelPrecision   level_precision = LevelPrecision::single_precision;

      /** Rebalance the residual in the iterations k = 0, n, 2n, ...; 0: never.
       */
      unsigned int rebalance_every = 1;

      /** Relative: stop when $\eta_n \le \tau \eta_0$. */
      double tolerance = 1e-9;

      /** At least 1; reaching it is no convergence. */
      unsigned int max_iterations = 100;

      /** If not zero: do so many iterations whatever the residual. */
      unsigned int fixed_iterations = 0;
    };

    /** How a solve went. */
    struct SolverStatistics
    {
      /** Stopped by the tolerance, or after the fixed number of iterations. */
      bool converged = false;

      /** Cycles (stationary), or steps of conjugate gradients. */
      unsigned int n_iterations = 0;

      /**
       * The measured monitor $\eta_k = \langle r_k, C r_k \rangle^{1/2}$
       * of the iterates k = 0, 1, .... It takes the cycle that leads to the
       * next iterate. Where the iteration is ended by the extrapolated one or
       * after a fixed number, that of the last iterate is unknown: there are
       * n_iterations entries, otherwise one more.
       */
      std::vector<double> eta;

      /** Stationary iteration of at least two cycles, where it can be trusted
       * (see IterationMonitor): the estimate
       * $\hat\eta_n = \eta_{n-1}^2 / \eta_{n-2}$ of the last iterate. */
      std::optional<double> extrapolated_eta;

      /** Set if the iteration was given up because the residual had ceased to
       * become smaller: it stays at @p level times $\eta_0$ since
       * iteration @p since. */
      struct Stagnation
      {
        unsigned int since;
        double       level;
      };
      std::optional<Stagnation> stagnation;
    };
  } // namespace patch
} // namespace tessera

#endif
