// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/problem_data.h"

namespace tessera::elasticity
{
  using namespace dealii;

  template <int dim>
  ProblemData<dim>::ProblemData(const Parameters         &parameters,
                                const apps::ParameterSet *set)
  {
    const auto place = [&](const std::string &path) {
      return (set != nullptr && set->was_set(path) ? set->origin(path) + ": " :
                                                     "") +
             path;
    };

    if (const auto texts = split_expressions(parameters.body_force);
        !texts.empty())
      force = std::make_shared<const VectorExpression<dim>>(place("Body force"),
                                                            texts);

    for (const auto &[id, condition] : parameters.boundary_conditions)
      {
        const std::string plain =
          "Boundary conditions/" + std::to_string(id) + "/Value";
        const std::string path = condition.is_given ? place(plain) : plain;
        std::vector<std::string> texts(dim, "0");
        switch (condition.type)
          {
            case BoundaryType::clamped:
              displacement[id] = {
                parse_components("", dim),
                std::make_shared<const VectorExpression<dim>>(path, texts)};
              break;
            case BoundaryType::displacement:
              {
                const auto components =
                  parse_components(condition.components, dim);
                const auto given = split_expressions(condition.value);
                for (unsigned int i = 0; i < components.size(); ++i)
                  texts[components[i]] = given[i];
                displacement[id] = {
                  components,
                  std::make_shared<const VectorExpression<dim>>(path, texts)};
                break;
              }
            case BoundaryType::traction:
              traction[id] = std::make_shared<const VectorExpression<dim>>(
                path, split_expressions(condition.value));
              break;
            case BoundaryType::symmetry:
            case BoundaryType::free:
              break;
          }
      }

    for (const auto &[id, material] : parameters.materials)
      if (!material.where.empty())
        regions[id] = std::make_shared<const apps::Expression<dim>>(
          place("Materials/" + std::to_string(id) + "/Where"), material.where);
  }



  template <int dim>
  typename ProblemData<dim>::FunctionPointer
  ProblemData<dim>::body_force() const
  {
    return force;
  }



  template <int dim>
  const std::map<types::boundary_id, typename ProblemData<dim>::FunctionPointer>
    &
    ProblemData<dim>::tractions() const
  {
    return traction;
  }



  template <int dim>
  const std::map<types::boundary_id, GivenDisplacement<dim>> &
  ProblemData<dim>::given_displacements() const
  {
    return displacement;
  }



  template <int dim>
  const std::map<types::material_id,
                 std::shared_ptr<const apps::Expression<dim>>> &
  ProblemData<dim>::regions_of_materials() const
  {
    return regions;
  }



  template <int dim>
  void
  ProblemData<dim>::check_finite(const Communicator &communicator) const
  {
    if (force)
      force->check_finite(communicator);
    for (const auto &entry : traction)
      entry.second->check_finite(communicator);
    for (const auto &entry : displacement)
      entry.second.value->check_finite(communicator);
    for (const auto &entry : regions)
      entry.second->check_finite(communicator);
  }



  template class ProblemData<2>;
  template class ProblemData<3>;
} // namespace tessera::elasticity
