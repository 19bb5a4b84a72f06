// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_cellwise_blocked_cells_kernels_h
#define tessera_tests_cellwise_blocked_cells_kernels_h

#include <tessera/base/instruction_set.h>
#include <tessera/cellwise/layout.h>

// BlockedCells of every instruction set. All arrays belong to the caller;
// values are [value][lane].

namespace test
{
  using tessera::cellwise::CellIndex;

  /** Values of a cell. */
  constexpr int n_values = 5;

  TESSERA_DECLARE_SIMD(
    /** Lanes of a register of T. */
    template <typename T> int register_width();

    /** The values of n cells, in @p width lanes: of a register, or 2. Returns
     * what BlockedCells::set() does; nothing is loaded if that is less. */
    template <typename T>
    int load_cells(int              width,
                   const T         *field,
                   const CellIndex *cells,
                   int              n,
                   T               *values);

    /** Replace those of the cells whose bit is set in @p stored. */
    template <typename T>
    void store_cells(int              width,
                     T               *field,
                     const CellIndex *cells,
                     int              n,
                     unsigned int     stored,
                     const T         *values);

    /** Add to them. */
    template <typename T>
    void add_cells(int              width,
                   T               *field,
                   const CellIndex *cells,
                   int              n,
                   unsigned int     stored,
                   const T         *values);)
} // namespace test

#endif
