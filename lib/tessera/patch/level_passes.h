// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_level_passes_h
#define tessera_patch_level_passes_h

#include <tessera/cellwise/types.h>
#include <tessera/patch/grid_transfer.h>
#include <tessera/patch/level_tables.h>
#include <tessera/patch/multigrid_options.h>
#include <tessera/patch/patch_schedule.h>

#include <cstddef>

namespace tessera
{
  namespace patch
  {
    /** Where steps of a cycle on the host go: they are done at once. */
    struct HostSteps
    {};

    /**
     * What the kernels of a level do with its fields: sweeps over patches and
     * transfers. Owns the tables and lists that they read. The leaf under Level
     * and LevelTransfer, with a specialization for each Execution that has the
     * functions below.
     *
     * Steps takes the work: HostSteps, or DeviceSteps.
     */
    template <int dim, typename Number, typename Execution>
    class LevelPasses;

    /** Leaf kernels of transfers between two levels; see LevelPasses. Owns
     * lists of families. */
    template <int dim, typename Number, typename Execution>
    class TransferPasses;



    template <int dim, typename Number>
    class LevelPasses<dim, Number, execution::Host>
    {
    public:
      using Steps  = HostSteps;
      using Types  = cellwise::Types<execution::Host>;
      using Primal = Types::LevelPrimal<Number>;
      using Dual   = Types::LevelDualModal<Number>;

      /** In so many parts do sweeps give work while messages are under way, to
       * let them make progress in between. */
      static constexpr std::size_t n_pieces = 4;

      /** The order of patches that kernels want, of those that commute. */
      static Traversal
      traversal(const MultigridOptions &options)
      {
        return options.traversal;
      }

      /** @param[in] schedule Outlives the object. */
      LevelPasses(const cellwise::DistributedGrid<dim> &grid,
                  const cellwise::ReferenceCell        &cell,
                  const PatchMatrices                  &patch_matrices,
                  const cellwise::ElementWeights<dim>  &weights,
                  const PatchSchedule<dim>             &schedule,
                  const MultigridOptions               &options,
                  const execution::HostQueue           &queue);

      void
      set_zero(Primal &u, HostSteps &steps) const;

      /** Update the patches of some runs of the schedule; last one first if @p
       * reversed. */
      void
      sweep(Primal         &u,
            const Dual     &b,
            const RunRange &runs,
            bool            reversed,
            HostSteps      &steps);

      int
      degree() const;

      const LevelTables<dim, Number> &
      tables() const;

      /** Whether all work goes to the steps. */
      bool
      is_in_steps() const
      {
        return true;
      }

      std::size_t
      memory_consumption() const;

    private:
      int                       p;
      LevelTables<dim, Number>  level_tables;
      const PatchSchedule<dim> &patches;
    };



    template <int dim, typename Number>
    class TransferPasses<dim, Number, execution::Host>
    {
    public:
      using Fine   = LevelPasses<dim, Number, execution::Host>;
      using Primal = typename Fine::Primal;
      using Dual   = typename Fine::Dual;

      /** @param[in] families Outlive the object; those a rank restricts come
       * first.
       * @param[in] fine The passes of the finer level; outlive the object. */
      TransferPasses(const GridTransfer<dim>    &families,
                     const Fine                 &fine,
                     const execution::HostQueue &queue);

      /** See restrict_residual() of level_kernels.h. */
      void
      restrict_residual(Dual         &coarse_b,
                        const Primal &u,
                        const Dual   &b,
                        HostSteps    &steps) const;

      void
      prolongate_and_add(Primal       &u,
                         const Primal &coarse_u,
                         HostSteps    &steps) const;

      std::size_t
      memory_consumption() const
      {
        return 0;
      }

    private:
      const GridTransfer<dim> &lists;
      const Fine              &passes;
    };
  } // namespace patch
} // namespace tessera

#endif
