// SPDX-License-Identifier: LGPL-2.1-or-later
// Ghost cells get the values of owned cells, and owned cells those of ghosts;
// all others are left alone.
#include <tessera/base/communication_session.h>
#include <tessera/cellwise/ghost_values.h>

#include <cmath>
#include <utility>
#include <vector>

#include "cellwise/fields.h"
#include "cellwise/ghost_plans.h"
#include "check.h"

namespace
{
  using namespace tessera;
  using namespace tessera::cellwise;

  /** What a rank has in an owned cell, or in a ghost. */
  double
  owned_value(const unsigned int rank, const unsigned int cell, const int node)
  {
    return 1 + rank * 10000. + cell * 100. + node;
  }

  double
  ghost_value(const unsigned int rank, const std::size_t ghost, const int node)
  {
    return -owned_value(rank, (unsigned int)(ghost), node);
  }



  /** Whether a cell has the values f(node), or NaN for no f. */
  template <typename F, typename Values>
  bool
  cell_has(const F &field, const CellIndex cell, const Values &values)
  {
    for (int k = 0; k < field.n_nodes(); ++k)
      if (field(cell, k) != typename F::value_type(values(k)))
        return false;
    return true;
  }

  template <typename F>
  bool
  cell_is_poisoned(const F &field, const CellIndex cell)
  {
    return std::isnan(field(cell, 0));
  }



  template <typename F>
  F
  with_owned_values(const CellIndex    n_cells,
                    const int          n_nodes,
                    const unsigned int rank)
  {
    F field = test::poisoned_field<F>(n_cells, n_nodes);
    for (unsigned int c = 0; c < test::n_owned_cells; ++c)
      for (int k = 0; k < n_nodes; ++k)
        field(CellIndex(c), k) =
          typename F::value_type(owned_value(rank, c, k));
    return field;
  }



  template <typename F>
  bool
  ghosts_are_right(const F                       &field,
                   const std::vector<CellIndex>  &cells,
                   const std::vector<RemoteItem> &ghosts)
  {
    for (std::size_t g = 0; g < ghosts.size(); ++g)
      if (!cell_has(field, cells[g], [&](const int k) {
            return owned_value(ghosts[g].owner, ghosts[g].index, k);
          }))
        return false;
    return true;
  }



  template <typename Number, Layout layout>
  void
  check_update(const Communicator &world, const int n_nodes)
  {
    using Primal = PrimalField<Number, layout>;
    using Modal  = DualModalField<Number, layout>;

    const unsigned int            rank   = world.rank();
    const std::vector<RemoteItem> ghosts = test::many_ghosts(world);
    const ExchangePlan            plan   = test::make_plan(world, ghosts);
    const CellIndex n_local = CellIndex(test::n_owned_cells + ghosts.size());

    // Ghosts behind the owned cells.
    Primal u = with_owned_values<Primal>(n_local + 2, n_nodes, rank);
    GhostValues<Number> exchange(plan, n_nodes);
    exchange.update(u);
    CHECK(ghosts_are_right(u, cells_after_owned(plan), ghosts));
    for (unsigned int c = 0; c < test::n_owned_cells; ++c)
      CHECK(cell_has(u, CellIndex(c), [&](const int k) {
        return owned_value(rank, c, k);
      }));
    CHECK(cell_is_poisoned(u, n_local) && cell_is_poisoned(u, n_local + 1));

    // Anywhere, and in another field, of another size and space; what is sent
    // is what was there at the start.
    const CellIndex     n_cells = CellIndex(3 * ghosts.size());
    const auto          cells   = test::scattered_cells(ghosts.size(), n_cells);
    Modal               v       = test::poisoned_field<Modal>(n_cells, n_nodes);
    GhostValues<Number> moved;
    {
      GhostValues<Number> to_cells(plan, cells, n_nodes);
      CHECK(to_cells.memory_consumption() >=
            (plan.send_items().size() + ghosts.size()) * n_nodes *
                sizeof(Number) +
              cells.size() * sizeof(CellIndex));
      moved = std::move(to_cells);
    }
    moved.start(u);
    test::fill_all(u, test::poison);
    moved.test();
    moved.finish(v);
    CHECK(moved.test());
    CHECK(ghosts_are_right(v, cells, ghosts));
    for (std::size_t g = 0; g < ghosts.size(); ++g)
      CHECK(cell_is_poisoned(v, cells[g] - 1));
  }



  /** From ghosts to owners. */
  template <typename Number, Layout layout>
  void
  check_return(const Communicator &world, const int n_nodes)
  {
    using Primal = PrimalField<Number, layout>;
    using Modal  = DualModalField<Number, layout>;

    const std::vector<RemoteItem> ghosts  = test::single_ghosts(world);
    const ExchangePlan            plan    = test::make_plan(world, ghosts);
    const CellIndex               n_cells = CellIndex(3 * ghosts.size());
    const auto cells = test::scattered_cells(ghosts.size(), n_cells);

    GhostValues<Number> exchange(plan, cells, n_nodes);
    Primal              u(n_cells, n_nodes);
    test::fill_all(u, test::poison);
    for (std::size_t g = 0; g < ghosts.size(); ++g)
      for (int k = 0; k < n_nodes; ++k)
        u(cells[g], k) = Number(ghost_value(world.rank(), g, k));
    Modal v =
      with_owned_values<Modal>(test::n_owned_cells + 1, n_nodes, world.rank());
    exchange.start_return(u);
    test::fill_all(u, test::poison);
    exchange.finish_return(v);

    // All ranks' ghosts, to know who has a ghost of which cell.
    std::vector<std::size_t>      offsets;
    const std::vector<RemoteItem> all = world.all_gather_flat(ghosts, offsets);
    std::vector<char>             has_ghost(test::n_owned_cells, 0);
    for (unsigned int r = 0; r < world.n_ranks(); ++r)
      for (std::size_t g = offsets[r]; g < offsets[r + 1]; ++g)
        if (all[g].owner == world.rank())
          {
            has_ghost[all[g].index] = 1;
            CHECK(cell_has(v, CellIndex(all[g].index), [&](const int k) {
              return ghost_value(r, g - offsets[r], k);
            }));
          }
    unsigned int n_without = 0;
    for (unsigned int c = 0; c < test::n_owned_cells; ++c)
      if (has_ghost[c] == 0)
        {
          ++n_without;
          CHECK(cell_has(v, CellIndex(c), [&](const int k) {
            return owned_value(world.rank(), c, k);
          }));
        }
    CHECK(n_without > 0);
    CHECK(cell_is_poisoned(v, CellIndex(test::n_owned_cells)));
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  const Communicator         world = Communicator::world();
  for (const int n_nodes : {4, 27})
    {
      check_update<double, Layout::blocked>(world, n_nodes);
      check_update<double, Layout::contiguous>(world, n_nodes);
      check_update<float, Layout::blocked>(world, n_nodes);
      check_update<float, Layout::contiguous>(world, n_nodes);
      check_return<double, Layout::blocked>(world, n_nodes);
      check_return<float, Layout::contiguous>(world, n_nodes);
    }

  // No cells.
  GhostValues<double> nothing;
  PrimalField<double> u(3, 4);

  nothing.update(u);
  nothing.start_return(u);
  nothing.finish_return(u);
  CHECK(nothing.test());
  CHECK_EQUAL(nothing.memory_consumption(), std::size_t(0));
  return check::result();
}
