// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_solve_sequence_h
#define tessera_apps_elasticity_solve_sequence_h

#include <tessera/base/progress.h>

#include <memory>
#include <vector>

#include "elasticity/linear_solver.h"

namespace tessera::elasticity
{
  /** How one linear solve went. */
  struct SolveRecord
  {
    SetupKind          kind = SetupKind::cold;
    LinearSolverResult result;

    double assemble_seconds = 0.;
    double setup_seconds    = 0.; ///< with Galerkin products
    double galerkin_seconds = 0.;
  };

  /**
   * Linear solves one after another, with matrices of one pattern whose values
   * change, and that keep what set-ups can share.
   *
   * The set-up is hot wherever the solver can make use of the one before. It
   * is cold again after start_again(), and after a hot one that has become
   * poor: when the iterations exceed 3/2 of those of the last cold set-up by
   * more than five, the next set-up is cold; when a solve after a hot set-up
   * does not converge or breaks down, it is repeated after a cold one.
   */
  class SolveSequence
  {
  public:
    SolveSequence(const LinearSolverOptions &options, Progress &progress);

    /** For a matrix of another mesh. Forgets the records. */
    void
    start_again();

    /**
     * Set up for A. See LinearSolver::setup() for the arguments, which have to
     * live until the solve.
     * @param[in] assemble_seconds Of A, for the record.
     */
    void
    setup(const sparse::BlockMatrix<double> &A,
          const amg::NearNullSpace          &modes,
          const std::vector<std::uint64_t>  &keys,
          const double                       assemble_seconds);

    /**
     * $A x = b$ from the given x, after setup().
     * @return whether it converged.
     * @throws see LinearSolver
     */
    bool
    solve(const sparse::BlockVector<double> &b, sparse::BlockVector<double> &x);

    /** Since start_again(). */
    const std::vector<SolveRecord> &
    records() const;

    const LinearSolver &
    solver() const;

  private:
    void
    setup_cold();

    LinearSolverResult
    iterate(const sparse::BlockVector<double> &b,
            sparse::BlockVector<double>       &x);

    LinearSolverOptions           options;
    Progress                     &progress;
    std::unique_ptr<LinearSolver> linear_solver;
    std::vector<SolveRecord>      solves;

    const sparse::BlockMatrix<double> *matrix         = nullptr;
    const amg::NearNullSpace          *modes_of_nodes = nullptr;
    const std::vector<std::uint64_t>  *keys_of_nodes  = nullptr;

    SolveRecord  current;
    unsigned int n_iterations_of_cold = 0;
    bool         is_worn_out          = false;
  };
} // namespace tessera::elasticity

#endif
