// SPDX-License-Identifier: LGPL-2.1-or-later
// A sweep on two ranks sends each ghost cell no more often than it has to:
// counted where the ranks meet in a plane.
#include <tessera/base/communication_session.h>
#include <tessera/base/counters.h>
#include <tessera/patch/level.h>

#include <string>

#include "check.h"

using namespace tessera;
using namespace tessera::patch;
using cellwise::BoundaryCondition;
using cellwise::CellGrid;
using cellwise::DistributedGrid;
using cellwise::GridDescription;
using cellwise::ReferenceCell;

namespace
{
  constexpr auto N = BoundaryCondition::neumann;

  /** How often a cell at a plane normal to @p axis is sent. Both patches of the
   * cell in this direction exist in all colours; the one across the plane, of
   * which the receiver computes the other side, has @p phase there. */
  int
  expected_sends(const int  axis,
                 const int  phase,
                 const bool reversed,
                 const bool ghosts_are_current)
  {
    int  n        = 0;
    bool is_stale = !ghosts_are_current;
    for (int i = 0; i < 8; ++i)
      {
        const int  colour  = reversed ? 7 - i : i;
        const bool is_read = ((colour >> axis) & 1) == phase;
        n += is_read && is_stale ? 1 : 0;
        is_stale = !is_read;
      }
    return n;
  }

  void
  check_plane(const int axis, const int position)
  {
    const Communicator world = Communicator::world();
    GridDescription<3> box   = {{{4, 3, 5}},
                                {{1., 1., 1.}},
                                {{{{N, N}}, {{N, N}}, {{N, N}}}}};
    box.n_cells[axis]        = 9;

    const CellGrid<3>          all(box);
    std::vector<std::uint64_t> mine;
    int                        n_plane = 1;
    for (int d = 0; d < 3; ++d)
      n_plane *= d == axis ? 1 : box.n_cells[d];
    for (CellIndex c = 0; c < all.n_local(); ++c)
      if (world.n_ranks() == 1 ||
          (all.coordinates(c)[axis] < position) == (world.rank() == 0))
        mine.push_back(all.key(c));
    const DistributedGrid<3> grid(world, box, mine);
    const ReferenceCell      cell(2);
    Level<3, float>          level(grid,
                          cell,
                          PatchMatrices(cell),
                          grid.cells().stiffness_weights(),
                          MultigridOptions());
    HostSteps                steps;

    for (const bool reversed : {false, true})
      for (const bool ghosts_are_current : {false, true})
        {
          // The first time sets things up.
          level.sweep(reversed, ghosts_are_current, steps);
          const CounterSnapshot before = Counters::process().snapshot();
          level.sweep(reversed, ghosts_are_current, steps);
          const std::uint64_t sent = Counters::process()
                                       .snapshot()
                                       .since(before)
                                       .value(Counters::exchange_bytes)
                                       .total;
          const int n = world.n_ranks() == 1 ?
                          0 :
                          expected_sends(axis,
                                         position % 2 == 1 ? 0 : 1,
                                         reversed,
                                         ghosts_are_current);
          CHECK_EQUAL(sent, std::uint64_t(n) * n_plane * 27 * sizeof(float));
        }
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  for (int axis = 0; axis < 3; ++axis)
    for (const int position : {4, 5})
      check_plane(axis, position);

  // Of the two sides of a plane normal to x, y, z in an even place.
  CHECK_EQUAL(expected_sends(0, 1, false, true), 4);
  CHECK_EQUAL(expected_sends(1, 1, false, true), 2);
  CHECK_EQUAL(expected_sends(2, 1, false, true), 1);
  return check::result();
}
