// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_shadow_transfer_kernels_h
#define tessera_sipg_shadow_transfer_kernels_h

#include <tessera/base/instruction_set.h>
#include <tessera/sipg/types.h>

namespace tessera
{
  namespace sipg
  {
    /** The shadow slots of a level, see LevelData. */
    struct SlotView
    {
      CellIndex        n_slots;
      CellIndex        n_padded_shadow_cells;
      CellIndex        block_size;
      CellIndex        slot_begin[7];
      const CellIndex *slot_parent;
    };

    /** $P_c$ between the two layers of a large cell and those of its children
     * at a face. */
    template <typename T>
    struct SlotMatrices
    {
      T tangential[2 * 8 * 8]; ///< [2][n][n] $P_c$
      T normal[2][2][2]; ///< [side of the group's face][row][column], of $P_c$
                         ///< the entries of the two layers
    };

    TESSERA_DECLARE_SIMD(
      /**
       * Shadows <- $P_c$ coarse, the cells of the level below; padding becomes
       * zero. Cost: 2 + (dim-1) n fused multiply-adds a value of a shadow.
       */
      template <int dim, typename T>
      void prolong_slots(int                    degree,
                         const SlotView        &slots,
                         const SlotMatrices<T> &matrices,
                         const T               *coarse,
                         T                     *shadows);

      /**
       * Coarse <- coarse + factor $\sum_c P_c^T$ shadows, slot by slot in their
       * order. The same cost.
       */
      template <int dim, typename T>
      void restrict_slots(int                    degree,
                          const SlotView        &slots,
                          const SlotMatrices<T> &matrices,
                          T                      factor,
                          const T               *shadows,
                          T                     *coarse);)
  } // namespace sipg
} // namespace tessera

#endif
