// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_cartesian_forest_h
#define tessera_dealii_cartesian_forest_h

#include <tessera/sipg/forest.h>

#include <deal.II/base/types.h>
#include <deal.II/grid/tria.h>

#include <map>
#include <vector>

namespace tessera::dealii_adapters
{
  /** What holds on parts of the boundary; Dirichlet on those not listed. */
  using BoundaryConditions =
    std::map<dealii::types::boundary_id, sipg::BoundaryCondition>;

  /**
   * The cells of a deal.II triangulation as a sipg::Forest, and the way between
   * the cells of both.
   *
   * The triangulation has axis-aligned box cells of one size and orientation on
   * its coarse mesh and is refined isotropically with at most one level of
   * difference across faces, as
   * Triangulation::limit_level_difference_at_vertices or p4est see to. It is
   * not kept; the object describes it until it changes.
   */
  template <int dim>
  class CartesianForest
  {
  public:
    /**
     * @throws InputError, the same on all ranks, naming the cell: for cells that
     *   are no axis-aligned boxes, of several sizes, or rotated; anisotropic
     *   refinement; neighbours that differ by more than a level; periodic
     *   faces; several processes; conditions for an id that no face has.
     */
    CartesianForest(const dealii::Triangulation<dim> &triangulation,
                    const BoundaryConditions         &conditions = {});

    const sipg::Forest<dim> &
    forest() const;

    /** The name of a cell, active or refined. */
    sipg::CellKey
    key(const typename dealii::Triangulation<dim>::cell_iterator &cell) const;

    /** For each active cell in the order of Forest::active_cells(): its index
     * among the active cells of the triangulation (active_cell_index()). */
    const std::vector<unsigned int> &
    active_cell_indices() const;

    /** Boundary id of the face at @p face (2 axis + side) of a coarse cell, or
     * dealii::numbers::internal_face_boundary_id. */
    dealii::types::boundary_id
    boundary_id(std::uint32_t coarse_cell, int face) const;
  };
} // namespace tessera::dealii_adapters

#endif
