// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_brick_schedule_h
#define tessera_patch_brick_schedule_h

#include <tessera/cellwise/cell_grid.h>
#include <tessera/patch/patch_schedule.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera
{
  namespace patch
  {
    /** Lanes of a group of patches that a warp updates side by side. */
    inline constexpr int brick_group_lanes = 32;

    /** A lane of a group: the slot of its cell, whether the cell is written,
     * and PatchRun::mirrored of its patch, in one word. */
    struct BrickLane
    {
      static constexpr std::uint32_t slot_mask     = 0xffffu;
      static constexpr int           mirrored_bit  = 16;
      static constexpr std::uint32_t mirrored_mask = 0x3fu;
      static constexpr std::uint32_t stored_mask   = 1u << 22;
    };

    /** A slot of a brick that changes hands: the values of one cell go back to
     * the field, and those of another one come. */
    struct BrickMove
    {
      CellIndex     stored; ///< no_cell: none
      CellIndex     loaded; ///< no_cell: none
      std::uint32_t slot;
    };

    /** What a brick does between two barriers, in any order: groups of patches
     * and moves, those before the first ones of the next step. */
    struct BrickStep
    {
      std::uint32_t first_group, first_move;
    };

    /** Bricks that do not know of one another. */
    struct BrickLaunch
    {
      std::uint32_t begin, end;         ///< bricks
      std::uint32_t n_slots;            ///< of the brick that needs most
      std::uint32_t max_groups_of_step; ///< of any brick
      std::uint32_t max_moves_of_step;  ///< of any brick
    };

    /**
     * A sweep over the patches of a grid, cut into bricks: parts that hold the
     * cells they are working on in a small fast memory of their own, and take
     * several colours one after the other while a cell is there. The results
     * are those of the order by colours, bit for bit.
     *
     * What depends on what. Patches with a common cell have vertices that
     * differ by at most 1 in each direction, and are to be treated in the order
     * of their colours: first by the parity (phase) of the vertex in z, then in
     * y, then in x. So
     *
     * - patches of one phase in z depend on one another only within a plane of
     *   vertices, which has two layers of cells of its own: planes do not see
     *   one another, and the phases in z are two passes;
     * - in a plane, rows of vertices along x of the first phase in y do not see
     *   one another; a row y of the second one comes after the rows y - 1 and
     *   y + 1;
     * - in a row, a patch x of the second phase comes after x - 1 and x + 1.
     *
     * A brick is a number of neighbouring rows y of the first phase and those
     * of the second one between them: with four colours in two dimensions, and
     * half of the eight in three. It goes along x. With the i-th patch of a row
     * of the first phase in x, at the vertex $f + 2i$, and of the second one,
     * at $f + 2i + 1$, in step
     *
     * | rows in y | first in x | second in x |
     * |-----------|------------|-------------|
     * | first     | i          | i + 2       |
     * | second    | i + 3      | i + 5       |
     *
     * every patch comes in a later step than all on which it depends, and
     * patches of the same step have no cell in common: at the vertices v, v -
     * 3, v - 6 and v - 9. Cells come one step before they are used, and go one
     * step after, so that memory has the time of a step: a window of 13 cells
     * along x. Rows of the second phase between two bricks come in a second
     * launch, as bricks of their own, with a window of 7 cells. There are four
     * launches in three dimensions, two in two.
     *
     * Traffic: cells are read and written 2 (1 + 2/r) times in three
     * dimensions, 1 + 2/r times in two, r = rows of cells of a brick, in place
     * of 2^dim times. A reversed sweep is the sweep that begins with the other
     * parities.
     *
     * Cells are kept in slots whose numbers modulo 2^dim are the parities of
     * their coordinates, so that those of a patch differ modulo 2^dim.
     *
     * Storage: 4 bytes for each cell of a patch, in groups of 32, and 12 bytes
     * a move. Set-up is local.
     */
    template <int dim>
    class BrickSchedule
    {
    public:
      BrickSchedule() = default;

      /**
       * @param[in] grid All cells in this process.
       * @param[in] patches Those of the grid, in the order by colours; not
       * needed afterwards.
       * @param[in] reversed The adjoint sweep.
       * @param[in] max_slots Of a brick: how many cells fit into its memory.
       * @throws InputError if the grid has ghosts, or max_slots are too few for
       * a single row.
       */
      BrickSchedule(const cellwise::CellGrid<dim> &grid,
                    const PatchSchedule<dim>      &patches,
                    ColourOrder                    order,
                    bool                           reversed,
                    unsigned int                   max_slots);

      /** [group][lane], see BrickLane. */
      const std::vector<std::uint32_t> &
      lanes() const;

      const std::vector<BrickMove> &
      moves() const;

      /** Of all bricks; and one at the end. */
      const std::vector<BrickStep> &
      steps() const;

      /** First step of each brick; and the end. */
      const std::vector<std::uint32_t> &
      brick_begin() const;

      /** In the order of the sweep. */
      const std::vector<BrickLaunch> &
      launches() const;

      /** Cells that are read and written, all bricks together. */
      std::size_t
      n_loaded_cells() const;

      std::size_t
      n_stored_cells() const;

      std::size_t
      memory_consumption() const;

    private:
      std::vector<std::uint32_t> lane_words;
      std::vector<BrickMove>     brick_moves;
      std::vector<BrickStep>     brick_steps;
      std::vector<std::uint32_t> first_step;
      std::vector<BrickLaunch>   brick_launches;
    };
  } // namespace patch
} // namespace tessera

#endif
