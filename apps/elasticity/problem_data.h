// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_problem_data_h
#define tessera_apps_elasticity_problem_data_h

#include <tessera/base/communication.h>

#include <deal.II/base/types.h>

#include <map>
#include <memory>
#include <vector>

#include "elasticity/parameters.h"
#include "elasticity/vector_expression.h"

namespace tessera::elasticity
{
  /** Components of the displacement that are given on a part of the boundary.
   */
  template <int dim>
  struct GivenDisplacement
  {
    /** Ascending. */
    std::vector<unsigned int> components;

    /** One value for each of the dim components; zero for those not given. */
    std::shared_ptr<const VectorExpression<dim>> value;
  };

  /**
   * The data of the boundary value problem, made from the expressions in the
   * parameters: body force f (force per volume), tractions t (force per area),
   * and given displacements.
   *
   * A value that is not finite is found by check_finite(), after the loops that
   * evaluate the functions.
   */
  template <int dim>
  class ProblemData
  {
  public:
    using FunctionPointer = std::shared_ptr<const VectorExpression<dim>>;

    /**
     * @param[in] parameters After check_and_complete().
     * @param[in] set Where given, messages begin with the place that an
     * expression comes from.
     * @throws InputError, the same on all ranks, where an expression does not
     * parse.
     */
    explicit ProblemData(const Parameters         &parameters,
                         const apps::ParameterSet *set = nullptr);

    /** Null: none. */
    FunctionPointer
    body_force() const;

    /** Of the ids with Type = traction. */
    const std::map<dealii::types::boundary_id, FunctionPointer> &
    tractions() const;

    /** Of the ids with Type = clamped or displacement. */
    const std::map<dealii::types::boundary_id, GivenDisplacement<dim>> &
    given_displacements() const;

    /** Where a material is, of the ids with an expression for it. */
    const std::map<dealii::types::material_id,
                   std::shared_ptr<const apps::Expression<dim>>> &
    regions_of_materials() const;

    /** Collective: throw where an evaluation so far was NaN or infinite. */
    void
    check_finite(const Communicator &communicator) const;

  private:
    FunctionPointer                                              force;
    std::map<dealii::types::boundary_id, FunctionPointer>        traction;
    std::map<dealii::types::boundary_id, GivenDisplacement<dim>> displacement;
    std::map<dealii::types::material_id,
             std::shared_ptr<const apps::Expression<dim>>>
      regions;
  };
} // namespace tessera::elasticity

#endif
