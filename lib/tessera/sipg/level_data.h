// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_level_data_h
#define tessera_sipg_level_data_h

#include <tessera/base/aligned_vector.h>
#include <tessera/sipg/skeleton.h>
#include <tessera/sipg/types.h>

#include <array>
#include <cstdint>

namespace tessera
{
  namespace sipg
  {
    /**
     * Tables of the cells of one level, for kernels.
     *
     * Level cells are all cells of the forest on this level, active or refined,
     * in the order of their keys: groups of 2^dim siblings, one after the
     * other (on level 0, where there are no siblings, groups of one). Cell c is
     * child c % group_size of group c / group_size.
     *
     * Cells that this process owns come first, then its ghosts, whole groups of
     * both. So far one process owns all.
     *
     * <h3>Shadow slots</h3>
     *
     * Where the cell next to a group, of the size of its parent, is active,
     * there is a shadow slot: the 2^(dim-1) virtual children of that cell at
     * the face. Only the two layers of their coefficients that the face needs
     * are stored. A slot belongs to the face of the group; slots are ordered by
     * face number and then by group. Shadow cell s belongs to slot
     * s / 2^(dim-1); its number t = s % 2^(dim-1) in it is that of
     * tangential_child(). A virtual child that touches the level with two
     * faces is in two slots.
     *
     * Of a slot at face 2 axis + side of its group:
     * - its cells lie at this face of the children child_at_face(t, axis,
     *   side) of the group,
     * - they are the children child_at_face(t, axis, 1 - side) of the active
     *   cell slot_parent of the level below,
     * - layer m = 0, 1 is the layer m of the coefficients along the axis if
     *   side = 1, p-1+m if side = 0; the layer at the face is m = 0 and m = 1,
     *   respectively.
     *
     * <h3>Blocks</h3>
     *
     * Arrays by cell are padded to whole blocks of B = block_size cells, and
     * arrays by shadow cell likewise. Groups of the padding have no neighbours
     * (neumann_face); cells of the padding are not active and have coefficient
     * one.
     */
    template <int dim>
    struct LevelData
    {
      static constexpr int n_faces         = 2 * dim;
      static constexpr int n_children      = 1 << dim;
      static constexpr int n_face_children = 1 << (dim - 1);

      int                     level;
      int                     block_size; ///< B, a power of two
      int                     group_size; ///< 1 on level 0, else 2^dim
      std::array<double, dim> cell_size;  ///< $h_a$

      CellIndex n_owned_cells;
      CellIndex n_cells; ///< owned and ghost cells
      CellIndex n_padded_cells;
      CellIndex n_active_cells; ///< among the owned ones

      CellIndex n_slots;
      CellIndex n_padded_shadow_cells;

      /** [groups][2 dim], with those of the padding. */
      AlignedVector<SkeletonEntry> skeleton;

      /** [n_padded_cells]: 1 for an active cell, 0 for a refined one. */
      AlignedVector<std::uint8_t> active;

      /** [n_padded_cells]: ends(), two bits a face at 2 * face number. A
       * variant of the diagonal block of a cell. */
      AlignedVector<std::uint16_t> variant;

      /** [groups]: the parent, a cell of the level below; none on level 0. */
      AlignedVector<CellIndex> group_parent;

      /** Slots of face f: slot_begin[f], ..., slot_begin[f+1]-1. */
      std::array<CellIndex, 2 * dim + 1> slot_begin;

      AlignedVector<CellIndex> slot_group;  ///< [n_slots], on this level
      AlignedVector<CellIndex> slot_parent; ///< [n_slots], on the level below

      /** Whether k is other than one somewhere on any level; the following two
       * are empty if it is not. */
      bool has_coefficient;

      /** [n_padded_cells]: k; of refined cells the mean of their children. */
      AlignedVector<double> coefficient;

      /** [n_slots]: that of slot_parent. */
      AlignedVector<double> slot_coefficient;

      CellIndex
      n_groups() const
      {
        return n_cells / group_size;
      }

      CellIndex
      n_shadow_cells() const
      {
        return n_slots * n_face_children;
      }

      /** The face of the groups at which a slot is. */
      int
      slot_face(const CellIndex slot) const
      {
        int face = 0;
        while (slot >= slot_begin[face + 1])
          ++face;
        return face;
      }

      /** The level cell that shadow cell s touches. */
      CellIndex
      cell_at_shadow(const CellIndex s) const
      {
        const CellIndex slot = s / n_face_children;
        const int       face = slot_face(slot);
        return slot_group[slot] * n_children +
               child_at_face<dim>(s % n_face_children, face / 2, face % 2);
      }

      Neighbour
      neighbour_of(const CellIndex cell, const int axis, const int side) const
      {
        return neighbour<dim>(skeleton.data(), group_size, cell, axis, side);
      }

      double
      cell_coefficient(const CellIndex cell) const
      {
        return has_coefficient ? coefficient[cell] : 1.;
      }

      /** $\kappa_F$: the harmonic mean of k of both sides, k at the boundary.
       */
      double
      face_weight(const CellIndex cell, const int axis, const int side) const
      {
        if (!has_coefficient)
          return 1.;
        const Neighbour beyond = neighbour_of(cell, axis, side);
        const double    k      = coefficient[cell];
        if (beyond.kind == NeighbourKind::cell)
          return harmonic_mean(k, coefficient[beyond.index]);
        if (beyond.kind == NeighbourKind::shadow)
          return harmonic_mean(
            k, slot_coefficient[beyond.index / n_face_children]);
        return k;
      }

      /** Of positive numbers, without overflow. */
      static double
      harmonic_mean(const double a, const double b)
      {
        return a == b ? a : 2. * a * (b / (a + b));
      }
    };

    /** The variant of a diagonal block: what is at a face. */
    enum class EndKind : std::uint16_t
    {
      neighbour = 0, ///< a cell or a shadow
      dirichlet = 1,
      neumann   = 2
    };

    TESSERA_ALWAYS_INLINE EndKind
    end_kind(const std::uint16_t variant, const int axis, const int side)
    {
      return EndKind((variant >> (2 * (2 * axis + side))) & 3);
    }
  } // namespace sipg
} // namespace tessera

#endif
