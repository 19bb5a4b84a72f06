// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/application.h"

#include "elasticity/elasticity_problem.h"
#include "elasticity/problem_data.h"

namespace tessera::elasticity
{
  Elasticity::Elasticity()
  {
    common.dimension = 3;
  }



  std::string
  Elasticity::name() const
  {
    return "elasticity";
  }



  std::string
  Elasticity::summary() const
  {
    return "Compute displacements and stresses of elastic bodies from a mesh, "
           "materials and boundary conditions.";
  }



  std::string
  Elasticity::description() const
  {
    return "Small strains, or large ones of a Neo-Hookean material, in 3D and in "
           "plane strain; quadrilaterals and hexahedra of degree 1 or 2; adaptive "
           "refinement. The linear systems are solved by conjugate gradients "
           "with smoothed-aggregation multigrid on blocks, whose hierarchy is "
           "kept where only values of the matrix change. One process.";
  }



  bool
  Elasticity::is_parallel() const
  {
    return false;
  }



  void
  Elasticity::declare_parameters(apps::ParameterSet &set)
  {
    parameters.declare(set);
  }



  void
  Elasticity::check_parameters(const apps::ParameterSet &set)
  {
    parameters.check_and_complete(set, common.dimension);
    // Parsing the expressions is the check.
    if (common.dimension == 2)
      ProblemData<2>(parameters, &set);
    else
      ProblemData<3>(parameters, &set);
  }



  ExitStatus
  Elasticity::run(apps::RunContext &context)
  {
    if (common.dimension == 2)
      return ElasticityProblem<2>(parameters, common, context).run();
    else
      return ElasticityProblem<3>(parameters, common, context).run();
  }
} // namespace tessera::elasticity
