// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_patch_schedule_h
#define tessera_patch_patch_schedule_h

#include <tessera/cellwise/cell_grid.h>

#include <array>
#include <cstdint>
#include <vector>

namespace tessera
{
  namespace patch
  {
    using cellwise::CellIndex;

    /** Which patches of a direction a sweep treats first: those whose vertex
     * has an odd number, 1, 3, ... counted from the lower end of the box (on an
     * even number of cells: the children of one parent), or the others. */
    enum class ColourOrder
    {
      odd_first,
      even_first
    };

    /** How patches that commute are arranged; the results are the same bits. */
    enum class Traversal
    {
      /** One colour after the other, over the whole grid. */
      by_colour,

      /** All colours while a few rows of cells are in cache. */
      wavefront
    };

    /**
     * Consecutive patches of a schedule that share no cell with one another,
     * so that they can be updated side by side.
     */
    struct PatchRun
    {
      std::int32_t begin, end;

      /**
       * Bit 2d: the lower, bit 2d+1: the upper cell of direction d is outside
       * of the box, beyond a Neumann boundary. Such a patch is a half (quarter,
       * ...) of the patch that arises by reflection at the boundary. In its
       * place stands the cell that it is a mirror image of.
       */
      std::uint32_t mirrored;
    };

    /**
     * The vertex patches of a grid in the order of a sweep.
     *
     * A patch is the 2^dim cells around a vertex inside the box, or on a part
     * of its boundary with a Neumann condition (and on no other part). Colours
     * are the parities of the vertex, x toggling fastest; patches of one colour
     * share no cell and commute. With the order reversed, a sweep is the
     * adjoint.
     *
     * The wavefront order: in each direction but x, with vertices v of the
     * parity that comes first and those of the other, v is followed by v-1. A
     * patch of the second parity overlaps only its two neighbours of the first,
     * which are both done: it sees exactly what it sees in the order by
     * colours.
     *
     * Every process takes all patches with at least one owned cell, whose other
     * cells must be ghosts.
     *
     * Storage: 4 * 2^dim bytes a patch.
     */
    template <int dim>
    class PatchSchedule
    {
    public:
      PatchSchedule() = default;

      PatchSchedule(const cellwise::CellGrid<dim> &grid,
                    ColourOrder                    order,
                    Traversal                      traversal);

      std::size_t
      n_patches() const;

      /** Local cells of all patches: [patch][lane], bit d of the lane set for
       * the upper cell of direction d. */
      const std::vector<CellIndex> &
      cells() const;

      const std::vector<PatchRun> &
      runs() const;

      std::size_t
      memory_consumption() const;

    private:
      std::vector<CellIndex> patch_cells;
      std::vector<PatchRun>  patch_runs;
    };
  } // namespace patch
} // namespace tessera

#endif
