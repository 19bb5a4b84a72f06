// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_skeleton_h
#define tessera_sipg_skeleton_h

#include <tessera/base/macros.h>
#include <tessera/sipg/types.h>

namespace tessera
{
  namespace sipg
  {
    /**
     * What is beyond a face of a group of siblings: one entry of the skeleton
     * table, a number of 32 bits.
     *
     * - >= 0: the group of that number, of which each sibling at this face has
     *   one neighbour,
     * - dirichlet_face, neumann_face: the boundary,
     * - below: a shadow slot. Slot s is first_slot - s.
     *
     * A full group, a slot, or the boundary: there is nothing else in a forest
     * whose coarse cells have the size of level 0 and whose cells come in
     * complete groups.
     */
    using SkeletonEntry = std::int32_t;

    inline constexpr SkeletonEntry dirichlet_face = -1;
    inline constexpr SkeletonEntry neumann_face   = -2;
    inline constexpr SkeletonEntry first_slot     = -3;

    enum class NeighbourKind : std::int32_t
    {
      cell,
      shadow,
      dirichlet,
      neumann
    };

    /** What is beyond a face of a cell. */
    struct Neighbour
    {
      NeighbourKind kind;
      CellIndex     index; ///< of the cell or of the shadow cell
    };

    /** The bits of child c along the axes other than @p axis, ascending: its
     * number among the siblings at a face. */
    template <int dim>
    TESSERA_ALWAYS_INLINE constexpr int
    tangential_child(const int c, const int axis)
    {
      const int below = c & ((1 << axis) - 1);
      return below | ((c >> (axis + 1)) << axis);
    }

    /** The way back: the child with bit @p side along the axis. */
    template <int dim>
    TESSERA_ALWAYS_INLINE constexpr int
    child_at_face(const int t, const int axis, const int side)
    {
      const int below = t & ((1 << axis) - 1);
      return below | (side << axis) | ((t >> axis) << (axis + 1));
    }

    /**
     * What is beyond a face of a cell of a level.
     *
     * @param[in] skeleton n_groups x 2 dim entries
     * @param[in] group_size cells a group: 1 on level 0, 2^dim on others
     */
    template <int dim>
    TESSERA_ALWAYS_INLINE Neighbour
    neighbour(const SkeletonEntry *skeleton,
              const CellIndex      group_size,
              const CellIndex      cell,
              const int            axis,
              const int            side)
    {
      const CellIndex group = group_size == 1 ? cell : cell >> dim;
      const int       c     = group_size == 1 ? 0 : cell & ((1 << dim) - 1);
      if (group_size != 1 && ((c >> axis) & 1) != side)
        return {NeighbourKind::cell, cell ^ (CellIndex(1) << axis)};
      const SkeletonEntry entry = skeleton[group * (2 * dim) + 2 * axis + side];
      if (entry >= 0)
        return {NeighbourKind::cell,
                group_size == 1 ? entry :
                                  (entry << dim) + CellIndex(c ^ (1 << axis))};
      if (entry == dirichlet_face)
        return {NeighbourKind::dirichlet, no_cell};
      if (entry == neumann_face)
        return {NeighbourKind::neumann, no_cell};
      return {NeighbourKind::shadow,
              ((first_slot - entry) << (dim - 1)) +
                CellIndex(tangential_child<dim>(c, axis))};
    }
  } // namespace sipg
} // namespace tessera

#endif
