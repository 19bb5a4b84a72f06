// SPDX-License-Identifier: LGPL-2.1-or-later
// A deal.II program outside the source tree on the adapters: from a vector to
// a cell-wise field and back.
#include <tessera/base/communication_mpi.h>
#include <tessera/dealii/cellwise_dofs.h>

#include <deal.II/base/mpi.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>

#include <iostream>

int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  dealii::Triangulation<3>                 triangulation;
  dealii::GridGenerator::hyper_cube(triangulation);
  triangulation.refine_global(2);
  const tessera::Communicator communicator =
    tessera::make_communicator(MPI_COMM_WORLD);
  if (communicator.n_ranks() != 1 || triangulation.n_active_cells() != 64)
    return 1;

  const dealii::FE_Q<3> fe(2);
  dealii::DoFHandler<3> dof_handler(triangulation);
  dof_handler.distribute_dofs(fe);
  dealii::LinearAlgebra::distributed::Vector<double> v(dof_handler.n_dofs()),
    w(v);
  for (unsigned int i = 0; i < v.size(); ++i)
    v(i) = i;

  const tessera::dealii_adapters::BoxMesh<3>      mesh(triangulation, {0});
  const tessera::dealii_adapters::CellwiseDoFs<3> dofs(dof_handler,
                                                       mesh,
                                                       mesh.grid());
  tessera::cellwise::PrimalField<double>          u;
  dofs.gather(u, v);
  dofs.scatter(w, u);
  w -= v;
  if (u.n_cells() != 64 || u.n_nodes() != 27 || w.linfty_norm() != 0.)
    return 1;
  std::cout << "consumer: ok" << std::endl;
}
