// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_conjugate_gradients_h
#define tessera_amg_conjugate_gradients_h

#include <tessera/amg/block_amg.h>

#include <functional>
#include <vector>

namespace tessera
{
  namespace amg
  {
    struct SolveOptions
    {
      double       tolerance      = 1e-8; ///< $\|r\|_2 \le \tau \|b\|_2$
      unsigned int max_iterations = 200;

      /** Called after each iteration with its number and
       * $\|r\| / \|b\|$. */
      std::function<void(unsigned int, double)> report;
    };

    struct SolveResult
    {
      bool                converged    = false;
      unsigned int        n_iterations = 0;
      std::vector<double> residual_history; ///< norms, from the start on
    };

    /**
     * $A x = b$ by conjugate gradients preconditioned by a V-cycle, from the
     * given x. In the complement of the kernel if A has one: then b must have
     * no part in it (see BlockAMG::part_in_kernel()), and x gets none. For b =
     * 0 x becomes zero without an iteration.
     *
     * @throws SolverBreakdown on all ranks if a residual is not finite or
     * $p^T A p \le 0$ or $r^T C r \le 0$, naming the iteration.
     */
    SolveResult
    solve(const sparse::BlockMatrix<double> &A,
          const BlockAMG                    &C,
          const sparse::BlockVector<double> &b,
          sparse::BlockVector<double>       &x,
          const SolveOptions                &options = SolveOptions());

    /** A function that overwrites z by $C r$. */
    using PreconditionerFunction =
      std::function<void(sparse::BlockVector<double>       &z,
                         const sparse::BlockVector<double> &r)>;

    /** The same iteration with another preconditioner, for comparisons; A has
     * no kernel. */
    SolveResult
    solve(const sparse::BlockMatrix<double> &A,
          const PreconditionerFunction      &C,
          const sparse::BlockVector<double> &b,
          sparse::BlockVector<double>       &x,
          const SolveOptions                &options = SolveOptions());
  } // namespace amg
} // namespace tessera

#endif
