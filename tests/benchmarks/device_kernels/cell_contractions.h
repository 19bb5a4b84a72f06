// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_device_kernels_cell_contractions_h
#define tessera_tests_benchmarks_device_kernels_cell_contractions_h

// For kernel sources: the Laplacian of a cell by contractions with M and K,
// which the library does in the eigenbasis.

#include <tessera/base/device/cuda_port.h>
#include <tessera/base/macros.h>

namespace benchmark
{
  namespace cell_contractions
  {
    constexpr int q       = 4;
    constexpr int slab    = q * q;
    constexpr int n_nodes = q * slab;

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



    /** $v = (K \otimes M \otimes M + M \otimes K \otimes M + M \otimes M
     * \otimes K) u$ for a cell of degree 3 in registers, K scaled, M and K
     * row-major in constant memory; slab by slab, so that besides u and v there
     * are 64 values. 1792 operations. */
    template <typename T>
    __device__ __forceinline__ void
    apply_by_contractions(const T *mass,
                          const T *scaled_stiffness,
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
              Mx[line + i] = row_times<1>(mass + i * q, x);
              Kx[line + i] = row_times<1>(scaled_stiffness + i * q, x);
            }
          TESSERA_UNROLL
          for (int k = 0; k < q; ++k)
            TESSERA_UNROLL
          for (int i = 0; i < q; ++i)
            {
              const T MM = row_times<q>(mass + i * q, Mx + k);
              const T KM = add_row_times<q>(scaled_stiffness + i * q,
                                            Mx + k,
                                            row_times<q>(mass + i * q, Kx + k));
              TESSERA_UNROLL
              for (int m = 0; m < q; ++m)
                {
                  T      &out = v[m * slab + i * q + k];
                  const T a   = mass[m * q + z];
                  out         = z == 0 ? a * KM : ::fma(a, KM, out);
                  out         = ::fma(scaled_stiffness[m * q + z], MM, out);
                }
            }
        }
    }
  } // namespace cell_contractions

  using cell_contractions::apply_by_contractions;
} // namespace benchmark

#endif
