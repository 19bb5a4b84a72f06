// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/patch/sweep_exchange.templates.h>

namespace tessera
{
  namespace patch
  {
    template class SweepExchange<2, float>;
    template class SweepExchange<2, double>;
    template class SweepExchange<3, float>;
    template class SweepExchange<3, double>;
  } // namespace patch
} // namespace tessera
