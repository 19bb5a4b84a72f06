// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_linear_solver_h
#define tessera_apps_sipg_adaptive_linear_solver_h

#include <tessera/sipg/conjugate_gradients.h>
#include <tessera/sipg/field.h>
#include <tessera/sipg/fused_operator.h>

#include <cstddef>

#include "sipg_adaptive/discretization.h"
#include "sipg_adaptive/parameters.h"

namespace tessera::sipg_adaptive
{
  /** How a linear solve went. */
  struct SolverResult
  {
    sipg::ConjugateGradientResult iteration;

    /** Residual of u = 0, which the tolerance is relative to. */
    double reference_residual = 0.;
  };

  /** Conjugate gradients with local multigrid for the operator on one mesh. */
  template <int dim>
  class LinearSolver
  {
  public:
    /** @throws SolverBreakdown, with what to do, if the coarse matrix is not
     * positive definite. */
    LinearSolver(const Parameters          &parameters,
                 const Discretization<dim> &discretization);

    /**
     * @param[in,out] x Start value and solution.
     * @throws SolverBreakdown, with what to do, if operator or preconditioner
     * are not positive definite.
     */
    SolverResult
    solve(const sipg::DualField<double> &b, sipg::PrimalField<double> &x);

    /** Of operator and multigrid, without the fields of the iteration. */
    std::size_t
    memory_consumption() const;

  private:
    const Parameters         &parameters;
    sipg::FusedOperator<dim>  A;
    sipg::ApplyPreconditioner B;
    std::size_t               preconditioner_bytes = 0;

    template <typename Number>
    void
    make_preconditioner(const Discretization<dim> &discretization);

    /** Run f(); to the message of a breakdown add what the user can do. */
    template <typename F>
    void
    explain_breakdown(const F &f) const;
  };
} // namespace tessera::sipg_adaptive

#endif
