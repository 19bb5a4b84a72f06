// SPDX-License-Identifier: LGPL-2.1-or-later
// The back end of a build without MPI: a process alone has no neighbours.
#include <tessera/base/neighbour_messages.h>

namespace tessera
{
  namespace internal
  {
    struct NeighbourMessages::Requests
    {};

    NeighbourMessages::NeighbourMessages(const Communicator &,
                                         int,
                                         const char *,
                                         const std::vector<Segment> &,
                                         char *,
                                         const std::vector<Segment> &)
    {}

    NeighbourMessages::~NeighbourMessages() = default;

    void
    NeighbourMessages::start()
    {}

    bool
    NeighbourMessages::test()
    {
      return true;
    }

    void
    NeighbourMessages::wait()
    {}

    namespace backend
    {
      void
      sparse_exchange(const Communicator &,
                      const std::vector<MessageToSend> &,
                      std::vector<Message<char>> &)
      {}

      int
      next_tags(const Communicator &, int)
      {
        return 0;
      }
    } // namespace backend
  }   // namespace internal
} // namespace tessera
