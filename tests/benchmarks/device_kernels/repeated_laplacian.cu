// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>
#include <tessera/base/device/warp_lanes.h>
#include <tessera/base/macros.h>
#include <tessera/cellwise/tensor_transforms.h>

#include "benchmarks/device_kernels/cell_contractions.h"
#include "benchmarks/device_kernels/repeated_laplacian.h"

namespace benchmark
{
  using tessera::cellwise::cells_per_device_block;
  using tessera::device::launch;
  using tessera::device::Stream;

  namespace
  {
    constexpr int q         = 4;
    constexpr int n_nodes   = q * q * q;
    constexpr int n_threads = 64;



    template <typename T>
    __device__ __forceinline__ void
    apply_in_eigenbasis(const RepeatedLaplacianTables<T> &t, T (&u)[n_nodes])
    {
      using L = tessera::device::WarpLanes<T>;
      tessera::cellwise::transform_to_modes<3, q, L>(t.inverse_eigenvectors, u);
      TESSERA_UNROLL
      for (int k = 0; k < n_nodes; ++k)
        u[k] = t.eigenvalues[k] * u[k];
      tessera::cellwise::transform_to_nodes<3, q, L>(t.inverse_eigenvectors, u);
    }



    template <typename T, bool in_eigenbasis>
    __global__ void
    __launch_bounds__(n_threads)
      repeated_laplacian_kernel(const std::size_t                n_cells,
                                const int                        n_pairs,
                                const RepeatedLaplacianTables<T> t,
                                T                               *values)
    {
      const std::size_t cell =
        std::size_t(blockIdx.x) * n_threads + threadIdx.x;
      if (cell >= n_cells)
        return; // whole warps
      T *const mine =
        values +
        cell / cells_per_device_block * cells_per_device_block * n_nodes +
        cell % cells_per_device_block;
      T u[n_nodes];
      TESSERA_UNROLL
      for (int k = 0; k < n_nodes; ++k)
        u[k] = mine[k * cells_per_device_block];
      // Two in a row: what is u and what is v changes without moves.
      for (int i = 0; i < n_pairs; ++i)
        if constexpr (in_eigenbasis)
          {
            apply_in_eigenbasis(t, u);
            apply_in_eigenbasis(t, u);
          }
        else
          {
            T v[n_nodes];
            apply_by_contractions(t.mass, t.scaled_stiffness, u, v);
            apply_by_contractions(t.mass, t.scaled_stiffness, v, u);
          }
      TESSERA_UNROLL
      for (int k = 0; k < n_nodes; ++k)
        mine[k * cells_per_device_block] = u[k];
    }
  } // namespace



  template <typename T>
  void
  apply_laplacian_repeatedly(const bool                        in_eigenbasis,
                             const std::size_t                 n_cells,
                             const RepeatedLaplacianTables<T> &tables,
                             T                                *u,
                             const Stream                     &stream)
  {
    launch(in_eigenbasis ? repeated_laplacian_kernel<T, true> :
                           repeated_laplacian_kernel<T, false>,
           (unsigned int)((n_cells + n_threads - 1) / n_threads),
           n_threads,
           0,
           stream,
           n_cells,
           n_applications / 2, // the compiler shall not unroll the loop
           tables,
           u);
  }

  template void
  apply_laplacian_repeatedly(bool,
                             std::size_t,
                             const RepeatedLaplacianTables<float> &,
                             float *,
                             const Stream &);
} // namespace benchmark
