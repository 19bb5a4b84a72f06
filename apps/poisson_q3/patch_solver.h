// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_poisson_q3_patch_solver_h
#define tessera_apps_poisson_q3_patch_solver_h

#include <tessera/base/execution.h>
#include <tessera/patch/poisson_solver.h>

#include <memory>

#include "poisson_q3/multigrid_solver.h"

namespace tessera::poisson_q3
{
  /**
   * Vertex-patch multigrid (patch::PoissonSolver) on cell-wise fields, on the
   * host or on a device. deal.II provides mesh, numbering and data of the
   * problem; its vectors and operator take no part in the iteration.
   *
   * On a device, the right-hand side and the start iterate with the boundary
   * values are copied there once, and the solution is copied back.
   */
  template <int dim, typename Execution>
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
    using Solver = patch::PoissonSolver<dim, Execution>;

    patch::SolverOptions
    options() const;

    const Parameters   &parameters;
    const Communicator &communicator;
    Progress           &progress;

    const typename Execution::Queue queue{};
  };



  /** One on a device; in builds without CUDA there is none.
   * @throws DeviceError where there is no device. */
  template <int dim>
  std::unique_ptr<MultigridSolver<dim>>
  make_device_patch_solver(const Parameters   &parameters,
                           const Communicator &communicator,
                           Progress           &progress);
} // namespace tessera::poisson_q3

#endif
