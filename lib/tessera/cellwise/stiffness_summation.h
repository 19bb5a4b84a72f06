// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_stiffness_summation_h
#define tessera_cellwise_stiffness_summation_h

#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/field.h>
#include <tessera/cellwise/summation_kernels.h>

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
     * Local: ghost cells take part as they are. Where a layer of vertex
     * neighbours is up to date, at least at the nodes of owned cells, all
     * copies of these nodes come out right, in owned and ghost cells; at other
     * nodes of ghosts, copies are missing.
     * Deterministic and independent of the partition, bit for bit, and the same
     * bits from every instruction set. All passes in one traversal of the
     * field, from cache where a layer of cells (degree 3, double: 512 bytes a
     * cell) fits; of memory, 896 bytes a cell for degree 3 in three dimensions.
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
      /** Both copies of all pairs become factor (a + b). */
      void
      combine(double *r, double factor) const;

      int n_nodes;

      /** For each axis, the nodes on the lower face of a cell, and how far from
       * there the nodes on the upper face are. */
      std::array<std::vector<int>, dim> lower_face;
      std::array<int, dim>              face_distance;

      /** In an order in which every cell meets its neighbours along x first,
       * then along y, then along z. */
      std::vector<CellPairs> pairs;
    };
  } // namespace cellwise
} // namespace tessera

#endif
