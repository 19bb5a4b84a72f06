// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_poisson_q3_chebyshev_solver_h
#define tessera_apps_poisson_q3_chebyshev_solver_h

#include "poisson_q3/multigrid_solver.h"

namespace tessera::poisson_q3
{
  /** deal.II's iterations around ChebyshevMultigrid, on assembled vectors. */
  template <int dim>
  class ChebyshevSolver : public MultigridSolver<dim>
  {
  public:
    using typename MultigridSolver<dim>::VectorType;

    ChebyshevSolver(const Parameters &parameters, Progress &progress);

    std::string
    description() const override;

    std::string
    options_in_words() const override;

    ResidualMeasure
    residual_measure() const override;

    SolverResult
    solve(const Discretization<dim> &discretization,
          const ProblemData<dim>    &problem,
          VectorType                &solution,
          PhaseTimer                &timed) override;

  private:
    template <typename LevelNumber>
    SolverResult
    solve_with_levels(const Discretization<dim> &discretization,
                      const ProblemData<dim>    &problem,
                      VectorType                &x,
                      const VectorType          &b,
                      PhaseTimer                &timed);

    const Parameters &parameters;
    Progress         &progress;
  };
} // namespace tessera::poisson_q3

#endif
