// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_operator_kernels_h
#define tessera_sipg_operator_kernels_h

#include <tessera/base/instruction_set.h>
#include <tessera/sipg/level_view.h>

namespace tessera
{
  namespace sipg
  {
    TESSERA_DECLARE_SIMD(
      /**
       * y <- A u on the cells of a level, in own-side form (see OwnSide): the
       * fused kernel, which reads u and writes y once. Of cells that do not
       * take part, y is zero.
       *
       * Storage of FieldLayout, for float and double. Cost: dim (2 n + 4) fused
       * multiply-adds a value; bytes: two or three words.
       */
      template <int dim, typename T>
      void apply_own_side(int                    degree,
                          FaceTerms              terms,
                          const LevelView       &level,
                          const MatricesView<T> &matrices,
                          const T               *cells,
                          const T               *shadows,
                          T                     *y);

      /**
       * y <- A u on the shadows of a level: the fluxes of the faces between
       * cells and shadows, tested with the layers of the shadows. Padding
       * becomes zero.
       */
      template <int dim, typename T>
      void apply_to_shadows(int                    degree,
                            const LevelView       &level,
                            const MatricesView<T> &matrices,
                            const T               *cells,
                            const T               *shadows,
                            T                     *y_shadows);)
  } // namespace sipg
} // namespace tessera

#endif
