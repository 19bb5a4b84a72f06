// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>
#include <tessera/base/device/warp_lanes.h>
#include <tessera/cellwise/device/cells_of_warp.h>
#include <tessera/cellwise/device/supported_degrees.h>
#include <tessera/cellwise/tensor_transforms.h>
#include <tessera/patch/device/transfer_launchers.h>
#include <tessera/patch/line_products.h>

#include <cstring>

namespace tessera
{
  namespace patch
  {
    using cellwise::cell_threads;
    using cellwise::cell_warps;
    using cellwise::CellRows;
    using cellwise::power;

    // A lane is a child, bit d of its number saying at which end of direction d
    // of its parent it is: 2^dim neighbouring lanes are a family.
    namespace
    {
      /** Threads that share a multiprocessor; matrices take registers besides
       * the values of a cell. */
      template <typename T>
      constexpr int min_blocks = sizeof(T) == 4 ? 3 : 4;

      /** q x q matrices of lower and upper children, as a parameter of a
       * kernel; see CellMatrices. */
      template <int q, typename T>
      struct ChildMatrices
      {
        explicit ChildMatrices(const T *const (&lower_and_upper)[2])
        {
          for (int c = 0; c < 2; ++c)
            std::memcpy(entries[c], lower_and_upper[c], sizeof(entries[c]));
        }

        T entries[2][q * q];
      };

      /** Those of the fine level that restriction needs besides. */
      template <int dim, int q, typename T>
      struct ResidualMatrices
      {
        explicit ResidualMatrices(const TransferTables<T> &tables)
        {
          std::memcpy(inverse_eigenvectors,
                      tables.inverse_eigenvectors,
                      sizeof(inverse_eigenvectors));
          std::memcpy(cell_eigenvalues,
                      tables.cell_eigenvalues,
                      sizeof(cell_eigenvalues));
        }

        T inverse_eigenvectors[q * q];
        T cell_eigenvalues[power(q, dim)];
      };

      /** u <- A u along the axes from this one on, A that of the lane's end in
       * this direction. */
      template <int axis, int dim, int q, bool transposed, typename T>
      __device__ __forceinline__ void
      multiply_by_child(const ChildMatrices<q, T> &matrices, T *u)
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
                  L::template select<1 << axis>(matrices.entries[0][from],
                                                matrices.entries[1][from]);
              }
            multiply_lines<axis, dim, q, L>(
              [&](const int i, const int j) { return A[i * q + j]; }, u, u);
            multiply_by_child<axis + 1, dim, q, transposed>(matrices, u);
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
        static constexpr int n_shared   = CellRows<N>::n_shared;

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
          return rows + lane * CellRows<N>::length;
        }

        /** Those of its parent. */
        __device__ __forceinline__ T *
        row_of_parent() const
        {
          return rows + lane / n_children * CellRows<N>::length;
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
          return i / N * CellRows<N>::length + i % N;
        }

