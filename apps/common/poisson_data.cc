// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/poisson_data.h"

#include <tessera/base/exceptions.h>

namespace tessera::apps
{
  using namespace dealii;

  template <int dim>
  PoissonData<dim>::PoissonData(const PoissonParameters &parameters,
                                const unsigned int       n_boundary_ids,
                                const double             length_scale,
                                const ParameterSet      *set)
  {
    const auto parse = [&](const std::string &path, const std::string &text) {
      const std::string place =
        set != nullptr && set->was_set(path) ? set->origin(path) + ": " : "";
      return std::make_shared<const Expression<dim>>(place + path,
                                                     text,
                                                     length_scale);
    };

    f                       = parse("Problem/Right hand side",
              parameters.right_hand_side_expression(dim));
    const std::string exact = parameters.exact_solution_expression(dim);
    if (!exact.empty())
      u = parse("Problem/Exact solution", exact);
    for (const std::string &component :
         split_expressions(parameters.exact_gradient))
      grad_u.push_back(parse("Problem/Exact gradient", component));

    FunctionPointer common_dirichlet;
    if (!parameters.boundary_values.empty())
      common_dirichlet =
        parse("Problem/Boundary values", parameters.boundary_values);
    else if (u)
      common_dirichlet = u;
    else
      common_dirichlet = parse("Problem/Boundary values", "0");

    for (types::boundary_id id = 0; id < n_boundary_ids; ++id)
      {
        BoundaryParameters condition;
        const auto         given = parameters.boundary_conditions.find(id);
        if (given != parameters.boundary_conditions.end())
          condition = given->second;
        FunctionPointer value;
        if (!condition.value.empty())
          value = parse("Boundary conditions/" + std::to_string(id) + "/Value",
                        condition.value);
        if (condition.type == BoundaryType::dirichlet)
          {
            dirichlet.insert(id);
            g_dirichlet[id] = value ? value : common_dirichlet;
          }
        else
          {
            neumann.insert(id);
            if (value)
              g_neumann[id] = value;
          }
      }
  }



  template <int dim>
  const Expression<dim> &
  PoissonData<dim>::right_hand_side() const
  {
    return *f;
  }



  template <int dim>
  bool
  PoissonData<dim>::has_exact_solution() const
  {
    return u != nullptr;
  }



  template <int dim>
  const Expression<dim> &
  PoissonData<dim>::exact_solution() const
  {
    TESSERA_ASSERT(u, "there is no exact solution");
    return *u;
  }



  template <int dim>
  Tensor<1, dim>
  PoissonData<dim>::exact_gradient(const Point<dim> &point) const
  {
    if (grad_u.empty())
      return exact_solution().gradient(point);
    Tensor<1, dim> gradient;
    for (unsigned int d = 0; d < dim; ++d)
      gradient[d] = grad_u[d]->value(point);
    return gradient;
  }



  template <int dim>
  const std::set<types::boundary_id> &
  PoissonData<dim>::dirichlet_ids() const
  {
    return dirichlet;
  }



  template <int dim>
  bool
  PoissonData<dim>::is_neumann(const types::boundary_id id) const
  {
    return neumann.count(id) > 0;
  }



  template <int dim>
  const Function<dim> &
  PoissonData<dim>::dirichlet_values(const types::boundary_id id) const
  {
    return *g_dirichlet.at(id);
  }



  template <int dim>
  double
  PoissonData<dim>::neumann_value(const types::boundary_id id,
                                  const Point<dim>        &point,
                                  const Tensor<1, dim>    &normal,
                                  const double             k) const
  {
    const auto given = g_neumann.find(id);
    if (given != g_neumann.end())
      return given->second->value(point);
    return u ? k * (exact_gradient(point) * normal) : 0.;
  }



  template <int dim>
  void
  PoissonData<dim>::check_finite(const Communicator &communicator) const
  {
    f->check_finite(communicator);
    if (u)
      u->check_finite(communicator);
    for (const auto &component : grad_u)
      component->check_finite(communicator);
    for (const auto &entry : g_dirichlet)
      entry.second->check_finite(communicator);
    for (const auto &entry : g_neumann)
      entry.second->check_finite(communicator);
  }



  template class PoissonData<2>;
  template class PoissonData<3>;
} // namespace tessera::apps
