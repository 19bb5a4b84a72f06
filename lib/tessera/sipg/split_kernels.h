// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_split_kernels_h
#define tessera_sipg_split_kernels_h

#include <tessera/base/instruction_set.h>
#include <tessera/sipg/level_view.h>

namespace tessera
{
  namespace sipg
  {
    // The parts of y <- A u on a level in split form: the volume terms, then
    // the faces of each axis, in any order of the axes. Storage of FieldLayout,
    // for float and double.
    TESSERA_DECLARE_SIMD(
      /**
       * y <- the volume terms (see VolumeTerm), zero on cells that do not take
       * part and on shadows.
       *
       * Cost: (3 dim - 2) n fused multiply-adds a value, which is read and
       * written once.
       */
      template <int dim, typename T>
      void apply_volume_terms(int                    degree,
                              FaceTerms              terms,
                              const LevelView       &level,
                              const MatricesView<T> &matrices,
                              const T               *cells,
                              T                     *y,
                              T                     *y_shadows);

      /**
       * y <- y + the terms of all faces normal to an axis, on cells and
       * shadows.
       *
       * For degrees from 3 on, on levels of whole groups in blocks of at least
       * a group, each face is evaluated once, from below, and added to the
       * layers {p-1, p} below and {0, 1} above. These are distinct, so no value
       * is written by two faces. Otherwise each cell evaluates its two faces
       * and writes what is its own.
       *
       * Cost of the former: 2 (dim - 1) fused multiply-adds a value and about
       * 20 operations a value of a layer; four layers of u are read and of y
       * read and written.
       */
      template <int dim, typename T>
      void add_face_terms(int                    degree,
                          int                    axis,
                          FaceTerms              terms,
                          const LevelView       &level,
                          const MatricesView<T> &matrices,
                          const T               *cells,
                          const T               *shadows,
                          T                     *y,
                          T                     *y_shadows);)
  } // namespace sipg
} // namespace tessera

#endif
