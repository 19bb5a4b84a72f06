// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_poisson_q3_patch_solver_h
#define tessera_apps_poisson_q3_patch_solver_h

#include "poisson_q3/multigrid_solver.h"

namespace tessera::poisson_q3
{
  /**
   * Vertex-patch multigrid (patch::PoissonSolver) on cell-wise fields. deal.II
   * provides mesh, numbering and data of the problem; its vectors and operator
   * take no part in the iteration.
   */
  template <int dim>
  class PatchSolver : public MultigridSolver<dim>
  {
  public:
    using typename MultigridSolver<dim>::VectorType;

    PatchSolver(const Parameters   &parameters,
                const Communicator &communicator,
                Progress           &progress);

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
    patch::SolverOptions
    options() const;

    const Parameters   &parameters;
    const Communicator &communicator;
    Progress           &progress;
  };
} // namespace tessera::poisson_q3

#endif
