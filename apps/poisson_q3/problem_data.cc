// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/problem_data.h"

#include <tessera/base/exceptions.h>

#include <algorithm>

namespace tessera::poisson_q3
{
  using namespace dealii;

  template <int dim>
  ProblemData<dim>::ProblemData(const Parameters         &parameters,
                                const apps::ParameterSet *set)
  {
    double length_scale =
      parameters.upper_corner[0] - parameters.lower_corner[0];
    for (unsigned int d = 1; d < dim; ++d)
      length_scale =
        std::min(length_scale,
                 parameters.upper_corner[d] - parameters.lower_corner[d]);
    const auto parse = [&](const std::string &path, const std::string &text) {
      const std::string place =
        set != nullptr && set->was_set(path) ? set->origin(path) + ": " : "";
      return std::make_shared<const apps::Expression<dim>>(place + path,
                                                           text,
                                                           length_scale);
    };

    f                       = parse("Problem/Right hand side",
              parameters.right_hand_side_expression(dim));
    const std::string exact = parameters.exact_solution_expression(dim);
    if (!exact.empty())
      u = parse("Problem/Exact solution", exact);

    FunctionPointer common_dirichlet;
    if (!parameters.boundary_values.empty())
      common_dirichlet =
        parse("Problem/Boundary values", parameters.boundary_values);
    else if (u)
      common_dirichlet = u;
    else
      common_dirichlet = parse("Problem/Boundary values", "0");

    for (types::boundary_id id = 0; id < 2 * dim; ++id)
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
  const apps::Expression<dim> &
  ProblemData<dim>::right_hand_side() const
  {
    return *f;
  }



  template <int dim>
  bool
  ProblemData<dim>::has_exact_solution() const
  {
    return u != nullptr;
  }



  template <int dim>
  const apps::Expression<dim> &
  ProblemData<dim>::exact_solution() const
  {
    TESSERA_ASSERT(u, "there is no exact solution");
    return *u;
  }



  template <int dim>
  const std::set<types::boundary_id> &
  ProblemData<dim>::dirichlet_ids() const
  {
    return dirichlet;
  }



  template <int dim>
  bool
  ProblemData<dim>::is_neumann(const types::boundary_id id) const
  {
    return neumann.count(id) > 0;
  }



  template <int dim>
  const Function<dim> &
  ProblemData<dim>::dirichlet_values(const types::boundary_id id) const
  {
    return *g_dirichlet.at(id);
  }



  template <int dim>
  double
  ProblemData<dim>::neumann_value(const types::boundary_id id,
                                  const Point<dim>        &point,
                                  const Tensor<1, dim>    &normal) const
  {
    const auto given = g_neumann.find(id);
    if (given != g_neumann.end())
      return given->second->value(point);
    return u ? u->gradient(point) * normal : 0.;
  }



  template <int dim>
  void
  ProblemData<dim>::check_finite(const Communicator &communicator) const
  {
    f->check_finite(communicator);
    if (u)
      u->check_finite(communicator);
    for (const auto &entry : g_dirichlet)
      entry.second->check_finite(communicator);
    for (const auto &entry : g_neumann)
      entry.second->check_finite(communicator);
  }



  template class ProblemData<2>;
  template class ProblemData<3>;
} // namespace tessera::poisson_q3
