// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_device_sweep_h
#define tessera_patch_device_sweep_h

#include <tessera/base/device/memory.h>
#include <tessera/base/device/stream.h>
#include <tessera/patch/patch_schedule.h>
#include <tessera/patch/patch_update.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera
{
  namespace patch
  {
    /** The largest degree whose cells fit into the registers of a thread. */
    inline constexpr int max_device_degree = 3;

    /**
     * Patches on the device that share no cell, to be updated side by side:
     * those of a colour.
     */
    struct DevicePatches
    {
      const CellIndex    *cells;    ///< [patch][2^dim]; device memory
      const std::uint8_t *mirrored; ///< [patch], see PatchRun; null: all 0
      std::int32_t        n_patches;
    };

    /** Threads of a block of a step, one cell a thread: a warp takes 32 / 2^dim
     * patches or families. */
    inline constexpr int n_step_threads = 128;

    /** Blocks of a step of so many patches or families of cells. */
    template <int dim>
    constexpr unsigned int
    n_step_blocks(const std::size_t n)
    {
      constexpr std::size_t n_of_block = n_step_threads >> dim;
      return (unsigned int)((n + n_of_block - 1) / n_of_block);
    }

    /**
     * The tables of a patch update as kernels of the device take them. What is
     * the same for all patches and lanes is kept on the host: it is an argument
     * of each launch, from where instructions take it as a constant, without a
     * register. The eigenvalues of the patch are in device memory.
     */
    template <int dim, typename T>
    class DevicePatchTables
    {
    public:
      /**
       * @param[in] tables Of the level; host memory. Copied.
       * @throws InputError for other degrees than 1 to max_device_degree.
       */
      DevicePatchTables(int                   degree,
                        const PatchTables<T> &tables,
                        const device::Stream &stream);

      // The tables point into the object.
      DevicePatchTables(const DevicePatchTables &) = delete;
      DevicePatchTables &
      operator=(const DevicePatchTables &) = delete;

      int
      degree() const;

      /** All in host memory but inverse_eigenvalues. */
      const PatchTables<T> &
      tables() const;

      /** Bytes of device memory. */
      std::size_t
      memory_consumption() const;

    private:
      int               p;
      std::vector<T>    entries;
      device::Memory<T> inverse_eigenvalues;
      PatchTables<T>    pointers;
    };

    /**
     * The sweep of a level on the device: $u_K \leftarrow u_K + (R_K^T A_v^{-1}
     * R (b - A u))_K$ for the cells K of each patch v, one launch for each
     * colour of the schedule.
     *
     * Fields: float or double, contiguous, [cell][(degree+1)^dim], x fastest;
     * device memory. Results are those of the host, bit for bit (but the sign
     * of zero).
     *
     * Steps are the longest sequences of consecutive runs that share no cell:
     * the colours, if the schedule is by colour and the process alone. Other
     * orders are right but need more launches.
     *
     * Degrees 1 to 3.
     *
     * Deterministic. Memory: 4 * 2^dim bytes a patch, and one byte where there
     * is a Neumann boundary.
     */
    template <int dim, typename T>
    class DeviceSweep
    {
    public:
      /**
       * @param[in] tables See LevelTables::patch(); host memory.
       * @throws InputError for other degrees than 1 to max_device_degree.
       */
      DeviceSweep(int                       degree,
                  const PatchTables<T>     &tables,
                  const PatchSchedule<dim> &schedule,
                  const device::Stream     &stream);

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

      int
      n_steps() const;

      /** In the order of a sweep that is not reversed. */
      DevicePatches
      step(int i) const;

      /** The steps of a part of the schedule, in this order: for processes that
       * bring ghost cells up to date in between. */
      std::vector<DevicePatches>
      steps(const RunRange &runs) const;

      const DevicePatchTables<dim, T> &
      tables() const;

      /** Bytes of device memory. */
      std::size_t
      memory_consumption() const;

    private:
      DevicePatches
      patches(std::size_t first_run, std::size_t end_run) const;

      DevicePatchTables<dim, T>    patch_tables;
      device::Memory<CellIndex>    cells;
      device::Memory<std::uint8_t> mirrored;

      /** Of the schedule. */
      std::vector<PatchRun> runs;

      /** The first run of each step; and the end. */
      std::vector<std::size_t> step_begin;
    };

    namespace on_device
    {
      /**
       * Update patches that share no cell: one step of a sweep. See
       * DeviceSweep.
       *
       * Cost for degree 3, dim 3: 772 bytes between device memory and registers
       * a cell and patch, and 256 more, u once more, from the cache.
       */
      template <int dim, typename T>
      void
      update_patches(T                               *u,
                     const T                         *b,
                     const DevicePatches             &patches,
                     const DevicePatchTables<dim, T> &tables,
                     const device::Stream            &stream);
    } // namespace on_device
  }   // namespace patch
} // namespace tessera

#endif
