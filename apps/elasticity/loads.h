// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_loads_h
#define tessera_apps_elasticity_loads_h

#include <deal.II/base/function.h>
#include <deal.II/base/types.h>

#include <map>
#include <memory>

namespace tessera::elasticity
{
  /**
   * Forces on a body that do not follow its deformation (dead loads):
   * functions of the undeformed position with dim components.
   */
  template <int dim>
  struct Loads
  {
    using FunctionPointer = std::shared_ptr<const dealii::Function<dim>>;

    /** Force per volume of the undeformed body; null: none. */
    FunctionPointer body_force;

    /** Force per area of the undeformed boundary with an id. */
    std::map<dealii::types::boundary_id, FunctionPointer> tractions;
  };
} // namespace tessera::elasticity

#endif
