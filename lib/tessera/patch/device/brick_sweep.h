// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_device_brick_sweep_h
#define tessera_patch_device_brick_sweep_h

#include <tessera/base/device/memory.h>
#include <tessera/base/device/stream.h>
#include <tessera/patch/brick_schedule.h>
#include <tessera/patch/device/sweep.h>
#include <tessera/patch/patch_update.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera
{
  namespace patch
  {
    /** Bricks of a launch on the device; see BrickSchedule. */
    struct DeviceBricks
    {
      const std::uint32_t *lanes;
      const BrickMove     *moves;
      const BrickStep     *steps;
      const std::uint32_t *begin; ///< first step of each brick; and the end
      BrickLaunch          launch;
    };

    /**
     * The sweep of a level on the device by bricks in shared memory:
     * $u_K \leftarrow u_K + (R_K^T A_v^{-1} R (b - A u))_K$ for the cells K of
     * each patch v, the same bits as the sweep by colours (but the sign of
     * zero), with less traffic to device memory; see BrickSchedule.
     *
     * For levels that are larger than the caches, on grids that one process has
     * alone. A brick goes along x step by step, so that smaller levels are done
     * sooner by one launch for each colour.
     *
     * Fields: float or double, contiguous, [cell][(degree+1)^dim], x fastest;
     * device memory. Degrees 1 to 3; degree 3 in three dimensions in float
     * only.
     *
     * Cost for degree 3, dim 3, float, on large grids with bricks of r rows of
     * cells: 2 (1 + 2/r) times 768 bytes of device memory a cell, and about 60
     * of tables; 8 visits of PatchUpdate; 2 launches for each parity in z.
     * Deterministic.
     */
    template <int dim, typename T>
    class DeviceBrickSweep
    {
    public:
      /** Whether there are kernels of a degree, in this dimension and
       * precision. */
      static constexpr bool
      has_degree(const int degree)
      {
        return 1 <= degree && degree <= max_device_degree &&
               (degree < 3 || dim == 2 || sizeof(T) == sizeof(float));
      }

      /**
       * @param[in] patches Those of the grid, in the order by colours; not
       * needed afterwards.
       * @param[in] tables See LevelTables::patch(); host memory. Copied.
       * @param[in] shared_bytes Of shared memory for each block; 0: all that
       * the device has. Less makes smaller bricks, of which several run on a
       * multiprocessor.
       * @throws InputError where degree or precision is not for the device, the
       * grid is distributed, or the bricks are too small for a row of patches.
       */
      DeviceBrickSweep(const cellwise::CellGrid<dim> &grid,
                       const PatchSchedule<dim>      &patches,
                       ColourOrder                    order,
                       int                            degree,
                       const PatchTables<T>          &tables,
                       const device::Stream          &stream,
                       std::size_t                    shared_bytes = 0);

      // The tables point into the object.
      DeviceBrickSweep(const DeviceBrickSweep &) = delete;
      DeviceBrickSweep &
      operator=(const DeviceBrickSweep &) = delete;

      /**
       * One sweep. The host does not wait.
       * @param[in,out] u Nodes of the iterate.
       * @param[in] b Modes of the right-hand side, in the eigenbasis of the
       * cells.
       * @param[in] reversed Last colour first: the adjoint.
       */
      void
      apply(T                    *u,
            const T              *b,
            bool                  reversed,
            const device::Stream &stream) const;

      /** Bytes that a sweep moves between device memory and the
       * multiprocessors, fields and tables. */
      std::size_t
      bytes_of_sweep(bool reversed) const;

      /** Bytes of device memory. */
      std::size_t
      memory_consumption() const;

    private:
      /** A BrickSchedule on the device. */
      struct Program
      {
        Program() = default;
        Program(const BrickSchedule<dim> &schedule,
                std::size_t               bytes_of_cell,
                const device::Stream     &stream);

        device::Memory<std::uint32_t> lanes;
        device::Memory<BrickMove>     moves;
        device::Memory<BrickStep>     steps;
        device::Memory<std::uint32_t> begin;
        std::vector<BrickLaunch>      launches;
        std::size_t                   n_bytes = 0; ///< see bytes_of_sweep()
      };

      DevicePatchTables<dim, T> patch_tables;
      std::array<Program, 2>    programs; ///< [reversed]
    };

    namespace on_device
    {
      /** Do the work of the bricks of a launch; see DeviceBrickSweep. */
      template <int dim, typename T>
      void
      update_bricks(T                               *u,
                    const T                         *b,
                    const DeviceBricks              &bricks,
                    const DevicePatchTables<dim, T> &tables,
                    const device::Stream            &stream);
    } // namespace on_device
  }   // namespace patch
} // namespace tessera

#endif
