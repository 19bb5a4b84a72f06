// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/block_amg_solver.h"

#include <sstream>

namespace tessera::elasticity
{
  BlockAMGSolver::BlockAMGSolver(const LinearSolverOptions &options)
    : LinearSolver(options)
  {}



  void
  BlockAMGSolver::initialize(const sparse::BlockMatrix<double> &A,
                             const amg::NearNullSpace          &modes,
                             const std::vector<std::uint64_t>  &keys)
  {
    preconditioner.initialize(A, modes, keys, get_options().block_amg);
  }



  bool
  BlockAMGSolver::update(const sparse::BlockMatrix<double> &A)
  {
    preconditioner.update(A);
    return true;
  }



  amg::SolveResult
  BlockAMGSolver::solve_system(const sparse::BlockVector<double> &b,
                               sparse::BlockVector<double>       &x,
                               const amg::SolveOptions           &solve_options)
  {
    return amg::solve(matrix(), preconditioner, b, x, solve_options);
  }



  double
  BlockAMGSolver::seconds_of_galerkin() const
  {
    return preconditioner.record().seconds.galerkin;
  }



  const amg::HierarchyRecord *
  BlockAMGSolver::hierarchy() const
  {
    return preconditioner.is_initialized() ? &preconditioner.record() : nullptr;
  }



  int
  BlockAMGSolver::kernel_dimension() const
  {
    return preconditioner.record().kernel_dimension;
  }



  double
  BlockAMGSolver::part_in_kernel(const sparse::BlockVector<double> &b) const
  {
    return preconditioner.part_in_kernel(b);
  }



  void
  BlockAMGSolver::remove_kernel(sparse::BlockVector<double> &x) const
  {
    preconditioner.remove_kernel(x);
  }



  std::size_t
  BlockAMGSolver::memory_consumption() const
  {
    return preconditioner.memory_consumption();
  }



  std::string
  BlockAMGSolver::description() const
  {
    const amg::Options &options = get_options().block_amg;
    std::ostringstream  text;
    text << "conjugate gradients with block AMG (levels in "
         << (options.level_precision == amg::LevelPrecision::single_precision ?
               "single" :
               "double")
         << " precision, filter " << options.prolongator_filter << ')';
    return text.str();
  }
} // namespace tessera::elasticity
