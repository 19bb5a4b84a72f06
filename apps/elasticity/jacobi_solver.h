// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_jacobi_solver_h
#define tessera_apps_elasticity_jacobi_solver_h

#include <tessera/sparse/block_diagonal.h>

#include "elasticity/linear_solver.h"

namespace tessera::elasticity
{
  /** Conjugate gradients with the inverse of the diagonal, number by number. */
  class JacobiSolver : public LinearSolver
  {
  public:
    explicit JacobiSolver(const LinearSolverOptions &options);

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

    sparse::BlockDiagonal<double> inverse_diagonal;
  };
} // namespace tessera::elasticity

#endif
