// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_level_view_h
#define tessera_sipg_level_view_h

#include <tessera/sipg/skeleton.h>
#include <tessera/sipg/types.h>

#include <cstdint>

namespace tessera
{
  namespace sipg
  {
    /** Which of the terms of LevelData a kernel computes. */
    enum class FaceTerms
    {
      level, ///< all level cells, all their faces
      active ///< active cells, faces between them and to shadows
    };

    /** LevelData as kernels see it; see there for the shapes. */
    struct LevelView
    {
      CellIndex n_cells;
      CellIndex n_padded_cells;
      CellIndex n_shadow_cells;
      CellIndex n_padded_shadow_cells;
      CellIndex block_size;
      CellIndex group_size;

      const SkeletonEntry *skeleton;
      const std::uint8_t  *active;
      const CellIndex     *group_parent;

      /** [groups]: bit f is set where there is a shadow slot at face f. */
      const std::uint8_t *shadow_faces;

      /** [groups]: bit f is set where cells of the group that take part see at
       * face f anything else than cells that take part, or shadows, with face
       * weights equal to k. Faces of the level, or of the active mesh. */
      const std::uint8_t *special_level_faces;
      const std::uint8_t *special_active_faces;

      /** [groups]: 0 no cell is active, 1 some, 2 all. */
      const std::uint8_t *group_activity;

      const CellIndex *slot_group;
      CellIndex        slot_begin[7];

      /** Null where k = 1. */
      const double *coefficient;
      const double *slot_coefficient;
    };

    /**
     * Matrices of a level in the precision of a kernel; n = degree + 1, those
     * of dim axes one after the other, row-major.
     */
    template <typename T>
    struct MatricesView
    {
      const T *own;      ///< [dim][n][n] $h_a^{-2} M^{-1} K_b$
      const T *coupling; ///< [dim][n][2], see OwnSide
      const T *mass;     ///< [n][n] M
      T        volume;   ///< $|K|$

      const T *stiffness; ///< [dim][n][n] $h_a^{-2} K$

      T face_derivative[2]; ///< $\phi_i'(0)$, i = 0, 1
      T gamma;
      T mirror;        ///< See FaceGather
      T face_scale[3]; ///< $|K| / h_a^2$
    };

    /**
     * Eigenvectors of the diagonal blocks, $K_b v = \lambda M v$, for each
     * variant of an axis; variant 0 is that without a boundary and with face
     * weights equal to k.
     */
    template <typename T>
    struct ModesView
    {
      const T *to_nodes;    ///< [n_variants][n][n] V
      const T *to_modes;    ///< [n_variants][n][n] $V^{-1} = V^T M$
      const T *eigenvalues; ///< [n_variants][n]
      T        scale[3];    ///< $h_a^{-2}$

      /** [n_padded_cells][dim] */
      const std::uint16_t *variant;

      /** [groups]: whether a cell of it has a variant other than 0. */
      const std::uint8_t *group_is_special;

      /** [n^dim] $\sum_a h_a^{-2} \lambda$ of variants 0, and the inverse. */
      const T *eigenvalues_of_cell;
      const T *inverse_eigenvalues;

      /** [2][n][n] $P_c$. */
      const T *child;
    };
  } // namespace sipg
} // namespace tessera

#endif
