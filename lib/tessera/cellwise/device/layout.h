// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_layout_h
#define tessera_cellwise_device_layout_h

#include <tessera/cellwise/layout.h>

namespace tessera
{
  namespace cellwise
  {
    /**
     * B of Layout::blocked on a device: value k of cell c of N values is at
     * (c / B) N B + k B + c % B. The threads of a warp take one cell each, and
     * what they read at the same time is one piece of memory.
     */
    inline constexpr int cells_per_device_block = 32;
  } // namespace cellwise
} // namespace tessera

#endif
