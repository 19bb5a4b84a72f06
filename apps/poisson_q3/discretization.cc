// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/discretization.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/matrix_free/fe_evaluation.h>
#include <deal.II/numerics/vector_tools_boundary.h>

#include <cmath>

namespace tessera::poisson_q3
{
  using namespace dealii;

  namespace
  {
    // Indices of the quadrature formulas in the MatrixFree object.
    constexpr unsigned int operator_quadrature = 0;
    constexpr unsigned int data_quadrature     = 1;

    constexpr unsigned int cells_between_reports = 256;
  } // namespace



  template <int dim>
  Discretization<dim>::Discretization(const Parameters   &parameters,
                                      const MPI_Comm      mpi_communicator,
                                      const Communicator &comm,
                                      Progress           &progress_line)
    : communicator(comm)
    , progress(progress_line)
    , has_level_dofs(parameters.preconditioner ==
                     Preconditioner::chebyshev_multigrid)
    , triangulation(mpi_communicator,
                    Triangulation<dim>::limit_level_difference_at_vertices,
                    parallel::distributed::Triangulation<
                      dim>::construct_multigrid_hierarchy)
    , fe(parameters.degree)
    , dof_handler(triangulation)
  {
    GridGenerator::subdivided_hyper_rectangle(triangulation,
                                              parameters.box.coarse_cells,
                                              parameters.box.lower<dim>(),
                                              parameters.box.upper<dim>(),
                                              /* colorize = */ true);
    triangulation.refine_global(parameters.n_refinements);
  }



  template <int dim>
  void
  Discretization<dim>::refine()
  {
    triangulation.refine_global(1);
  }



  template <int dim>
  void
  Discretization<dim>::reinit(const ProblemData<dim> &problem)
  {
    laplace_operator.clear();
    dof_handler.distribute_dofs(fe);
    if (has_level_dofs)
      dof_handler.distribute_mg_dofs();

    const auto make_constraints = [&]() {
      constraints.clear();
      dealii_compatibility::reinit_constraints(
        constraints,
        dof_handler.locally_owned_dofs(),
        DoFTools::extract_locally_relevant_dofs(dof_handler));
      for (const types::boundary_id id : problem.dirichlet_ids())
        DoFTools::make_zero_boundary_constraints(dof_handler, id, constraints);
      constraints.close();
    };

    typename MatrixFree<dim, double>::AdditionalData options;
    options.mapping_update_flags =
      update_gradients | update_JxW_values | update_quadrature_points;
    options.tasks_parallel_scheme =
      MatrixFree<dim, double>::AdditionalData::none;

    // Number the unknowns in the order in which the cell loop touches them.
    make_constraints();
    DoFRenumbering::matrix_free_data_locality(dof_handler,
                                              constraints,
                                              options);
    make_constraints();

    matrix_free = std::make_shared<MatrixFree<dim, double>>();
    matrix_free->reinit(mapping,
                        std::vector<const DoFHandler<dim> *>{&dof_handler},
                        std::vector<const AffineConstraints<double> *>{
                          &constraints},
                        std::vector<QGauss<1>>{QGauss<1>(fe.degree + 1),
                                               QGauss<1>(fe.degree + 2)},
                        options);
    laplace_operator.initialize(matrix_free);
  }



  template <int dim>
  template <typename Evaluation>
  VectorizedArray<double>
  Discretization<dim>::value_at(const apps::Expression<dim> &function,
                                const Evaluation            &evaluation,
                                const unsigned int           q,
                                const unsigned int           n_lanes) const
  {
    const auto              points = evaluation.quadrature_point(q);
    VectorizedArray<double> values(0.);
    for (unsigned int v = 0; v < n_lanes; ++v)
      {
        Point<dim> point;
        for (unsigned int d = 0; d < dim; ++d)
          point[d] = points[d][v];
        values[v] = function.value(point);
      }
    return values;
  }



