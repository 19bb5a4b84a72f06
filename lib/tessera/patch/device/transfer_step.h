// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_device_transfer_step_h
#define tessera_patch_device_transfer_step_h

#include <tessera/base/device/cuda_port.h>
#include <tessera/base/device/warp_lanes.h>
#include <tessera/cellwise/device/cells_of_warp.h>
#include <tessera/cellwise/tensor_transforms.h>
#include <tessera/patch/level_kernels.h>
#include <tessera/patch/line_products.h>

#include <cstddef>

// What kernels of the transfer between levels do in a warp, for kernel sources.
// A lane is a child, bit d of its number saying at which end of direction d of
// its parent it is: 2^dim neighbouring lanes are a family.

namespace tessera
{
  namespace patch
  {
    /** u <- A u along the axes from this one on, A the q x q matrix of lower or
     * upper children as the lane is one in this direction. */
    template <int axis, int dim, int q, bool transposed, typename T>
    __device__ __forceinline__ void
    multiply_by_child(const T *lower, const T *upper, T *u)
    {
      using L = device::WarpLanes<T>;
      if constexpr (axis < dim)
        {
          T A[q * q];
          TESSERA_UNROLL_ON_DEVICE
          for (int entry = 0; entry < q * q; ++entry)
            {
              const int from = transposed ? entry % q * q + entry / q : entry;
              A[entry] =
                L::template select<1 << axis>(lower[from], upper[from]);
            }
          multiply_lines<axis, dim, q, L>(
            [&](const int i, const int j) { return A[i * q + j]; }, u, u);
          multiply_by_child<axis + 1, dim, q, transposed>(lower, upper, u);
        }
    }

    /** Sum over the lanes of a family, in all of its lanes: neighbours along
     * x first, then along y, then z. */
    template <int dim, typename T>
    __device__ __forceinline__ T
    sum_of_family(T value)
    {
      using L = device::WarpLanes<T>;
      value   = value + L::template xor_lane<1>(value);
      value   = value + L::template xor_lane<2>(value);
      if constexpr (dim == 3)
        value = value + L::template xor_lane<4>(value);
      return value;
    }

    /** The families of a warp, and rows in shared memory for their cells. */
    template <int dim, typename T, int N>
    class FamiliesOfWarp
    {
    public:
      static constexpr int n_children = 1 << dim;
      static constexpr int n_families = 32 / n_children;
      static constexpr int n_shared   = cellwise::CellRows<N>::n_shared;

      /** All lanes have a child; those beyond the last one have that. */
      __device__
      FamiliesOfWarp(const std::size_t warp,
                     const CellIndex  *all_parents,
                     const CellIndex  *all_children,
                     const std::size_t n_parents,
                     T                *rows_of_warp)
        : parents(all_parents + warp * n_families)
        , n(int(n_parents - warp * n_families < n_families ?
                  n_parents - warp * n_families :
                  n_families))
        , lane(device::WarpLanes<T>::lane())
        , rows(rows_of_warp)
      {
        const int last = n * n_children - 1;
        child =
          all_children[warp * 32 + std::size_t(lane < last ? lane : last)];
      }

      /** The values of the lane's child, or what becomes of them. */
      __device__ __forceinline__ T *
      row_of_child() const
      {
        return rows + lane * cellwise::CellRows<N>::length;
      }

      /** Those of its parent. */
      __device__ __forceinline__ T *
      row_of_parent() const
      {
        return rows + lane / n_children * cellwise::CellRows<N>::length;
      }

      __device__ __forceinline__ void
      fetch_children(const T *field) const
      {
        __syncwarp();
        constexpr int n_together = N % 16 == 0 ? 16 : N;
#if defined(__CUDACC__)
#  pragma unroll 1
#endif
        for (int piece = 0; piece < N; piece += n_together)
          {
            TESSERA_UNROLL_ON_DEVICE
            for (int j = 0; j < n_together; ++j)
              {
                const int i = (piece + j) * 32 + lane;
                rows[position(i)] =
                  field[std::size_t(child_of_lane(i / N)) * N + i % N];
              }
          }
        __syncwarp();
      }

      /** field <- field + rows. */
      __device__ __forceinline__ void
      add_to_children(T *field) const
      {
        __syncwarp();
        TESSERA_UNROLL_ON_DEVICE
        for (int piece = 0; piece < N; ++piece)
          {
            const int       i = piece * 32 + lane;
            const CellIndex c = child_of_lane(i / N);
            if (i < n * n_children * N)
              {
                T *const p = field + std::size_t(c) * N + i % N;
                *p         = *p + rows[position(i)];
              }
          }
      }

