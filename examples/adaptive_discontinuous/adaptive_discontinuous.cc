// SPDX-License-Identifier: LGPL-2.1-or-later

// Local multigrid in a deal.II program
// ====================================
//
// The program solves
//   -div grad u = 0   in the L-shape [-1,1]^2 without [0,1]^2,
//             u = g   on its boundary,
// where u = r^(2/3) sin(2 phi / 3) has a singularity at the corner, by
// discontinuous elements and the symmetric interior penalty method, on meshes
// that are refined at the corner. Everything but the preconditioner is
// deal.II's: the mesh, the operator with MatrixFree, and conjugate gradients.
// Look for "preconditioner" to see the lines that a program of yours needs.

#include <tessera/dealii/precondition_local_multigrid.h>

#include <deal.II/base/convergence_table.h>
#include <deal.II/base/function_lib.h>
#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/base/vectorization.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_refinement.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/matrix_free/fe_evaluation.h>
#include <deal.II/matrix_free/matrix_free.h>
#include <deal.II/numerics/error_estimator.h>
#include <deal.II/numerics/vector_tools.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <iostream>
#include <utility>

namespace adaptive_discontinuous
{
  using namespace dealii;

  constexpr int dim    = 2;
  constexpr int degree = 3;

  // The penalty of a face is factor * degree (degree + 1) / h, with the size h
  // of the smaller cell normal to the face, and boundary_factor times as much
  // at the boundary. The preconditioner gets the same numbers.
  constexpr double penalty_factor          = 2.;
  constexpr double penalty_boundary_factor = 2.;

  using VectorType = LinearAlgebra::distributed::Vector<double>;
  using Number     = VectorizedArray<double>;
  using Solution   = Functions::LSingularityFunction;



  // The operator of the method, y = A u.
  class LaplaceOperator
  {
  public:
    void
    reinit(const Mapping<dim> &mapping, const DoFHandler<dim> &dof_handler)
    {
      MatrixFree<dim, double>::AdditionalData data;
      data.mapping_update_flags_inner_faces =
        update_gradients | update_JxW_values | update_normal_vectors;
      data.mapping_update_flags_boundary_faces =
        data.mapping_update_flags_inner_faces | update_quadrature_points;
      matrix_free.reinit(mapping,
                         dof_handler,
                         AffineConstraints<double>(),
                         QGauss<1>(degree + 1),
                         data);
    }

    void
    initialize_dof_vector(VectorType &v) const
    {
      matrix_free.initialize_dof_vector(v);
    }

    void
    vmult(VectorType &y, const VectorType &u) const
    {
      matrix_free.loop(&LaplaceOperator::apply_to_cells,
                       &LaplaceOperator::apply_to_faces,
                       &LaplaceOperator::apply_to_boundary_faces,
                       this,
                       y,
                       u,
                       /* y = 0 before: */ true);
    }

    // The integral of g (boundary_factor sigma v - dv/dn) over the boundary.
    VectorType
    right_hand_side() const
    {
      const Solution     g;
      VectorType         b;
      FaceEvaluation     v(matrix_free, true);
      const unsigned int begin = matrix_free.n_inner_face_batches();
      const unsigned int end   = begin + matrix_free.n_boundary_face_batches();
      initialize_dof_vector(b);
      for (unsigned int face = begin; face < end; ++face)
        {
          v.reinit(face);
          const Number sigma =
            penalty_boundary_factor * penalty_factor * inverse_size(v);
          for (unsigned int q = 0; q < v.n_q_points; ++q)
            {
              const Point<dim, Number> x = v.quadrature_point(q);
              Number                   value;
              for (unsigned int lane = 0; lane < Number::size(); ++lane)
                value[lane] = g.value(Point<dim>(x[0][lane], x[1][lane]));
              v.submit_value(sigma * value, q);
              v.submit_normal_derivative(-value, q);
            }
          v.integrate(EvaluationFlags::values | EvaluationFlags::gradients);
          v.distribute_local_to_global(b);
        }
      return b;
    }

  private:
    using Evaluation     = FEEvaluation<dim, degree, degree + 1>;
    using FaceEvaluation = FEFaceEvaluation<dim, degree, degree + 1>;
    using Range          = std::pair<unsigned int, unsigned int>;

    MatrixFree<dim, double> matrix_free;

    // p (p + 1) / h, h normal to the face.
    static Number
    inverse_size(const FaceEvaluation &u)
    {
      return degree * (degree + 1.) *
             std::abs(
               (u.get_normal_vector(0) * u.inverse_jacobian(0))[dim - 1]);
    }

    void
    apply_to_cells(const MatrixFree<dim, double> &,
                   VectorType       &y,
                   const VectorType &src,
                   const Range      &cells) const
    {
      Evaluation u(matrix_free);
      for (unsigned int cell = cells.first; cell < cells.second; ++cell)
        {
          u.reinit(cell);
          u.gather_evaluate(src, EvaluationFlags::gradients);
          for (unsigned int q = 0; q < u.n_q_points; ++q)
            u.submit_gradient(u.get_gradient(q), q);
          u.integrate_scatter(EvaluationFlags::gradients, y);
        }
    }

