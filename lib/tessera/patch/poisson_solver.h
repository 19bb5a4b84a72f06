// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_poisson_solver_h
#define tessera_patch_poisson_solver_h

#include <tessera/cellwise/distributed_grid.h>
#include <tessera/cellwise/types.h>
#include <tessera/patch/solver_options.h>

#include <functional>
#include <memory>

namespace tessera
{
  namespace patch
  {
    /**
     * Solve $-\Delta u + c\,u = f$ on a box grid with continuous elements of
     * degree p (c: MultigridOptions::reaction, by default zero): an iteration
     * in double around a multigrid cycle in float or double.
     *
     * Stationary: $u \leftarrow u + C r$, $r = b - A u$, formed cell by
     * cell; r is rebalanced, zeroed at Dirichlet nodes, and rounded. Stops when
     * the extrapolated $\hat\eta_n \le \tau \eta_0$, which saves the
     * cycle that it would take to measure $\eta_n$. Conjugate gradients: the
     * standard method, $\beta_k = \langle r_{k+1}, z_{k+1}\rangle /
     * \langle r_k, z_k\rangle$; rebalancing replaces r, which changes none of
     * its inner products. Needs PostSmoothing::reversed.
     *
     * Fields are blocked, in double, and of all local cells of a grid whose
     * cells may be spread over ranks in any way; see cellwise::CellGrid for the
     * order of the cells. Iterates, monitors and decisions are the same bits on
     * any number of ranks: all is computed cell by cell in a fixed order,
     * pairings are sums without rounding, and ghost cells hold copies, or
     * repeat what their owners compute. Solving is collective; a cycle takes,
     * besides its own messages, two reductions (conjugate gradients: three) and
     * one exchange of the correction between neighbours, in the precision of
     * the levels. Residuals are not exchanged.
     *
     * Memory: one field in double of its own (conjugate gradients: two)
     * besides u and b, and the hierarchy.
     *
     * On a device, u and b are in its memory and the whole iteration stays
     * there, with the same bits. What crosses to the host are the numbers that
     * decide about the iteration (two or three times an iteration, less than a
     * kilobyte) and messages between ranks. They are counted in the phase
     * "iterations" of Counters.
     *
     * Source: M. Wichrowski, arXiv:2610.31496.
     */
    template <int dim, typename Execution = execution::Host>
    class PoissonSolver
    {
    public:
      using Queue  = typename Execution::Queue;
      using Types  = cellwise::Types<Execution>;
      using Primal = typename Types::template Primal<double>;
      using Dual   = typename Types::template Dual<double>;

      /** Called after every iteration with its number, and the latest
       * $\eta$ divided by $\eta_0$. */
      using Report = std::function<void(unsigned int, double)>;

      /**
       * @param[in] queue Outlives the object.
       * @throws InputError for a grid without interior vertices, without a
       * Dirichlet face or a reaction term, with a coarsest level that is too
       * large; for options that do not go together, and degrees that devices
       * do not take. On all ranks. DeviceError, on the rank that has not
       * enough memory.
       * Collective.
       */
      PoissonSolver(const cellwise::DistributedGrid<dim> &grid,
                    int                                   degree,
                    const SolverOptions                  &options,
                    const Queue &queue = Execution::default_queue());

      ~PoissonSolver();

      /**
       * @param[in,out] u Start iterate, continuous, with the Dirichlet values;
       * solution.
       * @param[in,out] b The unassembled right-hand side. Of both, what is in
       * the ghost cells does not matter, and is up to date on return.
       * @param[in] report Called on all ranks.
       * @throws SolverBreakdown on all ranks where a residual is not finite, or
       * the operator or the cycle turns out not to be positive definite.
       */
      SolverStatistics
      solve(Primal &u, Dual &b, const Report &report = {});

      const cellwise::DistributedGrid<dim> &
      grid() const;

      unsigned int
      n_levels() const;

      /** See Multigrid. */
      double
      partition_efficiency() const;

      std::size_t
      memory_consumption() const;

    private:
      class Implementation;

      std::unique_ptr<Implementation> implementation;
    };
  } // namespace patch
} // namespace tessera

#endif
