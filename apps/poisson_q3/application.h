// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_poisson_q3_application_h
#define tessera_apps_poisson_q3_application_h

#include "common/application.h"
#include "poisson_q3/parameters.h"

namespace tessera::poisson_q3
{
  /** Poisson's equation on a box with continuous elements of high order. */
  class PoissonQ3 : public apps::Application
  {
  public:
    PoissonQ3();

    std::string
    name() const override;

    std::string
    summary() const override;

    std::string
    description() const override;

    void
    declare_parameters(apps::ParameterSet &set) override;

    void
    check_parameters(const apps::ParameterSet &set) override;

    std::string
    why_host_only() const override;

    ExitStatus
    run(apps::RunContext &context) override;

  private:
    Parameters parameters;
  };
} // namespace tessera::poisson_q3

#endif
