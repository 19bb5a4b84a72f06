// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_transfer_kernels_h
#define tessera_sipg_transfer_kernels_h

#include <tessera/base/instruction_set.h>
#include <tessera/sipg/level_view.h>

namespace tessera
{
  namespace sipg
  {
    TESSERA_DECLARE_SIMD(
      /**
       * $b_{l-1} = \sum_c P_c^T (b - A u)_c$ of all cells that are refined:
       * the residual of a level in the parents of its cells. The values of
       * other cells of the level below stay.
       *
       * @param[in] b_modes See smooth_step().
       * @param[out] coarse Of the level below.
       *
       * Cost: dim (3 n + 4) fused multiply-adds a value; two words.
       */
      template <int dim, typename T>
      void restrict_residual(int                    degree,
                             const LevelView       &level,
                             const MatricesView<T> &matrices,
                             const ModesView<T>    &modes,
                             const T               *b_modes,
                             const T               *u,
                             const T               *shadows,
                             T                     *coarse);

      /**
       * u <- u + P e: add the values of the parents to the cells of a level.
       *
       * @param[in] coarse e, of the level below.
       *
       * Cost: dim n fused multiply-adds a value; two words.
       */
      template <int dim, typename T>
      void prolong_and_add(int                 degree,
                           const LevelView    &level,
                           const ModesView<T> &modes,
                           const T            *coarse,
                           T                  *u);)
  } // namespace sipg
} // namespace tessera

#endif
