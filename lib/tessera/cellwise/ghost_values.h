// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_ghost_values_h
#define tessera_cellwise_ghost_values_h

#include <tessera/base/exceptions.h>
#include <tessera/base/exchange.h>
#include <tessera/base/execution.h>
#include <tessera/cellwise/field.h>

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace tessera
{
  namespace cellwise
  {
    /** The cells of ghosts that follow the owned ones. */
    inline std::vector<CellIndex>
    cells_after_owned(const ExchangePlan &plan)
    {
      std::vector<CellIndex> cells(plan.n_ghosts());
      std::iota(cells.begin(), cells.end(), CellIndex(plan.n_owned()));
      return cells;
    }

    /**
     * Brings the ghost cells of fields up to date: $u_K$ of every ghost cell
     * becomes that of its owner, bit for bit. Also the way back.
     *
     * For fields of Number of either layout and any space, one at a time; the
     * field that is written need not be the one that was read. Construction and
     * exchange are collective among neighbours; nothing is done where there are
     * no ghosts. Cost: one message to each neighbour, of n_nodes numbers a
     * cell. Host memory: 4 bytes a ghost, and the messages.
     */
    template <typename Number>
    class GhostValues
    {
    public:
      /** No cells; an exchange does nothing. */
      GhostValues() = default;

      /** @param[in] exchange_plan Item i is local cell i, ghost g is local cell
       * plan.n_owned() + g; see DistributedGrid.
       * @param[in] n_nodes Values a cell. */
      GhostValues(
        const ExchangePlan         &exchange_plan,
        const int                   n_nodes,
        const execution::HostQueue &queue = execution::Host::default_queue())
        : GhostValues(exchange_plan,
                      cells_after_owned(exchange_plan),
                      n_nodes,
                      queue)
      {}

      /** The same with ghosts in any cells of a field.
       * @param[in] cells_of_ghosts [plan.n_ghosts()], each cell at most once.
       */
      GhostValues(
        const ExchangePlan    &exchange_plan,
        std::vector<CellIndex> cells_of_ghosts,
        const int              n_nodes,
        const execution::HostQueue & = execution::Host::default_queue())
        : exchange(exchange_plan, (unsigned int)(n_nodes))
        , ghost_cells(std::move(cells_of_ghosts))
      {
        TESSERA_ASSERT(ghost_cells.size() == exchange_plan.n_ghosts(),
                       "a cell for each ghost");
      }

      /** @name From owners to ghosts @{ */

      template <Space space, Layout layout>
      void
      update(Field<Number, space, layout> &field)
      {
        start(field);
        finish(field);
      }

      /** The first half of update(), which reads owned cells: they may be
       * changed when it returns. */
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
        exchange.update_ghosts_finish_with(
          [&](const std::size_t ghost, const Number *values) {
            field.set_cell(ghost_cells[ghost], values);
          });
      }
      /** @} */

      /** Let messages under way make progress; true if finish() would not wait.
       * Never necessary. */
      bool
      test()
      {
        return exchange.test();
      }

      /** @name From ghosts to owners
       * Where each owned item has at most one ghost: its cell becomes that of
       * the ghost. @{ */

      /** Reads the ghost cells: they may be changed when it returns. */
      template <Space space, Layout layout>
      void
      start_return(const Field<Number, space, layout> &field)
      {
        exchange.accumulate_start_with(
          [&](const std::size_t ghost, Number *values) {
            field.get_cell(ghost_cells[ghost], values);
          });
      }

      /** Writes the owned cells that have a ghost. */
      template <Space space, Layout layout>
      void
      finish_return(Field<Number, space, layout> &field)
      {
        TESSERA_ASSERT(exchange.plan().boundary_items().size() ==
                         exchange.plan().send_items().size(),
                       "an owned cell gets the values of one ghost");
        exchange.accumulate_finish_with(
          [&](const std::size_t cell, const Number *values) {
            field.set_cell(CellIndex(cell), values);
          });
      }
      /** @} */

      std::size_t
      memory_consumption() const
      {
        return exchange.memory_consumption() +
               ghost_cells.capacity() * sizeof(CellIndex);
      }

    private:
      GhostExchange<Number>  exchange;
      std::vector<CellIndex> ghost_cells;
    };
  } // namespace cellwise
} // namespace tessera

#endif
