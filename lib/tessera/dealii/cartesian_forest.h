// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_cartesian_forest_h
#define tessera_dealii_cartesian_forest_h

#include <tessera/sipg/forest.h>

#include <deal.II/base/types.h>
#include <deal.II/grid/tria.h>

#include <array>
#include <cstdint>
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
   * its coarse mesh and is refined isotropically, with at most one level of
   * difference across faces, which deal.II sees to. Any class of triangulations
   * will do, with or without a multigrid hierarchy. Manifolds and mappings do
   * not count; the cells are those of MappingQ1.
   *
   * Coarse cells have the numbers they have on level 0 of the triangulation,
   * children those of deal.II, so that keys do not depend on how
   * a library numbers cells of other levels (p4est renumbers trees).
   *
   * The triangulation is not kept; the object describes it as it was at
   * construction. Memory: that of the forest, and 4 bytes an active cell.
   */
  template <int dim>
  class CartesianForest
  {
  public:
    /**
     * Cost: a pass over all cells, and a sort of the active ones.
     *
     * @param[in] conditions All faces of a coarse cell's face have the same.
     *
     * @throws InputError, on all ranks, which says what was found, where, and
     * what to do: for several processes; cells that are no axis-aligned boxes
     * (also refined ones whose vertices were moved), of several sizes, or
     * rotated against the axes; anisotropic refinement; periodic faces; slits;
     * several conditions on one face of a coarse cell; conditions for an id
     * that no face has; and as sipg::Forest.
     */
    explicit CartesianForest(const dealii::Triangulation<dim> &triangulation,
                             const BoundaryConditions         &conditions = {});

    const sipg::Forest<dim> &
    forest() const;

    /** The name of a cell, active or refined. Takes O(level). */
    sipg::CellKey
    key(const typename dealii::Triangulation<dim>::cell_iterator &cell) const;

    /** For each active cell in the order of Forest::active_cells(): its index
     * among the active cells of the triangulation (active_cell_index()). */
    const std::vector<unsigned int> &
    active_cell_indices() const;

    /**
     * Boundary id of the face at @p face (2 axis + side) of a coarse cell, or
     * dealii::numbers::internal_face_boundary_id. It is that of the active
     * faces it consists of; of the first one if they differ, which they may
     * where the condition is the same.
     */
    dealii::types::boundary_id
    boundary_id(std::uint32_t coarse_cell, int face) const;

  private:
    using FaceIds = std::array<dealii::types::boundary_id, 2 * dim>;

    sipg::Forest<dim>         cells;
    std::vector<unsigned int> indices;
    std::vector<FaceIds>      ids_of_coarse_cells;
  };
} // namespace tessera::dealii_adapters

#endif
