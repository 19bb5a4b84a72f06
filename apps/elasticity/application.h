// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_application_h
#define tessera_apps_elasticity_application_h

#include "common/application.h"
#include "elasticity/parameters.h"

namespace tessera::elasticity
{
  /** Deformation and stress of elastic bodies. */
  class Elasticity : public apps::Application
  {
  public:
    Elasticity();

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

    ExitStatus
    run(apps::RunContext &context) override;

  private:
    Parameters parameters;
  };
} // namespace tessera::elasticity

#endif
