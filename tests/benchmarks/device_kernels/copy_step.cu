// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>

#include "benchmarks/device_kernels/patch_steps.h"
#include "benchmarks/device_kernels/variant_step.h"

namespace benchmark
{
  namespace
  {
    __global__ void
    __launch_bounds__(n_step_threads)
      copy_patches_kernel(float *u,
                          const float *__restrict__ b,
                          const DevicePatches patches)
    {
      TESSERA_SHARED(Piece, shared, [n_step_warps][Staging::n_shared_pieces]);
      tessera::patch::update_patches_of_warp<3, 3, false, Staging>(
        u,
        b,
        patches,
        blockIdx.x,
        shared[warp_in_block()],
        [](const unsigned int, auto &load_u, auto &load_b, auto &add) {
          float values[n_nodes], rhs[n_nodes];
          take_cell(load_u, values);
          take_cell(load_b, rhs);
          TESSERA_UNROLL
          for (int z = 0; z < 4; ++z)
            {
              float c[16];
              TESSERA_UNROLL
              for (int k = 0; k < 16; ++k)
                c[k] = values[16 * z + k] + rhs[16 * z + k];
              add(z, c);
            }
        });
    }
  } // namespace



  void
  copy_patches(float               *u,
               const float         *b,
               const DevicePatches &patches,
               const Stream        &stream)
  {
    tessera::device::launch(copy_patches_kernel,
                            tessera::patch::n_step_blocks<3>(patches.n_patches),
                            n_step_threads,
                            0,
                            stream,
                            u,
                            b,
                            patches);
  }

} // namespace benchmark
