// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/patch/level_transfer.templates.h>

namespace tessera
{
  namespace patch
  {
    template class LevelTransfer<2, float>;
    template class LevelTransfer<2, double>;
    template class LevelTransfer<3, float>;
    template class LevelTransfer<3, double>;
  } // namespace patch
} // namespace tessera
