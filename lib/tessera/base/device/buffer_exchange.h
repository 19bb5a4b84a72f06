// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_device_buffer_exchange_h
#define tessera_base_device_buffer_exchange_h

#include <tessera/base/device/memory.h>
#include <tessera/base/device/message_memory.h>
#include <tessera/base/exchange.h>

#include <cstddef>
#include <vector>

namespace tessera
{
  namespace device
  {
    /**
     * GhostExchange for data on a device: moves buffers in device memory along
     * an ExchangePlan. Others pack and unpack them, by kernels on the stream of
     * this object.
     *
     * An operation does not make the host wait for more of the stream than what
     * came before its start, and that only if there are messages. What the
     * stream is given between start and finish runs while messages are under
     * way:
     *
     * - start() gives the stream the copy of what is sent to host memory, and
     *   marks that point by an event;
     * - messages begin once the event has been reached: in test() if it has, in
     *   finish() after waiting for it. The event also says that the copies of
     *   the previous operation are done with the buffers;
     * - finish() waits for the messages, and gives the stream the copy of what
     *   was received.
     *
     * Where the MPI library takes device memory there are no such copies; see
     * mpi_takes_device_memory(). What a rank has for itself is copied on the
     * device. Between host and device go the bytes of the messages.
     *
     * Any number of objects can have an operation in flight. As messages begin
     * late, ranks must finish these in the same order. Start without finish and
     * the like are InputErrors, as in GhostExchange, and so is the fate of
     * objects destroyed in flight. The destructor waits for the stream.
     *
     * Memory: the bytes of each connection on each side, on the device; where
     * messages go through host memory, the same there.
     */
    class BufferExchange
    {
    public:
      using Direction = tessera::internal::ExchangeChannel::Direction;

      /**
       * Collective, see GhostExchange.
       *
       * @param[in] item_size Bytes an item, the same on all ranks.
       * @param[in] stream It outlives the object.
       * @throws DeviceError if there is no memory; on this rank alone.
       */
      BufferExchange(const ExchangePlan &plan,
                     std::size_t         item_size,
                     const Stream       &stream);

      ~BufferExchange();

      BufferExchange(const BufferExchange &) = delete;
      BufferExchange &
      operator=(const BufferExchange &) = delete;

      /** On the device: [plan.send_items().size()][item_size] bytes. Before
       * start(Direction::owner_to_ghost), the stream is given what writes them;
       * after finish(Direction::ghost_to_owner), what reads them. */
      char *
      owner_buffer();

      /** On the device: [plan.receive_ghosts().size()][item_size] bytes, in the
       * other roles. */
      char *
      ghost_buffer();

      /** @throws InputError if an operation is in flight, whose buffers must
       * not be written. */
      void
      check_idle() const;

      void
      start(Direction direction);

      /** Let messages begin and make progress; true if finish() would not wait.
       * Never necessary. */
      bool
      test();

      void
      finish(Direction direction);

      /** Bytes on the device. */
      std::size_t
      memory_consumption() const
      {
        return n_bytes;
      }

    private:
      /** Bytes of a buffer. */
      struct Range
      {
        std::size_t begin;
        std::size_t end;
      };

      /** A buffer by what is in it. */
      struct Parts
      {
        Parts(const std::vector<ExchangePlan::Neighbour> &neighbours,
              unsigned int                                rank,
              std::size_t                                 item_size);

        Range              own; ///< for this rank from itself
        std::vector<Range> of_others;
      };

      bool
      has_messages() const;

      void
      begin_messages();

      const Stream                      &stream;
      Parts                              owner_parts, ghost_parts;
      std::size_t                        n_bytes;
      bool                               is_staged;
      tessera::internal::ExchangeChannel channel;
      Memory<char>                       staged_owners, staged_ghosts;
      Event                              packed;

      enum class State
      {
        idle,
        started, ///< messages are not under way yet
        begun
      };

      State     state     = State::idle;
      Direction direction = Direction::owner_to_ghost;
    };
  } // namespace device
} // namespace tessera

#endif