    // Faces with a cell on both sides, of which the one may be half as large as
    // the other; then it is a face of the small one.
    void
    apply_to_faces(const MatrixFree<dim, double> &,
                   VectorType       &y,
                   const VectorType &src,
                   const Range      &faces) const
    {
      const auto flags = EvaluationFlags::values | EvaluationFlags::gradients;
      FaceEvaluation inner(matrix_free, true), outer(matrix_free, false);
      for (unsigned int face = faces.first; face < faces.second; ++face)
        {
          inner.reinit(face);
          outer.reinit(face);
          inner.gather_evaluate(src, flags);
          outer.gather_evaluate(src, flags);
          const Number sigma =
            penalty_factor * std::max(inverse_size(inner), inverse_size(outer));
          for (unsigned int q = 0; q < inner.n_q_points; ++q)
            {
              const Number jump = inner.get_value(q) - outer.get_value(q);
              const Number flux =
                sigma * jump - 0.5 * (inner.get_normal_derivative(q) +
                                      outer.get_normal_derivative(q));
              inner.submit_value(flux, q);
              outer.submit_value(-flux, q);
              inner.submit_normal_derivative(-0.5 * jump, q);
              outer.submit_normal_derivative(-0.5 * jump, q);
            }
          inner.integrate_scatter(flags, y);
          outer.integrate_scatter(flags, y);
        }
    }

    void
    apply_to_boundary_faces(const MatrixFree<dim, double> &,
                            VectorType       &y,
                            const VectorType &src,
                            const Range      &faces) const
    {
      const auto flags = EvaluationFlags::values | EvaluationFlags::gradients;
      FaceEvaluation inner(matrix_free, true);
      for (unsigned int face = faces.first; face < faces.second; ++face)
        {
          inner.reinit(face);
          inner.gather_evaluate(src, flags);
          const Number sigma =
            penalty_boundary_factor * penalty_factor * inverse_size(inner);
          for (unsigned int q = 0; q < inner.n_q_points; ++q)
            {
              const Number value = inner.get_value(q);
              inner.submit_value(sigma * value - inner.get_normal_derivative(q),
                                 q);
              inner.submit_normal_derivative(-value, q);
            }
          inner.integrate_scatter(flags, y);
        }
    }
  };



  class AdaptiveDiscontinuous
  {
  public:
    AdaptiveDiscontinuous()
      : fe(degree)
      , dof_handler(triangulation)
    {}

    void
    run()
    {
      // The coarse mesh is what multigrid solves exactly: it has three cells.
      // Nothing else has to be said about levels.
      GridGenerator::hyper_L(triangulation);
      triangulation.refine_global(3);
      ConvergenceTable table;
      for (unsigned int cycle = 0; cycle < 8; ++cycle)
        {
          if (cycle > 0)
            refine();
          dof_handler.distribute_dofs(fe);
          solve(table);
        }
      table.write_text(std::cout);
    }

  private:
    void
    solve(ConvergenceTable &table)
    {
      A.reinit(mapping, dof_handler);
      A.initialize_dof_vector(u);
      const VectorType b = A.right_hand_side();

      // The preconditioner never sees A. It wants the mesh and the element,
      // and what A is made of: the penalty, and, where they are not those of
      // this program, boundary conditions and the coefficient.
      tessera::dealii_adapters::PreconditionLocalMultigrid<dim> B;
      tessera::dealii_adapters::PreconditionLocalMultigrid<dim>::AdditionalData
        data;
      data.penalty.factor          = penalty_factor;
      data.penalty.boundary_factor = penalty_boundary_factor;
      B.initialize(dof_handler, data);

      ReductionControl     control(100, /* absolute: */ 1e-100, 1e-10);
      SolverCG<VectorType> solver(control);
      solver.solve(A, u, b, B);

      Vector<float> errors(triangulation.n_active_cells());
      VectorTools::integrate_difference(mapping,
                                        dof_handler,
                                        u,
                                        Solution(),
                                        errors,
                                        QGauss<dim>(degree + 3),
                                        VectorTools::L2_norm);
      table.add_value("cells", triangulation.n_active_cells());
      table.add_value("levels", triangulation.n_levels());
      table.add_value("unknowns", dof_handler.n_dofs());
      table.add_value("iterations", control.last_step());
      table.add_value("error", errors.l2_norm());
      table.set_scientific("error", true);
      table.set_precision("error", 2);
    }

    void
    refine()
    {
      Vector<float> errors(triangulation.n_active_cells());
      KellyErrorEstimator<dim>::estimate(
        mapping, dof_handler, QGauss<dim - 1>(degree + 1), {}, u, errors);
      GridRefinement::refine_and_coarsen_fixed_number(triangulation,
                                                      errors,
                                                      0.2,
                                                      0.);
      triangulation.execute_coarsening_and_refinement();
    }

    const MappingQ1<dim> mapping;
    // The basis of the preconditioner. FE_DGQ serves as well, with a change of
    // basis in each product.
    const FE_DGQHermite<dim> fe;
    Triangulation<dim>       triangulation;
    DoFHandler<dim>          dof_handler;
    LaplaceOperator          A;
    VectorType               u;
  };
} // namespace adaptive_discontinuous



int
main(int argc, char **argv)
{
  try
    {
      dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
      adaptive_discontinuous::AdaptiveDiscontinuous().run();
    }
  catch (const std::exception &error)
    {
      // What the preconditioner refuses, it refuses with a message that says
      // what to do.
      std::cerr << error.what() << std::endl;
      return 1;
    }
}
