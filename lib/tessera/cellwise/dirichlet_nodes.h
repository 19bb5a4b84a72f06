// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_dirichlet_nodes_h
#define tessera_cellwise_dirichlet_nodes_h

#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/field.h>

#include <vector>

namespace tessera
{
  namespace cellwise
  {
    /**
     * The nodes on faces of the box with a Dirichlet condition, in all cells of
     * a process.
     *
     * Their entries of a residual are zeroed in double, before it is rounded:
     * no patch reads or writes them, but transforms to the eigenbasis mix them
     * into all modes, and cancel them to round-off only.
     */
    template <int dim>
    class DirichletNodes
    {
    public:
      struct BoundaryCell
      {
        CellIndex    cell;
        unsigned int faces; ///< bit 2d + e: lower (e = 0), upper end of axis d
      };

      DirichletNodes(const CellGrid<dim> &grid, int degree);

      /** The cells at these faces, in ascending order. */
      const std::vector<BoundaryCell> &
      boundary_cells() const
      {
        return cells;
      }

      /** All copies of these nodes. Cost: one write each. */
      void
      set_zero(DualField<double> &r) const;

    private:
      int                       n_nodes;
      std::vector<BoundaryCell> cells;
      /** Nodes on at least one of a set of faces. */
      std::vector<std::vector<int>> nodes_of_faces;
    };
  } // namespace cellwise
} // namespace tessera

#endif
