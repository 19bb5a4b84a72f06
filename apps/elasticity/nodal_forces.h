// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_nodal_forces_h
#define tessera_apps_elasticity_nodal_forces_h

#include <deal.II/base/tensor.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/component_mask.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/lac/vector.h>

#include <vector>

namespace tessera::elasticity
{
  /** Force and moment of a set of nodal forces, and what they are small or
   * large against. */
  template <int dim>
  struct Resultant
  {
    /** $\sum_a f_a$ */
    dealii::Tensor<1, dim> force;

    /** $\sum_a x_a \times f_a$ about the origin; in 2D the component out of the
     * plane is moment[0]. */
    dealii::Tensor<1, (dim == 2 ? 1 : 3)> moment;
  };



  /**
   * Resultant of nodal forces that are assembled with the constraints of
   * hanging nodes. Nodal forces of loads and of stresses are consistent: rigid
   * motions are finite element functions, so that the resultants are those of
   * the loads themselves.
   *
   * @param[in] displacement Where given, the moment is that about the origin of
   * forces at the displaced nodes, for bodies with finite deformations.
   */
  template <int dim>
  Resultant<dim>
  compute_resultant(const dealii::Mapping<dim>    &mapping,
                    const dealii::DoFHandler<dim> &dof_handler,
                    const dealii::Vector<double>  &forces,
                    const dealii::Vector<double>  *displacement = nullptr);



  /** The components of the displacement that a part of the boundary holds. */
  struct Support
  {
    dealii::types::boundary_id boundary;
    dealii::ComponentMask      components;

    /** Not those, but the one along the normal: a plane of symmetry, whose
     * faces are normal to axes. */
    bool only_normal = false;

    /** Whether component i is held on a face with this normal. */
    template <int dim>
    bool
    holds(const unsigned int i, const dealii::Tensor<1, dim> &normal) const
    {
      // A unit vector has one component at most whose square is above 1/2.
      return only_normal ? normal[i] * normal[i] > 0.5 : components[i];
    }
  };



  /**
   * The forces that supports exert on the body: minus @p residual
   * ($b - f(u)$ with the constraints of hanging nodes alone) at the degrees of
   * freedom that they hold. A degree of freedom that belongs to several
   * supports counts for the first of them in the list. Together the reactions
   * balance the loads, as far as the equations are solved.
   *
   * @return One force for each entry of @p supports.
   */
  template <int dim>
  std::vector<dealii::Tensor<1, dim>>
  compute_reactions(const dealii::Mapping<dim>    &mapping,
                    const dealii::DoFHandler<dim> &dof_handler,
                    const std::vector<Support>    &supports,
                    const dealii::Vector<double>  &residual);
} // namespace tessera::elasticity

#endif
