// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_cell_grid_h
#define tessera_cellwise_cell_grid_h

#include <tessera/cellwise/layout.h>

#include <array>
#include <cstdint>
#include <vector>

namespace tessera
{
  namespace cellwise
  {
    enum class BoundaryCondition
    {
      dirichlet,
      neumann
    };

    /** The box a grid fills, in all processes the same. Directions are ordered
     * x, y, z. */
    template <int dim>
    struct GridDescription
    {
      std::array<int, dim>    n_cells;   ///< a direction
      std::array<double, dim> cell_size; ///< $h_d$, units of length

      /** At the lower and the upper end of each direction. */
      std::array<std::array<BoundaryCondition, 2>, dim> boundary{};
    };

    /**
     * The cells of a uniform box grid that one process owns or has as ghosts:
     * one level of a hierarchy.
     *
     * A cell is known everywhere by its key $c_x + n_x (c_y + n_y c_z)$. Local
     * numbers run through the owned cells in ascending order of their keys,
     * then through the ghosts in the same order; fields hold their cells in
     * this order.
     *
     * Local, no communication; no reference to a mesh. Memory: 8 bytes a cell,
     * 4 a row of cells along x, and 12 for each piece of a row whose local
     * numbers are consecutive; none where all cells are local.
     */
    template <int dim>
    class CellGrid
    {
    public:
      using Coordinates = std::array<int, dim>; ///< (x, y, z)

      CellGrid() = default;

      /** All cells in one process. */
      explicit CellGrid(const GridDescription<dim> &description);

      /** Part of the cells: ascending keys without duplicates. */
      CellGrid(const GridDescription<dim> &description,
               std::vector<std::uint64_t>  owned_keys,
               std::vector<std::uint64_t>  ghost_keys);

      /** Of the whole box. */
      static std::uint64_t
      n_cells(const GridDescription<dim> &description);

      const GridDescription<dim> &
      description() const;

      CellIndex
      n_owned() const;

      /** Owned and ghost cells. */
      CellIndex
      n_local() const;

      std::uint64_t
      n_global() const;

      std::uint64_t
      key(CellIndex cell) const;

      std::uint64_t
      key(const Coordinates &coordinates) const;

      Coordinates
      coordinates(CellIndex cell) const;

      /** Of any cell of the box. */
      Coordinates
      coordinates_of_key(std::uint64_t key) const;

      /** The local number of the cell at these coordinates; no_cell if it is
       * outside of the box or not here. Cost: a walk along the pieces of a row.
       */
      CellIndex
      find(const Coordinates &coordinates) const;

      /**
       * The weights $s_d = \prod_e h_e / h_d^2$ of the element matrix (see
       * ReferenceCell); unit: length to the power dim - 2.
       */
      std::array<double, dim>
      stiffness_weights() const;

    private:
      /** Cells of a row that have consecutive coordinates and numbers. */
      struct Piece
      {
        int       begin, end; ///< x
        CellIndex first;
      };

      void
      set_rows();

      GridDescription<dim> box{};

      /** Nothing below is kept where all cells are owned here. */
      bool                       complete = true;
      std::vector<std::uint64_t> owned;
      std::vector<std::uint64_t> ghosts;

      /** The pieces of the row $c_y + n_y c_z$ = first_row + i are those from
       * row_begin[i] to row_begin[i+1]. */
      std::uint64_t             first_row = 0;
      std::vector<std::int32_t> row_begin;
      std::vector<Piece>        pieces;
    };
  } // namespace cellwise
} // namespace tessera

#endif
