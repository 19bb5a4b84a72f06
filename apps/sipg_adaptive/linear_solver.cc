// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/linear_solver.h"

#include <tessera/base/exceptions.h>
#include <tessera/sipg/local_multigrid.h>

#include <cmath>
#include <memory>
#include <string>

#include "common/text_of_numbers.h"

namespace tessera::sipg_adaptive
{
  template <int dim>
  LinearSolver<dim>::LinearSolver(const Parameters          &param,
                                  const Discretization<dim> &discretization)
    : parameters(param)
    , A(discretization.levels, discretization.matrices)
  {
    explain_breakdown([&] {
      if (parameters.level_precision == LevelPrecision::single_precision)
        make_preconditioner<float>(discretization);
      else
        make_preconditioner<double>(discretization);
    });
  }



  template <int dim>
  template <typename Number>
  void
  LinearSolver<dim>::make_preconditioner(
    const Discretization<dim> &discretization)
  {
    const auto multigrid = std::make_shared<sipg::LocalMultigrid<dim, Number>>(
      discretization.levels, discretization.matrices, parameters.multigrid);
    preconditioner_bytes = multigrid->memory_consumption();
    B                    = [multigrid](const sipg::DualField<double> &r,
                    sipg::PrimalField<double> &z) { multigrid->apply(r, z); };
  }



  template <int dim>
  SolverResult
  LinearSolver<dim>::solve(const sipg::DualField<double> &b,
                           sipg::PrimalField<double>     &x)
  {
    SolverResult                   result;
    sipg::ConjugateGradientOptions options = parameters.solver;
    explain_breakdown([&] {
      if (parameters.start_value == StartValue::previous)
        {
          sipg::PrimalField<double> z(b.shared_layout());
          B(b, z);
          options.reference_residual = std::sqrt(sipg::pairing(b, z));
        }
      result.iteration = sipg::solve_conjugate_gradients(
        [this](const sipg::PrimalField<double> &u, sipg::DualField<double> &y) {
          A.apply(u, y);
        },
        B,
        b,
        x,
        options);
    });
    result.reference_residual = options.reference_residual > 0. ?
                                  options.reference_residual :
                                  result.iteration.residuals.front();
    return result;
  }



  template <int dim>
  template <typename F>
  void
  LinearSolver<dim>::explain_breakdown(const F &f) const
  {
    const sipg::Penalty safe;
    try
      {
        f();
      }
    catch (const SolverBreakdown &breakdown)
      {
        const auto change = [](const std::string &name,
                               const std::string &what,
                               const double       found,
                               const double       advice) {
          return " Here 'Discretization/" + name + "', the weight of " + what +
                 ", is " + apps::short_number(found) + "; set it to " +
                 apps::short_number(advice) + ".";
        };
        std::string advice;
        if (parameters.penalty.factor < safe.factor)
          advice = change("Penalty factor",
                          "jumps at faces",
                          parameters.penalty.factor,
                          safe.factor);
        else if (parameters.penalty.boundary_factor < safe.boundary_factor)
          advice = change("Boundary factor",
                          "the penalty at Dirichlet faces",
                          parameters.penalty.boundary_factor,
                          safe.boundary_factor);
        else if (parameters.level_precision == LevelPrecision::single_precision)
          advice =
            " Here the levels are in float, for which the data, the "
            "coefficient, the size of the domain or the penalty may be too far "
            "from 1; set 'Multigrid/Level precision' to double.";
        throw SolverBreakdown(breakdown.what() + advice);
      }
  }



  template <int dim>
  std::size_t
  LinearSolver<dim>::memory_consumption() const
  {
    return A.memory_consumption() + preconditioner_bytes;
  }



  template class LinearSolver<2>;
  template class LinearSolver<3>;
} // namespace tessera::sipg_adaptive
