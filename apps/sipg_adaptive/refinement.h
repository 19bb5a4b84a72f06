// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_refinement_h
#define tessera_apps_sipg_adaptive_refinement_h

#include <vector>

#include "sipg_adaptive/mesh.h"
#include "sipg_adaptive/parameters.h"

namespace tessera::sipg_adaptive
{
  /**
   * Refine a mesh for the next cycle, by the strategy of the parameters.
   *
   * - none: all cells.
   * - shell: the active cells of the finest level that have points x with
   *   $|\,|x-c| - R\,| \le w h$; h is the longest side of a cell, w the width.
   * - estimator: the fewest cells that have the given fraction of the sum of
   *   the squares of all indicators (sipg::bulk_marking()).
   *
   * Cells of the maximum level stay as they are.
   *
   * @param[in] indicators of the active cells; for the estimator only.
   * @return whether there was a cell to refine.
   */
  template <int dim>
  bool
  refine_mesh(const RefinementParameters &parameters,
              const std::vector<double>  &indicators,
              Mesh<dim>                  &mesh);
} // namespace tessera::sipg_adaptive

#endif