  template <int dim>
  template <typename F>
  void
  Discretization<dim>::integrate_right_hand_side(
    const ProblemData<dim> &problem,
    const F                &consume) const
  {
    FEEvaluation<dim, -1, 0, 1, double> load(*matrix_free, 0, data_quadrature);
    ProgressPhase                       phase(progress,
                        "integrating the right-hand side",
                        matrix_free->n_cell_batches(),
                        "cells");
    for (unsigned int batch = 0; batch < matrix_free->n_cell_batches(); ++batch)
      {
        if (batch % cells_between_reports == 0)
          phase.update(batch);
        const unsigned int n_lanes =
          matrix_free->n_active_entries_per_cell_batch(batch);

        load.reinit(batch);
        for (unsigned int q = 0; q < load.n_q_points; ++q)
          load.submit_value(
            value_at(problem.right_hand_side(), load, q, n_lanes), q);
        load.integrate(EvaluationFlags::values);
        consume(load, batch);
      }
  }



  template <int dim>
  template <typename F>
  void
  Discretization<dim>::integrate_neumann_terms(const ProblemData<dim> &problem,
                                               const F &consume) const
  {
    const QGauss<dim - 1> quadrature(fe.degree + 2);
    FEFaceValues<dim>     face_values(mapping,
                                  fe,
                                  quadrature,
                                  update_values | update_JxW_values |
                                    update_quadrature_points |
                                    update_normal_vectors);
    Vector<double>        values(fe.n_dofs_per_cell());

    for (const auto &cell : dof_handler.active_cell_iterators())
      if (cell->is_locally_owned() && cell->at_boundary())
        {
          bool touched = false;
          values       = 0.;
          for (const auto face : cell->face_indices())
            if (cell->face(face)->at_boundary() &&
                problem.is_neumann(cell->face(face)->boundary_id()))
              {
                touched = true;
                face_values.reinit(cell, face);
                for (const auto q : face_values.quadrature_point_indices())
                  {
                    const double g_times_JxW =
                      problem.neumann_value(cell->face(face)->boundary_id(),
                                            face_values.quadrature_point(q),
                                            face_values.normal_vector(q)) *
                      face_values.JxW(q);
                    for (const auto i : face_values.dof_indices())
                      values(i) += face_values.shape_value(i, q) * g_times_JxW;
                  }
              }
          if (touched)
            consume(cell, values);
        }
  }



  template <int dim>
  void
  Discretization<dim>::interpolate_boundary_values(
    const ProblemData<dim> &problem,
    VectorType             &boundary_lift) const
  {
    matrix_free->initialize_dof_vector(boundary_lift);

    // One id after the other: a node that two parts share gets the value of
    // the part with the larger id on every rank that sees it.
    std::map<types::global_dof_index, double> boundary_values;
    for (const types::boundary_id id : problem.dirichlet_ids())
      VectorTools::interpolate_boundary_values(mapping,
                                               dof_handler,
                                               id,
                                               problem.dirichlet_values(id),
                                               boundary_values);
    for (const auto &[index, value] : boundary_values)
      if (boundary_lift.in_local_range(index))
        boundary_lift(index) = value;
    boundary_lift.update_ghost_values();

    problem.check_finite(communicator);
  }



  template <int dim>
  void
  Discretization<dim>::assemble(const ProblemData<dim> &problem,
                                VectorType             &rhs,
                                VectorType             &boundary_lift) const
  {
    matrix_free->initialize_dof_vector(rhs);
    interpolate_boundary_values(problem, boundary_lift);

    FEEvaluation<dim, -1, 0, 1, double> lift(*matrix_free,
                                             0,
                                             operator_quadrature);
    integrate_right_hand_side(
      problem, [&](auto &load, const unsigned int batch) {
        load.distribute_local_to_global(rhs);

        lift.reinit(batch);
        lift.read_dof_values_plain(boundary_lift);
        lift.evaluate(EvaluationFlags::gradients);
        for (unsigned int q = 0; q < lift.n_q_points; ++q)
          lift.submit_gradient(-lift.get_gradient(q), q);
        lift.integrate(EvaluationFlags::gradients);
        lift.distribute_local_to_global(rhs);
      });
    std::vector<types::global_dof_index> indices(fe.n_dofs_per_cell());
    integrate_neumann_terms(
      problem, [&](const auto &cell, const Vector<double> &values) {
        cell->get_dof_indices(indices);
        constraints.distribute_local_to_global(values, indices, rhs);
      });
    rhs.compress(VectorOperation::add);

    problem.check_finite(communicator);
  }



