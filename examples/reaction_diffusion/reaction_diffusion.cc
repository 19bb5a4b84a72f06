// SPDX-License-Identifier: LGPL-2.1-or-later

// Patch multigrid in a deal.II program
// ====================================
//
// The program solves
//   -div grad u + c u = f   in the unit cube,
//                   u = 0   on the faces z = 0 and z = 1,
//           grad u n  = 0   on the other four,
// with u = cos(pi x) cos(pi y) sin(pi z), for some constants c, on a few meshes
// of cubic elements, and prints iterations and errors. Everything but the
// preconditioner is deal.II's: mesh, degrees of freedom, a matrix-free
// operator of our own, and conjugate gradients. Look for "preconditioner" to
// see the lines that a program of yours needs.

#include <tessera/dealii/precondition_patch_multigrid.h>

#include <deal.II/base/conditional_ostream.h>
#include <deal.II/base/convergence_table.h>
#include <deal.II/base/function.h>
#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/matrix_free/fe_evaluation.h>
#include <deal.II/matrix_free/matrix_free.h>
#include <deal.II/numerics/vector_tools.h>

#include <cmath>
#include <exception>
#include <iostream>
#include <set>

namespace reaction_diffusion
{
  using namespace dealii;

  constexpr int dim    = 3;
  constexpr int degree = 3;

  using VectorType = LinearAlgebra::distributed::Vector<double>;

  // GridGenerator::hyper_cube() with colours numbers the faces x = 0, x = 1,
  // y = 0, ..., z = 1. These two have Dirichlet conditions.
  const std::set<types::boundary_id> dirichlet_ids = {4, 5};



  // The solution times a factor. It is an eigenfunction of the Laplacian, so
  // the right-hand side is of this form, too: f = (3 pi^2 + c) u.
  class Waves : public Function<dim>
  {
  public:
    explicit Waves(const double factor)
      : factor(factor)
    {}

    double
    value(const Point<dim> &p, const unsigned int /*component*/) const override
    {
      using numbers::PI;
      return factor * std::cos(PI * p[0]) * std::cos(PI * p[1]) *
             std::sin(PI * p[2]);
    }

  private:
    const double factor;
  };



  // The operator: v -> A v, where A is the matrix of the bilinear form
  // (grad u, grad v) + c (u, v). It is evaluated cell by cell and nowhere
  // stored. Rows of Dirichlet nodes are those of the identity.
  class ReactionDiffusionOperator
  {
  public:
    ReactionDiffusionOperator(const Mapping<dim>              &mapping,
                              const DoFHandler<dim>           &dof_handler,
                              const AffineConstraints<double> &constraints,
                              const double                     c)
      : c(c)
    {
      MatrixFree<dim, double>::AdditionalData data;
      data.mapping_update_flags =
        update_values | update_gradients | update_JxW_values;
      matrix_free.reinit(
        mapping, dof_handler, constraints, QGauss<1>(degree + 1), data);
    }

    void
    initialize_dof_vector(VectorType &v) const
    {
      matrix_free.initialize_dof_vector(v);
    }

    void
    vmult(VectorType &dst, const VectorType &src) const
    {
      matrix_free.cell_loop(&ReactionDiffusionOperator::apply_to_cells,
                            this,
                            dst,
                            src,
                            /* set dst to zero first: */ true);
      for (const unsigned int i : matrix_free.get_constrained_dofs())
        dst.local_element(i) = src.local_element(i);
    }

  private:
    void
    apply_to_cells(const MatrixFree<dim, double>               &data,
                   VectorType                                  &dst,
                   const VectorType                            &src,
                   const std::pair<unsigned int, unsigned int> &cells) const
    {
      FEEvaluation<dim, degree> phi(data);
      for (unsigned int cell = cells.first; cell < cells.second; ++cell)
        {
          phi.reinit(cell);
          phi.gather_evaluate(src,
                              EvaluationFlags::values |
                                EvaluationFlags::gradients);
          for (unsigned int q = 0; q < phi.n_q_points; ++q)
            {
              phi.submit_value(c * phi.get_value(q), q);
              phi.submit_gradient(phi.get_gradient(q), q);
            }
          phi.integrate_scatter(EvaluationFlags::values |
                                  EvaluationFlags::gradients,
                                dst);
        }
    }

