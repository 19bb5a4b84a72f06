// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_multigrid_h
#define tessera_patch_multigrid_h

#include <tessera/cellwise/distributed_grid.h>
#include <tessera/cellwise/field_operations.h>
#include <tessera/cellwise/types.h>
#include <tessera/patch/coarsest_level.h>
#include <tessera/patch/device/level_records.h>
#include <tessera/patch/level.h>
#include <tessera/patch/level_records.h>
#include <tessera/patch/level_transfer.h>
#include <tessera/patch/multigrid_options.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace tessera
{
  namespace patch
  {
    /**
     * The V-cycle with one sweep over all vertex patches before and after the
     * coarse correction, and an exact solution on the coarsest level:
     * $z = C\,r \approx A^{-1} r$ for $-\Delta u + c\,u$ on a box.
     *
     * The reaction term takes no other kernels: in the eigenbases the mass
     * matrix is the identity (see cellwise::ElementWeights), on whatever level.
     *
     * All levels compute in Number. Residuals enter in double: they should be
     * balanced (cellwise::StiffnessSummation::rebalance()), for rounding to
     * float does not preserve what cancels between the copies of a degree of
     * freedom, and zero in Dirichlet nodes. They are scaled by a power of two
     * and lengths by the cell size, so that data in any units stay within the
     * range of float.
     *
     * Runs on the ranks of the grid, with the same bits on any number of
     * them. Construction and cycles are collective.
     *
     * Memory: 2 Number a cell-wise entry and level, and 4 bytes for each cell
     * of each patch.
     *
     * On a device the same cycle has the same bits. All fields stay there;
     * ranks exchange messages, nothing else crosses to the host. Work is given
     * to the queue, without waiting for it; see DeviceCycleOptions for how.
     */
    template <int dim, typename Number, typename Execution = execution::Host>
    class Multigrid
    {
    public:
      using Queue      = typename Execution::Queue;
      using Types      = cellwise::Types<Execution>;
      using Residual   = typename Types::template Dual<double>;
      using Correction = typename Types::template LevelPrimal<Number>;
      using LevelType  = Level<dim, Number, Execution>;

      /**
       * @param[in] queue Outlives the object.
       * @throws InputError on all ranks for a grid without interior vertices
       * or with a coarsest level that is too large, or a degree that devices do
       * not take; DeviceError, on the rank that has not enough memory.
       */
      Multigrid(const cellwise::DistributedGrid<dim> &finest,
                const cellwise::ReferenceCell        &cell,
                const MultigridOptions               &options,
                const Queue &queue = Execution::default_queue());

      // Levels and records refer to each other.
      Multigrid(const Multigrid &) = delete;
      Multigrid &
      operator=(const Multigrid &) = delete;

      /**
       * One cycle from a zero start.
       *
       * @param[in] r Only owned cells are read.
       * @param[in] max_abs_r $\max |r|$ over the owned cells of all ranks, or
       * some number of this magnitude, the same on all ranks: the cycle works
       * on r in units of the power of two next to it.
       * @param[in] adjoint Apply $C^T$ instead of C, in the pairing of dual and
       * primal fields.
       * @return the factor a of the correction $z = a\,u$, where u =
       * correction().
       */
      double
      cycle(const Residual &r, double max_abs_r, bool adjoint = false);

      /** What the last cycle computed, in the owned cells; valid until the next
       * one. */
      const Correction &
      correction() const;

      /** Bring the ghost cells of the correction up to date. */
      void
      update_ghosts_of_correction();

      /** That of the finest level. */
      const cellwise::DistributedGrid<dim> &
      grid() const;

      /**
       * How well the work is spread: the number of patches of all levels,
       * divided by what all ranks could treat in the time it takes,
       * $\sum_l n_l / (P \sum_l \max_r n_{l,r})$ where rank r treats
       * $n_{l,r}$ of the $n_l$ patches of level l. Falls short of 1 where
       * shares differ, where patches at the boundary of two ranks are treated
       * by both, and on coarse levels. The same on all ranks.
       */
      double
      partition_efficiency() const;

      unsigned int
      n_levels() const;

      /** Number of the finest level is n_levels() - 1. */
      const LevelType &
      level(unsigned int number) const;

      std::size_t
      memory_consumption() const;

    private:
      using Steps   = typename LevelType::Steps;
      using Records = LevelRecords<dim, Number, Execution>;

      /** Do level l and all below it, from a record if there is one. */
      void
      cycle_from(unsigned int l, bool adjoint, Steps &steps);

      void
      visit_level(unsigned int l, bool adjoint, Steps &steps);

      void
      smooth_before(LevelType &level, bool adjoint, Steps &steps) const;

      void
      smooth_after(LevelType &level, bool adjoint, Steps &steps) const;

      RecordableLevels
      recordable_levels() const;

      cellwise::ReferenceCell reference_cell;
      MultigridOptions        options;
      const Queue            &queue;
      double                  unit_of_weights;
      double                  efficiency;

      std::vector<std::unique_ptr<LevelType>> levels;

      /** Number l is between the levels l and l + 1. */
      std::vector<std::unique_ptr<LevelTransfer<dim, Number, Execution>>>
                                                             transfers;
      std::unique_ptr<CoarsestLevel<dim, Number, Execution>> coarsest;
      std::unique_ptr<Records>                               records;
    };
  } // namespace patch
} // namespace tessera

#endif
