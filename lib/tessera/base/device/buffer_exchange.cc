// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/buffer_exchange.h>

#include <memory>

namespace tessera
{
  namespace device
  {
    namespace
    {
      /** Buffers that mirror those on the device, where what a rank has for
       * itself stays. */
      class StagingMemory : public PinnedMessageMemory
      {
      public:
        void
        copy(char *, const char *, std::size_t) const override
        {}
      };



      std::shared_ptr<const MessageMemory>
      message_memory(const bool is_staged, const Stream &stream)
      {
        if (is_staged)
          return std::make_shared<const StagingMemory>();
        return std::make_shared<const DeviceMessageMemory>(stream);
      }
    } // namespace



    BufferExchange::Parts::Parts(
      const std::vector<ExchangePlan::Neighbour> &neighbours,
      const unsigned int                          rank,
      const std::size_t                           item_size)
      : own{0, 0}
    {
      for (const ExchangePlan::Neighbour &neighbour : neighbours)
        {
          const Range range = {neighbour.begin * item_size,
                               neighbour.end * item_size};
          if (neighbour.rank == rank)
            own = range;
          else if (!of_others.empty() && of_others.back().end == range.begin)
            of_others.back().end = range.end;
          else
            of_others.push_back(range);
        }
    }



    BufferExchange::BufferExchange(const ExchangePlan &plan,
                                   const std::size_t   item_size,
                                   const Stream       &queue)
      : stream(queue)
      , owner_parts(plan.send_neighbours(),
                    plan.communicator().rank(),
                    item_size)
      , ghost_parts(plan.receive_neighbours(),
                    plan.communicator().rank(),
                    item_size)
      , n_bytes((plan.send_items().size() + plan.receive_ghosts().size()) *
                item_size)
      , is_staged(!mpi_takes_device_memory(plan.communicator()))
      , channel(plan, item_size, message_memory(is_staged, queue))
      , staged_owners(is_staged ? plan.send_items().size() * item_size : 0)
      , staged_ghosts(is_staged ? plan.receive_ghosts().size() * item_size : 0)
    {}



    BufferExchange::~BufferExchange()
    {
      // Copies may still read or write the buffers in host memory.
      try
        {
          if (n_bytes > 0)
            stream.synchronize();
        }
      catch (const DeviceError &)
        {
          // The work has failed; whoever waits for its results is told.
        }
    }



    char *
    BufferExchange::owner_buffer()
    {
      return is_staged ? staged_owners.data() : channel.owner_buffer();
    }



    char *
    BufferExchange::ghost_buffer()
    {
      return is_staged ? staged_ghosts.data() : channel.ghost_buffer();
    }



    void
    BufferExchange::check_idle() const
    {
      if (state != State::idle)
        throw InputError("An exchange on a device was started while its "
                         "previous operation was in flight. Finish that first, "
                         "or use one object for each operation that is to be "
                         "in flight.");
    }



    void
    BufferExchange::start(const Direction new_direction)
    {
      check_idle();
      direction = new_direction;
      state     = State::started;

      const bool to_ghosts = direction == Direction::owner_to_ghost;
      if (is_staged)
        {
          const Memory<char> &source =
            to_ghosts ? staged_owners : staged_ghosts;
          Memory<char> &target = to_ghosts ? staged_ghosts : staged_owners;
          const Parts  &source_parts = to_ghosts ? owner_parts : ghost_parts;
          const Parts  &target_parts = to_ghosts ? ghost_parts : owner_parts;
          char *const   messages =
            to_ghosts ? channel.owner_buffer() : channel.ghost_buffer();
          for (const Range &range : source_parts.of_others)
            source.copy_to_host_async(messages + range.begin,
                                      range.begin,
                                      range.end - range.begin,
                                      stream);
          internal::copy_counted(target.data() + target_parts.own.begin,
                                 source.data() + source_parts.own.begin,
                                 source_parts.own.end - source_parts.own.begin,
                                 CopyDirection::device_to_device,
                                 stream);
        }
      if (has_messages())
        packed.record(stream);
    }



    bool
    BufferExchange::test()
    {
      if (state == State::idle)
        return true;
      if (state == State::started)
        {
          if (has_messages() && !packed.is_reached())
            return false;
          begin_messages();
        }
      return channel.test();
    }



    void
    BufferExchange::finish(const Direction expected)
    {
      if (state == State::idle || direction != expected)
        throw InputError("An exchange on a device was finished that has not "
                         "been started, or in the other direction. Each start "
                         "needs one finish of the same kind.");
      if (state == State::started)
        {
          if (has_messages())
            packed.synchronize();
          begin_messages();
        }
      channel.finish(direction);
      state = State::idle;

      if (is_staged)
        {
          const bool        to_ghosts = direction == Direction::owner_to_ghost;
          Memory<char>     &target = to_ghosts ? staged_ghosts : staged_owners;
          const Parts      &parts  = to_ghosts ? ghost_parts : owner_parts;
          const char *const messages =
            to_ghosts ? channel.ghost_buffer() : channel.owner_buffer();
          for (const Range &range : parts.of_others)
            target.copy_from_host_async(messages + range.begin,
                                        range.begin,
                                        range.end - range.begin,
                                        stream);
        }
    }



    bool
    BufferExchange::has_messages() const
    {
      return !owner_parts.of_others.empty() || !ghost_parts.of_others.empty();
    }



    void
    BufferExchange::begin_messages()
    {
      channel.start(direction);
      state = State::begun;
    }
  } // namespace device
} // namespace tessera
