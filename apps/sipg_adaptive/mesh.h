// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_mesh_h
#define tessera_apps_sipg_adaptive_mesh_h

#include <tessera/dealii/cartesian_forest.h>

#include <deal.II/grid/tria.h>

#include <memory>
#include <vector>

#include "sipg_adaptive/parameters.h"

namespace tessera::sipg_adaptive
{
  /**
   * The locally refined mesh of a study: a deal.II triangulation, and the same
   * cells as the forest of lib/tessera/sipg. Levels of cells that share a
   * vertex differ by one at most.
   *
   * All lists of active cells are in the order of Forest::active_cells().
   */
  template <int dim>
  class Mesh
  {
  public:
    using ActiveCell =
      typename dealii::Triangulation<dim>::active_cell_iterator;

    /** The mesh of the first cycle. */
    Mesh(const Parameters                          &parameters,
         const dealii_adapters::BoundaryConditions &conditions);

    /** Refine marked cells, and neighbours as needed.
     * @param[in] marked One entry a cell, nonzero: marked. */
    void
    refine(const std::vector<char> &marked);

    void
    refine_globally();

    const dealii::Triangulation<dim> &
    triangulation() const;

    const dealii_adapters::CartesianForest<dim> &
    cells() const;

    const sipg::Forest<dim> &
    forest() const;

    std::vector<ActiveCell>
    active_cells() const;

  private:
    dealii_adapters::BoundaryConditions conditions;
    dealii::Triangulation<dim>          tria;

    std::unique_ptr<dealii_adapters::CartesianForest<dim>> cartesian_forest;

    void
    update_forest();
  };
} // namespace tessera::sipg_adaptive

#endif
