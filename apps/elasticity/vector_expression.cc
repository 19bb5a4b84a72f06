// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/vector_expression.h"

#include <deal.II/lac/vector.h>

namespace tessera::elasticity
{
  template <int dim>
  VectorExpression<dim>::VectorExpression(const std::string &parameter,
                                          const std::vector<std::string> &texts)
    : dealii::Function<dim>(texts.size())
  {
    for (const std::string &text : texts)
      components.push_back(
        std::make_unique<apps::Expression<dim>>(parameter, text));
  }



  template <int dim>
  double
  VectorExpression<dim>::value(const dealii::Point<dim> &point,
                               const unsigned int        component) const
  {
    return components[component]->value(point);
  }



  template <int dim>
  void
  VectorExpression<dim>::vector_value(const dealii::Point<dim> &point,
                                      dealii::Vector<double>   &values) const
  {
    for (unsigned int c = 0; c < components.size(); ++c)
      values(c) = components[c]->value(point);
  }



  template <int dim>
  void
  VectorExpression<dim>::check_finite(const Communicator &communicator) const
  {
    for (const auto &component : components)
      component->check_finite(communicator);
  }



  template class VectorExpression<2>;
  template class VectorExpression<3>;
} // namespace tessera::elasticity
