// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_device_level_passes_h
#define tessera_patch_device_level_passes_h

#include <tessera/base/device/memory.h>
#include <tessera/patch/device/brick_sweep.h>
#include <tessera/patch/device/steps.h>
#include <tessera/patch/device/sweep.h>
#include <tessera/patch/level_passes.h>

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tessera
{
  namespace patch
  {
    /**
     * Kernels of a level on a device; see LevelPasses.
     *
     * Sweeps go colour by colour, or, on large levels that a process has alone,
     * by bricks in shared memory (see DeviceCycleOptions).
     */
    template <int dim, typename Number>
    class LevelPasses<dim, Number, execution::Device>
    {
    public:
      using Steps  = DeviceSteps<dim, Number>;
      using Types  = cellwise::Types<execution::Device>;
      using Primal = Types::LevelPrimal<Number>;
      using Dual   = Types::LevelDualModal<Number>;

      /** Messages make progress while the device works. */
      static constexpr std::size_t n_pieces = 1;

      static Traversal
      traversal(const MultigridOptions &)
      {
        return Traversal::by_colour;
      }

      /** @throws InputError for degrees that devices do not take. */
      LevelPasses(const cellwise::DistributedGrid<dim> &grid,
                  const cellwise::ReferenceCell        &cell,
                  const PatchMatrices                  &patch_matrices,
                  const cellwise::ElementWeights<dim>  &weights,
                  const PatchSchedule<dim>             &schedule,
                  const MultigridOptions               &options,
                  const device::Stream                 &stream);

      void
      set_zero(Primal &u, Steps &steps) const;

      void
      sweep(Primal         &u,
            const Dual     &b,
            const RunRange &runs,
            bool            reversed,
            Steps          &steps);

      int
      degree() const;

      const LevelTables<dim, Number> &
      tables() const;

      /** Whether all work goes to DeviceSteps. */
      bool
      is_in_steps() const;

      /** Bytes of device memory. */
      std::size_t
      memory_consumption() const;

    private:
      const std::vector<DevicePatches> &
      steps_of(const RunRange &runs);

      const device::Stream    &stream;
      LevelTables<dim, Number> level_tables;

      /** One of the two. */
      std::optional<DeviceSweep<dim, Number>>      by_colour;
      std::optional<DeviceBrickSweep<dim, Number>> by_bricks;
      int                                          p;

      /** DeviceSweep::steps() of ranges [begin, end) that have been needed. */
      std::map<std::pair<std::size_t, std::size_t>, std::vector<DevicePatches>>
        known_steps;
    };



    template <int dim, typename Number>
    class TransferPasses<dim, Number, execution::Device>
    {
    public:
      using Fine   = LevelPasses<dim, Number, execution::Device>;
      using Steps  = typename Fine::Steps;
      using Primal = typename Fine::Primal;
      using Dual   = typename Fine::Dual;

      TransferPasses(const GridTransfer<dim> &families,
                     const Fine              &fine,
                     const device::Stream    &stream);

      void
      restrict_residual(Dual         &coarse_b,
                        const Primal &u,
                        const Dual   &b,
                        Steps        &steps) const;

      void
      prolongate_and_add(Primal &u, const Primal &coarse_u, Steps &steps) const;

      /** Bytes of device memory. */
      std::size_t
      memory_consumption() const;

    private:
      const Fine               &passes;
      std::size_t               n_restricted;
      device::Memory<CellIndex> parents, children;
    };
  } // namespace patch
} // namespace tessera

#endif
