// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_amg_solve_solve_h
#define tessera_apps_amg_solve_solve_h

#include <tessera/base/exceptions.h>

#include <ostream>

#include "amg_solve/command_line.h"

namespace tessera::amg_solve
{
  /** Read, set up, solve, write; the solution also if the solver has not
   * converged. */
  ExitStatus
  solve(const CommandLine &command_line, std::ostream &out);
} // namespace tessera::amg_solve

#endif
