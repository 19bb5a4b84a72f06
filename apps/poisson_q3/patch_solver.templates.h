// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_poisson_q3_patch_solver_templates_h
#define tessera_apps_poisson_q3_patch_solver_templates_h

// Definitions of patch_solver.h, for the sources that instantiate them.

#include <tessera/base/device/stream.h>
#include <tessera/dealii/box_mesh.h>
#include <tessera/dealii/cellwise_dofs.h>

#include <functional>

#include "poisson_q3/patch_solver.h"

namespace tessera::poisson_q3
{
  namespace internal
  {
    using HostPrimal = cellwise::PrimalField<double>;
    using HostDual   = cellwise::DualField<double>;

    /** Solve with fields of the host. */
    template <int dim, typename Report>
    patch::SolverStatistics
    solve(patch::PoissonSolver<dim, execution::Host> &solver,
          HostPrimal                                 &u,
          HostDual                                   &b,
          const Report                               &report,
          PhaseTimer                                 &timed,
          const execution::HostQueue &)
    {
      patch::SolverStatistics statistics;
      timed("solve", [&] { statistics = solver.solve(u, b, report); });
      return statistics;
    }

    template <int dim, typename Report>
    patch::SolverStatistics
    solve(patch::PoissonSolver<dim, execution::Device> &solver,
          HostPrimal                                   &u,
          HostDual                                     &b,
          const Report                                 &report,
          PhaseTimer                                   &timed,
          const device::Stream                         &stream)
    {
      patch::SolverStatistics             statistics;
      cellwise::DevicePrimalField<double> u_on_device;
      cellwise::DeviceDualField<double>   b_on_device;
      timed("copy to device", [&] {
        u_on_device = {u.n_cells(), u.n_nodes(), stream};
        b_on_device = {b.n_cells(), b.n_nodes(), stream};
        u_on_device.copy_from_host(u, stream);
        b_on_device.copy_from_host(b, stream);
      });
      timed("solve", [&] {
        statistics = solver.solve(u_on_device, b_on_device, report);
      });
      timed("copy to host", [&] { u_on_device.copy_to_host(u, stream); });
      return statistics;
    }
  } // namespace internal



  template <int dim, typename Execution>
  PatchSolver<dim, Execution>::PatchSolver(const Parameters   &param,
                                           const Communicator &comm,
                                           Progress           &progress_line)
    : parameters(param)
    , communicator(comm)
    , progress(progress_line)
  {}



  template <int dim, typename Execution>
  std::string
  PatchSolver<dim, Execution>::description() const
  {
    return "vertex-patch multigrid";
  }



  template <int dim, typename Execution>
  std::string
  PatchSolver<dim, Execution>::options_in_words() const
  {
    const unsigned int n = parameters.rebalance_every;
    return std::string("Post-smoothing ") +
           (parameters.post_smoothing() == PostSmoothing::forward ? "forward" :
                                                                    "reverse") +
           ", colours " +
           (parameters.colour_order == ColourOrder::odd_first ? "odd first" :
                                                                "even first") +
           ", residuals " +
           (n == 0 ? "never rebalanced" :
            n == 1 ? "rebalanced" :
                     "rebalanced in one of " + std::to_string(n) +
                       " iterations");
  }



  template <int dim, typename Execution>
  ResidualMeasure
  PatchSolver<dim, Execution>::residual_measure() const
  {
    return ResidualMeasure::duality_pairing;
  }



  template <int dim, typename Execution>
  SolverResult
  PatchSolver<dim, Execution>::solve(const Discretization<dim> &discretization,
                                     const ProblemData<dim>    &problem,
                                     VectorType                &solution,
                                     PhaseTimer                &timed)
  {
    const int               degree = int(parameters.degree);
    std::unique_ptr<Solver> solver;
    std::unique_ptr<dealii_adapters::CellwiseDoFs<dim>> dofs;
    timed("multigrid setup", [&] {
      const dealii_adapters::BoxMesh<dim> mesh(
        discretization.get_triangulation(), problem.dirichlet_ids());
      solver = std::make_unique<Solver>(mesh.distributed_grid(communicator),
                                        degree,
                                        options(),
                                        queue);
      dofs   = std::make_unique<dealii_adapters::CellwiseDoFs<dim>>(
        discretization.get_dof_handler(), mesh, solver->grid().cells());
    });

    cellwise::PrimalField<double> u;
    cellwise::DualField<double>   b;
    timed("assemble", [&] {
      discretization.assemble_cellwise(problem, *dofs, b);
      discretization.interpolate_boundary_values(problem, solution);
      dofs->gather(u, solution);
    });

    IterationProgress             report(progress);
    const patch::SolverStatistics statistics =
      internal::solve(*solver, u, b, std::ref(report), timed, queue);
    timed("assemble", [&] {
      solution.zero_out_ghost_values();
      dofs->scatter(solution, u);
    });

    SolverResult result;
    result.converged        = statistics.converged;
    result.n_iterations     = statistics.n_iterations;
    result.residual_measure = residual_measure();
    result.residual_history = statistics.eta;
    result.n_measured       = statistics.eta.size();
    if (statistics.extrapolated_eta && result.n_measured == result.n_iterations)
      result.residual_history.push_back(*statistics.extrapolated_eta);
    result.stagnation           = statistics.stagnation;
    result.n_levels             = solver->n_levels();
    result.partition_efficiency = solver->partition_efficiency();
    result.memory_bytes         = solver->memory_consumption();
    result.set_rates(parameters.tolerance);
    return result;
  }



  template <int dim, typename Execution>
  patch::SolverOptions
  PatchSolver<dim, Execution>::options() const
  {
    patch::SolverOptions result;
    result.iteration                    = parameters.iteration;
    result.multigrid.post_smoothing     = parameters.post_smoothing();
    result.multigrid.colour_order       = parameters.colour_order;
    result.multigrid.min_cells_per_rank = parameters.min_cells_per_rank;
    result.level_precision              = parameters.level_precision;
    result.rebalance_every              = parameters.rebalance_every;
    result.tolerance                    = parameters.tolerance;
    result.max_iterations               = parameters.max_iterations;
    result.fixed_iterations             = parameters.fixed_iterations;
    return result;
  }
} // namespace tessera::poisson_q3

#endif
