// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_neighbour_messages_h
#define tessera_base_neighbour_messages_h

// Messages between neighbours as the back end sends them; not for use outside
// lib/tessera/base. neighbour_messages_mpi.cc implements this with MPI,
// neighbour_messages_serial.cc for one process, which has no neighbours.

#include <tessera/base/communication.h>
#include <tessera/base/sparse_exchange.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace tessera
{
  namespace internal
  {
    namespace backend
    {
      /** Append the messages of others, in any order, to `received`.
       * Collective, for groups of more than one rank. */
      void
      sparse_exchange(const Communicator               &communicator,
                      const std::vector<MessageToSend> &messages,
                      std::vector<Message<char>>       &received);

      /** The first of `n` consecutive tags for private messages of a group; 0
       * if it is one rank. Collective. */
      int
      next_tags(const Communicator &communicator, int n);
    } // namespace backend

    /**
     * A fixed set of messages from and to fixed memory that is exchanged again
     * and again. Starting and waiting allocate no memory of ours.
     */
    class NeighbourMessages
    {
    public:
      /** The bytes [begin, end) of a buffer, for or from another rank. */
      struct Segment
      {
        unsigned int rank;
        std::size_t  begin;
        std::size_t  end;
      };

      /** Local. The buffers must live until this object is destroyed, and if
       * it is destroyed between start() and wait(), forever. */
      NeighbourMessages(const Communicator         &communicator,
                        int                         tag,
                        const char                 *send_buffer,
                        const std::vector<Segment> &send,
                        char                       *receive_buffer,
                        const std::vector<Segment> &receive);
      ~NeighbourMessages();

      NeighbourMessages(const NeighbourMessages &) = delete;
      NeighbourMessages &
      operator=(const NeighbourMessages &) = delete;

      void
      start();

      /** Whether all started messages have arrived and left. Lets the MPI
       * library make progress. */
      bool
      test();

      /** Return once all started messages have arrived and left. */
      void
      wait();

    private:
      struct Requests;
      std::unique_ptr<Requests> requests;
    };
  } // namespace internal
} // namespace tessera

#endif
