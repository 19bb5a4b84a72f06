// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>

#include "benchmarks/device_kernels/patch_steps.h"
#include "benchmarks/device_kernels/variant_step.h"

namespace benchmark
{
  namespace
  {
    using Tables = tessera::patch::StepTables<3, 3, float>;

    /** The library's kernel with so few registers that n_blocks blocks are
     * resident in a multiprocessor. */
    template <int n_blocks>
    __global__ void
    __launch_bounds__(n_step_threads, n_blocks)
      update_in_few_registers_kernel(float *u,
                                     const float *__restrict__ b,
                                     const DevicePatches            patches,
                                     const __grid_constant__ Tables tables)
    {
      TESSERA_SHARED(Piece, shared, [n_step_warps][Staging::n_shared_pieces]);
      tessera::patch::update_patches_in_registers<3, 3, false, Staging>(
        u, b, patches, blockIdx.x, tables.pointers(), shared[warp_in_block()]);
    }

    /** Registers of a multiprocessor: 65536. */
    constexpr int
    n_blocks_of_registers(const int n_registers)
    {
      return 65536 / (n_step_threads * n_registers);
    }

    __global__ void
    __launch_bounds__(n_step_threads)
      update_by_whole_cells_kernel(float *u,
                                   const float *__restrict__ b,
                                   const DevicePatches            patches,
                                   const __grid_constant__ Tables tables)
    {
      using WholeCells =
        tessera::patch::RowStaging<n_nodes, float, n_nodes * sizeof(float)>;
      TESSERA_SHARED(
        WholeCells::Piece, shared, [n_step_warps][WholeCells::n_shared_pieces]);
      tessera::patch::update_patches_in_registers<3, 3, false, WholeCells>(
        u, b, patches, blockIdx.x, tables.pointers(), shared[warp_in_block()]);
    }
  } // namespace



  void
  update_patches_with(const PatchResources               resources,
                      float                             *u,
                      const float                       *b,
                      const DevicePatches               &patches,
                      const DevicePatchTables<3, float> &tables,
                      const Stream                      &stream)
  {
    tessera::device::launch(
      resources == PatchResources::registers_168 ?
        update_in_few_registers_kernel<n_blocks_of_registers(168)> :
      resources == PatchResources::registers_128 ?
        update_in_few_registers_kernel<n_blocks_of_registers(128)> :
      resources == PatchResources::registers_96 ?
        update_in_few_registers_kernel<n_blocks_of_registers(96)> :
        update_by_whole_cells_kernel,
      tessera::patch::n_step_blocks<3>(patches.n_patches),
      n_step_threads,
      0,
      stream,
      u,
      b,
      patches,
      Tables(tables.tables()));
  }
} // namespace benchmark
