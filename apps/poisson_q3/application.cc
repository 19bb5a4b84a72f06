// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/application.h"

#include <tessera/patch/device/sweep.h>

#include <string>

#include "poisson_q3/poisson_problem.h"
#include "poisson_q3/problem_data.h"

namespace tessera::poisson_q3
{
  PoissonQ3::PoissonQ3()
  {
    common.dimension = 3;
  }



  std::string
  PoissonQ3::name() const
  {
    return "poisson_q3";
  }



  std::string
  PoissonQ3::summary() const
  {
    return "Solve -div grad u = f on a box with continuous elements of high "
           "order, on a sequence of refined meshes.";
  }



  std::string
  PoissonQ3::description() const
  {
    return "The linear systems are solved by conjugate gradients or a "
           "stationary iteration with one geometric multigrid cycle an "
           "iteration: vertex-patch multigrid, or deal.II's with Chebyshev "
           "smoothing. Right-hand side, boundary values and exact solution are "
           "expressions in the parameter file; with an exact solution, the "
           "tables show errors and their rates of convergence.";
  }



  void
  PoissonQ3::declare_parameters(apps::ParameterSet &set)
  {
    parameters.declare(set);
  }



  void
  PoissonQ3::check_parameters(const apps::ParameterSet &set)
  {
    parameters.check_and_complete(set, common.dimension);
    // Parsing the expressions is the check.
    if (common.dimension == 2)
      make_problem_data<2>(parameters, &set);
    else
      make_problem_data<3>(parameters, &set);
  }



  std::string
  PoissonQ3::why_host_only() const
  {
    if (parameters.preconditioner != Preconditioner::patch_multigrid)
      return "Solver/Preconditioner = chebyshev multigrid, where devices take "
             "patch multigrid";
    if (int(parameters.degree) > patch::max_device_degree)
      return "Degree = " + std::to_string(parameters.degree) +
             ", where devices take degrees 1 to " +
             std::to_string(patch::max_device_degree);
    return {};
  }



  ExitStatus
  PoissonQ3::run(apps::RunContext &context)
  {
    if (common.dimension == 2)
      return PoissonProblem<2>(parameters, common, context).run();
    else
      return PoissonProblem<3>(parameters, common, context).run();
  }
} // namespace tessera::poisson_q3
