// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_device_ghost_values_h
#define tessera_cellwise_device_device_ghost_values_h

#include <tessera/base/device/buffer_exchange.h>
#include <tessera/cellwise/device/device_field.h>
#include <tessera/cellwise/device/field_launchers.h>
#include <tessera/cellwise/ghost_values.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace tessera
{
  namespace cellwise
  {
    /**
     * GhostValues on a device, for fields of double of either layout and of
     * contiguous float; with the same interface and the same bits.
     *
     * Everything is done in the order of the stream, as by kernels: fields are
     * read and written when the stream comes to it, and no function waits for
     * more of the stream than what came before the start; where there are no
     * messages, for nothing. See device::BufferExchange for what overlaps, and
     * for the order in which ranks finish exchanges. Device memory: the values
     * of all messages, and 4 bytes a cell of them.
     */
    template <typename Number>
    class DeviceGhostValues
    {
    public:
      /** No cells; an exchange does nothing. */
      DeviceGhostValues() = default;

      /** See GhostValues. The queue, a stream, outlives the object. */
      DeviceGhostValues(const ExchangePlan   &plan,
                        const int             values_of_cell,
                        const device::Stream &queue)
        : DeviceGhostValues(plan,
                            cells_after_owned(plan),
                            values_of_cell,
                            queue)
      {}

      /** See GhostValues. */
      DeviceGhostValues(const ExchangePlan           &plan,
                        const std::vector<CellIndex> &cells_of_ghosts,
                        const int                     values_of_cell,
                        const device::Stream         &queue)
        : n_nodes(values_of_cell)
        , stream(&queue)
        , exchange(
            std::make_unique<device::BufferExchange>(plan,
                                                     std::size_t(n_nodes) *
                                                       sizeof(Number),
                                                     queue))
        , each_has_one_ghost(plan.boundary_items().size() ==
                             plan.send_items().size())
      {
        TESSERA_ASSERT(cells_of_ghosts.size() == plan.n_ghosts(),
                       "a cell for each ghost");
        const std::vector<CellIndex> sent(plan.send_items().begin(),
                                          plan.send_items().end());
        std::vector<CellIndex>       received;
        for (const unsigned int ghost : plan.receive_ghosts())
          received.push_back(cells_of_ghosts[ghost]);
        owned_cells =
          device::Memory<CellIndex>(sent.data(), sent.size(), queue);
        ghost_cells =
          device::Memory<CellIndex>(received.data(), received.size(), queue);
      }

      /** @name From owners to ghosts @{ */

      template <Space space, Layout layout>
      void
      update(DeviceField<Number, space, layout> &field)
      {
        start(field);
        finish(field);
      }

      /** The first half of update(), which reads owned cells: what the stream
       * is given later may change them. */
      template <Space space, Layout layout>
      void
      start(const DeviceField<Number, space, layout> &field)
      {
        start_from(field, owned_cells, Direction::owner_to_ghost);
      }

      /** The second: writes the ghost cells. */
      template <Space space, Layout layout>
      void
      finish(DeviceField<Number, space, layout> &field)
      {
        finish_to(field, ghost_cells, Direction::owner_to_ghost);
      }
      /** @} */

      /** Let messages begin and make progress; true if finish() would not wait.
       * Never necessary, but where the host has time between start() and
       * finish(), messages begin no sooner than this is called. */
      bool
      test()
      {
        return exchange == nullptr || exchange->test();
      }

      /** @name From ghosts to owners
       * See GhostValues. @{ */

      template <Space space, Layout layout>
      void
      start_return(const DeviceField<Number, space, layout> &field)
      {
        start_from(field, ghost_cells, Direction::ghost_to_owner);
      }

      template <Space space, Layout layout>
      void
      finish_return(DeviceField<Number, space, layout> &field)
      {
        TESSERA_ASSERT(each_has_one_ghost,
                       "an owned cell gets the values of one ghost");
        finish_to(field, owned_cells, Direction::ghost_to_owner);
      }
      /** @} */

      /** Bytes on the device. */
      std::size_t
      memory_consumption() const
      {
        return (owned_cells.size() + ghost_cells.size()) * sizeof(CellIndex) +
               (exchange == nullptr ? 0 : exchange->memory_consumption());
      }

    private:
      using Direction = device::BufferExchange::Direction;

      Number *
      buffer(const bool of_owners) const
      {
        return reinterpret_cast<Number *>(of_owners ? exchange->owner_buffer() :
                                                      exchange->ghost_buffer());
      }

      template <Space space, Layout layout>
      void
      start_from(const DeviceField<Number, space, layout> &field,
                 const device::Memory<CellIndex>          &cells,
                 const Direction                           direction)
      {
        if (exchange == nullptr)
          return;
        exchange->check_idle();
        if (!cells.empty())
          {
            TESSERA_ASSERT(field.n_nodes() == n_nodes,
                           "a field of this degree");
            on_device::pack_cells<Number, layout>(
              buffer(direction == Direction::owner_to_ghost),
              field.data(),
              cells.data(),
              CellIndex(cells.size()),
              n_nodes,
              *stream);
          }
        exchange->start(direction);
      }

      template <Space space, Layout layout>
      void
      finish_to(DeviceField<Number, space, layout> &field,
                const device::Memory<CellIndex>    &cells,
                const Direction                     direction)
      {
        if (exchange == nullptr)
          return;
        exchange->finish(direction);
        if (!cells.empty())
          {
            TESSERA_ASSERT(field.n_nodes() == n_nodes,
                           "a field of this degree");
            on_device::unpack_cells<Number, layout>(
              field.data(),
              buffer(direction == Direction::ghost_to_owner),
              cells.data(),
              CellIndex(cells.size()),
              n_nodes,
              *stream);
          }
      }

      int                                     n_nodes = 0;
      const device::Stream                   *stream  = nullptr;
      std::unique_ptr<device::BufferExchange> exchange;
      bool                                    each_has_one_ghost = true;
      device::Memory<CellIndex>               owned_cells, ghost_cells;
    };
  } // namespace cellwise
} // namespace tessera

#endif
