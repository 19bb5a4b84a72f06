// SPDX-License-Identifier: LGPL-2.1-or-later
// The matrix-free operator, the right-hand side, assembled and cell by cell,
// and the errors agree with element matrices and integrals that are put
// together by FEValues.
#include <deal.II/fe/fe_values.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/numerics/vector_tools_interpolate.h>

#include <cmath>
#include <functional>

#include "box_problem.h"
#include "check.h"

using namespace tessera;
using namespace tessera::poisson_q3;
using tests::box_parameters;
using tests::BoxProblem;
using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

namespace
{
  template <int dim>
  using PointFunction = std::function<double(const dealii::Point<dim> &)>;

  /**
   * The unknowns with Dirichlet values, found by where they are: locally owned
   * entries are 1 there and 0 elsewhere, ghosts as well.
   */
  template <int dim>
  VectorType
  dirichlet_flags(const BoxProblem<dim> &problem)
  {
    VectorType flags;
    problem.discretization.get_operator().initialize_dof_vector(flags);
    const auto &dof_handler = problem.discretization.get_dof_handler();
    const auto &fe          = dof_handler.get_fe();
    std::vector<dealii::types::global_dof_index> indices(fe.n_dofs_per_cell());
    for (const auto &cell : dof_handler.active_cell_iterators())
      if (!cell->is_artificial() && cell->at_boundary())
        {
          cell->get_dof_indices(indices);
          for (const auto face : cell->face_indices())
            if (cell->face(face)->at_boundary() &&
                problem.data.dirichlet_ids().count(
                  cell->face(face)->boundary_id()) > 0)
              for (unsigned int i = 0; i < indices.size(); ++i)
                if (fe.has_support_on_face(i, face) &&
                    flags.in_local_range(indices[i]))
                  flags(indices[i]) = 1.;
        }
    flags.update_ghost_values();
    return flags;
  }



  /**
   * Call a function with the matrix of every locally owned cell and the
   * indices of its unknowns.
   */
  template <int dim, typename F>
  void
  for_each_cell_matrix(const BoxProblem<dim> &problem, const F &f)
  {
    const auto &dof_handler = problem.discretization.get_dof_handler();
    const auto &fe          = dof_handler.get_fe();
    dealii::FEValues<dim>      values(problem.discretization.get_mapping(),
                                 fe,
                                 dealii::QGauss<dim>(fe.degree + 1),
                                 dealii::update_gradients |
                                   dealii::update_JxW_values);
    dealii::FullMatrix<double> matrix(fe.n_dofs_per_cell());
    std::vector<dealii::types::global_dof_index> indices(fe.n_dofs_per_cell());
    for (const auto &cell : dof_handler.active_cell_iterators())
      if (cell->is_locally_owned())
        {
          values.reinit(cell);
          matrix = 0.;
          for (const auto q : values.quadrature_point_indices())
            for (const auto i : values.dof_indices())
              for (const auto j : values.dof_indices())
                matrix(i, j) += values.shape_grad(i, q) *
                                values.shape_grad(j, q) * values.JxW(q);
          cell->get_dof_indices(indices);
          f(matrix, indices);
        }
  }



  template <typename Number>
  double
  relative_difference(
    const dealii::LinearAlgebra::distributed::Vector<Number> &a,
    const VectorType                                         &b)
  {
    VectorType difference(b);
    difference.zero_out_ghost_values();
    for (unsigned int i = 0; i < b.locally_owned_size(); ++i)
      difference.local_element(i) -= a.local_element(i);
    return difference.linfty_norm() / b.linfty_norm();
  }