      __device__ __forceinline__ void
      fetch_parents(const T *field) const
      {
        __syncwarp();
        for_each_value_of_parents(
          [&](const std::size_t i, T &value) { value = field[i]; });
        __syncwarp();
      }

      __device__ __forceinline__ void
      store_parents(T *field) const
      {
        __syncwarp();
        for_each_value_of_parents(
          [&](const std::size_t i, const T &value) { field[i] = value; });
      }

    private:
      /** Call f(position in a field, value in the rows). */
      template <typename F>
      __device__ __forceinline__ void
      for_each_value_of_parents(const F &f) const
      {
        TESSERA_UNROLL_ON_DEVICE
        for (int first = 0; first < n_families * N; first += 32)
          {
            const int i = first + lane;
            if (i < n * N)
              f(std::size_t(parents[i / N]) * N + i % N, rows[position(i)]);
          }
      }

      __device__ __forceinline__ CellIndex
      child_of_lane(const int l) const
      {
        return __shfl_sync(0xffffffffu, child, l);
      }

      static __device__ __forceinline__ int
      position(const int i)
      {
        return i / N * cellwise::CellRows<N>::length + i % N;
      }

      const CellIndex *parents;
      int              n; ///< families
      int              lane;
      CellIndex        child;
      T               *rows;
    };

    /**
     * on_device::restrict_residual() for the families of a warp; nothing if it
     * has none. All lanes take part.
     * @param[in] rows FamiliesOfWarp::n_shared values of the warp.
     */
    template <int dim, int q, typename T>
    __device__ __forceinline__ void
    restrict_residual_of_warp(T                       *coarse_b,
                              const T                 *u,
                              const T                 *b,
                              const CellIndex         *parents,
                              const CellIndex         *children,
                              const std::size_t        n_parents,
                              const TransferTables<T> &tables,
                              const std::size_t        warp,
                              T                       *rows)
    {
      using L         = device::WarpLanes<T>;
      constexpr int N = cellwise::power(q, dim);
      using Families  = FamiliesOfWarp<dim, T, N>;
      if (warp * Families::n_families >= n_parents)
        return;
      const Families families(warp, parents, children, n_parents, rows);

      T        r[N];
      T *const row = families.row_of_child();
      families.fetch_children(u);
      TESSERA_UNROLL_ON_DEVICE
      for (int k = 0; k < N; ++k)
        r[k] = row[k];
      cellwise::transform_to_modes<dim, q, L>(tables.inverse_eigenvectors, r);
      families.fetch_children(b);
      TESSERA_UNROLL_ON_DEVICE
      for (int k = 0; k < N; ++k)
        r[k] = L::fnma(tables.cell_eigenvalues[k], r[k], row[k]);
      multiply_by_child<0, dim, q, true>(tables.modal_embedding[0],
                                         tables.modal_embedding[1],
                                         r);
      TESSERA_UNROLL_ON_DEVICE
      for (int k = 0; k < N; ++k)
        r[k] = sum_of_family<dim>(r[k]);
      __syncwarp();
      if (L::lane() % Families::n_children == 0)
        {
          T *const sum = families.row_of_parent();
          TESSERA_UNROLL_ON_DEVICE
          for (int k = 0; k < N; ++k)
            sum[k] = r[k];
        }
      families.store_parents(coarse_b);
    }

    /** on_device::prolongate_and_add(), likewise. */
    template <int dim, int q, typename T>
    __device__ __forceinline__ void
    prolongate_and_add_of_warp(T                       *u,
                               const T                 *coarse_u,
                               const CellIndex         *parents,
                               const CellIndex         *children,
                               const std::size_t        n_parents,
                               const TransferTables<T> &tables,
                               const std::size_t        warp,
                               T                       *rows)
    {
      constexpr int N = cellwise::power(q, dim);
      using Families  = FamiliesOfWarp<dim, T, N>;
      if (warp * Families::n_families >= n_parents)
        return;
      const Families families(warp, parents, children, n_parents, rows);

      T z[N];
      families.fetch_parents(coarse_u);
      const T *const of_parent = families.row_of_parent();
      TESSERA_UNROLL_ON_DEVICE
      for (int k = 0; k < N; ++k)
        z[k] = of_parent[k];
      multiply_by_child<0, dim, q, false>(tables.embedding[0],
                                          tables.embedding[1],
                                          z);
      // Parents have been read by all.
      __syncwarp();
      T *const row = families.row_of_child();
      TESSERA_UNROLL_ON_DEVICE
      for (int k = 0; k < N; ++k)
        row[k] = z[k];
      families.add_to_children(u);
    }
  } // namespace patch
} // namespace tessera

#endif
