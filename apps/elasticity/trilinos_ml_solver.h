// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_trilinos_ml_solver_h
#define tessera_apps_elasticity_trilinos_ml_solver_h

#include <deal.II/base/config.h>

#include <memory>

#include "elasticity/linear_solver.h"

namespace tessera::elasticity
{
#ifdef DEAL_II_WITH_TRILINOS
  /**
   * Conjugate gradients with smoothed aggregation of Trilinos ML, with
   * rigid-body modes as its null space, through deal.II.
   *
   * As deal.II sets it up (uncoupled aggregation, one V-cycle, Chebyshev
   * smoothers of degree 2, a direct solution on the coarsest level), but for
   * the modes, the unknowns of a node, the threshold, which is 0, and the size
   * of the coarsest level, which is that of block AMG. Every set-up is
   * cold: ML can compute values again for the same aggregates, but with
   * smoothers that do not fit to them, and is then not even positive definite.
   *
   * There is no such class where deal.II has no Trilinos.
   */
  class TrilinosMLSolver : public LinearSolver
  {
  public:
    explicit TrilinosMLSolver(const LinearSolverOptions &options);

    ~TrilinosMLSolver() override;

    /** Of the preconditioner and the matrix of numbers. */
    std::size_t
    memory_consumption() const override;

    std::string
    description() const override;

  private:
    void
    initialize(const sparse::BlockMatrix<double> &A,
               const amg::NearNullSpace          &modes,
               const std::vector<std::uint64_t>  &keys) override;

    amg::SolveResult
    solve_system(const sparse::BlockVector<double> &b,
                 sparse::BlockVector<double>       &x,
                 const amg::SolveOptions           &solve_options) override;

    class Implementation;
    std::unique_ptr<Implementation> implementation;
  };
#endif
} // namespace tessera::elasticity

#endif
