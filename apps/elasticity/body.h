// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_body_h
#define tessera_apps_elasticity_body_h

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>

#include "elasticity/loads.h"
#include "elasticity/material.h"

namespace tessera::elasticity
{
  /**
   * A discretized body with what it is made of and the forces on it: all of the
   * boundary value problem but the supports, which are constraints.
   *
   * The DoFHandler has FESystem(FE_Q(p), dim) on a mesh of one process;
   * displacements and nodal forces are dealii::Vector<double> in its
   * numbering. Mapping and DoFHandler have to live as long as the body.
   */
  template <int dim>
  struct Body
  {
    const dealii::Mapping<dim>    &mapping;
    const dealii::DoFHandler<dim> &dof_handler;
    Constitution                   constitution;
    Loads<dim>                     loads;
  };
} // namespace tessera::elasticity

#endif
