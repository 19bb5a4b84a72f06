// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_field_h
#define tessera_sipg_field_h

#include <tessera/base/aligned_vector.h>
#include <tessera/sipg/level_hierarchy.h>

#include <memory>
#include <utility>
#include <vector>

namespace tessera
{
  namespace sipg
  {
    /**
     * Where the value k of entry c is in an array of blocks of B entries with
     * N values each: entry fastest within a block.
     */
    TESSERA_ALWAYS_INLINE std::size_t
                          blocked_position(const std::size_t c,
                                           const std::size_t k,
                                           const std::size_t N,
                                           const std::size_t B)
    {
      return (c / B * N + k) * B + c % B;
    }

    /** The lower one of the two layers of coefficients along the axis that a
     * shadow stores, beyond side @p side of a level cell; also of those of the
     * cell the shadow belongs to. */
    constexpr int
    first_shadow_layer(const int side, const int degree)
    {
      return side == 1 ? 0 : degree - 1;
    }

    /**
     * Where things are in fields on a hierarchy for one degree.
     *
     * All levels in one array, from the coarsest: level cells, then shadow
     * cells, both in whole blocks of B, each part at a multiple of 64 bytes.
     * - Cells: value (i, j, k) of cell c, node = i + n (j + n k), at
     *   blocked_position(c, node, n^dim, B).
     * - Shadow cells: value of layer m = 0, 1 and tangential node t (the
     *   tangential axes ascending, the first one fastest) at
     *   blocked_position(s, m n^(dim-1) + t, 2 n^(dim-1), B); see LevelData.
     */
    class FieldLayout
    {
    public:
      struct Part
      {
        std::size_t cells;   ///< offset of the level cells
        std::size_t shadows; ///< offset of the shadow cells
        std::size_t end;
        CellIndex   n_padded_cells;
        CellIndex   n_padded_shadow_cells;
      };

      template <int dim>
      FieldLayout(const LevelHierarchy<dim> &levels, int degree);

      int               dimension;
      int               degree;
      int               n; ///< degree + 1
      int               block_size;
      int               n_cell_values;   ///< n^dim
      int               n_shadow_values; ///< 2 n^(dim-1)
      std::vector<Part> levels;
      std::size_t       size; ///< of all, with padding
    };

    /** What the values of a field stand for; fields of different spaces are
     * different types and cannot be added. */
    enum class Space
    {
      /** Consistent: shadows hold $P_c u$ of the active cell they belong to. */
      primal,

      /** Split: shadows hold a part of the functional that belongs to the
       * active cell via $P_c^T$. Only the assembled functional has a meaning;
       * its parts do not tend to zero with a residual. */
      dual
    };

    /**
     * A function on the active cells (primal), or a functional on such
     * functions (dual), with shadows; see FieldLayout for the storage.
     *
     * With Z consistent and Y split, the plain sum of products over all entries
     * is the pairing: $\langle Y, Z \rangle = z^T (E^T y)$, where $E^T$
     * assembles. It needs that entries of refined cells and of padding are
     * zero, which all functions on such fields see to. Sums of fields of one
     * space are fields of this space.
     *
     * The same type holds the vectors of the levels of a multigrid cycle, where
     * refined cells have values, too; then only levels are looked at, one by
     * one.
     */
    template <typename Number, Space space>
    class Field
    {
    public:
      using value_type = Number;

      Field() = default;

      /** Zeros. */
      explicit Field(std::shared_ptr<const FieldLayout> layout)
        : place(std::move(layout))
        , values(place->size)
      {}

      const FieldLayout &
      layout() const
      {
        return *place;
      }

      const std::shared_ptr<const FieldLayout> &
      shared_layout() const
      {
        return place;
      }

      std::size_t
      size() const
      {
        return values.size();
      }

      Number *
      data()
      {
        return values.data();
      }

      const Number *
      data() const
      {
        return values.data();
      }

      /** The level cells of a level. */
      Number *
      cells(const int level)
      {
        return values.data() + place->levels[level].cells;
      }

      const Number *
      cells(const int level) const
      {
        return values.data() + place->levels[level].cells;
      }

      /** The shadow cells of a level. */
      Number *
      shadows(const int level)
      {
        return values.data() + place->levels[level].shadows;
      }

      const Number *
      shadows(const int level) const
      {
        return values.data() + place->levels[level].shadows;
      }

      Number &
      operator()(const int level, const CellIndex cell, const int node)
      {
        return cells(level)[blocked_position(
          cell, node, place->n_cell_values, place->block_size)];
      }

      const Number &
      operator()(const int level, const CellIndex cell, const int node) const
      {
        return cells(level)[blocked_position(
          cell, node, place->n_cell_values, place->block_size)];
      }

      Number &
      shadow(const int level, const CellIndex s, const int value)
      {
        return shadows(level)[blocked_position(
          s, value, place->n_shadow_values, place->block_size)];
      }

      const Number &
      shadow(const int level, const CellIndex s, const int value) const
      {
        return shadows(level)[blocked_position(
          s, value, place->n_shadow_values, place->block_size)];
      }

      void
      set_zero()
      {
        values.fill(Number());
      }

      void
      copy_from(const Field &other)
      {
        place = other.place;
        values.copy_from(other.values);
      }

      std::size_t
      memory_consumption() const
      {
        return values.size_in_bytes();
      }

    private:
      std::shared_ptr<const FieldLayout> place;
      AlignedVector<Number>              values;
    };

    template <typename Number>
    using PrimalField = Field<Number, Space::primal>;

    template <typename Number>
    using DualField = Field<Number, Space::dual>;

    /** $\langle y, z \rangle$: the sum of all products, from the first to the
     * last, in double. */
    template <typename Number>
    double
    pairing(const DualField<Number> &y, const PrimalField<Number> &z)
    {
      TESSERA_ASSERT(y.size() == z.size(), "fields of one layout");
      double sum = 0.;
      for (std::size_t i = 0; i < y.size(); ++i)
        sum += double(y.data()[i]) * double(z.data()[i]);
      return sum;
    }

    /** y <- y + a x. */
    template <typename Number, Space space>
    void
    add(const Number a, const Field<Number, space> &x, Field<Number, space> &y)
    {
      TESSERA_ASSERT(y.size() == x.size(), "fields of one layout");
      for (std::size_t i = 0; i < y.size(); ++i)
        y.data()[i] += a * x.data()[i];
    }
  } // namespace sipg
} // namespace tessera

#endif
