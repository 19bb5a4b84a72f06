// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/patch/multigrid.templates.h>

namespace tessera
{
  namespace patch
  {
    template class Multigrid<2, float>;
    template class Multigrid<2, double>;
    template class Multigrid<3, float>;
    template class Multigrid<3, double>;
  } // namespace patch
} // namespace tessera
