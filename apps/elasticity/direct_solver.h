// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_direct_solver_h
#define tessera_apps_elasticity_direct_solver_h

#include <deal.II/lac/sparse_direct.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/sparsity_pattern.h>

#include "elasticity/linear_solver.h"

namespace tessera::elasticity
{
  /** Gaussian elimination by UMFPACK, for small problems and as a reference:
   * x gets a correction, once. */
  class DirectSolver : public LinearSolver
  {
  public:
    explicit DirectSolver(const LinearSolverOptions &options);

    /** Of the matrix of numbers; UMFPACK does not say what its factors take. */
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

    dealii::SparsityPattern      sparsity_pattern;
    dealii::SparseMatrix<double> scalar_matrix;
    dealii::SparseDirectUMFPACK  factors;
  };
} // namespace tessera::elasticity

#endif
