// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_ghost_values_h
#define tessera_cellwise_ghost_values_h

#include <tessera/base/exchange.h>
#include <tessera/cellwise/distributed_grid.h>
#include <tessera/cellwise/field.h>

#include <cstddef>

namespace tessera
{
  namespace cellwise
  {
    /**
     * Brings the ghost cells of fields up to date: $u_K$ of every ghost cell
     * becomes that of its owner, bit for bit.
     *
     * For fields of Number of either layout and any space, one at a time.
     * Construction and update are collective among neighbours; nothing is done
     * where there are no ghosts. Cost: one message to each neighbour, of
     * n_nodes numbers a cell. Host memory.
     */
    template <typename Number>
    class GhostValues
    {
    public:
      GhostValues() = default;

      /** @param[in] plan Item i is local cell i, ghost g is local cell
       * plan.n_owned() + g; see DistributedGrid.
       * @param[in] n_nodes Values a cell. */
      GhostValues(const ExchangePlan &plan, const int n_nodes)
        : exchange(plan, (unsigned int)(n_nodes))
      {}

      template <Space space, Layout layout>
      void
      update(Field<Number, space, layout> &field)
      {
        start(field);
        finish(field);
      }

      /** The first half of update(): owned cells may be changed when it
       * returns. */
      template <Space space, Layout layout>
      void
      start(const Field<Number, space, layout> &field)
      {
        exchange.update_ghosts_start_with(
          [&](const std::size_t cell, Number *values) {
            field.get_cell(CellIndex(cell), values);
          });
      }

      /** The second: writes the ghost cells. */
      template <Space space, Layout layout>
      void
      finish(Field<Number, space, layout> &field)
      {
        const std::size_t n_owned = exchange.plan().n_owned();
        exchange.update_ghosts_finish_with(
          [&](const std::size_t ghost, const Number *values) {
            field.set_cell(CellIndex(n_owned + ghost), values);
          });
      }

    private:
      GhostExchange<Number> exchange;
    };
  } // namespace cellwise
} // namespace tessera

#endif
