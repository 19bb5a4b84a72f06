// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_block_amg_solver_h
#define tessera_apps_elasticity_block_amg_solver_h

#include <tessera/amg/block_amg.h>

#include "elasticity/linear_solver.h"

namespace tessera::elasticity
{
  /** Conjugate gradients with amg::BlockAMG. A hot set-up keeps prolongators.
   */
  class BlockAMGSolver : public LinearSolver
  {
  public:
    explicit BlockAMGSolver(const LinearSolverOptions &options);

    double
    seconds_of_galerkin() const override;

    const amg::HierarchyRecord *
    hierarchy() const override;

    int
    kernel_dimension() const override;

    double
    part_in_kernel(const sparse::BlockVector<double> &b) const override;

    void
    remove_kernel(sparse::BlockVector<double> &x) const override;

    std::size_t
    memory_consumption() const override;

    std::string
    description() const override;

  private:
    void
    initialize(const sparse::BlockMatrix<double> &A,
               const amg::NearNullSpace          &modes,
               const std::vector<std::uint64_t>  &keys) override;

    bool
    update(const sparse::BlockMatrix<double> &A) override;

    amg::SolveResult
    solve_system(const sparse::BlockVector<double> &b,
                 sparse::BlockVector<double>       &x,
                 const amg::SolveOptions           &solve_options) override;

    amg::BlockAMG preconditioner;
  };
} // namespace tessera::elasticity

#endif
