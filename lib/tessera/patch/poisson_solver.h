// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_poisson_solver_h
#define tessera_patch_poisson_solver_h

#include <tessera/base/communication.h>
#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/field.h>
#include <tessera/patch/multigrid.h>

#include <functional>
#include <memory>
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
       * next iterate, so that for the stationary iteration $\eta_n$ of the
       * last one is unknown; n_iterations entries, and one more for conjugate
       * gradients.
       */
      std::vector<double> eta;

      /** Stationary iteration of at least two cycles: the estimate
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

    /**
     * Solve $-\Delta u = f$ on a box grid with continuous elements of degree
     * p: an iteration in double around a multigrid cycle in float or double.
     *
     * Stationary: $u \leftarrow u + C r$, $r = b - A u$, formed cell by
     * cell; r is rebalanced, zeroed at Dirichlet nodes, and rounded. Stops when
     * the extrapolated $\hat\eta_n \le \tau \eta_0$, which saves the
     * cycle that it would take to measure $\eta_n$. Conjugate gradients: the
     * standard method, $\beta_k = \langle r_{k+1}, z_{k+1}\rangle /
     * \langle r_k, z_k\rangle$; rebalancing replaces r, which changes none of
     * its inner products. Needs PostSmoothing::reversed.
     *
     * Fields are blocked, in double, and held by all cells; see
     * cellwise::CellGrid for the order of the cells. Deterministic.
     *
     * Memory: 2 fields in double of its own (conjugate gradients: 3) besides u
     * and b, and the hierarchy.
     *
     * Source: M. Wichrowski, arXiv:2610.31496.
     */
    template <int dim>
    class PoissonSolver
    {
    public:
      /** Called after every iteration with its number, and the latest
       * $\eta$ divided by $\eta_0$. */
      using Report = std::function<void(unsigned int, double)>;

      /**
       * @throws InputError for a grid without interior vertices, without a
       * Dirichlet face, with a coarsest level that is too large; for options
       * that do not go together; and for more than one process.
       */
      PoissonSolver(const cellwise::GridDescription<dim> &grid,
                    int                                   degree,
                    const SolverOptions                  &options,
                    const Communicator                   &communicator);

      ~PoissonSolver();

      /**
       * @param[in,out] u Start iterate, continuous, with the Dirichlet values;
       * solution.
       * @param[in] b The unassembled right-hand side.
       * @throws SolverBreakdown where a residual is not finite, or the operator
       * or the cycle turns out not to be positive definite.
       */
      SolverStatistics
      solve(cellwise::PrimalField<double>     &u,
            const cellwise::DualField<double> &b,
            const Report                      &report = {});

      const cellwise::CellGrid<dim> &
      grid() const;

      unsigned int
      n_levels() const;

      std::size_t
      memory_consumption() const;

    private:
      class Implementation;
      template <typename Number>
      class ImplementationIn;

      std::unique_ptr<Implementation> implementation;
    };
  } // namespace patch
} // namespace tessera

#endif
