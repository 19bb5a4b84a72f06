// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_exchange_h
#define tessera_base_exchange_h

#include <tessera/base/exchange_plan.h>
#include <tessera/base/message_memory.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera
{
  namespace internal
  {
    /** The part of a GhostExchange that does not depend on the type of the
     * data: buffers, messages, and what is in flight. */
    class ExchangeChannel
    {
    public:
      enum class Direction
      {
        owner_to_ghost,
        ghost_to_owner
      };

      ExchangeChannel(const ExchangePlan                  &plan,
                      std::size_t                          item_size,
                      std::shared_ptr<const MessageMemory> memory);
      ~ExchangeChannel();

      ExchangeChannel(const ExchangeChannel &) = delete;
      ExchangeChannel &
      operator=(const ExchangeChannel &) = delete;

      /** @throws InputError if something is in flight. */
      void
      check_idle() const;

      void
      start(Direction direction);

      void
      finish(Direction direction);

      bool
      test();

      bool
      in_flight() const noexcept;

      char *
      owner_buffer() noexcept;

      char *
      ghost_buffer() noexcept;

    private:
      struct Implementation;
      std::unique_ptr<Implementation> implementation;
    };
  } // namespace internal

  /**
   * Moves data of the items of an ExchangePlan: from owners to ghosts
   * (`update_ghosts`), or from ghosts to owners, where they are added
   * (`accumulate`).
   *
   * Data are arrays `owned[n_owned][n_components]` and
   * `ghosts[n_ghosts][n_components]` in host memory, of a trivially copyable
   * type; where ghosts follow the owned items in one array, pass
   * `values + n_owned*n_components`. For any other layout there are functions
   * that call back per item, and for packing by someone else (a kernel) direct
   * access to the buffers.
   *
   * Each operation has a start, which reads the source and returns at once, and
   * a finish, which waits and writes the target; between the two any other
   * computation may go on, and the source may be changed. One operation per
   * object can be in flight, but any number of objects, also of one plan: their
   * messages have tags of their own and are not mixed up, in whatever order
   * they are started and finished. A wrong order within an object is an
   * InputError, in release builds too.
   *
   * Start and finish are collective among neighbours. They allocate no memory:
   * buffers and persistent MPI requests are made once. Cost of an operation:
   * one message per neighbour (none for ranks without neighbours), reading and
   * writing each connection's data once on each side, plus the transfer.
   * Memory: `n_components * sizeof(T)` bytes per connection and side.
   * Bytes and messages that leave the rank are counted as
   * Counters::exchange_bytes and Counters::exchange_messages.
   *
   * Determinism: accumulate adds to the owner's value first the contribution of
   * the lowest rank that holds a ghost, then that of the next, and so on, and
   * within a rank in the order of its ghosts; never in the order of arrival.
   *
   * Construction is collective: all ranks create their exchanges of a
   * communicator in the same order, with equal `n_components`. (In debug builds
   * this is checked by a reduction.) An object destroyed in flight, as when an
   * exception passes by, leaves its buffers to the messages still under way:
   * they are never freed.
   *
   * Buffers are in host memory, or in another MessageMemory. Where the host
   * cannot access it, only the functions named `..._packed` may be used.
   */
  template <typename T>
  class GhostExchange
  {
    static_assert(std::is_trivially_copyable<T>::value,
                  "GhostExchange moves data as bytes.");

  public:
    /** An exchange without items; operations do nothing. */
    GhostExchange()
      : GhostExchange(ExchangePlan())
    {}

    explicit GhostExchange(
      const ExchangePlan                  &exchange_plan,
      const unsigned int                   components = 1,
      std::shared_ptr<const MessageMemory> memory     = MessageMemory::host())
      : connections(exchange_plan)
      , n_values(components)
      , channel(
          std::make_unique<internal::ExchangeChannel>(exchange_plan,
                                                      components * sizeof(T),
                                                      std::move(memory)))
    {}

    const ExchangePlan &
    plan() const
    {
      return connections;
    }

    unsigned int
    n_components() const
    {
      return n_values;
    }

    /** Bytes of the buffers. */
    std::size_t
    memory_consumption() const
    {
      return (connections.send_items().size() +
              connections.receive_ghosts().size()) *
             n_values * sizeof(T);
    }

    /** Whether an operation has been started and not finished. */
    bool
    in_flight() const
    {
      return channel->in_flight();
    }

    /** Let the MPI library make progress, as many do only when called; true if
     * finish would not wait (or nothing is in flight). Never necessary. */
    bool
    test()
    {
      return channel->test();
    }

    /**
     * @name From owners to ghosts
     * @{
     */

    /** Send the values of owned items; `owned` may be changed on return. */
    void
    update_ghosts_start(const T *owned)
    {
      update_ghosts_start_with([&](const std::size_t item, T *const values) {
        copy(owned + item * n_values, values);
      });
    }

    /** Receive, and overwrite all ghosts that the plan has. */
    void
    update_ghosts_finish(T *ghosts)
    {
      update_ghosts_finish_with(
        [&](const std::size_t ghost, const T *const values) {
          copy(values, ghosts + ghost * n_values);
        });
    }

    void
    update_ghosts(const T *owned, T *ghosts)
    {
      update_ghosts_start(owned);
      update_ghosts_finish(ghosts);
    }

    /** As update_ghosts_start(), with `pack(item, values)` called to write the
     * n_components() values of an owned item, once per connection. */
    template <typename Pack>
    void
    update_ghosts_start_with(const Pack &pack)
    {
      channel->check_idle();
      for_each(connections.send_items(), owner_buffer(), pack);
      update_ghosts_start_packed();
    }

    /** As update_ghosts_finish(), with `unpack(ghost, values)` called to take
     * the n_components() values of a ghost. */
    template <typename Unpack>
    void
    update_ghosts_finish_with(const Unpack &unpack)
    {
      update_ghosts_finish_packed();
      for_each(connections.receive_ghosts(),
               static_cast<const T *>(ghost_buffer()),
               unpack);
    }

    /** Send what the caller has written into owner_buffer(). */
    void
    update_ghosts_start_packed()
    {
      channel->start(internal::ExchangeChannel::Direction::owner_to_ghost);
    }

    /** Receive into ghost_buffer(), for the caller to read. */
    void
    update_ghosts_finish_packed()
    {
      channel->finish(internal::ExchangeChannel::Direction::owner_to_ghost);
    }
    /** @} */

    /**
     * @name From ghosts to owners
     * @{
     */

    /** Send the values of all ghosts that the plan has. They are left as they
     * are; `ghosts` may be changed on return. */
    void
    accumulate_start(const T *ghosts)
    {
      accumulate_start_with([&](const std::size_t ghost, T *const values) {
        copy(ghosts + ghost * n_values, values);
      });
    }

    /** Receive and add to the owned items, in the order given above. */
    void
    accumulate_finish(T *owned)
    {
      accumulate_finish_with(
        [&](const std::size_t item, const T *const values) {
          T *const sums = owned + item * n_values;
          for (unsigned int c = 0; c < n_values; ++c)
            sums[c] += values[c];
        });
    }

    void
    accumulate(const T *ghosts, T *owned)
    {
      accumulate_start(ghosts);
      accumulate_finish(owned);
    }

    /** As accumulate_start(), with `pack(ghost, values)` called to write the
     * n_components() values of a ghost. */
    template <typename Pack>
    void
    accumulate_start_with(const Pack &pack)
    {
      channel->check_idle();
      for_each(connections.receive_ghosts(), ghost_buffer(), pack);
      accumulate_start_packed();
    }

    /** As accumulate_finish(), with `combine(item, values)` called, in the same
     * order, for each contribution to an owned item: for other layouts and
     * for other operations than the sum. */
    template <typename Combine>
    void
    accumulate_finish_with(const Combine &combine)
    {
      accumulate_finish_packed();
      for_each(connections.send_items(),
               static_cast<const T *>(owner_buffer()),
               combine);
    }

    /** Send what the caller has written into ghost_buffer(). */
    void
    accumulate_start_packed()
    {
      channel->start(internal::ExchangeChannel::Direction::ghost_to_owner);
    }

    /** Receive into owner_buffer(), for the caller to read. */
    void
    accumulate_finish_packed()
    {
      channel->finish(internal::ExchangeChannel::Direction::ghost_to_owner);
    }
    /** @} */

    /**
     * @name Buffers
     * Untouchable while an operation is in flight.
     * @{
     */

    /** [plan().send_items().size()][n_components()], aligned to
     * memory_alignment; null if empty. */
    T *
    owner_buffer()
    {
      return reinterpret_cast<T *>(channel->owner_buffer());
    }

    /** [plan().receive_ghosts().size()][n_components()], aligned to
     * memory_alignment; null if empty. */
    T *
    ghost_buffer()
    {
      return reinterpret_cast<T *>(channel->ghost_buffer());
    }
    /** @} */

  private:
    void
    copy(const T *from, T *to) const
    {
      std::copy_n(from, n_values, to);
    }

    template <typename Pointer, typename Function>
    void
    for_each(const std::vector<unsigned int> &items,
             Pointer                          values,
             const Function                  &function) const
    {
      for (const unsigned int item : items)
        {
          function(static_cast<std::size_t>(item), values);
          values += n_values;
        }
    }

    ExchangePlan                               connections;
    unsigned int                               n_values;
    std::unique_ptr<internal::ExchangeChannel> channel;
  };
} // namespace tessera

#endif
