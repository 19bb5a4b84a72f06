// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_communication_backend_mpi_h
#define tessera_base_communication_backend_mpi_h

// The parts of the MPI back end that several of its files share; not for use
// outside lib/tessera/base.

#include <tessera/base/communication_backend.h>

#include <mpi.h>

namespace tessera
{
  namespace internal
  {
    /**
     * A duplicate of a communicator for messages between neighbours, and the
     * tags given out on it. One per MPI communicator, kept as an attribute of
     * it, because MPI libraries offer few communicators (2048 in MPICH) and a
     * multigrid hierarchy has many exchange plans.
     */
    struct PrivateTraffic
    {
      explicit PrivateTraffic(MPI_Comm parent);
      ~PrivateTraffic();

      PrivateTraffic(const PrivateTraffic &) = delete;
      PrivateTraffic &
      operator=(const PrivateTraffic &) = delete;

      /**
       * The first of `n` consecutive tags. Local, but called in the same order
       * by all ranks. Tags are given out cyclically; when they repeat, which
       * takes at least 16384 calls, messages of equal tag are still told apart
       * by their order.
       */
      int
      next_tags(int n);

      MPI_Comm communicator;
      int      next_tag;
      int      n_tags;
    };

    struct CommunicatorState
    {
      CommunicatorState(MPI_Comm mpi_communicator, bool owned);
      ~CommunicatorState();

      CommunicatorState(const CommunicatorState &) = delete;
      CommunicatorState &
      operator=(const CommunicatorState &) = delete;

      MPI_Comm communicator;
      bool     is_owner;

    private:
      friend std::shared_ptr<PrivateTraffic>
                                      private_traffic(const Communicator &);
      std::shared_ptr<PrivateTraffic> traffic;
    };

    /** The private traffic of a group of more than one rank. Collective. */
    std::shared_ptr<PrivateTraffic>
    private_traffic(const Communicator &communicator);

    /** Whether MPI has been initialized and has not begun to end. */
    bool
    mpi_is_usable() noexcept;
  } // namespace internal
} // namespace tessera

#endif
