// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_device_ghost_values_h
#define tessera_cellwise_device_device_ghost_values_h

#include <tessera/base/exchange.h>
#include <tessera/cellwise/device/device_field.h>
#include <tessera/cellwise/device/field_launchers.h>

#include <vector>

namespace tessera
{
  namespace cellwise
  {
    /**
     * GhostValues on a device: brings the ghost cells of fields up to date,
     * bit for bit, for double of either layout and contiguous float.
     *
     * What is sent is packed on the device, and travels through host memory.
     * Construction and update are collective among neighbours; update waits for
     * the stream, unless there is nothing to send or receive. Device memory:
     * the values of all messages, and 4 bytes a cell of them.
     */
    template <typename Number>
    class DeviceGhostValues
    {
    public:
      /** See GhostValues.
       * @param[in] values_of_cell Values a cell. */
      DeviceGhostValues(const ExchangePlan   &plan,
                        const int             values_of_cell,
                        const device::Stream &stream)
        : exchange(plan, (unsigned int)(values_of_cell))
        , n_nodes(values_of_cell)
      {
        const std::vector<CellIndex> sent(plan.send_items().begin(),
                                          plan.send_items().end());
        std::vector<CellIndex>       received;
        for (const unsigned int ghost : plan.receive_ghosts())
          received.push_back(CellIndex(plan.n_owned() + ghost));
        sent_cells =
          device::Memory<CellIndex>(sent.data(), sent.size(), stream);
        received_cells =
          device::Memory<CellIndex>(received.data(), received.size(), stream);
        sent_values     = device::Memory<Number>(sent.size() * n_nodes);
        received_values = device::Memory<Number>(received.size() * n_nodes);
      }

      template <Space space, Layout layout>
      void
      update(DeviceField<Number, space, layout> &field,
             const device::Stream               &stream)
      {
        TESSERA_ASSERT(field.n_nodes() == n_nodes, "a field of this degree");
        if (!sent_values.empty())
          {
            on_device::pack_cells<Number, layout>(sent_values.data(),
                                                  field.data(),
                                                  sent_cells.data(),
                                                  CellIndex(sent_cells.size()),
                                                  n_nodes,
                                                  stream);
            sent_values.copy_to_host(exchange.owner_buffer(), stream);
          }
        exchange.update_ghosts_start_packed();
        exchange.update_ghosts_finish_packed();
        if (!received_values.empty())
          {
            received_values.copy_from_host(exchange.ghost_buffer(), stream);
            on_device::unpack_cells<Number, layout>(field.data(),
                                                    received_values.data(),
                                                    received_cells.data(),
                                                    CellIndex(
                                                      received_cells.size()),
                                                    n_nodes,
                                                    stream);
          }
      }

    private:
      GhostExchange<Number>     exchange;
      int                       n_nodes;
      device::Memory<CellIndex> sent_cells, received_cells;
      device::Memory<Number>    sent_values, received_values;
    };
  } // namespace cellwise
} // namespace tessera

#endif
