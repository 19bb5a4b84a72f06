// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_poisson_q3_multigrid_solver_h
#define tessera_apps_poisson_q3_multigrid_solver_h

#include <tessera/base/communication.h>
#include <tessera/base/progress.h>

#include <deal.II/lac/la_parallel_vector.h>

#include <memory>
#include <string>

#include "common/common_parameters.h"
#include "common/phase_timer.h"
#include "common/text_of_numbers.h"
#include "poisson_q3/discretization.h"
#include "poisson_q3/parameters.h"
#include "poisson_q3/problem_data.h"
#include "poisson_q3/solver_result.h"

namespace tessera::poisson_q3
{
  using apps::PhaseTimer;

  /** A way to assemble and solve the discrete problem of one cycle. */
  template <int dim>
  class MultigridSolver
  {
  public:
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    virtual ~MultigridSolver() = default;

    /** The multigrid method, for people. */
    virtual std::string
    description() const = 0;

    /** Its options, for people; empty where there are none. */
    virtual std::string
    options_in_words() const = 0;

    virtual ResidualMeasure
    residual_measure() const = 0;

    /**
     * Solve on the present mesh. Collective.
     *
     * @param[out] solution Locally owned entries, with the Dirichlet values;
     * the layout is that of the operator of the discretization, ghost values
     * are not set.
     * @param[in,out] timed Gets the phases "assemble", "multigrid setup" and
     * "solve".
     *
     * @throws InputError where a function of the problem is not finite, or the
     * method cannot treat the mesh; SolverBreakdown. On all ranks.
     */
    virtual SolverResult
    solve(const Discretization<dim> &discretization,
          const ProblemData<dim>    &problem,
          VectorType                &solution,
          PhaseTimer                &timed) = 0;
  };

  /** Shows the iterations of a solver on the progress line. */
  class IterationProgress
  {
  public:
    explicit IterationProgress(Progress &progress)
      : phase(progress, "solving", 0, "iterations")
    {}

    /** After an iteration, with the residual divided by the first one. */
    void
    operator()(const unsigned int iteration, const double residual)
    {
      phase.update(iteration, "residual " + apps::short_number(residual));
    }

  private:
    ProgressPhase phase;
  };



  /** The one that the parameters ask for, on the host or, with patch multigrid,
   * on a device. References outlive the result. */
  template <int dim>
  std::unique_ptr<MultigridSolver<dim>>
  make_multigrid_solver(const Parameters   &parameters,
                        const Communicator &communicator,
                        Progress           &progress,
                        apps::Backend       backend);
} // namespace tessera::poisson_q3

#endif