  template <int dim, typename Number>
  void
  test_operator(const Parameters &parameters, const double tolerance)
  {
    using NumberVector = dealii::LinearAlgebra::distributed::Vector<Number>;
    const BoxProblem<dim> problem(parameters);
    const auto            A     = problem.template make_operator<Number>();
    const VectorType      flags = dirichlet_flags(problem);
    CHECK_EQUAL(A.m(), problem.discretization.get_dof_handler().n_dofs());
    CHECK_EQUAL(A.n(), A.m());

    NumberVector src, dst;
    for (auto *const vector : {&src, &dst})
      A.initialize_dof_vector(*vector);
    tests::fill_at_random(src, 1);

    // Unit rows, and columns that take no part, where values are given.
    VectorType u(flags), expected(flags), diagonal(flags);
    u.zero_out_ghost_values();
    expected.zero_out_ghost_values();
    diagonal.zero_out_ghost_values();
    expected = 0.;
    diagonal = 0.;
    for (unsigned int i = 0; i < u.locally_owned_size(); ++i)
      u.local_element(i) =
        flags.local_element(i) > 0. ? 0. : double(src.local_element(i));
    u.update_ghost_values();
    for_each_cell_matrix(problem, [&](const auto &matrix, const auto &indices) {
      for (unsigned int i = 0; i < indices.size(); ++i)
        {
          for (unsigned int j = 0; j < indices.size(); ++j)
            expected(indices[i]) += matrix(i, j) * u(indices[j]);
          diagonal(indices[i]) += matrix(i, i);
        }
    });
    expected.compress(dealii::VectorOperation::add);
    diagonal.compress(dealii::VectorOperation::add);
    for (unsigned int i = 0; i < u.locally_owned_size(); ++i)
      if (flags.local_element(i) > 0.)
        {
          expected.local_element(i) = src.local_element(i);
          diagonal.local_element(i) = 1.;
        }

    dst = std::nan("");
    A.vmult(dst, src);
    CHECK_NEAR(relative_difference(dst, expected), 0., tolerance);
    dst = std::nan("");
    A.Tvmult(dst, src);
    CHECK_NEAR(relative_difference(dst, expected), 0., tolerance);

    // With work on ranges: each owned entry is in one range before the product,
    // and, when it is final, in one after it.
    std::vector<int> n_before(u.locally_owned_size()), n_after(n_before);
    NumberVector     seen(dst);
    dst  = std::nan("");
    seen = std::nan("");
    A.vmult(
      dst,
      src,
      [&](const unsigned int begin, const unsigned int end) {
        for (unsigned int i = begin; i < end; ++i)
          {
            ++n_before[i];
            dst.local_element(i) = 0.;
          }
      },
      [&](const unsigned int begin, const unsigned int end) {
        for (unsigned int i = begin; i < end; ++i)
          {
            ++n_after[i];
            seen.local_element(i) = dst.local_element(i);
          }
      });
    CHECK(n_before == std::vector<int>(u.locally_owned_size(), 1));
    CHECK(n_after == n_before);
    CHECK_NEAR(relative_difference(dst, expected), 0., tolerance);
    CHECK_NEAR(relative_difference(seen, expected), 0., tolerance);

    const auto &inverse = A.get_matrix_diagonal_inverse()->get_vector();
    for (unsigned int i = 0; i < u.locally_owned_size(); ++i)
      dst.local_element(i) = Number(1.) / inverse.local_element(i);
    CHECK_NEAR(relative_difference(dst, diagonal), 0., tolerance);
    for (const auto i : u.locally_owned_elements())
      CHECK_NEAR(A.el(i, i) / diagonal(i), 1., tolerance);
  }



