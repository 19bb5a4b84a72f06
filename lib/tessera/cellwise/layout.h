// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_layout_h
#define tessera_cellwise_layout_h

#include <cstdint>

namespace tessera
{
  namespace cellwise
  {
    /** Number of a cell among those this process has. */
    using CellIndex = std::int32_t;

    inline constexpr CellIndex no_cell = -1;

    /** Where the value of node k in cell c is; N values a cell. */
    enum class Layout
    {
      /** c N + k. */
      contiguous,

      /** (c / B) N B + k B + c % B, B = cells_per_block: neighbours in memory
       * are neighbouring cells, one a lane. */
      blocked
    };

    /** B of Layout::blocked. */
    inline constexpr int cells_per_block = 16;
  } // namespace cellwise
} // namespace tessera

#endif
