// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/problem.h"

#include <tessera/base/exceptions.h>

#include <cmath>
#include <sstream>

#include "sipg_adaptive/domain.h"

namespace tessera::sipg_adaptive
{
  using namespace dealii;

  namespace
  {
    const std::string coefficient_path = "Problem/Diffusion coefficient";

    template <int dim>
    dealii::Point<dim>
    to_dealii(const sipg::Point<dim> &x)
    {
      dealii::Point<dim> point;
      for (unsigned int d = 0; d < dim; ++d)
        point[d] = x[d];
      return point;
    }
  } // namespace



  template <int dim>
  Problem<dim>::Problem(const Parameters         &parameters,
                        const apps::ParameterSet *set)
    : n_ids(n_boundary_ids(parameters.domain, dim))
    , poisson(parameters.problem, n_ids, parameters.box.shortest_side(), set)
    , k((set != nullptr && set->was_set(coefficient_path) ?
           set->origin(coefficient_path) + ": " :
           "") +
          coefficient_path,
        parameters.coefficient)
    , is_unit_coefficient(parameters.coefficient == "1")
  {}



  template <int dim>
  dealii_adapters::BoundaryConditions
  Problem<dim>::boundary_conditions() const
  {
    dealii_adapters::BoundaryConditions conditions;
    for (types::boundary_id id = 0; id < n_ids; ++id)
      conditions[id] = poisson.is_neumann(id) ?
                         sipg::BoundaryCondition::neumann :
                         sipg::BoundaryCondition::dirichlet;
    return conditions;
  }



  template <int dim>
  std::vector<double>
  Problem<dim>::coefficient(const sipg::Forest<dim> &forest) const
  {
    std::vector<double> values;
    if (has_coefficient())
      for (const sipg::CellKey &key : forest.active_cells())
        values.push_back(coefficient(forest, key));
    return values;
  }



  template <int dim>
  double
  Problem<dim>::coefficient(const sipg::Forest<dim> &forest,
                            const sipg::CellKey     &key) const
  {
    if (!has_coefficient())
      return 1.;
    Point<dim>             center = to_dealii<dim>(forest.lower_corner(key));
    const sipg::Point<dim> size   = forest.cell_size(int(key.level));
    for (unsigned int d = 0; d < dim; ++d)
      center[d] += size[d] / 2.;
    const double value = k.value(center);
    k.check_finite(Communicator());
    if (!(value > 0.))
      {
        std::ostringstream text;
        text << coefficient_path << " = \"" << k.text() << "\" is " << value
             << " at the centre of a cell, (";
        for (unsigned int d = 0; d < dim; ++d)
          text << (d > 0 ? ", " : "") << center[d];
        text << "); it must be positive";
        throw InputError(text.str());
      }
    return value;
  }



  template <int dim>
  sipg::ProblemData<dim>
  Problem<dim>::functions(
    const dealii_adapters::CartesianForest<dim> &cells) const
  {
    const auto id = [&cells](const sipg::BoundaryFace &face) {
      return cells.boundary_id(face.cell.coarse_cell,
                               sipg::face_number(face.axis, face.side));
    };
    sipg::ProblemData<dim> functions;
    functions.source = [this](const sipg::Point<dim> &x) {
      return checked(poisson.right_hand_side().value(to_dealii<dim>(x)));
    };
    functions.dirichlet = [this, id](const sipg::Point<dim>   &x,
                                     const sipg::BoundaryFace &face) {
      return checked(
        poisson.dirichlet_values(id(face)).value(to_dealii<dim>(x)));
    };
    functions.neumann = [this, id, &cells](const sipg::Point<dim>   &x,
                                           const sipg::BoundaryFace &face) {
      Tensor<1, dim> normal;
      normal[face.axis] = 2. * face.side - 1.;
      return checked(
        poisson.neumann_value(id(face),
                              to_dealii<dim>(x),
                              normal,
                              coefficient(cells.forest(), face.cell)));
    };
    return functions;
  }



  template <int dim>
  sipg::ScalarFunction<dim>
  Problem<dim>::exact_solution() const
  {
    return [this](const sipg::Point<dim> &x) {
      return checked(poisson.exact_solution().value(to_dealii<dim>(x)));
    };
  }



  template <int dim>
  sipg::GradientFunction<dim>
  Problem<dim>::exact_gradient() const
  {
    return [this](const sipg::Point<dim> &x) {
      const Tensor<1, dim> gradient = poisson.exact_gradient(to_dealii<dim>(x));
      sipg::Point<dim>     values;
      for (unsigned int d = 0; d < dim; ++d)
        values[d] = checked(gradient[d]);
      return values;
    };
  }



  template <int dim>
  double
  Problem<dim>::checked(const double value) const
  {
    if (!std::isfinite(value))
      poisson.check_finite(Communicator());
    return value;
  }



  template class Problem<2>;
  template class Problem<3>;
} // namespace tessera::sipg_adaptive
