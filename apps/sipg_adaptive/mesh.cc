// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/mesh.h"

#include <tessera/base/exceptions.h>

#include "sipg_adaptive/domain.h"

namespace tessera::sipg_adaptive
{
  using namespace dealii;

  template <int dim>
  Mesh<dim>::Mesh(
    const Parameters                          &parameters,
    const dealii_adapters::BoundaryConditions &boundary_conditions)
    : conditions(boundary_conditions)
    , tria(Triangulation<dim>::limit_level_difference_at_vertices)
  {
    make_coarse_mesh(parameters, tria);
    tria.refine_global(parameters.n_refinements);
    update_forest();
  }



  template <int dim>
  void
  Mesh<dim>::refine(const std::vector<char> &marked)
  {
    const std::vector<ActiveCell> active = active_cells();
    TESSERA_ASSERT(marked.size() == active.size(), "one mark a cell");
    for (std::size_t i = 0; i < active.size(); ++i)
      if (marked[i])
        active[i]->set_refine_flag();
    tria.execute_coarsening_and_refinement();
    update_forest();
  }



  template <int dim>
  void
  Mesh<dim>::refine_globally()
  {
    tria.refine_global(1);
    update_forest();
  }



  template <int dim>
  const Triangulation<dim> &
  Mesh<dim>::triangulation() const
  {
    return tria;
  }



  template <int dim>
  const dealii_adapters::CartesianForest<dim> &
  Mesh<dim>::cells() const
  {
    return *cartesian_forest;
  }



  template <int dim>
  const sipg::Forest<dim> &
  Mesh<dim>::forest() const
  {
    return cartesian_forest->forest();
  }



  template <int dim>
  std::vector<typename Mesh<dim>::ActiveCell>
  Mesh<dim>::active_cells() const
  {
    const std::vector<unsigned int> &indices =
      cartesian_forest->active_cell_indices();
    std::vector<unsigned int> place(indices.size());
    for (unsigned int i = 0; i < indices.size(); ++i)
      place[indices[i]] = i;
    std::vector<ActiveCell> active(indices.size());
    for (const auto &cell : tria.active_cell_iterators())
      active[place[cell->active_cell_index()]] = cell;
    return active;
  }



  template <int dim>
  void
  Mesh<dim>::update_forest()
  {
    cartesian_forest =
      std::make_unique<dealii_adapters::CartesianForest<dim>>(tria, conditions);
  }



  template class Mesh<2>;
  template class Mesh<3>;
} // namespace tessera::sipg_adaptive
