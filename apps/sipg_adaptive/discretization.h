// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_discretization_h
#define tessera_apps_sipg_adaptive_discretization_h

#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/field.h>
#include <tessera/sipg/level_hierarchy.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "sipg_adaptive/mesh.h"
#include "sipg_adaptive/parameters.h"
#include "sipg_adaptive/problem.h"

namespace tessera::sipg_adaptive
{
  /** What is fixed by the mesh, the degree, the coefficient and the penalty;
   * it does not refer to the mesh, which may be refined afterwards. */
  template <int dim>
  struct Discretization
  {
    Discretization(const Parameters   &parameters,
                   const Problem<dim> &problem,
                   const Mesh<dim>    &mesh);

    sipg::ElementMatrices                            matrices;
    std::vector<double>                              coefficient;
    std::shared_ptr<const sipg::LevelHierarchy<dim>> levels;
    std::shared_ptr<const sipg::FieldLayout>         layout;

    std::uint64_t
    n_cells() const;

    std::uint64_t
    n_dofs() const;

    /** Active cells of each level. */
    std::vector<std::uint64_t>
    n_cells_per_level() const;

    /** Shadow cells of each level. */
    std::vector<std::uint64_t>
    n_shadows_per_level() const;
  };
} // namespace tessera::sipg_adaptive

#endif
