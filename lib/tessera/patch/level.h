// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_level_h
#define tessera_patch_level_h

#include <tessera/cellwise/distributed_grid.h>
#include <tessera/cellwise/element_weights.h>
#include <tessera/cellwise/field.h>
#include <tessera/cellwise/ghost_values.h>
#include <tessera/patch/level_tables.h>
#include <tessera/patch/patch_matrices.h>
#include <tessera/patch/patch_schedule.h>
#include <tessera/patch/sweep_exchange.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace tessera
{
  namespace patch
  {
    /**
     * One level of the hierarchy: its grid, the order of its patches, the
     * tables of its kernels, and the two fields of a cycle, $u$ and
     * $\hat b$. The numbers are of type Number, float or double.
     *
     * The right-hand side is dual and kept in the eigenbasis of the cells, the
     * iterate is nodal: no transform of b in the 2^dim visits of a cell in a
     * sweep.
     *
     * Fields are blocked and hold the local cells of the grid, owned ones
     * first.
     */
    template <int dim, typename Number>
    class Level
    {
    public:
      using Primal = cellwise::PrimalField<Number>;
      using Dual   = cellwise::DualModalField<Number>;

      /**
       * Collective.
       *
       * @param[in] weights Of the element matrix, in the units the hierarchy
       * computes in.
       */
      Level(const cellwise::DistributedGrid<dim> &grid,
            const cellwise::ReferenceCell        &cell,
            const PatchMatrices                  &patch_matrices,
            const cellwise::ElementWeights<dim>  &weights,
            ColourOrder                           order,
            Traversal                             traversal);

      // Kernels of other objects point into the tables.
      Level(const Level &) = delete;
      Level &
      operator=(const Level &) = delete;

      /**
       * $u$, updated by one sweep over all patches; the adjoint one if
       * @p reversed. The same bits on any partition.
       *
       * Reads $\hat b$ in the owned cells and those around them. Collective
       * among neighbours: patches at the boundary to other ranks are treated
       * colour by colour, and ghost cells of u sent while others are treated
       * (see PatchSchedule and SweepExchange). Ghosts of u are arbitrary
       * afterwards.
       *
       * @param[in] ghosts_are_current Whether those of u are so beforehand;
       * otherwise they are sent as well.
       */
      void
      sweep(bool reversed, bool ghosts_are_current);

      /** Bring $\hat b$ up to date in the cells around the owned ones.
       * Collective among neighbours. */
      void
      update_ghosts_of_b();

      /** The same for u. */
      void
      update_ghosts_of_u();

      const cellwise::DistributedGrid<dim> &
      grid() const;

      int
      degree() const;

      const cellwise::ElementWeights<dim> &
      element_weights() const;

      const TransferTables<Number> &
      transfer_tables() const;

      /** On this rank, with those that other ranks treat as well. */
      std::size_t
      n_patches() const;

      /** Of the whole grid, each counted once. */
      std::uint64_t
      n_global_patches() const;

      /** One patch that covers all cells, whose boundary is Dirichlet: one
       * sweep from u = 0 solves exactly. */
      bool
      is_single_patch() const;

      std::size_t
      memory_consumption() const;

      Primal u;
      Dual   b;

    private:
      /** Update the patches of these runs. */
      void
      sweep_runs(const RunRange &range, bool reversed);

      SweepExchange<dim, Number> &
      exchange_of_sweep(bool reversed, bool ghosts_are_current);

      int                            degree_of_elements;
      cellwise::DistributedGrid<dim> cells;
      cellwise::ElementWeights<dim>  weights;
      ColourOrder                    order;
      PatchSchedule<dim>             schedule;
      bool                           is_alone; ///< on a single rank

      LevelTables<dim, Number> tables;

      cellwise::GhostValues<Number> ghosts;

      /** [reversed][ghosts_are_current], made when first needed. */
      std::array<std::array<std::unique_ptr<SweepExchange<dim, Number>>, 2>, 2>
        exchanges;
    };
  } // namespace patch
} // namespace tessera

#endif
