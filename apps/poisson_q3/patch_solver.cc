// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/patch_solver.templates.h"

namespace tessera::poisson_q3
{
  template class PatchSolver<2, execution::Host>;
  template class PatchSolver<3, execution::Host>;
} // namespace tessera::poisson_q3
