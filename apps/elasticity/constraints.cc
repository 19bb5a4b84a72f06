// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/constraints.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_values.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <utility>

#include "common/text_of_numbers.h"
#include "elasticity/boundary_table.h"

namespace tessera::elasticity
{
  using namespace dealii;

  namespace
  {
    constexpr double inclination_tolerance = 1e-6;

    struct GivenValue
    {
      double             value = 0.;
      types::boundary_id id    = 0;
    };

    using GivenValues = std::map<types::global_dof_index, GivenValue>;



    /** The direction that a face is normal to. */
    template <int dim>
    unsigned int
    axis_of_face(const FEFaceValues<dim> &values, const types::boundary_id id)
    {
      unsigned int axis = dim;
      for (const Tensor<1, dim> &normal : values.get_normal_vectors())
        {
          unsigned int largest = 0;
          for (unsigned int d = 1; d < dim; ++d)
            if (std::abs(normal[d]) > std::abs(normal[largest]))
              largest = d;
          double others = 0.;
          for (unsigned int d = 0; d < dim; ++d)
            if (d != largest)
              others = std::max(others, std::abs(normal[d]));
          if (others > inclination_tolerance ||
              (axis != dim && axis != largest))
            {
              std::ostringstream text;
              text << "boundary id " << id << " (symmetry): a face at ("
                   << values.quadrature_point(0) << ") has the normal ("
                   << normal
                   << "). Planes of symmetry must be normal to x, y or z, "
                      "because a condition holds one component of the "
                      "displacement. Turn the mesh so that they are, or cut "
                      "the body elsewhere";
              throw InputError(text.str());
            }
          axis = largest;
        }
      return axis;
    }



    /** Enter what one part of the boundary gives over what parts with smaller
     * ids have given. @return the number of values that were different, by the
     * id that had given them. */
    template <int dim>
    std::map<types::boundary_id, unsigned int>
    collect_values(const types::boundary_id       id,
                   const BoundaryType             type,
                   const ProblemData<dim>        &problem,
                   const Mapping<dim>            &mapping,
                   const DoFHandler<dim>         &dof_handler,
                   const std::vector<Point<dim>> &points,
                   GivenValues                   &given)
    {
      const FiniteElement<dim> &fe = dof_handler.get_fe();
      FEFaceValues<dim>         values(mapping,
                               fe,
                               QGauss<dim - 1>(2),
                               update_normal_vectors |
                                 update_quadrature_points);

      std::vector<types::global_dof_index>       dofs;
      std::map<types::boundary_id, unsigned int> conflicts;
      for (const auto &cell : dof_handler.active_cell_iterators())
        for (const unsigned int f : cell->face_indices())
          {
            if (!cell->at_boundary(f) || cell->face(f)->boundary_id() != id)
              continue;
            std::vector<bool> is_given(dim, false);
            if (type == BoundaryType::symmetry)
              {
                values.reinit(cell, f);
                is_given[axis_of_face(values, id)] = true;
              }
            else
              for (const unsigned int c :
                   problem.given_displacements().at(id).components)
                is_given[c] = true;

            dofs.resize(fe.n_dofs_per_face(f));
            cell->face(f)->get_dof_indices(dofs);
            for (unsigned int i = 0; i < dofs.size(); ++i)
              {
                const unsigned int c =
                  fe.face_system_to_component_index(i).first;
                if (!is_given[c])
                  continue;
                const double value =
                  type == BoundaryType::symmetry ?
                    0. :
                    problem.given_displacements().at(id).value->value(
                      points[dofs[i]], c);
                const auto [entry, is_new] = given.insert({dofs[i], {}});
                GivenValue &old            = entry->second;
                if (!is_new && old.id != id &&
                    std::abs(old.value - value) >
                      1e-12 * std::max(std::abs(old.value), std::abs(value)))
                  ++conflicts[old.id];
                old = {value, id};
              }
          }
      return conflicts;
    }
  } // namespace



  template <int dim>
  AffineConstraints<double>
  make_constraints(const Parameters         &parameters,
                   const ProblemData<dim>   &problem,
                   const Mapping<dim>       &mapping,
                   const DoFHandler<dim>    &dof_handler,
                   const double              factor,
                   std::vector<std::string> &warnings)
  {
    AffineConstraints<double> constraints;
    DoFTools::make_hanging_node_constraints(dof_handler, constraints);

    std::vector<Point<dim>> points(dof_handler.n_dofs());
    DoFTools::map_dofs_to_support_points(mapping, dof_handler, points);

    GivenValues given;
    for (const auto &[id, condition] : parameters.boundary_conditions)
      if (condition.type == BoundaryType::clamped ||
          condition.type == BoundaryType::displacement ||
          condition.type == BoundaryType::symmetry)
        for (const auto &[other, number] : collect_values(id,
                                                          condition.type,
                                                          problem,
                                                          mapping,
                                                          dof_handler,
                                                          points,
                                                          given))
          warnings.push_back(
            "boundary ids " + std::to_string(other) + " (" +
            name(parameters.boundary_conditions.at(other).type) + ") and " +
            std::to_string(id) + " (" + name(condition.type) +
            ") give different displacements at nodes that they share (" +
            apps::counted(number, "component") + "); there, that of " +
            std::to_string(id) + ", the larger id, holds");

    for (const auto &[dof, entry] : given)
      if (!constraints.is_constrained(dof))
        {
          constraints.add_line(dof);
          constraints.set_inhomogeneity(dof, factor * entry.value);
        }
    constraints.close();
    return constraints;
  }



  template AffineConstraints<double>
  make_constraints(const Parameters &,
                   const ProblemData<2> &,
                   const Mapping<2> &,
                   const DoFHandler<2> &,
                   const double,
                   std::vector<std::string> &);
  template AffineConstraints<double>
  make_constraints(const Parameters &,
                   const ProblemData<3> &,
                   const Mapping<3> &,
                   const DoFHandler<3> &,
                   const double,
                   std::vector<std::string> &);
} // namespace tessera::elasticity
