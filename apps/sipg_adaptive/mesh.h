// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_mesh_h
#define tessera_apps_sipg_adaptive_mesh_h

#include <tessera/dealii/cartesian_forest.h>

#include <deal.II/grid/tria.h>
#include <deal.II/lac/vector.h>

#include <memory>
#include <vector>

#include "sipg_adaptive/parameters.h"

namespace tessera::sipg_adaptive
{
  /**
   * The locally refined mesh of a study: a deal.II triangulation, and the same
   * cells as the forest of lib/tessera/sipg.
   *
   * Levels of cells that touch, also in an edge or a corner, differ by one at
   * most. The forest sees to it: a deal.II triangulation does not look at
   * corners in the middle of edges and faces of larger cells.
   */
  template <int dim>
  class Mesh
  {
  public:
    /** The mesh of the first cycle. */
    Mesh(const Parameters                          &parameters,
         const dealii_adapters::BoundaryConditions &conditions);

    /** Refine marked cells, and neighbours as needed.
     * @param[in] marked One entry a cell, nonzero: marked. */
    void
    refine(const std::vector<char> &marked);

    /** Refine until the cells are those of a forest on the same coarse mesh
     * that is as fine as this one or finer everywhere. */
    void
    refine_to(const sipg::Forest<dim> &target);

    void
    refine_globally();

    /** Numbers of the active cells as deal.II wants them: by
     * active_cell_index(). */
    dealii::Vector<float>
    in_order_of_triangulation(const std::vector<double> &values) const;

    const dealii::Triangulation<dim> &
    triangulation() const;

    const dealii_adapters::CartesianForest<dim> &
    cells() const;

    const sipg::Forest<dim> &
    forest() const;

  private:
    dealii_adapters::BoundaryConditions conditions;
    dealii::Triangulation<dim>          tria;

    std::unique_ptr<dealii_adapters::CartesianForest<dim>> cartesian_forest;

    void
    update_forest();
  };
} // namespace tessera::sipg_adaptive

#endif
