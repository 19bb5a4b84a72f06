// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_communication_backend_h
#define tessera_base_communication_backend_h

// What the communication layer asks of its back end; not for use outside
// lib/tessera/base. communication_mpi.cc implements it with MPI,
// communication_serial.cc for one process. All functions but those of
// "process" are called only for groups of more than one rank.

#include <tessera/base/communication.h>

namespace tessera
{
  namespace internal
  {
    struct CommunicatorAccess
    {
      static Communicator
      make(std::shared_ptr<CommunicatorState> state,
           const unsigned int                 rank,
           const unsigned int                 n_ranks)
      {
        Communicator communicator;
        communicator.state      = std::move(state);
        communicator.this_rank  = rank;
        communicator.group_size = n_ranks;
        return communicator;
      }

      static const std::shared_ptr<CommunicatorState> &
      state(const Communicator &communicator)
      {
        return communicator.state;
      }
    };

    /** The largest count handed to MPI at once. Tests lower it to see that
     * longer arrays are moved in pieces. */
    std::size_t &
    maximum_message_count() noexcept;

    namespace process
    {
      Communicator
      world();

      [[noreturn]] void
      abort(int status) noexcept;

      /** Name and version of the MPI library, or "none". */
      std::string
      mpi_library_version();

      /** Whether the MPI library says that messages may be in the memory of a
       * CUDA device. */
      bool
      mpi_takes_device_memory();
    } // namespace process

    namespace backend
    {
      void
      barrier(const CommunicatorState &state);

      void
      all_reduce(const CommunicatorState &state,
                 void                    *values,
                 std::size_t              n,
                 DataType                 type,
                 Reduction                operation);

      void
      exclusive_scan(const CommunicatorState &state,
                     void                    *value,
                     DataType                 type);

      void
      min_max_with_rank(const CommunicatorState    &state,
                        unsigned int                rank,
                        const std::vector<double>  &values,
                        std::vector<MinMaxAverage> &result);

      void
      broadcast(const CommunicatorState &state,
                void                    *data,
                std::size_t              n_bytes,
                unsigned int             root);

      void
      all_gather(const CommunicatorState &state,
                 const void              *in,
                 std::size_t              n_bytes,
                 void                    *out);

      void
      gather(const CommunicatorState &state,
             const void              *in,
             std::size_t              n_bytes,
             void                    *out,
             unsigned int             root);

      /** Offsets in bytes, n_ranks+1 of them. */
      void
      all_gather_varying(const CommunicatorState        &state,
                         unsigned int                    rank,
                         const void                     *in,
                         const std::vector<std::size_t> &offsets,
                         void                           *out);

      void
      gather_varying(const CommunicatorState        &state,
                     unsigned int                    rank,
                     const void                     *in,
                     const std::vector<std::size_t> &offsets,
                     void                           *out,
                     unsigned int                    root);

      Communicator
      split(const CommunicatorState &state, unsigned int colour, int key);

      Communicator
      duplicate(const CommunicatorState &state);
    } // namespace backend
  }   // namespace internal
} // namespace tessera

#endif
