// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/probe.h"

#include <tessera/base/exceptions.h>

#include <deal.II/base/bounding_box.h>
#include <deal.II/base/geometry_info.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/grid_tools.h>

#include <sstream>
#include <vector>

#include "elasticity/constitutive_law.h"

namespace tessera::elasticity
{
  using namespace dealii;

  namespace
  {
    /** How far outside of the unit cell a point may be. */
    constexpr double inside_tolerance = 1e-8;

    /** Curved cells reach out of the box around their vertices, hardly by more
     * than this times its size. */
    constexpr double box_extension = 0.5;



    template <int dim>
    [[noreturn]] void
    throw_outside(const Triangulation<dim> &triangulation,
                  const Point<dim>         &point)
    {
      const auto box =
        GridTools::compute_bounding_box(triangulation).get_boundary_points();
      std::ostringstream message;
      message << "The point (" << point
              << ") is in no cell of the mesh, which lies between ("
              << box.first << ") and (" << box.second
              << "). Choose a point of the body.";
      throw InputError(message.str());
    }
  } // namespace



  template <int dim>
  ProbeValue<dim>
  evaluate_at_point(const Body<dim>      &body,
                    const Vector<double> &displacement,
                    const Point<dim>     &point)
  {
    const FiniteElement<dim>        &fe = body.dof_handler.get_fe();
    const FEValuesExtractors::Vector components(0);

    ProbeValue<dim> result;
    unsigned int    n_averaged = 0;
    for (const auto &cell : body.dof_handler.active_cell_iterators())
      {
        BoundingBox<dim> box = cell->bounding_box();
        box.extend(box_extension * cell->minimum_vertex_distance());
        if (!box.point_inside(point))
          continue;
        Point<dim> unit_point;
        try
          {
            unit_point = body.mapping.transform_real_to_unit_cell(cell, point);
          }
        catch (const typename Mapping<dim>::ExcTransformationFailed &)
          {
            continue; // as happens far outside of a distorted cell
          }
        if (!GeometryInfo<dim>::is_inside_unit_cell(unit_point,
                                                    inside_tolerance))
          continue;
        if (n_averaged > 0 && cell->material_id() > result.material_id)
          continue;

        FEValues<dim> values(
          body.mapping,
          fe,
          Quadrature<dim>(GeometryInfo<dim>::project_to_unit_cell(unit_point)),
          update_values | update_gradients);
        values.reinit(cell);
        std::vector<Tensor<1, dim>> u(1);
        std::vector<Tensor<2, dim>> gradient(1);
        values[components].get_function_values(displacement, u);
        values[components].get_function_gradients(displacement, gradient);
        const StressState<dim> state = evaluate_stress(body.constitution,
                                                       cell->material_id(),
                                                       point,
                                                       gradient[0]);
        if (!state.is_valid())
          {
            std::ostringstream message;
            message << "There is no stress at the point (" << point
                    << "): the determinant of the deformation gradient is "
                    << state.determinant << '.';
            throw InvertedCell(message.str());
          }

        if (n_averaged == 0 || cell->material_id() < result.material_id)
          {
            n_averaged    = 0;
            result.stress = 0.;
          }
        result.displacement = u[0];
        result.material_id  = cell->material_id();
        result.stress += state.cauchy;
        ++n_averaged;
      }

    if (n_averaged == 0)
      throw_outside(body.dof_handler.get_triangulation(), point);
    result.stress /= n_averaged;
    result.von_mises = von_mises_stress(result.stress);
    return result;
  }



  template ProbeValue<2>
  evaluate_at_point<2>(const Body<2> &,
                       const Vector<double> &,
                       const Point<2> &);
  template ProbeValue<3>
  evaluate_at_point<3>(const Body<3> &,
                       const Vector<double> &,
                       const Point<3> &);
} // namespace tessera::elasticity
