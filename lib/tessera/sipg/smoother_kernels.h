// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_smoother_kernels_h
#define tessera_sipg_smoother_kernels_h

#include <tessera/base/instruction_set.h>
#include <tessera/sipg/level_view.h>

namespace tessera
{
  namespace sipg
  {
    TESSERA_DECLARE_SIMD(
      /**
       * The first step of block-Jacobi on a level from u = 0:
       * $u = \omega D^{-1} b$, with
       * $D^{-1} = V \Lambda^{-1} V^T / (k |K|)$ in each cell. Leaves
       * $V^T b / (k |K|)$ in b, which is what the following kernels take.
       */
      template <int dim, typename T>
      void smooth_first(int                    degree,
                        const LevelView       &level,
                        const MatricesView<T> &matrices,
                        const ModesView<T>    &modes,
                        T                      omega,
                        T                     *b,
                        T                     *u);

      /**
       * One step of block-Jacobi on a level:
       * $$ v = u + \omega D^{-1} (b - A u)
       *      = (1-\omega) u + \omega V \Lambda^{-1} (\hat b - V^{-1} t), $$
       * where t is what the neighbours give (see OwnSide), and
       * $\hat b = V^T b / (k |K|)$. D contains all of A that belongs to the
       * cell, so its own values need no product.
       *
       * @param[in] b_modes $\hat b$
       * @param[in] u, shadows The iterate and its frozen shadows.
       * @param[out] v The new one; not u.
       *
       * Cost: dim (2 n + 4) fused multiply-adds a value; three words.
       */
      template <int dim, typename T>
      void smooth_step(int                    degree,
                       const LevelView       &level,
                       const MatricesView<T> &matrices,
                       const ModesView<T>    &modes,
                       T                      omega,
                       const T               *b_modes,
                       const T               *u,
                       const T               *shadows,
                       T                     *v);)
  } // namespace sipg
} // namespace tessera

#endif