  /**
   * Data that have nothing to do with each other, and Dirichlet values that
   * jump at the edges of the box.
   */
  template <int dim>
  void
  test_assembly(const unsigned int degree)
  {
    const bool is_3d = dim == 3;
    Parameters parameters =
      is_3d ? box_parameters(degree, {2., 1., 0.5}, {2, 1, 1}, 1, {1, 2}) :
              box_parameters(degree, {2., 1.}, {3, 2}, 1, {1, 2});
    parameters.problem.right_hand_side              = "sin(2*x - 3*y) + x^3";
    parameters.problem.exact_solution               = "x*y";
    parameters.problem.boundary_values              = "cos(x + y)";
    parameters.problem.boundary_conditions[1].value = "exp(y)*x";
    parameters.problem.boundary_conditions[3].value = "3 + x"; // dirichlet

    const PointFunction<dim> f = [](const auto &p) {
      return std::sin(2. * p[0] - 3. * p[1]) + p[0] * p[0] * p[0];
    };
    const PointFunction<dim> neumann_1 = [](const auto &p) {
      return std::exp(p[1]) * p[0];
    };
    // On y = 0 the derivative of the exact solution in direction -y.
    const PointFunction<dim> neumann_2 = [](const auto &p) { return -p[0]; };
    const PointFunction<dim> dirichlet = [](const auto &p) {
      return p[1] > 1. - 1e-12 ? 3. + p[0] : std::cos(p[0] + p[1]);
    };
    // In 3D, the faces of z have larger ids than y = 1 and prevail.
    const PointFunction<dim> dirichlet_3d = [&](const auto &p) {
      const bool at_z = is_3d && std::abs(p[dim - 1] - 0.25) > 0.25 - 1e-12;
      return at_z ? std::cos(p[0] + p[1]) : dirichlet(p);
    };

    BoxProblem<dim>  problem(parameters);
    const auto      &discretization = problem.discretization;
    const auto      &dof_handler    = discretization.get_dof_handler();
    const auto      &fe             = dof_handler.get_fe();
    const VectorType flags          = dirichlet_flags(problem);
    VectorType       rhs, lift;
    discretization.assemble(problem.data, rhs, lift);

    VectorType expected(flags), expected_lift(flags);
    expected.zero_out_ghost_values();
    expected_lift.zero_out_ghost_values();
    expected      = 0.;
    expected_lift = 0.;
    dealii::FEValues<dim>         values(discretization.get_mapping(),
                                 fe,
                                 dealii::QGauss<dim>(degree + 2),
                                 dealii::update_values |
                                   dealii::update_quadrature_points |
                                   dealii::update_JxW_values);
    dealii::FEFaceValues<dim>     face_values(discretization.get_mapping(),
                                          fe,
                                          dealii::QGauss<dim - 1>(degree + 2),
                                          dealii::update_values |
                                            dealii::update_quadrature_points |
                                            dealii::update_JxW_values);
    const dealii::Quadrature<dim> nodes(fe.get_unit_support_points());
    dealii::FEValues<dim>         at_nodes(discretization.get_mapping(),
                                   fe,
                                   nodes,
                                   dealii::update_quadrature_points);
    std::vector<dealii::types::global_dof_index> indices(fe.n_dofs_per_cell());
    for (const auto &cell : dof_handler.active_cell_iterators())
      if (cell->is_locally_owned())
        {
          cell->get_dof_indices(indices);
          values.reinit(cell);
          for (const auto q : values.quadrature_point_indices())
            for (const auto i : values.dof_indices())
              expected(indices[i]) += f(values.quadrature_point(q)) *
                                      values.shape_value(i, q) * values.JxW(q);
          for (const auto face : cell->face_indices())
            if (cell->face(face)->at_boundary() &&
                (cell->face(face)->boundary_id() == 1 ||
                 cell->face(face)->boundary_id() == 2))
              {
                const auto &g =
                  cell->face(face)->boundary_id() == 1 ? neumann_1 : neumann_2;
                face_values.reinit(cell, face);
                for (const auto q : face_values.quadrature_point_indices())
                  for (const auto i : face_values.dof_indices())
                    expected(indices[i]) += g(face_values.quadrature_point(q)) *
                                            face_values.shape_value(i, q) *
                                            face_values.JxW(q);
              }
          at_nodes.reinit(cell);
          for (unsigned int i = 0; i < indices.size(); ++i)
            if (flags.in_local_range(indices[i]) && flags(indices[i]) > 0.)
              expected_lift(indices[i]) =
                dirichlet_3d(at_nodes.quadrature_point(i));
        }
    // A node may belong to no cell of its owner.
    for (const auto &cell : dof_handler.active_cell_iterators())
      if (cell->is_ghost())
        {
          cell->get_dof_indices(indices);
          at_nodes.reinit(cell);
          for (unsigned int i = 0; i < indices.size(); ++i)
            if (flags.in_local_range(indices[i]) && flags(indices[i]) > 0.)
              expected_lift(indices[i]) =
                dirichlet_3d(at_nodes.quadrature_point(i));
        }
    CHECK_NEAR(relative_difference(lift, expected_lift), 0., 1e-14);
    VectorType lift_alone;
    discretization.interpolate_boundary_values(problem.data, lift_alone);
    CHECK_NEAR(relative_difference(lift_alone, expected_lift), 0., 1e-14);

    // The cell-wise load, put together: that of all nodes.
    const dealii_adapters::BoxMesh<dim> mesh(discretization.get_triangulation(),
                                             problem.data.dirichlet_ids());
    const dealii_adapters::CellwiseDoFs<dim> dofs(dof_handler,
                                                  mesh,
                                                  mesh.grid());
    cellwise::DualField<double>              cellwise_load;
    discretization.assemble_cellwise(problem.data, dofs, cellwise_load);
    expected.compress(dealii::VectorOperation::add);
    VectorType load(flags);
    load.zero_out_ghost_values();
    load = 0.;
    for (cellwise::CellIndex cell = 0; cell < mesh.grid().n_owned(); ++cell)
      for (int k = 0; k < dofs.n_nodes(); ++k)
        load(dofs.dof_indices(cell)[k]) += cellwise_load(cell, k);
    load.compress(dealii::VectorOperation::add);
    CHECK_NEAR(relative_difference(load, expected), 0., 1e-11);

    expected_lift.update_ghost_values();
    for_each_cell_matrix(problem, [&](const auto &matrix, const auto &index) {
      for (unsigned int i = 0; i < index.size(); ++i)
        for (unsigned int j = 0; j < index.size(); ++j)
          expected(index[i]) -= matrix(i, j) * expected_lift(index[j]);
    });
    expected.compress(dealii::VectorOperation::add);
    for (unsigned int i = 0; i < expected.locally_owned_size(); ++i)
      if (flags.local_element(i) > 0.)
        expected.local_element(i) = 0.;
    // The normal derivative on y = 0 is a difference quotient.
    CHECK_NEAR(relative_difference(rhs, expected), 0., 1e-11);
  }



