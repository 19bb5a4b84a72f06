// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/jacobi_solver.h"

#include <tessera/amg/spectrum.h>

namespace tessera::elasticity
{
  JacobiSolver::JacobiSolver(const LinearSolverOptions &options)
    : LinearSolver(options)
  {}



  void
  JacobiSolver::initialize(const sparse::BlockMatrix<double> &A,
                           const amg::NearNullSpace &,
                           const std::vector<std::uint64_t> &)
  {
    inverse_diagonal = amg::inverse_scalar_diagonal(A);
  }



  amg::SolveResult
  JacobiSolver::solve_system(const sparse::BlockVector<double> &b,
                             sparse::BlockVector<double>       &x,
                             const amg::SolveOptions           &solve_options)
  {
    return amg::solve(
      matrix(),
      [this](auto &z, const auto &r) {
        sparse::multiply(inverse_diagonal, 1., r, z);
      },
      b,
      x,
      solve_options);
  }



  std::size_t
  JacobiSolver::memory_consumption() const
  {
    return inverse_diagonal.memory_consumption();
  }



  std::string
  JacobiSolver::description() const
  {
    return "conjugate gradients with the diagonal (Jacobi)";
  }
} // namespace tessera::elasticity
