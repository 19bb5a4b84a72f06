// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>
#include <tessera/base/device/warp_lanes.h>
#include <tessera/base/macros.h>
#include <tessera/cellwise/tensor_transforms.h>

#include "benchmarks/device_kernels/repeated_laplacian.h"

namespace benchmark
{
  using tessera::cellwise::cells_per_device_block;
  using tessera::device::launch;
  using tessera::device::Stream;

  namespace
  {
    constexpr int q         = 4;
    constexpr int slab      = q * q;
    constexpr int n_nodes   = q * slab;
    constexpr int n_threads = 64;



    /** $v = \sum_j a_j x_j$, the x_j so far apart, added to what is there. */
    template <int stride, typename T>
    __device__ __forceinline__ T
    row_times(const T *row, const T *x)
    {
      T sum = row[0] * x[0];
      TESSERA_UNROLL
      for (int j = 1; j < q; ++j)
        sum = ::fma(row[j], x[j * stride], sum);
      return sum;
    }

    template <int stride, typename T>
    __device__ __forceinline__ T
    add_row_times(const T *row, const T *x, T sum)
    {
      TESSERA_UNROLL
      for (int j = 0; j < q; ++j)
        sum = ::fma(row[j], x[j * stride], sum);
      return sum;
    }



    /** v = A u; slab by slab, so that besides u and v there are 64 values. */
    template <typename T>
    __device__ __forceinline__ void
    apply_by_contractions(const RepeatedLaplacianTables<T> &t,
                          const T (&u)[n_nodes],
                          T (&v)[n_nodes])
    {
      TESSERA_UNROLL
      for (int z = 0; z < q; ++z)
        {
          T Mx[slab], Kx[slab];
          TESSERA_UNROLL
          for (int line = 0; line < slab; line += q)
            TESSERA_UNROLL
          for (int i = 0; i < q; ++i)
            {
              const T *x   = u + z * slab + line;
              Mx[line + i] = row_times<1>(t.mass + i * q, x);
              Kx[line + i] = row_times<1>(t.scaled_stiffness + i * q, x);
            }
          TESSERA_UNROLL
          for (int k = 0; k < q; ++k)
            TESSERA_UNROLL
          for (int i = 0; i < q; ++i)
            {
              const T MM = row_times<q>(t.mass + i * q, Mx + k);
              const T KM =
                add_row_times<q>(t.scaled_stiffness + i * q,
                                 Mx + k,
                                 row_times<q>(t.mass + i * q, Kx + k));
              TESSERA_UNROLL
              for (int m = 0; m < q; ++m)
                {
                  T      &out = v[m * slab + i * q + k];
                  const T a   = t.mass[m * q + z];
                  out         = z == 0 ? a * KM : ::fma(a, KM, out);
                  out         = ::fma(t.scaled_stiffness[m * q + z], MM, out);
                }
            }
        }
    }



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
            apply_by_contractions(t, u, v);
            apply_by_contractions(t, v, u);
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
