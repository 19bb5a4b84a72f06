// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_starting_point_h
#define tessera_apps_sipg_adaptive_starting_point_h

#include <tessera/base/communication.h>
#include <tessera/base/run_record.h>

#include <optional>
#include <string>
#include <vector>

#include "common/checkpoint_store.h"
#include "sipg_adaptive/parameters.h"

namespace tessera::sipg_adaptive
{
  /** In the checkpoints of this application. */
  inline constexpr char application_name[] = "sipg_adaptive";

  /** What a study goes on from. */
  struct StartingPoint
  {
    /** Nothing: the study starts from the beginning. */
    std::optional<apps::Checkpoint> checkpoint;

    /** For people: damaged files, settings that differ but may. */
    std::vector<std::string> warnings;
  };

  /**
   * Find what the parameters say to go on from. Changes nothing. Collective.
   *
   * @param[in] all_parameters With the common ones, as in the run record.
   *
   * @throws InputError if there is nothing in a directory that was named; if
   * none there is complete; if the checkpoint is one of another
   * discretization or of another application; and if the run would replace
   * checkpoints that it does not go on from.
   */
  StartingPoint
  find_starting_point(const Parameters      &parameters,
                      const RunRecord::json &all_parameters,
                      const std::string     &results_directory,
                      const Communicator    &communicator);
} // namespace tessera::sipg_adaptive

#endif
