// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>
#include <tessera/patch/device/patch_step.h>
#include <tessera/patch/device/shared_patch_tables.h>

namespace tessera
{
  namespace patch
  {
    namespace
    {
      template <int dim, int degree, bool with_mirrored, typename T>
      __global__ void
      __launch_bounds__(n_step_threads) update_patches_kernel(
        T *u,
        const T *__restrict__ b,
        const DevicePatches     patches,
        const __grid_constant__ StepTables<dim, degree, T> tables)
      {
        using L       = device::WarpLanes<T>;
        using Staging = RowStaging<cellwise::power(degree + 1, dim), T>;
        TESSERA_SHARED(typename Staging::Piece,
                       shared,
                       [n_step_warps][Staging::n_shared_pieces]);
        typename Staging::Piece *const shared_of_warp =
          shared[cellwise::warp_in_block()];

        if constexpr (tables_in_registers<dim, degree, T>)
          update_patches_in_registers<dim, degree, with_mirrored, Staging>(
            u, b, patches, blockIdx.x, tables.pointers(), shared_of_warp);
        else
          {
            using Tables = SharedTables<degree, L>;
            TESSERA_SHARED(T, table_memory, [Tables::n_values]);
            const Tables lane_tables(tables.pointers(), table_memory);
            lane_tables.load(tables.inverse_eigenvalues);
            update_patches_of_warp<dim, degree, with_mirrored, Staging>(
              u,
              b,
              patches,
              blockIdx.x,
              shared_of_warp,
              lane_tables.update(tables.pointers()));
          }
      }

      template <int dim, int degree, typename T>
      void
      launch_degree(T                    *u,
                    const T              *b,
                    const DevicePatches  &patches,
                    const PatchTables<T> &tables,
                    const device::Stream &stream)
      {
        device::launch(patches.mirrored == nullptr ?
                         update_patches_kernel<dim, degree, false, T> :
                         update_patches_kernel<dim, degree, true, T>,
                       n_step_blocks<dim>(patches.n_patches),
                       n_step_threads,
                       0,
                       stream,
                       u,
                       b,
                       patches,
                       StepTables<dim, degree, T>(tables));
      }
    } // namespace



    namespace on_device
    {
      template <int dim, typename T>
      void
      update_patches(T                               *u,
                     const T                         *b,
                     const DevicePatches             &patches,
                     const DevicePatchTables<dim, T> &tables,
                     const device::Stream            &stream)
      {
        switch (tables.degree())
          {
            case 1:
              return launch_degree<dim, 1>(
                u, b, patches, tables.tables(), stream);
            case 2:
              return launch_degree<dim, 2>(
                u, b, patches, tables.tables(), stream);
            default:
              launch_degree<dim, 3>(u, b, patches, tables.tables(), stream);
          }
      }



      template void
      update_patches(float *,
                     const float *,
                     const DevicePatches &,
                     const DevicePatchTables<2, float> &,
                     const device::Stream &);
      template void
      update_patches(double *,
                     const double *,
                     const DevicePatches &,
                     const DevicePatchTables<2, double> &,
                     const device::Stream &);
      template void
      update_patches(float *,
                     const float *,
                     const DevicePatches &,
                     const DevicePatchTables<3, float> &,
                     const device::Stream &);
      template void
      update_patches(double *,
                     const double *,
                     const DevicePatches &,
                     const DevicePatchTables<3, double> &,
                     const device::Stream &);
    } // namespace on_device
  }   // namespace patch
} // namespace tessera
