// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/discretization.h"

#include <algorithm>

namespace tessera::sipg_adaptive
{
  template <int dim>
  Discretization<dim>::Discretization(const Parameters   &parameters,
                                      const Problem<dim> &problem,
                                      const Mesh<dim>    &mesh)
    : matrices(int(parameters.degree), parameters.penalty)
    , coefficient(problem.coefficient(mesh.forest()))
    , levels(std::make_shared<const sipg::LevelHierarchy<dim>>(
        mesh.forest(),
        int(parameters.block_size),
        coefficient))
    , layout(
        std::make_shared<const sipg::FieldLayout>(*levels, matrices.degree))
  {}



  template <int dim>
  std::uint64_t
  Discretization<dim>::n_cells() const
  {
    return levels->n_active_cells();
  }



  template <int dim>
  std::uint64_t
  Discretization<dim>::n_dofs() const
  {
    return n_cells() * std::uint64_t(layout->n_cell_values);
  }



  template <int dim>
  std::vector<std::uint64_t>
  Discretization<dim>::n_cells_per_level() const
  {
    std::vector<std::uint64_t> n;
    for (int l = 0; l < levels->n_levels(); ++l)
      {
        const std::vector<char> &refined = levels->forest().level(l).refined;
        n.push_back(std::count(refined.begin(), refined.end(), 0));
      }
    return n;
  }



  template <int dim>
  std::vector<std::uint64_t>
  Discretization<dim>::n_shadows_per_level() const
  {
    std::vector<std::uint64_t> n;
    for (int l = 0; l < levels->n_levels(); ++l)
      n.push_back(levels->level(l).n_shadow_cells());
    return n;
  }



  template struct Discretization<2>;
  template struct Discretization<3>;
} // namespace tessera::sipg_adaptive
