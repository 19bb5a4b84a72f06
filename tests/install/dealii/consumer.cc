// SPDX-License-Identifier: LGPL-2.1-or-later
// A deal.II program outside the source tree on the adapters.
#include <tessera/base/communication_mpi.h>
#include <tessera/dealii/compatibility.h>

#include <deal.II/base/mpi.h>
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
  std::cout << "consumer: ok" << std::endl;
}
