// SPDX-License-Identifier: LGPL-2.1-or-later

// A deal.II program that solves on a device
// =========================================
//
// The program solves
//   -div grad u + k(x) u = f   in the unit cube,
//                      u = 0   on its boundary,
// with u = sin(pi x) sin(pi y) sin(pi z) and k(x) = 1 + |x|^2, on a few meshes
// of cubic elements, and prints iterations, errors, and how many bytes were
// copied between host and device by the solver. Mesh, degrees of freedom and
// right-hand side are made by deal.II on the host; vectors, operator,
// preconditioner and deal.II's conjugate gradients are on the device, one for
// each MPI rank. The program contains no kernel: its operator is put together
// from one of the suite and from operations of vectors. An operator with
// kernels of its own would use begin() and stream() of the vectors.

#include <tessera/base/communication_mpi.h>
#include <tessera/base/counters.h>
#include <tessera/base/device/device.h>
#include <tessera/base/exceptions.h>
#include <tessera/dealii/device_laplace_operator.h>
#include <tessera/dealii/device_vector.h>
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
#include <deal.II/numerics/vector_tools.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>

namespace device_vectors
{
  using namespace dealii;
  using namespace tessera::dealii_adapters;

  constexpr int dim    = 3;
  constexpr int degree = 3;

  using HostVector = LinearAlgebra::distributed::Vector<double>;
  using VectorType = DeviceVector<double>;
  using Preconditioner =
    PreconditionPatchMultigrid<dim, tessera::execution::Device>;

  double
  reaction(const Point<dim> &p)
  {
    return 1. + p.square();
  }



  class Solution : public Function<dim>
  {
  public:
    double
    value(const Point<dim> &p, const unsigned int /*component*/) const override
    {
      using numbers::PI;
      return std::sin(PI * p[0]) * std::sin(PI * p[1]) * std::sin(PI * p[2]);
    }
  };



  class RightHandSide : public Function<dim>
  {
  public:
    double
    value(const Point<dim> &p, const unsigned int component) const override
    {
      return (3. * numbers::PI * numbers::PI + reaction(p)) *
             Solution().value(p, component);
    }
  };



  class Reaction : public Function<dim>
  {
  public:
    double
    value(const Point<dim> &p, const unsigned int /*component*/) const override
    {
      return reaction(p);
    }
  };



  // The operator: v -> A v, where A is the matrix of
  // (grad u, grad v) + (k u, v), the second term by quadrature in the nodes of
  // the element. This makes it a diagonal matrix. The vectors are on the
  // device, and so is all that vmult() does.
  class ReactionDiffusionOperator
  {
  public:
    ReactionDiffusionOperator(const DeviceLaplaceOperator<dim> &diffusion,
                              const HostVector                 &diagonal)
      : laplacian(diffusion)
    {
      laplacian.initialize_dof_vector(reaction_diagonal);
      laplacian.initialize_dof_vector(product);
      reaction_diagonal.copy_from_host(diagonal);
    }

    void
    vmult(VectorType &dst, const VectorType &src) const
    {
      laplacian.vmult(dst, src);
      product = src;
      product.scale(reaction_diagonal);
      dst += product;
    }

  private:
    const DeviceLaplaceOperator<dim> &laplacian;
    VectorType                        reaction_diagonal;
    mutable VectorType                product;
  };



  // What has been copied between host and device so far, by this rank.
  std::uint64_t
  n_copied_bytes()
  {
    const auto counters = tessera::Counters::process().snapshot();
    return counters.value(tessera::Counters::host_to_device_bytes).total +
           counters.value(tessera::Counters::device_to_host_bytes).total;
  }