  template <int dim>
  void
  Discretization<dim>::assemble_cellwise(
    const ProblemData<dim>                   &problem,
    const dealii_adapters::CellwiseDoFs<dim> &dofs,
    cellwise::DualField<double>              &load) const
  {
    load.reinit(dofs.n_cells(), dofs.n_nodes());

    std::vector<double> element_vector(dofs.n_nodes());
    integrate_right_hand_side(
      problem, [&](const auto &integrals, const unsigned int batch) {
        for (unsigned int lane = 0;
             lane < matrix_free->n_active_entries_per_cell_batch(batch);
             ++lane)
          {
            for (unsigned int k = 0; k < element_vector.size(); ++k)
              element_vector[k] = integrals.begin_dof_values()[k][lane];
            dofs.add_element_vector(load,
                                    *matrix_free->get_cell_iterator(batch,
                                                                    lane),
                                    element_vector.data());
          }
      });

    const std::vector<unsigned int> lexicographic =
      fe.get_poly_space_numbering_inverse();
    integrate_neumann_terms(
      problem, [&](const auto &cell, const Vector<double> &values) {
        for (unsigned int k = 0; k < element_vector.size(); ++k)
          element_vector[k] = values(lexicographic[k]);
        dofs.add_element_vector(load, *cell, element_vector.data());
      });

    problem.check_finite(communicator);
  }



  template <int dim>
  ErrorNorms
  Discretization<dim>::compute_errors(const ProblemData<dim> &problem,
                                      const VectorType       &solution) const
  {
    const apps::Expression<dim> &exact = problem.exact_solution();

    double                              squares[2] = {0., 0.};
    FEEvaluation<dim, -1, 0, 1, double> u(*matrix_free, 0, data_quadrature);
    ProgressPhase                       phase(progress,
                        "integrating the errors",
                        matrix_free->n_cell_batches(),
                        "cells");
    for (unsigned int cell = 0; cell < matrix_free->n_cell_batches(); ++cell)
      {
        if (cell % cells_between_reports == 0)
          phase.update(cell);
        u.reinit(cell);
        u.read_dof_values_plain(solution);
        u.evaluate(EvaluationFlags::values | EvaluationFlags::gradients);
        for (unsigned int q = 0; q < u.n_q_points; ++q)
          {
            const auto points   = u.quadrature_point(q);
            const auto value    = u.get_value(q);
            const auto gradient = u.get_gradient(q);
            const auto JxW      = u.JxW(q);
            for (unsigned int v = 0;
                 v < matrix_free->n_active_entries_per_cell_batch(cell);
                 ++v)
              {
                Point<dim>     point;
                Tensor<1, dim> discrete_gradient;
                for (unsigned int d = 0; d < dim; ++d)
                  {
                    point[d]             = points[d][v];
                    discrete_gradient[d] = gradient[d][v];
                  }
                const double difference = exact.value(point) - value[v];
                squares[0] += difference * difference * JxW[v];
                squares[1] +=
                  (problem.exact_gradient(point) - discrete_gradient)
                    .norm_square() *
                  JxW[v];
              }
          }
      }
    problem.check_finite(communicator);
    return {std::sqrt(communicator.sum(squares[0])),
            std::sqrt(communicator.sum(squares[1]))};
  }



  template <int dim>
  const parallel::distributed::Triangulation<dim> &
  Discretization<dim>::get_triangulation() const
  {
    return triangulation;
  }



  template <int dim>
  const DoFHandler<dim> &
  Discretization<dim>::get_dof_handler() const
  {
    return dof_handler;
  }



  template <int dim>
  const Mapping<dim> &
  Discretization<dim>::get_mapping() const
  {
    return mapping;
  }



  template <int dim>
  const LaplaceOperator<dim, double> &
  Discretization<dim>::get_operator() const
  {
    return laplace_operator;
  }



  template class Discretization<2>;
  template class Discretization<3>;
} // namespace tessera::poisson_q3
