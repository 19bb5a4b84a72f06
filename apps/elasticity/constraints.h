// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_constraints_h
#define tessera_apps_elasticity_constraints_h

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/lac/affine_constraints.h>

#include <string>
#include <vector>

#include "elasticity/parameters.h"
#include "elasticity/problem_data.h"

namespace tessera::elasticity
{
  /**
   * The constraints of degrees of freedom: hanging nodes, and the components
   * of the displacement that boundary conditions give.
   *
   * A node that parts of the boundary share has the conditions of all of them.
   * Where several give the same component, the part with the largest id
   * prevails. At hanging nodes the values are those interpolated.
   *
   * Symmetry: the component along the normal is zero. Faces must be normal to
   * an axis, up to 1e-6; faces of one id may be normal to different ones.
   *
   * @param[in] factor Values are multiplied by it: the part of the load.
   * @param[out] warnings Gets one for each two parts that give different values
   * at a node they share.
   * @return closed constraints
   * @throws InputError if a symmetry plane is inclined or curved.
   */
  template <int dim>
  dealii::AffineConstraints<double>
  make_constraints(const Parameters              &parameters,
                   const ProblemData<dim>        &problem,
                   const dealii::Mapping<dim>    &mapping,
                   const dealii::DoFHandler<dim> &dof_handler,
                   const double                   factor,
                   std::vector<std::string>      &warnings);
} // namespace tessera::elasticity

#endif
