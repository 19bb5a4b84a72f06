// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/chebyshev_solver.h"

#include "poisson_q3/chebyshev_multigrid.h"
#include "poisson_q3/linear_solver.h"

namespace tessera::poisson_q3
{
  template <int dim>
  ChebyshevSolver<dim>::ChebyshevSolver(const Parameters &param,
                                        Progress         &progress_line)
    : parameters(param)
    , progress(progress_line)
  {}



  template <int dim>
  std::string
  ChebyshevSolver<dim>::description() const
  {
    return "deal.II's Chebyshev multigrid";
  }



  template <int dim>
  std::string
  ChebyshevSolver<dim>::options_in_words() const
  {
    return {};
  }



  template <int dim>
  ResidualMeasure
  ChebyshevSolver<dim>::residual_measure() const
  {
    return ResidualMeasure::euclidean_norm;
  }



  template <int dim>
  SolverResult
  ChebyshevSolver<dim>::solve(const Discretization<dim> &discretization,
                              const ProblemData<dim>    &problem,
                              VectorType                &solution,
                              PhaseTimer                &timed)
  {
    VectorType rhs, boundary_lift;
    timed("assemble",
          [&] { discretization.assemble(problem, rhs, boundary_lift); });
    solution.reinit(rhs);
    const SolverResult result =
      parameters.level_precision == LevelPrecision::single_precision ?
        solve_with_levels<float>(
          discretization, problem, solution, rhs, timed) :
        solve_with_levels<double>(
          discretization, problem, solution, rhs, timed);
    boundary_lift.zero_out_ghost_values();
    solution += boundary_lift;
    return result;
  }



  template <int dim>
  template <typename LevelNumber>
  SolverResult
  ChebyshevSolver<dim>::solve_with_levels(
    const Discretization<dim> &discretization,
    const ProblemData<dim>    &problem,
    VectorType                &x,
    const VectorType          &b,
    PhaseTimer                &timed)
  {
    ChebyshevMultigrid<dim, LevelNumber> multigrid;
    timed("multigrid setup", [&] {
      multigrid.initialize(discretization.get_mapping(),
                           discretization.get_dof_handler(),
                           {problem.dirichlet_ids()});
    });

    IterationProgress report(progress);
    SolverResult      result;
    timed("solve", [&] {
      result = poisson_q3::solve(discretization.get_operator(),
                                 multigrid,
                                 x,
                                 b,
                                 parameters,
                                 std::ref(report));
    });
    result.n_levels     = multigrid.n_levels();
    result.memory_bytes = multigrid.memory_consumption();
    return result;
  }



  template class ChebyshevSolver<2>;
  template class ChebyshevSolver<3>;
} // namespace tessera::poisson_q3
