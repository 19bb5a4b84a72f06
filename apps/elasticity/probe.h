// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_probe_h
#define tessera_apps_elasticity_probe_h

#include <tessera/base/communication.h>

#include <deal.II/base/point.h>
#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/tensor.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/lac/la_parallel_vector.h>

#include "elasticity/material.h"

namespace tessera::elasticity
{
  /** Displacement and stress at a point. */
  template <int dim>
  struct ProbeValue
  {
    dealii::Tensor<1, dim>        displacement;
    dealii::SymmetricTensor<2, 3> stress; ///< Cauchy
    double                        von_mises   = 0.;
    dealii::types::material_id    material_id = 0;
  };



  /**
   * Evaluate a displacement (with ghost values) and its stress at a point of
   * the undeformed body.
   *
   * Where several cells meet, the stress is the average over those of the
   * smallest material id among them, and that id is returned: stresses jump
   * between materials.
   * Cost: a search over the cells. Collective; the result is the same on all
   * ranks.
   *
   * @throws InputError if no cell contains the point; the message has the box
   * around the mesh.
   */
  template <int dim>
  ProbeValue<dim>
  evaluate_at_point(
    const dealii::Mapping<dim>                               &mapping,
    const dealii::DoFHandler<dim>                            &dof_handler,
    const dealii::LinearAlgebra::distributed::Vector<double> &displacement,
    const MaterialModel                                       model,
    const MaterialTable                                      &materials,
    const ModulusFactor                                      &factor,
    const dealii::Point<dim>                                 &point,
    const Communicator                                       &communicator);
} // namespace tessera::elasticity

#endif
