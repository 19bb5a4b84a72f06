// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_checkpoint_parameters_h
#define tessera_apps_sipg_adaptive_checkpoint_parameters_h

#include <string>

#include "common/parameter_set.h"

namespace tessera::sipg_adaptive
{
  struct CheckpointParameters
  {
    bool write = false;

    /** A directory; see restarts_automatically(). Empty: none. */
    std::string restart_from;

    /** Whether to go on from the results directory if there is something. */
    bool
    restarts_automatically() const
    {
      return restart_from == "auto";
    }

    /** Declare the section. */
    void
    declare(apps::ParameterSet &set);
  };
} // namespace tessera::sipg_adaptive

#endif
