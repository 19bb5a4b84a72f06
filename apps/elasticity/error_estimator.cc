// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/error_estimator.h"

#include <deal.II/base/numbers.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_values.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <sstream>

#include "elasticity/constitutive_law.h"

namespace tessera::elasticity
{
  using namespace dealii;

  namespace
  {
    /** Squares of indicators that differ less, relatively, are equal: on a
     * symmetric mesh rounding errors shall not choose between cells. */
    constexpr double tie_tolerance = 1e-4;



    /** Write $P N$ at the points of a face, as seen from the cell that
     * @p values is on. */
    template <int dim>
    void
    compute_tractions(const Constitution          &constitution,
                      const Vector<double>        &displacement,
                      const FEFaceValuesBase<dim> &values,
                      std::vector<Tensor<2, dim>> &gradients,
                      std::vector<Tensor<1, dim>> &tractions)
    {
      values[FEValuesExtractors::Vector(0)].get_function_gradients(displacement,
                                                                   gradients);
      for (unsigned int q = 0; q < tractions.size(); ++q)
        {
          const StressState<dim> state =
            evaluate_stress(constitution,
                            values.get_cell()->material_id(),
                            values.quadrature_point(q),
                            gradients[q]);
          if (!state.is_valid())
            {
              std::ostringstream message;
              message << "There is no stress at the point ("
                      << values.quadrature_point(q)
                      << "): the determinant of the deformation gradient is "
                      << state.determinant << '.';
              throw InvertedCell(message.str());
            }
          tractions[q] = state.first_piola * values.normal_vector(q);
        }
    }



    /** Add $h^2/(\pi^2 p^2 \mu) \int |s\, b + \mathrm{Div} P|^2$ of all cells.
     */
    template <int dim>
    void
    add_cell_residuals(const Body<dim>      &body,
                       const Vector<double> &displacement,
                       const double          load_factor,
                       Vector<double>       &squares)
    {
      const FiniteElement<dim>        &fe = body.dof_handler.get_fe();
      const FEValuesExtractors::Vector components(0);
      FEValues<dim>                    values(body.mapping,
                           fe,
                           QGauss<dim>(fe.degree + 1),
                           update_gradients | update_hessians |
                             update_JxW_values | update_quadrature_points);
      std::vector<Tensor<2, dim>>      gradients(values.n_quadrature_points);
      std::vector<Tensor<3, dim>>      hessians(values.n_quadrature_points);
      Vector<double>                   force(dim);
      for (const auto &cell : body.dof_handler.active_cell_iterators())
        {
          values.reinit(cell);
          values[components].get_function_gradients(displacement, gradients);
          values[components].get_function_hessians(displacement, hessians);
          double integral = 0.;
          for (unsigned int q = 0; q < values.n_quadrature_points; ++q)
            {
              if (body.loads.body_force != nullptr)
                body.loads.body_force->vector_value(values.quadrature_point(q),
                                                    force);
              Tensor<1, dim> residual =
                stress_divergence(body.constitution,
                                  cell->material_id(),
                                  values.quadrature_point(q),
                                  gradients[q],
                                  hessians[q]);
              for (unsigned int i = 0; i < dim; ++i)
                residual[i] += load_factor * force[i];
              integral += residual.norm_square() * values.JxW(q);
            }
          const double h = cell->diameter() / (numbers::PI * fe.degree);
          const double mu =
            body.constitution.materials[cell->material_id()].mu *
            body.constitution.factor(cell->center());
          squares[cell->active_cell_index()] += h * h / mu * integral;
        }
    }



    const UpdateFlags face_flags = update_gradients | update_JxW_values |
                                   update_quadrature_points |
                                   update_normal_vectors;



    template <int dim>
    class TractionJumps
    {
    public:
      using CellIterator = typename DoFHandler<dim>::cell_iterator;

