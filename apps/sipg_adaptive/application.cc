// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/application.h"

#include <utility>

#include "sipg_adaptive/adaptive_study.h"
#include "sipg_adaptive/problem.h"

namespace tessera::sipg_adaptive
{
  SipgAdaptive::SipgAdaptive()
  {
    common.dimension = 3;
  }



  std::string
  SipgAdaptive::name() const
  {
    return "sipg_adaptive";
  }



  std::string
  SipgAdaptive::summary() const
  {
    return "Solve -div(k grad u) = f with discontinuous elements on meshes of "
           "boxes that are refined locally, cycle by cycle.";
  }



  std::string
  SipgAdaptive::description() const
  {
    return "The symmetric interior penalty method, matrix-free. The linear "
           "systems are solved by conjugate gradients with multigrid that "
           "smooths on each level only where the mesh has cells of that "
           "level. The mesh is refined everywhere, along a sphere, or where the "
           "error is estimated to be large; each solution is the start value "
           "on the next mesh. One process.";
  }



  bool
  SipgAdaptive::is_parallel() const
  {
    return false;
  }



  void
  SipgAdaptive::declare_parameters(apps::ParameterSet &set)
  {
    parameters.declare(set);
  }



  void
  SipgAdaptive::check_parameters(const apps::ParameterSet &set)
  {
    parameters.check_and_complete(set, common.dimension);
    // Parsing the expressions is the check.
    if (common.dimension == 2)
      Problem<2>(parameters, &set);
    else
      Problem<3>(parameters, &set);
  }



  void
  SipgAdaptive::check_results_directory(const std::string     &directory,
                                        const RunRecord::json &all_parameters,
                                        const Communicator    &communicator)
  {
    start =
      find_starting_point(parameters, all_parameters, directory, communicator);
  }



  ExitStatus
  SipgAdaptive::run(apps::RunContext &context)
  {
    if (common.dimension == 2)
      return AdaptiveStudy<2>(parameters, common, context)
        .run(std::move(start));
    else
      return AdaptiveStudy<3>(parameters, common, context)
        .run(std::move(start));
  }
} // namespace tessera::sipg_adaptive
