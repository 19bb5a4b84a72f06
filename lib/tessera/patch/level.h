// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_level_h
#define tessera_patch_level_h

#include <tessera/cellwise/distributed_grid.h>
#include <tessera/cellwise/element_weights.h>
#include <tessera/cellwise/types.h>
#include <tessera/patch/device/level_passes.h>
#include <tessera/patch/level_passes.h>
#include <tessera/patch/multigrid_options.h>
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
     * Fields hold the local cells of the grid, owned ones first; on the host
     * they are blocked, on a device contiguous (see cellwise::Types).
     */
    template <int dim, typename Number, typename Execution = execution::Host>
    class Level
    {
    public:
      using Queue  = typename Execution::Queue;
      using Passes = LevelPasses<dim, Number, Execution>;
      using Steps  = typename Passes::Steps;
      using Types  = cellwise::Types<Execution>;
      using Primal = typename Types::template LevelPrimal<Number>;
      using Dual   = typename Types::template LevelDualModal<Number>;

      /**
       * Collective.
       *
       * @param[in] weights Of the element matrix, in the units the hierarchy
       * computes in.
       * @throws InputError for degrees that devices do not take.
       */
      Level(const cellwise::DistributedGrid<dim> &grid,
            const cellwise::ReferenceCell        &cell,
            const PatchMatrices                  &patch_matrices,
            const cellwise::ElementWeights<dim>  &weights,
            const MultigridOptions               &options,
            const Queue &queue = Execution::default_queue());

      // Kernels of other objects point into it.
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
       * @param[in,out] steps Take the work.
       */
      void
      sweep(bool reversed, bool ghosts_are_current, Steps &steps);

      void
      set_u_to_zero(Steps &steps);

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

      const Passes &
      passes() const;

      /** Whether no rank has ghosts on this level: all cells belong to one. */
      bool
      is_without_messages() const;

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
      SweepExchange<dim, Number, Execution> &
      exchange_of_sweep(bool reversed, bool ghosts_are_current);

      const Queue                   &queue;
      cellwise::DistributedGrid<dim> cells;
      cellwise::ElementWeights<dim>  weights;
      ColourOrder                    order;
      PatchSchedule<dim>             schedule;
      bool                           is_alone;
      Passes                         level_passes;

      typename Types::template GhostCells<Number> ghosts;

      /** [reversed][ghosts_are_current], made when first needed. */
      std::array<
        std::array<std::unique_ptr<SweepExchange<dim, Number, Execution>>, 2>,
        2>
        exchanges;
    };
  } // namespace patch
} // namespace tessera

#endif