      TractionJumps(const Body<dim>            &discretization,
                    const Vector<double>       &solution,
                    const double                factor_of_loads,
                    const std::vector<Support> &held)
        : body(discretization)
        , displacement(solution)
        , load_factor(factor_of_loads)
        , supports(held)
        , quadrature(body.dof_handler.get_fe().degree + 1)
        , values(body.mapping,
                 body.dof_handler.get_fe(),
                 quadrature,
                 face_flags)
        , neighbor_values(body.mapping,
                          body.dof_handler.get_fe(),
                          quadrature,
                          face_flags)
        , subface_values(body.mapping,
                         body.dof_handler.get_fe(),
                         quadrature,
                         face_flags)
        , gradients(quadrature.size())
        , tractions(quadrature.size())
        , neighbor_tractions(quadrature.size())
      {}



      /** Add the terms of a face to the squares of the indicators. Faces
       * between cells are left to one of the two: the coarser or that of the
       * smaller number. */
      void
      add_face(const CellIterator &cell,
               const unsigned int  face,
               Vector<double>     &squares)
      {
        if (cell->face(face)->at_boundary())
          {
            values.reinit(cell, face);
            squares[cell->active_cell_index()] += boundary_term(cell, face);
            return;
          }

        if (cell->neighbor(face)->has_children())
          {
            const unsigned int neighbor_face = cell->neighbor_of_neighbor(face);
            for (unsigned int child = 0;
                 child < cell->face(face)->n_active_descendants();
                 ++child)
              {
                const auto neighbor =
                  cell->neighbor_child_on_subface(face, child);
                subface_values.reinit(cell, face, child);
                neighbor_values.reinit(neighbor, neighbor_face);
                add_interior_term(
                  cell, neighbor, neighbor_face, subface_values, squares);
              }
          }
        else if (!cell->neighbor_is_coarser(face) &&
                 cell->active_cell_index() <
                   cell->neighbor(face)->active_cell_index())
          {
            const unsigned int neighbor_face = cell->neighbor_of_neighbor(face);
            values.reinit(cell, face);
            neighbor_values.reinit(cell->neighbor(face), neighbor_face);
            add_interior_term(
              cell, cell->neighbor(face), neighbor_face, values, squares);
          }
      }

    private:
      double
      shear_modulus(const CellIterator &cell, const Point<dim> &point) const
      {
        return body.constitution.materials[cell->material_id()].mu *
               body.constitution.factor(point);
      }



      /** The half of $h/(12 p \mu) \int |[P N]|^2$ for each of both cells.
       * @p neighbor_face is the face, not larger than that of the cell. */
      void
      add_interior_term(const CellIterator          &cell,
                        const CellIterator          &neighbor,
                        const unsigned int           neighbor_face,
                        const FEFaceValuesBase<dim> &cell_values,
                        Vector<double>              &squares)
      {
        compute_tractions(
          body.constitution, displacement, cell_values, gradients, tractions);
        compute_tractions(body.constitution,
                          displacement,
                          neighbor_values,
                          gradients,
                          neighbor_tractions);
        double integral = 0.;
        for (unsigned int q = 0; q < tractions.size(); ++q)
          integral += (tractions[q] + neighbor_tractions[q]).norm_square() *
                      cell_values.JxW(q);

        const auto       geometry = neighbor->face(neighbor_face);
        const Point<dim> center   = geometry->center();
        const double     modulus  = std::max(shear_modulus(cell, center),
                                        shear_modulus(neighbor, center));
        const double     term     = 0.5 * geometry->diameter() /
                            (12. * body.dof_handler.get_fe().degree * modulus) *
                            integral;
        squares[cell->active_cell_index()] += term;
        squares[neighbor->active_cell_index()] += term;
      }



