// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/patch/coarsest_level.templates.h>
#include <tessera/patch/level.templates.h>
#include <tessera/patch/level_transfer.templates.h>
#include <tessera/patch/multigrid.templates.h>
#include <tessera/patch/sweep_exchange.templates.h>

// Multigrid on a device. In a source of its own: programs on the host, without
// CUDA, link none of it.

namespace tessera
{
  namespace patch
  {
#define TESSERA_INSTANTIATE(dim, Number)                        \
  template class SweepExchange<dim, Number, execution::Device>; \
  template class Level<dim, Number, execution::Device>;         \
  template class LevelTransfer<dim, Number, execution::Device>; \
  template class CoarsestLevel<dim, Number, execution::Device>; \
  template class Multigrid<dim, Number, execution::Device>

    TESSERA_INSTANTIATE(2, float);
    TESSERA_INSTANTIATE(2, double);
    TESSERA_INSTANTIATE(3, float);
    TESSERA_INSTANTIATE(3, double);
#undef TESSERA_INSTANTIATE
  } // namespace patch
} // namespace tessera