  /** The error of zero is the norm of the solution. */
  template <int dim>
  void
  test_errors()
  {
    Parameters parameters              = dim == 3 ?
                                           box_parameters(2, {2., 1., 3.}, {2, 1, 1}, 1) :
                                           box_parameters(2, {2., 1.}, {3, 2}, 1);
    parameters.problem.exact_solution  = "x^2 + 3*y";
    parameters.problem.right_hand_side = "-2";
    BoxProblem<dim> problem(parameters);
    VectorType      zero, interpolant;
    problem.discretization.get_operator().initialize_dof_vector(zero);
    problem.discretization.get_operator().initialize_dof_vector(interpolant);
    zero.update_ghost_values();
    const ErrorNorms norms =
      problem.discretization.compute_errors(problem.data, zero);
    const double depth = dim == 3 ? 3. : 1.;
    CHECK_NEAR(norms.L2, std::sqrt((32. / 5. + 8. + 6.) * depth), 1e-13);
    CHECK_NEAR(norms.H1_seminorm, std::sqrt((32. / 3. + 18.) * depth), 1e-11);

    // The distance to a solution in the space plus 2 is 2.
    dealii::VectorTools::interpolate(problem.discretization.get_mapping(),
                                     problem.discretization.get_dof_handler(),
                                     problem.data.exact_solution(),
                                     interpolant);
    interpolant.add(2.);
    interpolant.update_ghost_values();
    const ErrorNorms shifted =
      problem.discretization.compute_errors(problem.data, interpolant);
    CHECK_NEAR(shifted.L2, 2. * std::sqrt(2. * depth), 1e-13);
    CHECK_NEAR(shifted.H1_seminorm, 0., 1e-10);
  }
} // namespace



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);

  for (const unsigned int degree : {1, 2, 3, 4, 7})
    test_operator<2, double>(
      box_parameters(degree, {2., 1.}, {3, 2}, 1, {0, 3}), 1e-13);
  for (const unsigned int degree : {1, 2, 3})
    test_operator<3, double>(
      box_parameters(degree, {2., 1., 0.5}, {2, 1, 1}, 1, {1, 2, 5}), 1e-13);
  test_operator<2, float>(box_parameters(3, {2., 1.}, {3, 2}, 1), 1e-5);
  test_operator<3, float>(box_parameters(2, {2., 1., 0.5}, {2, 1, 1}, 1, {4}),
                          1e-5);

  for (const unsigned int degree : {1, 3, 4})
    test_assembly<2>(degree);
  for (const unsigned int degree : {1, 2, 3})
    test_assembly<3>(degree);

  test_errors<2>();
  test_errors<3>();
  return check::result();
}
