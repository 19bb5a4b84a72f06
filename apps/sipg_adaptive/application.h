// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_application_h
#define tessera_apps_sipg_adaptive_application_h

#include "common/application.h"
#include "sipg_adaptive/parameters.h"
#include "sipg_adaptive/starting_point.h"

namespace tessera::sipg_adaptive
{
  /** Poisson's equation by the interior penalty method on adaptive meshes. */
  class SipgAdaptive : public apps::Application
  {
  public:
    SipgAdaptive();

    std::string
    name() const override;

    std::string
    summary() const override;

    std::string
    description() const override;

    bool
    is_parallel() const override;

    void
    declare_parameters(apps::ParameterSet &set) override;

    void
    check_parameters(const apps::ParameterSet &set) override;

    void
    check_results_directory(const std::string     &directory,
                            const RunRecord::json &all_parameters,
                            const Communicator    &communicator) override;

    ExitStatus
    run(apps::RunContext &context) override;

  private:
    Parameters    parameters;
    StartingPoint start;
  };
} // namespace tessera::sipg_adaptive

#endif
