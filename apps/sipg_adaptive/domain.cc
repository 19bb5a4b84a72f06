// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/domain.h"

#include <deal.II/grid/grid_generator.h>

#include <set>

namespace tessera::sipg_adaptive
{
  using namespace dealii;

  std::string
  name(const Domain domain)
  {
    switch (domain)
      {
        case Domain::l_shape:
          return "l shape";
        case Domain::fichera:
          return "fichera corner";
        default:
          return "box";
      }
  }



  unsigned int
  n_halved_axes(const Domain domain)
  {
    return domain == Domain::box ? 0 : domain == Domain::l_shape ? 2 : 3;
  }



  double
  filled_part(const Domain domain)
  {
    return domain == Domain::box     ? 1. :
           domain == Domain::l_shape ? 3. / 4. :
                                       7. / 8.;
  }



  unsigned int
  n_boundary_ids(const Domain domain, const unsigned int dim)
  {
    return 2 * dim + n_halved_axes(domain);
  }



  template <int dim>
  void
  make_coarse_mesh(const Parameters   &parameters,
                   Triangulation<dim> &triangulation)
  {
    const Point<dim> lower = parameters.box.template lower<dim>(),
                     upper = parameters.box.template upper<dim>();
    Triangulation<dim> box;
    GridGenerator::subdivided_hyper_rectangle(
      box, parameters.box.coarse_cells, lower, upper, /* colorize = */ true);

    const unsigned int n_axes = n_halved_axes(parameters.domain);
    if (n_axes == 0)
      {
        triangulation.copy_triangulation(box);
        return;
      }
    const auto is_missing = [&](const Point<dim> &center) {
      for (unsigned int d = 0; d < n_axes; ++d)
        if (center[d] < (lower[d] + upper[d]) / 2.)
          return false;
      return true;
    };
    std::set<typename Triangulation<dim>::active_cell_iterator> missing;
    for (const auto &cell : box.active_cell_iterators())
      if (is_missing(cell->center()))
        missing.insert(cell);
    GridGenerator::create_triangulation_with_removed_cells(box,
                                                           missing,
                                                           triangulation);
    for (const auto &cell : triangulation.active_cell_iterators())
      for (const unsigned int f : cell->face_indices())
        if (cell->face(f)->at_boundary())
          {
            const unsigned int d      = f / 2;
            const double       width  = upper[d] - lower[d];
            const double       center = cell->face(f)->center()[d];
            cell->face(f)->set_boundary_id(
              center < lower[d] + width / 4. ? 2 * d :
              center > upper[d] - width / 4. ? 2 * d + 1 :
                                               2 * dim + d);
          }
  }



  template void
  make_coarse_mesh(const Parameters &, Triangulation<2> &);
  template void
  make_coarse_mesh(const Parameters &, Triangulation<3> &);
} // namespace tessera::sipg_adaptive
