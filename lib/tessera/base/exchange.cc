// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/counters.h>
#include <tessera/base/exchange.h>
#include <tessera/base/neighbour_messages.h>

#include <string>

namespace tessera
{
  namespace internal
  {
    namespace
    {
      using Segment = NeighbourMessages::Segment;

      /** The segments in bytes of all neighbours but the rank itself. */
      std::vector<Segment>
      segments_of_others(const std::vector<ExchangePlan::Neighbour> &neighbours,
                         const unsigned int                          rank,
                         const std::size_t                           item_size)
      {
        std::vector<Segment> segments;
        for (const ExchangePlan::Neighbour &neighbour : neighbours)
          if (neighbour.rank != rank)
            segments.push_back({neighbour.rank,
                                neighbour.begin * item_size,
                                neighbour.end * item_size});
        return segments;
      }

      /** The segment in bytes of the rank itself, empty if there is none. */
      Segment
      segment_of_self(const std::vector<ExchangePlan::Neighbour> &neighbours,
                      const unsigned int                          rank,
                      const std::size_t                           item_size)
      {
        for (const ExchangePlan::Neighbour &neighbour : neighbours)
          if (neighbour.rank == rank)
            return {rank,
                    neighbour.begin * item_size,
                    neighbour.end * item_size};
        return {rank, 0, 0};
      }

      const char *
      name_of(const ExchangeChannel::Direction direction)
      {
        return direction == ExchangeChannel::Direction::owner_to_ghost ?
                 "update_ghosts" :
                 "accumulate";
      }
    } // namespace

    struct ExchangeChannel::Implementation
    {
      Implementation(const ExchangePlan                  &plan,
                     const std::size_t                    item_size,
                     std::shared_ptr<const MessageMemory> message_memory)
        : memory(std::move(message_memory))
        , owner_buffer(memory->allocate(plan.send_items().size() * item_size))
        , ghost_buffer(
            memory->allocate(plan.receive_ghosts().size() * item_size))
        , owner_self(segment_of_self(plan.send_neighbours(),
                                     plan.communicator().rank(),
                                     item_size))
        , ghost_self(segment_of_self(plan.receive_neighbours(),
                                     plan.communicator().rank(),
                                     item_size))
        , n_bytes(Counters::process().id(Counters::exchange_bytes))
        , n_messages(Counters::process().id(Counters::exchange_messages))
      {
        const Communicator &communicator = plan.communicator();
        const int           tag          = backend::next_tags(communicator, 2);
#ifndef NDEBUG
        const std::uint64_t mine[2] = {static_cast<std::uint64_t>(tag),
                                       item_size};
        std::uint64_t       lowest[2]{mine[0], mine[1]};
        communicator.min(lowest, 2);
        TESSERA_ASSERT(communicator.all_ok(mine[0] == lowest[0] &&
                                           mine[1] == lowest[1]),
                       "ranks create exchanges in different orders or with "
                       "different numbers of components");
#endif
        const std::vector<Segment> owner_segments =
          segments_of_others(plan.send_neighbours(),
                             communicator.rank(),
                             item_size);
        const std::vector<Segment> ghost_segments =
          segments_of_others(plan.receive_neighbours(),
                             communicator.rank(),
                             item_size);
        to_ghosts = std::make_unique<NeighbourMessages>(communicator,
                                                        tag,
                                                        owner_buffer.get(),
                                                        owner_segments,
                                                        ghost_buffer.get(),
                                                        ghost_segments);
        to_owners = std::make_unique<NeighbourMessages>(communicator,
                                                        tag + 1,
                                                        ghost_buffer.get(),
                                                        ghost_segments,
                                                        owner_buffer.get(),
                                                        owner_segments);
        for (const Segment &segment : owner_segments)
          owner_sizes.push_back(segment.end - segment.begin);
        for (const Segment &segment : ghost_segments)
          ghost_sizes.push_back(segment.end - segment.begin);
      }

