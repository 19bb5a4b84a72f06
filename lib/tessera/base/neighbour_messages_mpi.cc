// SPDX-License-Identifier: LGPL-2.1-or-later
// The back end of a build with MPI: messages between neighbours.
#include <tessera/base/communication_backend_mpi.h>
#include <tessera/base/neighbour_messages.h>

#include <algorithm>

namespace tessera
{
  namespace internal
  {
    struct NeighbourMessages::Requests
    {
      // Keeps the communicator of the requests alive.
      std::shared_ptr<PrivateTraffic> traffic;
      std::vector<MPI_Request>        handles;
      bool                            active = false;
    };

    NeighbourMessages::NeighbourMessages(const Communicator &communicator,
                                         const int           tag,
                                         const char         *send_buffer,
                                         const std::vector<Segment> &send,
                                         char *receive_buffer,
                                         const std::vector<Segment> &receive)
      : requests(std::make_unique<Requests>())
    {
      if (communicator.n_ranks() == 1)
        return;
      requests->traffic                   = private_traffic(communicator);
      const MPI_Comm private_communicator = requests->traffic->communicator;

      // Long messages go in pieces; pieces of a pair arrive in the order in
      // which they were started. Receives come first, so that messages find
      // their place when they arrive.
      const auto for_pieces = [this](const Segment &segment, const auto &init) {
        const std::size_t largest = maximum_message_count();
        for (std::size_t i = segment.begin; i < segment.end; i += largest)
          {
            requests->handles.push_back(MPI_REQUEST_NULL);
            init(i,
                 static_cast<int>(std::min(largest, segment.end - i)),
                 static_cast<int>(segment.rank),
                 &requests->handles.back());
          }
      };
      for (const Segment &segment : receive)
        for_pieces(segment,
                   [&](const std::size_t offset,
                       const int         count,
                       const int         rank,
                       MPI_Request      *request) {
                     MPI_Recv_init(receive_buffer + offset,
                                   count,
                                   MPI_BYTE,
                                   rank,
                                   tag,
                                   private_communicator,
                                   request);
                   });
      for (const Segment &segment : send)
        for_pieces(segment,
                   [&](const std::size_t offset,
                       const int         count,
                       const int         rank,
                       MPI_Request      *request) {
                     MPI_Send_init(send_buffer + offset,
                                   count,
                                   MPI_BYTE,
                                   rank,
                                   tag,
                                   private_communicator,
                                   request);
                   });
    }

    NeighbourMessages::~NeighbourMessages()
    {
      if (mpi_is_usable())
        for (MPI_Request &request : requests->handles)
          MPI_Request_free(&request);
    }

    void
    NeighbourMessages::start()
    {
      // Not MPI_Startall(), which may start in any order.
      for (MPI_Request &request : requests->handles)
        MPI_Start(&request);
      requests->active = true;
    }

    bool
    NeighbourMessages::test()
    {
      int done = 1;
      if (requests->active && !requests->handles.empty())
        MPI_Testall(static_cast<int>(requests->handles.size()),
                    requests->handles.data(),
                    &done,
                    MPI_STATUSES_IGNORE);
      return done != 0;
    }

    void
    NeighbourMessages::wait()
    {
      // A process alone does without MPI being initialized.
      if (!requests->handles.empty())
        MPI_Waitall(static_cast<int>(requests->handles.size()),
                    requests->handles.data(),
                    MPI_STATUSES_IGNORE);
      requests->active = false;
    }

    namespace backend
    {
      void
      sparse_exchange(const Communicator               &communicator,
                      const std::vector<MessageToSend> &messages,
                      std::vector<Message<char>>       &received)
      {
        const std::shared_ptr<PrivateTraffic> traffic =
          private_traffic(communicator);
        const MPI_Comm private_communicator = traffic->communicator;
        // A tag of its own: a rank may leave, and start the next exchange,
        // while another has not yet seen the end of this one.
        const int tag = traffic->next_tags(1);

        // Synchronous sends: when they are complete the messages have been
        // received, and when all ranks have entered the barrier all have.
        std::vector<MPI_Request> sends(messages.size());
        for (std::size_t i = 0; i < messages.size(); ++i)
          MPI_Issend(messages[i].data,
                     static_cast<int>(messages[i].n_bytes),
                     MPI_BYTE,
                     static_cast<int>(messages[i].rank),
                     tag,
                     private_communicator,
                     &sends[i]);

        MPI_Request barrier    = MPI_REQUEST_NULL;
        bool        in_barrier = false;
        for (int finished = 0; finished == 0;)
          {
            int         found = 0;
            MPI_Message message;
            MPI_Status  status;
            MPI_Improbe(MPI_ANY_SOURCE,
                        tag,
                        private_communicator,
                        &found,
                        &message,
                        &status);
            if (found != 0)
              {
                int n_bytes;
                MPI_Get_count(&status, MPI_BYTE, &n_bytes);
                std::vector<char> data(static_cast<std::size_t>(n_bytes));
                MPI_Mrecv(
                  data.data(), n_bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
                received.push_back(
                  {static_cast<unsigned int>(status.MPI_SOURCE),
                   std::move(data)});
              }

            if (in_barrier)
              MPI_Test(&barrier, &finished, MPI_STATUS_IGNORE);
            else
              {
                int all_received = 0;
                MPI_Testall(static_cast<int>(sends.size()),
                            sends.data(),
                            &all_received,
                            MPI_STATUSES_IGNORE);
                if (all_received != 0)
                  {
                    MPI_Ibarrier(private_communicator, &barrier);
                    in_barrier = true;
                  }
              }
          }
      }

      int
      next_tags(const Communicator &communicator, const int n)
      {
        return communicator.n_ranks() == 1 ?
                 0 :
                 private_traffic(communicator)->next_tags(n);
      }
    } // namespace backend
  }   // namespace internal
} // namespace tessera
