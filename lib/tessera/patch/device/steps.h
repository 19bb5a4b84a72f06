// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_device_steps_h
#define tessera_patch_device_steps_h

#include <tessera/base/device/stream.h>
#include <tessera/patch/device/sweep.h>
#include <tessera/patch/level_kernels.h>

#include <cstddef>

namespace tessera
{
  namespace patch
  {
    /**
     * Takes the steps of a cycle on a device, one after the other: to be
     * launched one by one (DeviceLaunches), or collected for a kernel that does
     * all of them (DeviceProgram). A step sees what those before it have
     * written. Pointers are to device memory but for tables; see the functions
     * of the same name in namespace on_device.
     */
    template <int dim, typename T>
    class DeviceSteps
    {
    public:
      virtual ~DeviceSteps() = default;

      virtual void
      set_zero(T *values, std::size_t n) = 0;

      virtual void
      update_patches(T                               *u,
                     const T                         *b,
                     const DevicePatches             &patches,
                     const DevicePatchTables<dim, T> &tables) = 0;

      virtual void
      restrict_residual(int                      degree,
                        T                       *coarse_b,
                        const T                 *u,
                        const T                 *b,
                        const CellIndex         *parents,
                        const CellIndex         *children,
                        std::size_t              n_parents,
                        const TransferTables<T> &tables) = 0;

      virtual void
      prolongate_and_add(int                      degree,
                         T                       *u,
                         const T                 *coarse_u,
                         const CellIndex         *parents,
                         const CellIndex         *children,
                         std::size_t              n_parents,
                         const TransferTables<T> &tables) = 0;
    };

    /** Launches each step on a stream, which outlives the object. */
    template <int dim, typename T>
    class DeviceLaunches : public DeviceSteps<dim, T>
    {
    public:
      explicit DeviceLaunches(const device::Stream &stream);

      void
      set_zero(T *values, std::size_t n) override;

      void
      update_patches(T                               *u,
                     const T                         *b,
                     const DevicePatches             &patches,
                     const DevicePatchTables<dim, T> &tables) override;

      void
      restrict_residual(int                      degree,
                        T                       *coarse_b,
                        const T                 *u,
                        const T                 *b,
                        const CellIndex         *parents,
                        const CellIndex         *children,
                        std::size_t              n_parents,
                        const TransferTables<T> &tables) override;

      void
      prolongate_and_add(int                      degree,
                         T                       *u,
                         const T                 *coarse_u,
                         const CellIndex         *parents,
                         const CellIndex         *children,
                         std::size_t              n_parents,
                         const TransferTables<T> &tables) override;

    private:
      const device::Stream &stream;
    };
  } // namespace patch
} // namespace tessera

#endif
