// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_patch_schedule_h
#define tessera_patch_patch_schedule_h

#include <tessera/cellwise/cell_grid.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
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

    /** Runs of a schedule, as positions in PatchSchedule::runs(). */
    struct RunRange
    {
      std::size_t begin, end;
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
     * cells must be ghosts. All processes that have a patch compute the same,
     * bit for bit. Where ghosts have to be brought up to date between colours,
     * the order has to be that of the colours; it is so for those patches only
     * on which it depends what other processes get. There are four sets:
     *
     * - boundary(c), of colour c: patches with a cell that is a ghost here or
     *   elsewhere;
     * - inner(c): other patches of colour c of which a boundary patch of a
     *   later colour depends, directly or not. (Patches that have a cell in
     *   common depend on each other, in the order of their colours.) Two layers
     *   in z, at most four in y and eight in x;
     * - independent(part): patches that depend on none of the above, and of
     *   which none of the above depends, in an order of their own, in 2^dim
     *   parts of about the same size. One part can be treated at any time after
     * the one before it;
     * - dependent(): all others, which come last.
     *
     * Runs are stored in the order boundary(0), inner(0), boundary(1), ...,
     * independent(0), ..., dependent(): that is the order of a sweep, but that
     * the independent parts may be put between the colours to have something to
     * do while messages are under way. A reversed sweep does it all backwards,
     * beginning with dependent().
     *
     * In a process alone, all patches are independent.
     *
     * Storage: 4 * 2^dim bytes a patch.
     */
    template <int dim>
    class PatchSchedule
    {
    public:
      static constexpr int n_colours = 1 << dim;

      PatchSchedule() = default;

      /** @param[in] shared_cells Owned cells that are ghosts in other
       * processes. */
      PatchSchedule(const cellwise::CellGrid<dim>   &grid,
                    ColourOrder                      order,
                    Traversal                        traversal,
                    const std::vector<unsigned int> &shared_cells = {});

      std::size_t
      n_patches() const;

      /** Local cells of all patches: [patch][lane], bit d of the lane set for
       * the upper cell of direction d. */
      const std::vector<CellIndex> &
      cells() const;

      const std::vector<PatchRun> &
      runs() const;

      /**
       * @name The sets of patches
       * Colours are counted in the order of a sweep that is not reversed.
       * @{
       */
      RunRange
      boundary(int colour) const;

      RunRange
      inner(int colour) const;

      RunRange
      independent(int part) const;

      RunRange
      dependent() const;
      /** @} */

      /**
       * The vertex of the patch of a colour that has this cell; nothing if
       * there is no such patch, on the Dirichlet boundary.
       */
      static std::optional<std::array<int, dim>>
      vertex_of_cell(const cellwise::GridDescription<dim> &box,
                     const std::array<int, dim>           &cell,
                     int                                   colour,
                     ColourOrder                           order);

      std::size_t
      memory_consumption() const;

    private:
      void
      divide_independent();

      RunRange
      range_of_set(int set) const;

      std::vector<CellIndex> patch_cells;
      std::vector<PatchRun>  patch_runs;

      /** Where each set begins among the runs, in the order in which they are
       * stored; and the end. */
      std::vector<std::size_t> set_begin;
    };
  } // namespace patch
} // namespace tessera

#endif
