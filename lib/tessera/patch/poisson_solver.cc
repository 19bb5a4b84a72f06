// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/patch/poisson_solver.templates.h>

namespace tessera
{
  namespace patch
  {
    template class PoissonSolver<2>;
    template class PoissonSolver<3>;
  } // namespace patch
} // namespace tessera
