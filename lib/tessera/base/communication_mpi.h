// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_communication_mpi_h
#define tessera_base_communication_mpi_h

// For code that itself uses MPI, such as the adapters to deal.II; exists only
// where the library was built with MPI. Whoever includes this links MPI.

#include <tessera/base/communication.h>

#include <mpi.h>

namespace tessera
{
  /**
   * A handle to the group of an MPI communicator, which must be an
   * intracommunicator and stays the property of the caller: it is to be freed
   * after the last use of the handle, or never. Local. All handles to one
   * MPI communicator share one private duplicate, made when the first of them
   * builds an ExchangePlan or the like, and released with the communicator.
   *
   * @throws InputError if MPI is not initialized, or for MPI_COMM_NULL.
   */
  Communicator
  make_communicator(MPI_Comm mpi_communicator);

  /**
   * The MPI communicator of a handle; MPI_COMM_SELF for a default-constructed
   * one. Local. It belongs to the handle; do not free it.
   */
  MPI_Comm
  mpi_communicator(const Communicator &communicator);
} // namespace tessera

#endif
