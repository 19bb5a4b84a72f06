// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/patch/level.templates.h>

namespace tessera
{
  namespace patch
  {
    template class Level<2, float>;
    template class Level<2, double>;
    template class Level<3, float>;
    template class Level<3, double>;
  } // namespace patch
} // namespace tessera
