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
  {
    make_coarse_mesh(parameters, tria);
    tria.refine_global(parameters.n_refinements);
    update_forest();
  }



  template <int dim>
  void
  Mesh<dim>::refine(const std::vector<char> &marked)
  {
    TESSERA_ASSERT(marked.size() == forest().n_active_cells(),
                   "one mark a cell");
    std::size_t i = 0;
    refine_to(
      forest().refine([&](const sipg::CellKey &) { return marked[i++] != 0; }));
  }



  template <int dim>
  void
  Mesh<dim>::refine_to(const sipg::Forest<dim> &target)
  {
    while (true)
      {
        bool is_done = true;
        for (const auto &cell : tria.active_cell_iterators())
          {
            const sipg::CellKey   key = cells().key(cell);
            const sipg::CellIndex i   = target.find(key);
            TESSERA_ASSERT(i != sipg::no_cell, "a mesh that is finer");
            if (target.level(int(key.level)).refined[i])
              {
                cell->set_refine_flag();
                is_done = false;
              }
          }
        if (is_done)
          return;
        tria.execute_coarsening_and_refinement();
        update_forest();
      }
  }



  template <int dim>
  void
  Mesh<dim>::refine_globally()
  {
    tria.refine_global(1);
    update_forest();
  }



  template <int dim>
  Vector<float>
  Mesh<dim>::in_order_of_triangulation(const std::vector<double> &values) const
  {
    const std::vector<unsigned int> &indices = cells().active_cell_indices();
    TESSERA_ASSERT(values.size() == indices.size(), "one number a cell");
    Vector<float> result(indices.size());
    for (std::size_t i = 0; i < indices.size(); ++i)
      result[indices[i]] = float(values[i]);
    return result;
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
  void
  Mesh<dim>::update_forest()
  {
    cartesian_forest =
      std::make_unique<dealii_adapters::CartesianForest<dim>>(tria, conditions);
  }



  template class Mesh<2>;
  template class Mesh<3>;
} // namespace tessera::sipg_adaptive
