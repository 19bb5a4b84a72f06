// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/linear_solver.h"

#include <tessera/base/exceptions.h>
#include <tessera/base/timer.h>
#include <tessera/sparse/matrix_vector.h>
#include <tessera/sparse/vector_sizes.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/text_of_numbers.h"
#include "elasticity/block_amg_solver.h"
#include "elasticity/direct_solver.h"
#include "elasticity/jacobi_solver.h"
#include "elasticity/trilinos_ml_solver.h"

namespace tessera::elasticity
{
  std::string
  name(const PreconditionerType preconditioner)
  {
    switch (preconditioner)
      {
        case PreconditionerType::block_amg:
          return "block amg";
        case PreconditionerType::trilinos_ml:
          return "trilinos ml";
        case PreconditionerType::jacobi:
          return "jacobi";
        default:
          return "direct";
      }
  }



  std::string
  name(const SetupKind kind)
  {
    return kind == SetupKind::cold ? "cold" : "hot";
  }



  namespace
  {
    /** Residuals, relative to the right-hand side, that converged iterations
     * may leave because of rounding. Ill-conditioned matrices of sound bodies
     * stay far below. */
    constexpr double largest_rounding = 1e-4;



    double
    norm(const sparse::BlockVector<double> &v)
    {
      return std::sqrt(std::inner_product(
        v.data(), v.data() + v.n_owned_values(), v.data(), 0.));
    }



    /** @throws SolverBreakdown where x does not solve A x = b. */
    void
    check_residual(const sparse::BlockMatrix<double> &A,
                   const sparse::BlockVector<double> &b,
                   const sparse::BlockVector<double> &x,
                   const double                       tolerance)
    {
      sparse::BlockVector<double> v = x.copy();
      sparse::BlockVector<double> r(A.pattern().rows(), A.shape().rows);
      sparse::MatrixVector<double>(A).residual(A, b, v, r);
      const double relative = norm(r) / norm(b);
      if (relative > std::max(largest_rounding, 2. * tolerance))
        throw SolverBreakdown(
          "The linear solver has converged, but the displacement does not solve "
          "the equations: their residual is " +
          apps::short_number(relative) +
          " of the right-hand side. The matrix is singular to working "
          "precision: parts of the body move freely. Look for parts that have "
          "no supports of their own, or that hang together by a single edge or "
          "vertex only.");
    }
  } // namespace



  LinearSolver::LinearSolver(const LinearSolverOptions &options)
    : all_options(options)
  {}



  SetupKind
  LinearSolver::setup(const sparse::BlockMatrix<double> &A,
                      const amg::NearNullSpace          &modes,
                      const std::vector<std::uint64_t>  &keys)
  {
    const double start   = wall_clock();
    const bool   is_like = system_matrix != nullptr && A.pattern() == pattern &&
                         A.shape() == shape && modes.n_modes() == n_modes;
    // Until it is done: nothing to solve with.
    system_matrix  = nullptr;
    SetupKind kind = SetupKind::hot;
    if (!(is_like && update(A)))
      {
        kind = SetupKind::cold;
        initialize(A, modes, keys);
      }
    system_matrix = &A;
    pattern       = A.pattern();
    shape         = A.shape();
    n_modes       = modes.n_modes();
    setup_seconds = wall_clock() - start;
    return kind;
  }



  LinearSolverResult
  LinearSolver::solve(const sparse::BlockVector<double>               &b,
                      sparse::BlockVector<double>                     &x,
                      const std::function<void(unsigned int, double)> &report)
  {
    const sparse::BlockMatrix<double> &A = matrix();
    sparse::check_owned_vector("b", b, A.pattern().rows(), A.shape().rows);
    sparse::check_owned_vector("x",
                               x,
                               A.pattern().columns(),
                               A.shape().columns);
    amg::SolveOptions solve_options;
    solve_options.tolerance      = all_options.tolerance;
    solve_options.max_iterations = all_options.max_iterations;
    solve_options.report         = report;

    const double       start = wall_clock();
    LinearSolverResult result{solve_system(b, x, solve_options), 0.};
    if (result.converged && norm(b) > 0.)
      check_residual(A, b, x, all_options.tolerance);
    result.seconds = wall_clock() - start;
    return result;
  }



  double
  LinearSolver::seconds_of_setup() const
  {
    return setup_seconds;
  }



  double
  LinearSolver::seconds_of_galerkin() const
  {
    return 0.;
  }



  const amg::HierarchyRecord *
  LinearSolver::hierarchy() const
  {
    return nullptr;
  }



  int
  LinearSolver::kernel_dimension() const
  {
    return 0;
  }



  double
  LinearSolver::part_in_kernel(const sparse::BlockVector<double> &) const
  {
    return 0.;
  }



  void
  LinearSolver::remove_kernel(sparse::BlockVector<double> &) const
  {}



  const LinearSolverOptions &
  LinearSolver::get_options() const
  {
    return all_options;
  }



  const sparse::BlockMatrix<double> &
  LinearSolver::matrix() const
  {
    if (system_matrix == nullptr)
      throw InputError("A linear solver is used before it is set up, or after "
                       "that has failed: call setup() first.");
    return *system_matrix;
  }



  bool
  LinearSolver::update(const sparse::BlockMatrix<double> &)
  {
    return false;
  }



  std::unique_ptr<LinearSolver>
  make_linear_solver(const LinearSolverOptions &options)
  {
    switch (options.preconditioner)
      {
        case PreconditionerType::block_amg:
          return std::make_unique<BlockAMGSolver>(options);
        case PreconditionerType::trilinos_ml:
#ifdef DEAL_II_WITH_TRILINOS
          return std::make_unique<TrilinosMLSolver>(options);
#else
          throw InputError("The preconditioner 'trilinos ml' needs a deal.II "
                           "with Trilinos, which this one is not. Use 'block "
                           "amg'.");
#endif
        case PreconditionerType::jacobi:
          return std::make_unique<JacobiSolver>(options);
        default:
          return std::make_unique<DirectSolver>(options);
      }
  }
} // namespace tessera::elasticity
