// SPDX-License-Identifier: LGPL-2.1-or-later
// Handles and MPI communicators.
#include <tessera/base/communication_mpi.h>
#include <tessera/base/communication_session.h>

#include <memory>

#include "check.h"

using namespace tessera;

int
main(int argc, char **argv)
{
  const std::string message =
    CHECK_THROWS(InputError, Communicator::world()); // not initialized yet
  CHECK(message.find("CommunicationSession") != std::string::npos);

  CommunicationSession session(argc, argv);
  const Communicator   world = Communicator::world();
  int                  result;
  MPI_Comm_compare(mpi_communicator(world), MPI_COMM_WORLD, &result);
  CHECK_EQUAL(result, static_cast<int>(MPI_IDENT));
  MPI_Comm_compare(mpi_communicator(Communicator()), MPI_COMM_SELF, &result);
  CHECK_EQUAL(result, static_cast<int>(MPI_IDENT));
  if (world.n_ranks() > 1)
    {
      MPI_Comm_compare(mpi_communicator(world.duplicate()),
                       MPI_COMM_WORLD,
                       &result);
      CHECK_EQUAL(result, static_cast<int>(MPI_CONGRUENT));
    }
  CHECK_EQUAL(make_communicator(MPI_COMM_SELF).n_ranks(), 1u);
  CHECK_THROWS(InputError, make_communicator(MPI_COMM_NULL));
  return check::result();
}