      NeighbourMessages &
      messages(const Direction towards)
      {
        return towards == Direction::owner_to_ghost ? *to_ghosts : *to_owners;
      }

      std::shared_ptr<const MessageMemory> memory;
      std::shared_ptr<char>                owner_buffer;
      std::shared_ptr<char>                ghost_buffer;
      Segment                              owner_self;
      Segment                              ghost_self;
      std::unique_ptr<NeighbourMessages>   to_ghosts;
      std::unique_ptr<NeighbourMessages>   to_owners;
      std::vector<std::size_t>             owner_sizes; // of messages, in bytes
      std::vector<std::size_t>             ghost_sizes;
      Counters::Id                         n_bytes;
      Counters::Id                         n_messages;
      bool                                 in_flight = false;
      Direction direction = Direction::owner_to_ghost;
    };

    ExchangeChannel::ExchangeChannel(
      const ExchangePlan                  &plan,
      const std::size_t                    item_size,
      std::shared_ptr<const MessageMemory> memory)
      : implementation(
          std::make_unique<Implementation>(plan, item_size, std::move(memory)))
    {}

    ExchangeChannel::~ExchangeChannel()
    {
      if (implementation->in_flight)
        {
          // Messages may still be read from and written to these.
          new std::shared_ptr<char>(implementation->owner_buffer);
          new std::shared_ptr<char>(implementation->ghost_buffer);
        }
    }

    void
    ExchangeChannel::check_idle() const
    {
      if (implementation->in_flight)
        throw InputError(
          std::string("A ghost exchange was started while its previous "
                      "operation (") +
          name_of(implementation->direction) +
          ") was in flight. Finish that first, or use one exchange object for "
          "each operation that is to be in flight.");
    }

    void
    ExchangeChannel::start(const Direction direction)
    {
      check_idle();
      Implementation &channel = *implementation;
      channel.in_flight       = true;
      channel.direction       = direction;
      channel.messages(direction).start();

      // What a rank has for itself.
      char *const       owner = channel.owner_buffer.get();
      char *const       ghost = channel.ghost_buffer.get();
      const std::size_t n_own =
        channel.owner_self.end - channel.owner_self.begin;
      if (n_own > 0)
        {
          if (direction == Direction::owner_to_ghost)
            channel.memory->copy(ghost + channel.ghost_self.begin,
                                 owner + channel.owner_self.begin,
                                 n_own);
          else
            channel.memory->copy(owner + channel.owner_self.begin,
                                 ghost + channel.ghost_self.begin,
                                 n_own);
        }

      Counters &counters = Counters::process();
      for (const std::size_t size : direction == Direction::owner_to_ghost ?
                                      channel.owner_sizes :
                                      channel.ghost_sizes)
        {
          counters.add(channel.n_bytes, size);
          counters.add(channel.n_messages, 1);
        }
    }

    void
    ExchangeChannel::finish(const Direction direction)
    {
      Implementation &channel = *implementation;
      if (!channel.in_flight || channel.direction != direction)
        throw InputError(
          std::string(name_of(direction)) +
          " of a ghost exchange was finished, but " +
          (channel.in_flight ?
             std::string(name_of(channel.direction)) + " is in flight" :
             std::string("nothing is in flight")) +
          ". Each start needs one finish of the same kind.");
      channel.messages(direction).wait();
      channel.in_flight = false;
    }

    bool
    ExchangeChannel::test()
    {
      return !implementation->in_flight ||
             implementation->messages(implementation->direction).test();
    }

    bool
    ExchangeChannel::in_flight() const noexcept
    {
      return implementation->in_flight;
    }

    char *
    ExchangeChannel::owner_buffer() noexcept
    {
      return implementation->owner_buffer.get();
    }

    char *
    ExchangeChannel::ghost_buffer() noexcept
    {
      return implementation->ghost_buffer.get();
    }
  } // namespace internal
} // namespace tessera
