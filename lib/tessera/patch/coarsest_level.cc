// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/patch/coarsest_level.templates.h>

namespace tessera
{
  namespace patch
  {
    template class CoarsestLevel<2, float>;
    template class CoarsestLevel<2, double>;
    template class CoarsestLevel<3, float>;
    template class CoarsestLevel<3, double>;
  } // namespace patch
} // namespace tessera