  // Solve on one mesh and enter the results into the table.
  void
  solve(const parallel::distributed::Triangulation<dim> &triangulation,
        const tessera::device::Stream                   &stream,
        ConvergenceTable                                &table)
  {
    const MappingQ1<dim> mapping;
    const FE_Q<dim>      fe(degree);
    DoFHandler<dim>      dof_handler(triangulation);
    dof_handler.distribute_dofs(fe);
    const IndexSet relevant_dofs =
      DoFTools::extract_locally_relevant_dofs(dof_handler);
    AffineConstraints<double> constraints(relevant_dofs);
    DoFTools::make_zero_boundary_constraints(dof_handler, 0, constraints);
    constraints.close();

    // On the host, by deal.II. The diagonal is a right-hand side, too, by the
    // quadrature that has its points in the nodes.
    HostVector b(dof_handler.locally_owned_dofs(),
                 relevant_dofs,
                 MPI_COMM_WORLD);
    HostVector diagonal(b), u(b);
    VectorTools::create_right_hand_side(mapping,
                                        dof_handler,
                                        QGauss<dim>(degree + 2),
                                        RightHandSide(),
                                        b,
                                        constraints);
    VectorTools::create_right_hand_side(mapping,
                                        dof_handler,
                                        QGaussLobatto<dim>(degree + 1),
                                        Reaction(),
                                        diagonal,
                                        constraints);

    // From here on, on the device. Everything that works together is given the
    // same stream. Boundary id 0, that of all faces, has Dirichlet conditions
    // by default. The preconditioner takes a constant for k.
    DeviceLaplaceOperator<dim> laplacian(stream);
    laplacian.initialize(mapping, dof_handler);
    const ReactionDiffusionOperator A(laplacian, diagonal);

    Preconditioner::AdditionalData data;
    data.reaction_coefficient = 2.;
    Preconditioner preconditioner(stream);
    preconditioner.initialize(mapping, dof_handler, data);

    VectorType device_b, device_u;
    laplacian.initialize_dof_vector(device_b);
    laplacian.initialize_dof_vector(device_u);
    device_b.copy_from_host(b);

    const std::uint64_t  n_copied_before = n_copied_bytes();
    ReductionControl     control(20, /* absolute: */ 1e-100, 1e-9);
    SolverCG<VectorType> solver(control);
    solver.solve(A, device_u, device_b, preconditioner);
    const std::uint64_t n_copied = n_copied_bytes() - n_copied_before;

    // And back, to look at the result.
    device_u.copy_to_host(u);
    constraints.distribute(u);
    u.update_ghost_values();
    Vector<double> errors(triangulation.n_active_cells());
    VectorTools::integrate_difference(mapping,
                                      dof_handler,
                                      u,
                                      Solution(),
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
    table.add_value("copied bytes", n_copied);
    table.add_value("L2 error", error);
  }



  void
  run(const unsigned int n_meshes)
  {
    // A device for each rank; throws if there is none.
    tessera::device::choose_device(tessera::make_communicator(MPI_COMM_WORLD));
    const tessera::device::Stream stream;

    ConditionalOStream pcout(std::cout,
                             Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) ==
                               0);
    pcout << "Device: " << tessera::device::available_device().description()
          << std::endl;

    parallel::distributed::Triangulation<dim> triangulation(MPI_COMM_WORLD);
    GridGenerator::hyper_cube(triangulation);
    triangulation.refine_global(1);
    ConvergenceTable table;
    for (unsigned int mesh = 0; mesh < n_meshes; ++mesh)
      {
        triangulation.refine_global(1);
        solve(triangulation, stream, table);
      }
    table.set_scientific("L2 error", true);
    table.evaluate_convergence_rates("L2 error",
                                     "cells",
                                     ConvergenceTable::reduction_rate_log2,
                                     dim);
    if (pcout.is_active())
      table.write_text(pcout.get_stream());
  }
} // namespace device_vectors



// An argument: the number of meshes, from 4^3 cells up.
int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  try
    {
      device_vectors::run(argc > 1 ? std::atoi(argv[1]) : 5);
    }
  catch (const tessera::Exception &error)
    {
      // Thrown on all ranks; 3 stands for a device that is missing or too
      // small.
      if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
        std::cerr << error.what() << std::endl;
      return int(error.exit_status());
    }
  catch (const std::exception &error)
    {
      std::cerr << error.what() << std::endl;
      return 1;
    }
}
