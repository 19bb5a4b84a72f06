// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/checkpoint_parameters.h"

namespace tessera::sipg_adaptive
{
  void
  CheckpointParameters::declare(apps::ParameterSet &set)
  {
    set.enter_subsection("Checkpoint");
    set.add("Write",
            write,
            "Write a checkpoint into the results directory after each cycle, "
            "from which the study can go on when it was interrupted. The last "
            "two are kept. Each takes about 8 bytes a degree of freedom.");
    set.add("Restart from",
            restart_from,
            "A results directory whose last checkpoint the study goes on from. "
            "auto: the results directory itself if it has a checkpoint; "
            "otherwise the study starts from the beginning, so that one job "
            "can be submitted again until it is done. Empty: start from the "
            "beginning. The number of cycles, output, solver and multigrid may "
            "be other ones than before.");
    set.leave_subsection();
  }
} // namespace tessera::sipg_adaptive