        const CellIndex *parents;
        int              n; ///< families
        int              lane;
        CellIndex        child;
        T               *rows;
      };

      template <int dim, int q, typename T>
      __global__ void
      __launch_bounds__(cell_threads<T>, min_blocks<T>)
        restrict_residual_kernel(T                                *coarse_b,
                                 const T                          *u,
                                 const T                          *b,
                                 const CellIndex                  *parents,
                                 const CellIndex                  *children,
                                 const std::size_t                 n_parents,
                                 const ResidualMatrices<dim, q, T> residual,
                                 const ChildMatrices<q, T> modal_embedding)
      {
        using L         = device::WarpLanes<T>;
        constexpr int N = power(q, dim);
        using Families  = FamiliesOfWarp<dim, T, N>;
        TESSERA_SHARED(T, rows, [cell_warps<T>][Families::n_shared]);
        const std::size_t warp = std::size_t(cellwise::warp_of_cells());
        if (warp * Families::n_families >= n_parents)
          return;
        const Families families(
          warp, parents, children, n_parents, rows[cellwise::warp_in_block()]);

        T        r[N];
        T *const row = families.row_of_child();
        families.fetch_children(u);
        TESSERA_UNROLL_ON_DEVICE
        for (int k = 0; k < N; ++k)
          r[k] = row[k];
        cellwise::transform_to_modes<dim, q, L>(residual.inverse_eigenvectors,
                                                r);
        families.fetch_children(b);
        TESSERA_UNROLL_ON_DEVICE
        for (int k = 0; k < N; ++k)
          r[k] = L::fnma(residual.cell_eigenvalues[k], r[k], row[k]);
        multiply_by_child<0, dim, q, true>(modal_embedding, r);
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

      template <int dim, int q, typename T>
      __global__ void
      __launch_bounds__(cell_threads<T>, min_blocks<T>)
        prolongate_and_add_kernel(T                        *u,
                                  const T                  *coarse_u,
                                  const CellIndex          *parents,
                                  const CellIndex          *children,
                                  const std::size_t         n_parents,
                                  const ChildMatrices<q, T> embedding)
      {
        constexpr int N = power(q, dim);
        using Families  = FamiliesOfWarp<dim, T, N>;
        TESSERA_SHARED(T, rows, [cell_warps<T>][Families::n_shared]);
        const std::size_t warp = std::size_t(cellwise::warp_of_cells());
        if (warp * Families::n_families >= n_parents)
          return;
        const Families families(
          warp, parents, children, n_parents, rows[cellwise::warp_in_block()]);

        T z[N];
        families.fetch_parents(coarse_u);
        const T *const of_parent = families.row_of_parent();
        TESSERA_UNROLL_ON_DEVICE
        for (int k = 0; k < N; ++k)
          z[k] = of_parent[k];
        multiply_by_child<0, dim, q, false>(embedding, z);
        // Parents have been read by all.
        __syncwarp();
        T *const row = families.row_of_child();
        TESSERA_UNROLL_ON_DEVICE
        for (int k = 0; k < N; ++k)
          row[k] = z[k];
        families.add_to_children(u);
      }

      template <int dim, typename T>
      unsigned int
      n_blocks_of_families(const std::size_t n_parents)
      {
        const std::size_t n_threads = n_parents << dim;
        return (unsigned int)((n_threads + cell_threads<T> - 1) /
                              cell_threads<T>);
      }
    } // namespace



    template <int dim, typename T>
    void
    on_device::restrict_residual(const int                degree,
                                 T                       *coarse_b,
                                 const T                 *u,
                                 const T                 *b,
                                 const CellIndex         *parents,
                                 const CellIndex         *children,
                                 const std::size_t        n_parents,
                                 const TransferTables<T> &tables,
                                 const device::Stream    &stream)
    {
      cellwise::dispatch_device_degree(degree, [&](const auto p) {
        constexpr int q = decltype(p)::value + 1;
        device::launch(restrict_residual_kernel<dim, q, T>,
                       n_blocks_of_families<dim, T>(n_parents),
                       cell_threads<T>,
                       0,
                       stream,
                       coarse_b,
                       u,
                       b,
                       parents,
                       children,
                       n_parents,
                       ResidualMatrices<dim, q, T>(tables),
                       ChildMatrices<q, T>(tables.modal_embedding));
      });
    }



    template <int dim, typename T>
    void
    on_device::prolongate_and_add(const int                degree,
                                  T                       *u,
                                  const T                 *coarse_u,
                                  const CellIndex         *parents,
                                  const CellIndex         *children,
                                  const std::size_t        n_parents,
                                  const TransferTables<T> &tables,
                                  const device::Stream    &stream)
    {
      cellwise::dispatch_device_degree(degree, [&](const auto p) {
        constexpr int q = decltype(p)::value + 1;
        device::launch(prolongate_and_add_kernel<dim, q, T>,
                       n_blocks_of_families<dim, T>(n_parents),
                       cell_threads<T>,
                       0,
                       stream,
                       u,
                       coarse_u,
                       parents,
                       children,
                       n_parents,
                       ChildMatrices<q, T>(tables.embedding));
      });
    }



#define TESSERA_INSTANTIATE(dim, T)                                           \
  template void on_device::restrict_residual<dim>(int,                        \
                                                  T *,                        \
                                                  const T *,                  \
                                                  const T *,                  \
                                                  const CellIndex *,          \
                                                  const CellIndex *,          \
                                                  std::size_t,                \
                                                  const TransferTables<T> &,  \
                                                  const device::Stream &);    \
  template void on_device::prolongate_and_add<dim>(int,                       \
                                                   T *,                       \
                                                   const T *,                 \
                                                   const CellIndex *,         \
                                                   const CellIndex *,         \
                                                   std::size_t,               \
                                                   const TransferTables<T> &, \
                                                   const device::Stream &)

    TESSERA_INSTANTIATE(2, float);
    TESSERA_INSTANTIATE(2, double);
    TESSERA_INSTANTIATE(3, float);
    TESSERA_INSTANTIATE(3, double);
  } // namespace patch
} // namespace tessera
