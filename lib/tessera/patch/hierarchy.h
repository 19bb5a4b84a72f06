// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_hierarchy_h
#define tessera_patch_hierarchy_h

#include <tessera/cellwise/distributed_grid.h>

#include <array>
#include <vector>

namespace tessera
{
  namespace patch
  {
    /**
     * The grids of a hierarchy, coarsest first: the given grid, halved as long
     * as the number of cells of every direction is even and more than two. It
     * does not matter how the mesh came about: a coarse mesh of n cells a
     * direction and one refined from a single cell give the same levels.
     *
     * A parent belongs to the rank that owns its first child (the lower one in
     * all directions), unless a level has less than @p min_cells_per_rank cells
     * for each rank that has any: then groups of such ranks, consecutive and of
     * the same size (up to one), leave their cells to the first of the group.
     * The coarsest level belongs to one rank. Ranks without cells remain
     * members of the communicator.
     *
     * Collective.
     *
     * @throws InputError on all ranks if a direction has less than two cells:
     * no vertex is inside.
     */
    template <int dim>
    std::vector<cellwise::DistributedGrid<dim>>
    make_hierarchy(const cellwise::DistributedGrid<dim> &finest,
                   unsigned int                          min_cells_per_rank);

    /** The cell that is split into 2^dim of the next finer grid, among them
     * this one. */
    template <int dim>
    std::array<int, dim>
    parent_of(const std::array<int, dim> &cell);

    /** The child of a cell that is the upper one in those directions d whose
     * bit is set in @p which. */
    template <int dim>
    std::array<int, dim>
    child_of(const std::array<int, dim> &cell, int which);
  } // namespace patch
} // namespace tessera

#endif
