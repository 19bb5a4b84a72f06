// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/direct_solver.h"

#include <tessera/base/exceptions.h>
#include <tessera/sparse/matrix_vector.h>

#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "elasticity/scalar_rows.h"

namespace tessera::elasticity
{
  using namespace dealii;

  DirectSolver::DirectSolver(const LinearSolverOptions &options)
    : LinearSolver(options)
  {}



  void
  DirectSolver::initialize(const sparse::BlockMatrix<double> &A,
                           const amg::NearNullSpace &,
                           const std::vector<std::uint64_t> &)
  {
    const auto n = static_cast<types::global_dof_index>(A.pattern().n_rows()) *
                   A.shape().rows;
    std::vector<unsigned int> row_lengths(n);
    for_each_scalar_row(A,
                        [&](const auto row, const auto &columns, const auto &) {
                          row_lengths[row] =
                            static_cast<unsigned int>(columns.size());
                        });
    scalar_matrix.clear();
    sparsity_pattern.reinit(n, n, row_lengths);
    for_each_scalar_row(A,
                        [&](const auto row, const auto &columns, const auto &) {
                          sparsity_pattern.add_entries(row,
                                                       columns.begin(),
                                                       columns.end(),
                                                       /* sorted: */ true);
                        });
    sparsity_pattern.compress();
    scalar_matrix.reinit(sparsity_pattern);
    for_each_scalar_row(
      A, [&](const auto row, const auto &columns, const auto &values) {
        scalar_matrix.set(row, columns, values);
      });
    try
      {
        factors.initialize(scalar_matrix);
      }
    catch (const SparseDirectUMFPACK::ExcUMFPACKError &)
      {
        throw SolverBreakdown(
          "The direct solver (UMFPACK) cannot factorize the matrix of " +
          std::to_string(n) +
          " rows: it is singular (a body without supports?), or there is not "
          "enough memory. Check supports, or use another preconditioner.");
      }
  }



  amg::SolveResult
  DirectSolver::solve_system(const sparse::BlockVector<double> &b,
                             sparse::BlockVector<double>       &x,
                             const amg::SolveOptions           &solve_options)
  {
    const sparse::BlockMatrix<double> &A = matrix();
    sparse::MatrixVector<double>       products(A);
    sparse::BlockVector<double> r(A.pattern().columns(), A.shape().columns);
    Vector<double>              residual(scalar_matrix.m());
    const auto                  compute_residual = [&] {
      products.residual(A, b, x, r);
      std::copy(r.data(), r.data() + r.n_owned_values(), residual.begin());
      return residual.l2_norm();
    };

    amg::SolveResult result;
    result.residual_history.push_back(compute_residual());
    factors.solve(residual);
    for (std::size_t i = 0; i < residual.size(); ++i)
      x.data()[i] += residual.begin()[i];
    result.n_iterations = 1;
    result.residual_history.push_back(compute_residual());

    const double norm_of_b = std::sqrt(std::inner_product(
      b.data(), b.data() + b.n_owned_values(), b.data(), 0.));
    if (!std::isfinite(result.residual_history.back()))
      throw SolverBreakdown("The direct solver: the norm of the residual is " +
                            std::to_string(result.residual_history.back()) +
                            ". The matrix is singular, or matrix or right-hand "
                            "side are not finite.");
    result.converged =
      result.residual_history.back() <= solve_options.tolerance * norm_of_b;
    if (solve_options.report)
      solve_options.report(1, result.residual_history.back() / norm_of_b);
    return result;
  }



  std::size_t
  DirectSolver::memory_consumption() const
  {
    return sparsity_pattern.memory_consumption() +
           scalar_matrix.memory_consumption();
  }



  std::string
  DirectSolver::description() const
  {
    return "a direct solver (UMFPACK)";
  }
} // namespace tessera::elasticity
