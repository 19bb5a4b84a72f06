// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_box_mesh_h
#define tessera_dealii_box_mesh_h

#include <tessera/cellwise/distributed_grid.h>

#include <deal.II/base/point.h>
#include <deal.II/base/types.h>
#include <deal.II/grid/tria.h>

#include <array>
#include <cstdint>
#include <set>
#include <vector>

namespace tessera::dealii_adapters
{
  /**
   * How a cell of the mesh lies in the box: direction d of its reference cell
   * runs along axis[d] of the box, downwards where reversed[d].
   */
  template <int dim>
  struct CellOrientation
  {
    std::array<unsigned char, dim> axis;
    std::array<bool, dim>          reversed;

    bool
    operator==(const CellOrientation &other) const
    {
      return axis == other.axis && reversed == other.reversed;
    }
  };



  /**
   * The active mesh of a deal.II triangulation seen as a uniform grid of a box,
   * for methods that know nothing of deal.II.
   *
   * The structure is found from the vertices alone: cells may be numbered in
   * any order, stem from any coarse mesh, and be rotated or reflected against
   * each other. A mesh is refused unless it is, up to rounding of the
   * coordinates, a box filled with equal axis-aligned cells: meshes with
   * hanging nodes, distorted or graded ones, those with holes, slits or
   * periodic faces, and of simplices. Manifolds do not count; the cells
   * are those of MappingQ1.
   *
   * Describes the triangulation as it was at construction. Memory: 20 bytes
   * an active cell in three dimensions.
   */
  template <int dim>
  class BoxMesh
  {
  public:
    /**
     * Collective over the ranks of the triangulation. Cost: a few passes over
     * the cells.
     *
     * @param[in] dirichlet_ids Boundary ids with Dirichlet conditions; the
     * others have Neumann conditions. Each face of the box has one condition
     * all over.
     *
     * @throws InputError on all ranks, which says what keeps the mesh from
     * being such a grid, and what to do.
     */
    BoxMesh(const dealii::Triangulation<dim>           &triangulation,
            const std::set<dealii::types::boundary_id> &dirichlet_ids);

    /** The same on all ranks. */
    const cellwise::GridDescription<dim> &
    description() const;

    /** The cells of this rank: those it owns, and deal.II's layer of ghosts. */
    cellwise::CellGrid<dim>
    grid() const;

    /** The grid with who owns which cell. Collective over the ranks of the
     * triangulation, which are those of @p communicator. */
    cellwise::DistributedGrid<dim>
    distributed_grid(const Communicator &communicator) const;

    /** Where a locally owned or ghost active cell is in the grid. */
    const std::array<int, dim> &
    coordinates(const dealii::CellAccessor<dim> &cell) const;

    /** Orientation of a locally owned or ghost active cell. */
    const CellOrientation<dim> &
    orientation(const dealii::CellAccessor<dim> &cell) const;

    /** Where a point of the reference cell of a locally owned or ghost active
     * cell is in space: what MappingQ1 makes of it, up to rounding. */
    dealii::Point<dim>
    point(const dealii::CellAccessor<dim> &cell,
          const dealii::Point<dim>        &unit_point) const;

  private:
    struct Place
    {
      std::array<int, dim> coordinates;
      CellOrientation<dim> orientation;
    };

    cellwise::GridDescription<dim> box;
    dealii::Point<dim>             lower; ///< corner of the box

    /** By the index of the active cell; arbitrary for artificial cells. */
    std::vector<Place> places;

    std::vector<std::uint64_t> owned_keys, ghost_keys; ///< ascending
  };
} // namespace tessera::dealii_adapters

#endif
