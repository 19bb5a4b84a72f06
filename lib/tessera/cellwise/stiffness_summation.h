// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_stiffness_summation_h
#define tessera_cellwise_stiffness_summation_h

#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/field.h>

#include <array>
#include <vector>

namespace tessera
{
  namespace cellwise
  {
    /**
     * Direct stiffness summation: exchange the copies of shared degrees of
     * freedom among the cells of a process.
     *
     * One pass an axis, x first: for each pair of cells that meet in a face
     * normal to the axis, and each pair of copies a, b on it, both become a + b
     * or (a + b)/2. After all passes the copies of an edge or vertex have met,
     * too; no valence is stored. Nodes on the boundary of the box have fewer
     * copies, with nothing to be done about it.
     *
     * Local: ghost cells take part as they are, so that owned cells come out
     * right where the ghosts of a layer are up to date. Deterministic and
     * independent of the partition, bit for bit. Reads and writes each field
     * once an axis.
     */
    template <int dim>
    class StiffnessSummation
    {
    public:
      StiffnessSummation(const CellGrid<dim> &grid, int degree);

      /**
       * $r \leftarrow \Pi r$, $\Pi = G D^{-1} G^T$ with D the number of
       * copies: equal shares for all copies. The same dual vector,
       * $G^T \Pi r = G^T r$, and a projection. What cancels between copies
       * does so here, in double, before the field is rounded.
       */
      void
      rebalance(DualField<double> &r) const;

      /**
       * $r \leftarrow G G^T r$: the assembled value in every copy. What comes
       * out is not a dual field in the sense of the pairing; it is for those
       * who want to look at the assembled vector.
       */
      void
      sum(DualField<double> &r) const;

      /** The mean of all copies, for a field that should be continuous and is
       * so to round-off only. Leaves a primal field as it is. */
      void
      average(PrimalField<double> &u) const;

    private:
      /** Cells lower, ..., lower + length - 1 have the neighbours upper, ... in
       * the positive direction. */
      struct Segment
      {
        CellIndex lower, upper, length;
      };

      int                                   degree;
      std::array<std::vector<Segment>, dim> segments;
    };

    /** Zero the entries of Dirichlet nodes, which no patch reads or writes. */
    template <int dim>
    class DirichletNodes
    {
    public:
      DirichletNodes(const CellGrid<dim> &grid, int degree);

      /** All copies of all nodes on faces with a Dirichlet condition. */
      void
      set_zero(DualField<double> &r) const;

    private:
      struct BoundaryCell
      {
        CellIndex    cell;
        unsigned int faces; ///< bit 2d + e: lower (e = 0), upper end of axis d
      };

      int                       degree;
      std::vector<BoundaryCell> cells;
      /** Nodes on at least one of a set of faces. */
      std::vector<std::vector<int>> nodes_of_faces;
    };
  } // namespace cellwise
} // namespace tessera

#endif
