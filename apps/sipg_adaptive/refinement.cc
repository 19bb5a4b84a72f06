// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/refinement.h"

#include <tessera/sipg/bulk_marking.h>

#include <algorithm>
#include <cmath>

namespace tessera::sipg_adaptive
{
  namespace
  {
    /** Of a forest whose cells are marked if they are close to a sphere. */
    template <int dim>
    std::vector<char>
    mark_shell(const RefinementParameters &parameters,
               const sipg::Forest<dim>    &forest)
    {
      const int              finest = forest.n_levels() - 1;
      const sipg::Point<dim> size   = forest.cell_size(finest);
      const double           width =
        parameters.shell_width * *std::max_element(size.begin(), size.end());

      std::vector<char> marked;
      for (const sipg::CellKey &key : forest.active_cells())
        {
          double nearest = 0., farthest = 0.; // squares of distances
          if (int(key.level) == finest)
            {
              const sipg::Point<dim> corner = forest.lower_corner(key);
              for (int d = 0; d < dim; ++d)
                {
                  const double lower = corner[d] - parameters.shell_centre[d];
                  const double upper = lower + size[d];
                  nearest += std::pow(std::max({0., lower, -upper}), 2);
                  farthest +=
                    std::pow(std::max(std::abs(lower), std::abs(upper)), 2);
                }
            }
          marked.push_back(
            int(key.level) == finest &&
            std::sqrt(nearest) <= parameters.shell_radius + width &&
            std::sqrt(farthest) >= parameters.shell_radius - width);
        }
      return marked;
    }
  } // namespace



  template <int dim>
  bool
  refine_mesh(const RefinementParameters &parameters,
              const std::vector<double>  &indicators,
              Mesh<dim>                  &mesh)
  {
    if (parameters.strategy == Strategy::none)
      {
        mesh.refine_globally();
        return true;
      }
    std::vector<char> marked =
      parameters.strategy == Strategy::shell ?
        mark_shell(parameters, mesh.forest()) :
        sipg::bulk_marking(indicators, parameters.fraction);
    const std::vector<sipg::CellKey> cells = mesh.forest().active_cells();
    for (std::size_t i = 0; i < marked.size(); ++i)
      if (cells[i].level >= parameters.max_level)
        marked[i] = 0;
    if (std::find_if(marked.begin(), marked.end(), [](const char m) {
          return m != 0;
        }) == marked.end())
      return false;
    mesh.refine(marked);
    return true;
  }



  template bool
  refine_mesh(const RefinementParameters &,
              const std::vector<double> &,
              Mesh<2> &);
  template bool
  refine_mesh(const RefinementParameters &,
              const std::vector<double> &,
              Mesh<3> &);
} // namespace tessera::sipg_adaptive
