// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_coarse_mesh_h
#define tessera_sipg_coarse_mesh_h

#include <tessera/sipg/types.h>

#include <array>
#include <vector>

namespace tessera
{
  namespace sipg
  {
    /**
     * The coarse cells of a forest: boxes of one size and one orientation at
     * places of a lattice, such as a box, an L-shape, or a Fichera corner.
     *
     * Coarse cell c fills
     * $[o_a + i_a h_a, o_a + (i_a+1) h_a]$ in direction a, with
     * o = origin, h = cell_size, i = positions[c] >= 0.
     */
    template <int dim>
    struct CoarseMesh
    {
      using Position       = std::array<int, dim>;
      using FaceConditions = std::array<BoundaryCondition, 2 * dim>;

      Point<dim> origin{};
      Point<dim> cell_size{};

      std::vector<Position> positions;

      /** Of each coarse cell; what is said of faces with a neighbour is not
       * looked at. */
      std::vector<FaceConditions> boundary;
    };

    /**
     * A box of n_cells[0] x n_cells[1] x ... coarse cells, x fastest.
     *
     * @param[in] boundary of the faces of the box.
     */
    template <int dim>
    CoarseMesh<dim>
    box_mesh(const std::array<int, dim>                     &n_cells,
             const Point<dim>                               &lower,
             const Point<dim>                               &upper,
             const typename CoarseMesh<dim>::FaceConditions &boundary = {});

    /** The vertices of a cell, the first coordinate of their position fastest:
     * vertex v is at the upper end of axis a if bit a of v is set. */
    template <int dim>
    using CellVertices = std::array<Point<dim>, (1 << dim)>;

    /**
     * From the vertices of the coarse cells of another library's mesh, in its
     * order.
     *
     * @throws InputError if a cell is not an axis-aligned box whose axes come in
     * the order of the coordinates, if sizes differ by more than 1e-8 of a
     * cell, or if cells are not at places of one lattice. Forest refuses cells
     * that overlap.
     */
    template <int dim>
    CoarseMesh<dim>
    coarse_mesh_from_vertices(
      const std::vector<CellVertices<dim>>                        &cells,
      const std::vector<typename CoarseMesh<dim>::FaceConditions> &boundary);
  } // namespace sipg
} // namespace tessera

#endif