      double
      boundary_term(const CellIterator &cell, const unsigned int face)
      {
        const auto id   = cell->face(face)->boundary_id();
        const auto load = body.loads.tractions.find(id);
        compute_tractions(
          body.constitution, displacement, values, gradients, tractions);

        Vector<double> given(dim);
        double         integral = 0.;
        for (unsigned int q = 0; q < tractions.size(); ++q)
          {
            if (load != body.loads.tractions.end())
              load->second->vector_value(values.quadrature_point(q), given);
            for (unsigned int i = 0; i < dim; ++i)
              {
                bool is_held = false;
                for (const Support &support : supports)
                  is_held =
                    is_held || (support.boundary == id &&
                                support.holds(i, values.normal_vector(q)));
                if (!is_held)
                  {
                    const double jump =
                      load_factor * given[i] - tractions[q][i];
                    integral += jump * jump * values.JxW(q);
                  }
              }
          }
        return cell->face(face)->diameter() /
               (12. * body.dof_handler.get_fe().degree *
                shear_modulus(cell, cell->face(face)->center())) *
               integral;
      }



      const Body<dim>            &body;
      const Vector<double>       &displacement;
      const double                load_factor;
      const std::vector<Support> &supports;
      const QGauss<dim - 1>       quadrature;
      FEFaceValues<dim>           values;
      FEFaceValues<dim>           neighbor_values;
      FESubfaceValues<dim>        subface_values;
      std::vector<Tensor<2, dim>> gradients;
      std::vector<Tensor<1, dim>> tractions;
      std::vector<Tensor<1, dim>> neighbor_tractions;
    };
  } // namespace



  template <int dim>
  Vector<float>
  estimate_error(const Body<dim>            &body,
                 const Vector<double>       &displacement,
                 const double                load_factor,
                 const std::vector<Support> &supports)
  {
    const unsigned int n_cells =
      body.dof_handler.get_triangulation().n_active_cells();
    Vector<double> squares(n_cells);
    add_cell_residuals(body, displacement, load_factor, squares);
    TractionJumps<dim> jumps(body, displacement, load_factor, supports);
    for (const auto &cell : body.dof_handler.active_cell_iterators())
      for (const unsigned int face : cell->face_indices())
        jumps.add_face(cell, face, squares);

    Vector<float> indicators(n_cells);
    for (unsigned int k = 0; k < n_cells; ++k)
      indicators[k] = static_cast<float>(std::sqrt(squares[k]));
    return indicators;
  }



  double
  global_estimate(const Vector<float> &indicators)
  {
    double sum = 0.;
    for (const double eta : indicators)
      sum += eta * eta;
    return std::sqrt(sum);
  }



  template <int dim>
  void
  mark_for_refinement(Triangulation<dim>  &triangulation,
                      const Vector<float> &indicators,
                      const double         fraction)
  {
    AssertDimension(indicators.size(), triangulation.n_active_cells());
    std::vector<double> squares(indicators.size());
    for (unsigned int k = 0; k < squares.size(); ++k)
      squares[k] = double(indicators[k]) * double(indicators[k]);
    std::vector<double> descending(squares);
    std::sort(descending.begin(), descending.end(), std::greater<double>());
    const double goal =
      fraction * std::accumulate(squares.begin(), squares.end(), 0.);

    double sum = 0., threshold = 0.;
    for (unsigned int k = 0; k < descending.size() && sum < goal; ++k)
      {
        threshold = descending[k] * (1. - tie_tolerance);
        sum += descending[k];
      }
    if (sum > 0.)
      for (const auto &cell : triangulation.active_cell_iterators())
        if (squares[cell->active_cell_index()] >= threshold)
          cell->set_refine_flag();
  }



  template Vector<float>
  estimate_error<2>(const Body<2> &,
                    const Vector<double> &,
                    const double,
                    const std::vector<Support> &);
  template Vector<float>
  estimate_error<3>(const Body<3> &,
                    const Vector<double> &,
                    const double,
                    const std::vector<Support> &);
  template void
  mark_for_refinement<2>(Triangulation<2> &,
                         const Vector<float> &,
                         const double);
  template void
  mark_for_refinement<3>(Triangulation<3> &,
                         const Vector<float> &,
                         const double);
} // namespace tessera::elasticity
