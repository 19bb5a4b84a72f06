// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_load_stepping_h
#define tessera_apps_elasticity_load_stepping_h

#include <functional>
#include <string>
#include <vector>

#include "elasticity/equation_system.h"
#include "elasticity/parameters.h"
#include "elasticity/solve_sequence.h"

namespace tessera::elasticity
{
  /** How Newton's method went in one load step. */
  struct LoadStepRecord
  {
    double load_factor = 0.; ///< at its end
    bool   converged   = false;

    /** Norms: of the first linearised right-hand side, with the increment of
     * given displacements, then after each Newton step. */
    std::vector<double> residuals;

    /** Why it did not converge. */
    std::string failure;
  };

  /**
   * The balance $f(u) = s\, b$ at the load factor s = 1, reached from s = 0, u
   * = 0 in steps, each by Newton's method: in a step to s,
   * $$ K(u_k)\, \delta u = s\, b - f(u_k), \qquad u_{k+1} = u_k + \delta u, $$
   * where given displacements grow in the first Newton step. Converged when the
   * residual is below a tolerance times the first right-hand side.
   *
   * A load step fails where a cell is turned inside out, a residual becomes a
   * million times the first one or is not finite, a matrix is not positive
   * definite, or the Newton steps are used up. It is then tried
   * again with half its size. After a success with at most five Newton steps
   * the size doubles again, up to 1 / Parameters::n_load_steps.
   */
  template <int dim>
  class LoadStepping
  {
  public:
    using VectorType = typename EquationSystem<dim>::VectorType;

    LoadStepping(const Parameters    &parameters,
                 EquationSystem<dim> &system,
                 SolveSequence       &solves);

    /**
     * @param[in,out] displacement Zero before; the last one in equilibrium
     * after.
     * @param[in] report Called after each attempt of a load step with its
     * record and the displacement at its end, where it converged.
     * @return whether the load factor 1 was reached.
     */
    bool
    run(VectorType                                        &displacement,
        const std::function<void(const LoadStepRecord &)> &report);

    const std::vector<LoadStepRecord> &
    records() const;

    /** That was reached. */
    double
    load_factor() const;

  private:
    /** From the load factor reached to @p target. */
    LoadStepRecord
    newton(const double target, VectorType &displacement);

    const Parameters           &parameters;
    EquationSystem<dim>        &system;
    SolveSequence              &solves;
    std::vector<LoadStepRecord> steps;
    double                      factor = 0.;
  };
} // namespace tessera::elasticity

#endif
