// SPDX-License-Identifier: LGPL-2.1-or-later

// Block AMG in a deal.II program
// ==============================
//
// The program computes the displacements u of a beam with
//   -div sigma(u) = f   in [0,4] x [0,1] x [0,1],
//               u = 0   on the face x = 0,
//      sigma(u) n = 0   on the other faces,
// sigma(u) = lambda (div u) I + mu (grad u + grad u^T), for its own weight, on
// meshes that are refined where stresses jump most: twice at x = 0, which makes
// hanging nodes. Everything but the preconditioner is deal.II's: the mesh, a
// SparseMatrix, AffineConstraints, and conjugate gradients. Look for
// "preconditioner" to see the lines that a program of yours needs.

#include <tessera/dealii/node_blocks.h>
#include <tessera/dealii/precondition_block_amg.h>

#include <deal.II/base/convergence_table.h>
#include <deal.II/base/function.h>
#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/fe_values_extractors.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_refinement.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/vector.h>
#include <deal.II/numerics/error_estimator.h>
#include <deal.II/numerics/vector_tools.h>

#include <exception>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace elastic_beam
{
  using namespace dealii;

  constexpr int dim    = 3;
  constexpr int degree = 2;

  // Young's modulus 1 and Poisson's ratio 0.3.
  constexpr double lambda = 0.3 / (1.3 * 0.4);
  constexpr double mu     = 1. / (2. * 1.3);



  class ElasticBeam
  {
  public:
    ElasticBeam()
      : fe(FE_Q<dim>(degree), dim)
      , dof_handler(triangulation)
    {}

    void
    run()
    {
      // With colours the face x = 0 has the boundary id 0, the others have 1
      // to 5.
      GridGenerator::subdivided_hyper_rectangle(triangulation,
                                                {8, 2, 2},
                                                Point<dim>(),
                                                Point<dim>(4., 1., 1.),
                                                /*colours:*/ true);
      ConvergenceTable table;
      for (unsigned int cycle = 0; cycle < 3; ++cycle)
        {
          if (cycle > 0)
            refine();
          set_up();
          assemble();
          solve(table);
        }
      table.write_text(std::cout);
    }

  private:
    void
    set_up()
    {
      dof_handler.distribute_dofs(fe);

      // The preconditioner wants the unknowns of a node to be numbered one
      // after the other. This has to be done before anything is made with the
      // numbers.
      DoFRenumbering::support_point_wise(dof_handler);

      constraints.clear();
      DoFTools::make_hanging_node_constraints(dof_handler, constraints);
      VectorTools::interpolate_boundary_values(mapping,
                                               dof_handler,
                                               0,
                                               Functions::ZeroFunction<dim>(
                                                 dim),
                                               constraints);
      constraints.close();

      DynamicSparsityPattern pattern(dof_handler.n_dofs());
      DoFTools::make_sparsity_pattern(dof_handler,
                                      pattern,
                                      constraints,
                                      /* keep constrained dofs: */ false);
      sparsity_pattern.copy_from(pattern);
      A.reinit(sparsity_pattern);
      u.reinit(dof_handler.n_dofs());
      b.reinit(dof_handler.n_dofs());
    }

    void
    assemble()
    {
      const QGauss<dim>                quadrature(degree + 1);
      FEValues<dim>                    values(mapping,
                           fe,
                           quadrature,
                           update_values | update_gradients |
                             update_JxW_values);
      const FEValuesExtractors::Vector displacement(0);
      const unsigned int               n = fe.n_dofs_per_cell();

      FullMatrix<double>                   cell_matrix(n, n);
      Vector<double>                       cell_rhs(n);
      std::vector<types::global_dof_index> dofs(n);
      std::vector<SymmetricTensor<2, dim>> strains(n);
      std::vector<double>                  divergences(n);
      for (const auto &cell : dof_handler.active_cell_iterators())
        {
          values.reinit(cell);
          cell_matrix = 0.;
          cell_rhs    = 0.;
          for (const unsigned int q : values.quadrature_point_indices())
            {
              for (unsigned int i = 0; i < n; ++i)
                {
                  strains[i] = values[displacement].symmetric_gradient(i, q);
                  divergences[i] = trace(strains[i]);
                }
              for (unsigned int i = 0; i < n; ++i)
                {
                  for (unsigned int j = 0; j < n; ++j)
                    cell_matrix(i, j) +=
                      (lambda * divergences[i] * divergences[j] +
                       2. * mu * (strains[i] * strains[j])) *
                      values.JxW(q);
                  cell_rhs(i) -=
                    1e-3 * values[displacement].value(i, q)[2] * values.JxW(q);
                }
            }
          cell->get_dof_indices(dofs);
          constraints.distribute_local_to_global(
            cell_matrix, cell_rhs, dofs, A, b);
        }
    }

    void
    solve(ConvergenceTable &table)
    {
      // The preconditioner wants the number of unknowns of a node and where
      // nodes are, from which it makes rigid-body modes. Rows of clamped and
      // hanging nodes are found in the matrix, with whatever is on their
      // diagonal.
      tessera::dealii_adapters::PreconditionBlockAMG                 C;
      tessera::dealii_adapters::PreconditionBlockAMG::AdditionalData data;
      data.block_size = dim;
      data.coordinates =
        tessera::dealii_adapters::node_coordinates(mapping, dof_handler);
      C.initialize(A, data);

      ReductionControl         control(100, /* absolute: */ 1e-100, 1e-8);
      SolverCG<Vector<double>> solver(control);
      solver.solve(A, u, b, C);
      constraints.distribute(u);

      const Point<dim> end(4., 0.5, 0.5);
      Vector<double>   displacement(dim);
      VectorTools::point_value(mapping, dof_handler, u, end, displacement);
      table.add_value("cells", triangulation.n_active_cells());
      table.add_value("unknowns", dof_handler.n_dofs());
      table.add_value("levels",
                      static_cast<unsigned int>(C.record().levels.size()));
      table.add_value("iterations", control.last_step());
      table.add_value("displacement", displacement(2));
      table.set_precision("displacement", 5);
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

    const MappingQ1<dim>      mapping;
    const FESystem<dim>       fe;
    Triangulation<dim>        triangulation;
    DoFHandler<dim>           dof_handler;
    AffineConstraints<double> constraints;
    SparsityPattern           sparsity_pattern;
    SparseMatrix<double>      A;
    Vector<double>            u, b;
  };
} // namespace elastic_beam



int
main(int argc, char **argv)
{
  try
    {
      dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
      elastic_beam::ElasticBeam().run();
    }
  catch (const std::exception &error)
    {
      // What the preconditioner refuses, it refuses with a message that says
      // what to do.
      std::cerr << error.what() << std::endl;
      return 1;
    }
}
