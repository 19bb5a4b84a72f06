// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_probe_h
#define tessera_apps_elasticity_probe_h

#include <deal.II/base/point.h>
#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/tensor.h>
#include <deal.II/lac/vector.h>

#include "elasticity/body.h"

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
   * Evaluate a displacement and its stress at a point of the undeformed body.
   *
   * Where several cells meet, the stress is the average over those of the
   * smallest material id among them, and that id is returned: stresses jump
   * between materials.
   * Cost: a search over the cells.
   *
   * @throws InputError if no cell contains the point; the message has the box
   * around the mesh. InvertedCell if the deformation there is none.
   */
  template <int dim>
  ProbeValue<dim>
  evaluate_at_point(const Body<dim>              &body,
                    const dealii::Vector<double> &displacement,
                    const dealii::Point<dim>     &point);
} // namespace tessera::elasticity

#endif
