// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>

#include "benchmarks/device_kernels/patch_steps.h"
#include "benchmarks/device_kernels/variant_step.h"

namespace benchmark
{
  namespace
  {
    using Tables = tessera::patch::StepTables<3, 3, float>;

    __global__ void
    __launch_bounds__(n_step_threads)
      repeat_updates_kernel(float *u,
                            const float *__restrict__ b,
                            const DevicePatches            patches,
                            const __grid_constant__ Tables tables)
    {
      TESSERA_SHARED(Piece, shared, [n_step_warps][Staging::n_shared_pieces]);
      float inverse_eigenvalues[n_modes];
      tessera::patch::load_inverse_eigenvalues<3>(tables.inverse_eigenvalues,
                                                  inverse_eigenvalues);
      const tessera::patch::PatchUpdate<3, 3, Lanes> update(
        tables.pointers(), inverse_eigenvalues);
      update_in_lanes(u,
                      b,
                      patches,
                      shared[warp_in_block()],
                      [&](const float *rhs, float *values) {
                        for (int i = 0; i < n_repeated_updates; ++i)
                          update(0, rhs, values);
                      });
    }

    template <PatchVariant variant>
    __global__ void
    __launch_bounds__(n_step_threads)
      repeat_by_variant_kernel(float *u,
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
      update_in_lanes(u,
                      b,
                      patches,
                      shared[warp_in_block()],
                      [&](const float *rhs, float *values) {
                        for (int i = 0; i < n_repeated_updates; ++i)
                          update(0, rhs, values);
                      });
    }
  } // namespace



  void
  repeat_updates(float                             *u,
                 const float                       *b,
                 const DevicePatches               &patches,
                 const DevicePatchTables<3, float> &tables,
                 const Stream                      &stream)
  {
    tessera::device::launch(repeat_updates_kernel,
                            tessera::patch::n_step_blocks<3>(patches.n_patches),
                            n_step_threads,
                            0,
                            stream,
                            u,
                            b,
                            patches,
                            Tables(tables.tables()));
  }



  void
  repeat_updates_by_variant(const PatchVariant          variant,
                            float                      *u,
                            const float                *b,
                            const DevicePatches        &patches,
                            const VariantTables<float> &tables,
                            const Stream               &stream)
  {
    tessera::patch::dispatch_variant(variant, [&](const auto v) {
      tessera::device::launch(repeat_by_variant_kernel<decltype(v)::value>,
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
