// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>

#include "benchmarks/device_kernels/patch_steps.h"
#include "benchmarks/device_kernels/variant_step.h"

namespace benchmark
{
  namespace
  {
    template <PatchVariant variant>
    __global__ void
    __launch_bounds__(n_step_threads)
      update_by_variant_kernel(float *u,
                               const float *__restrict__ b,
                               const DevicePatches patches,
                               const __grid_constant__ VariantStepTables tables)
    {
      TESSERA_SHARED(Piece, shared, [n_step_warps][Staging::n_shared_pieces]);
      const VariantTables<float> pointers = tables.pointers();
      float                      inverse_eigenvalues[n_modes];
      tessera::patch::load_inverse_eigenvalues<3>(
        pointers.patch.inverse_eigenvalues, inverse_eigenvalues);
      const tessera::patch::PatchVariantUpdate<variant, Lanes> update(
        pointers, inverse_eigenvalues);
      tessera::patch::update_patches_of_warp<3, 3, false, Staging>(
        u,
        b,
        patches,
        blockIdx.x,
        shared[warp_in_block()],
        [&](const unsigned int, auto &load_u, auto &load_b, auto &add) {
          float values[n_nodes], rhs[n_nodes];
          take_cell(load_u, values);
          take_cell(load_b, rhs);
          update(0, rhs, values, add);
        });
    }
  } // namespace



  void
  update_patches_by_variant(const PatchVariant          variant,
                            float                      *u,
                            const float                *b,
                            const DevicePatches        &patches,
                            const VariantTables<float> &tables,
                            const Stream               &stream)
  {
    tessera::patch::dispatch_variant(variant, [&](const auto v) {
      tessera::device::launch(update_by_variant_kernel<decltype(v)::value>,
                              tessera::patch::n_step_blocks<3>(
                                patches.n_patches),
                              n_step_threads,
                              0,
                              stream,
                              u,
                              b,
                              patches,
                              VariantStepTables(tables));
    });
  }
} // namespace benchmark