    const double            c;
    MatrixFree<dim, double> matrix_free;
  };



  // Solve on one mesh and enter the results into the table.
  void
  solve(const parallel::distributed::Triangulation<dim> &triangulation,
        const double                                     c,
        ConvergenceTable                                &table)
  {
    const MappingQ1<dim> mapping;
    const FE_Q<dim>      fe(degree);
    DoFHandler<dim>      dof_handler(triangulation);
    dof_handler.distribute_dofs(fe);

    const IndexSet relevant_dofs =
      DoFTools::extract_locally_relevant_dofs(dof_handler);
    AffineConstraints<double> constraints(relevant_dofs);
    for (const types::boundary_id id : dirichlet_ids)
      DoFTools::make_zero_boundary_constraints(dof_handler, id, constraints);
    constraints.close();

    const ReactionDiffusionOperator A(mapping, dof_handler, constraints, c);
    VectorType                      b, u;
    A.initialize_dof_vector(b);
    A.initialize_dof_vector(u);
    VectorTools::create_right_hand_side(mapping,
                                        dof_handler,
                                        QGauss<dim>(degree + 2),
                                        Waves(3. * numbers::PI * numbers::PI +
                                              c),
                                        b,
                                        constraints);

    // The preconditioner wants the DoFHandler, which boundary ids have
    // Dirichlet conditions, and c. With the mapping given, it checks that
    // cells really are boxes. It makes its own coarse grids: the mesh could
    // as well be one without refinement history, read from a file.
    tessera::dealii_adapters::PreconditionPatchMultigrid<dim> preconditioner;
    tessera::dealii_adapters::PreconditionPatchMultigrid<dim>::AdditionalData
      data;
    data.dirichlet_ids        = dirichlet_ids;
    data.reaction_coefficient = c;
    preconditioner.initialize(mapping, dof_handler, data);

    ReductionControl     control(20, /* absolute: */ 1e-100, 1e-9);
    SolverCG<VectorType> solver(control);
    solver.solve(A, u, b, preconditioner);

    // The error needs values of ghost cells' degrees of freedom.
    VectorType ghosted(dof_handler.locally_owned_dofs(),
                       relevant_dofs,
                       triangulation.get_communicator());
    ghosted = u;
    ghosted.update_ghost_values();
    Vector<double> errors(triangulation.n_active_cells());
    VectorTools::integrate_difference(mapping,
                                      dof_handler,
                                      ghosted,
                                      Waves(1.),
                                      errors,
                                      QGauss<dim>(degree + 2),
                                      VectorTools::L2_norm);
    const double error =
      VectorTools::compute_global_error(triangulation,
                                        errors,
                                        VectorTools::L2_norm);

    table.add_value("cells", triangulation.n_global_active_cells());
    table.add_value("unknowns", dof_handler.n_dofs());
    table.add_value("iterations", control.last_step());
    table.add_value("L2 error", error);
  }



  void
  run(const unsigned int n_meshes)
  {
    ConditionalOStream pcout(std::cout,
                             Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) ==
                               0);
    for (const double c : {0., 1., 100., 1e4, 1e6})
      {
        parallel::distributed::Triangulation<dim> triangulation(MPI_COMM_WORLD);
        GridGenerator::hyper_cube(triangulation, 0., 1., /*colours:*/ true);
        triangulation.refine_global(1);

        ConvergenceTable table;
        for (unsigned int mesh = 0; mesh < n_meshes; ++mesh)
          {
            triangulation.refine_global(1);
            solve(triangulation, c, table);
          }
        table.set_scientific("L2 error", true);
        table.evaluate_convergence_rates("L2 error",
                                         "cells",
                                         ConvergenceTable::reduction_rate_log2,
                                         dim);
        pcout << "c = " << c << std::endl;
        if (pcout.is_active())
          table.write_text(pcout.get_stream());
        pcout << std::endl;
      }
  }
} // namespace reaction_diffusion



int
main(int argc, char **argv)
{
  try
    {
      dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
      reaction_diffusion::run(3);
    }
  catch (const std::exception &error)
    {
      // What the preconditioner refuses, it refuses with a message that says
      // what to do.
      std::cerr << error.what() << std::endl;
      return 1;
    }
}
