// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_field_h
#define tessera_cellwise_field_h

#include <tessera/base/aligned_vector.h>
#include <tessera/base/exceptions.h>
#include <tessera/base/execution.h>
#include <tessera/cellwise/layout.h>

#include <cstddef>
#include <utility>

namespace tessera
{
  namespace cellwise
  {
    /** What the values of a cell stand for; fields of different spaces are
     * different types, and cannot be added. */
    enum class Space
    {
      /** Nodal values of a continuous function. The copies of a degree of
       * freedom in the cells that share it are equal, bit for bit. */
      primal,

      /** A functional on such functions, unassembled: the sum of all copies,
       * $G^T r$, is what counts. Any distribution among the copies is the same
       * dual vector. */
      dual,

      /** The same in the eigenbasis of each cell, $\hat r = (S^T)^{\otimes}
       * r$; see ReferenceCell. */
      dual_modal
    };

    /**
     * A cell-wise field: every cell holds its own (degree+1)^dim values, x
     * fastest, also of the degrees of freedom that it shares with others.
     *
     * Host memory, aligned to 64 bytes. Blocked fields are padded to whole
     * blocks; what is in the padding is arbitrary but finite once set.
     */
    template <typename Number, Space space, Layout layout>
    class Field
    {
    public:
      using value_type = Number;

      static constexpr Layout field_layout = layout;

      Field() = default;

      /** A field of zeros. */
      Field(const CellIndex cells, const int nodes)
      {
        reinit(cells, nodes);
      }

      /** The same; for methods of any execution, see Types. */
      Field(const CellIndex cells,
            const int       nodes,
            const execution::HostQueue &)
        : Field(cells, nodes)
      {}

      /** Become a field of zeros. */
      void
      reinit(const CellIndex cells, const int nodes)
      {
        reinit_without_initialization(cells, nodes);
        values.fill(Number());
      }

      /** Nothing is written (see AlignedVector). */
      void
      reinit_without_initialization(const CellIndex cells, const int nodes)
      {
        number_of_cells = cells;
        number_of_nodes = nodes;
        values.resize_without_initialization(
          std::size_t(layout == Layout::blocked ?
                        std::size_t(n_blocks()) * cells_per_block :
                        std::size_t(n_cells())) *
          nodes);
      }

      CellIndex
      n_cells() const
      {
        return number_of_cells;
      }

      /** Values a cell. */
      int
      n_nodes() const
      {
        return number_of_nodes;
      }

      /** Of cells_per_block cells, the last one perhaps incomplete. */
      CellIndex
      n_blocks() const
      {
        return number_of_cells / cells_per_block +
               (number_of_cells % cells_per_block != 0 ? 1 : 0);
      }

      /** With padding. */
      std::size_t
      size() const
      {
        return values.size();
      }

      std::size_t
      memory_consumption() const
      {
        return values.size_in_bytes();
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

      Number &
      operator()(const CellIndex cell, const int node)
      {
        return values[position(cell, node)];
      }

      const Number &
      operator()(const CellIndex cell, const int node) const
      {
        return values[position(cell, node)];
      }

      /** Copy the values of a cell to an array of n_nodes() numbers. */
      void
      get_cell(const CellIndex cell, Number *cell_values) const
      {
        const Number *const first = &(*this)(cell, 0);
        for (int k = 0; k < number_of_nodes; ++k)
          cell_values[k] = first[k * distance];
      }

      /** The way back. */
      void
      set_cell(const CellIndex cell, const Number *cell_values)
      {
        Number *const first = &(*this)(cell, 0);
        for (int k = 0; k < number_of_nodes; ++k)
          first[k * distance] = cell_values[k];
      }

      void
      set_zero()
      {
        values.fill(Number());
      }

      void
      swap(Field &other) noexcept
      {
        std::swap(number_of_cells, other.number_of_cells);
        std::swap(number_of_nodes, other.number_of_nodes);
        values.swap(other.values);
      }

    private:
      /** Between the values of a cell. */
      static constexpr int distance =
        layout == Layout::blocked ? cells_per_block : 1;

      std::size_t
      position(const CellIndex cell, const int node) const
      {
        TESSERA_ASSERT(0 <= cell && cell < number_of_cells, "no such cell");
        TESSERA_ASSERT(0 <= node && node < number_of_nodes, "no such node");
        if (layout == Layout::contiguous)
          return std::size_t(cell) * number_of_nodes + node;
        return (std::size_t(cell / cells_per_block) * number_of_nodes + node) *
                 cells_per_block +
               cell % cells_per_block;
      }

      CellIndex             number_of_cells = 0;
      int                   number_of_nodes = 0;
      AlignedVector<Number> values;
    };

    template <typename Number, Layout layout = Layout::blocked>
    using PrimalField = Field<Number, Space::primal, layout>;

    template <typename Number, Layout layout = Layout::blocked>
    using DualField = Field<Number, Space::dual, layout>;

    template <typename Number, Layout layout = Layout::blocked>
    using DualModalField = Field<Number, Space::dual_modal, layout>;
  } // namespace cellwise
} // namespace tessera

#endif
