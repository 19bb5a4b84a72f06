// SPDX-License-Identifier: LGPL-2.1-or-later
// Between vectors and fields: a thread a value, which is read by an index.
#include <tessera/base/device/cuda_port.h>
#include <tessera/cellwise/device/dof_copy_launchers.h>
#include <tessera/cellwise/device/layout.h>
#include <tessera/cellwise/device/magnitude_bits.h>
#include <tessera/cellwise/dof_copies.h>

namespace tessera
{
  namespace cellwise
  {
    namespace
    {
      constexpr int B         = cells_per_device_block;
      constexpr int n_threads = 256;

      /** Of max_abs_of_dofs_kernel: one atomic operation for 512 values. */
      constexpr int n_of_thread = 16;

      unsigned int
      n_blocks_for(const std::size_t n)
      {
        return (unsigned int)((n + n_threads - 1) / n_threads);
      }

      template <typename Number>
      __global__ void
      __launch_bounds__(n_threads) pack_dofs_kernel(double             *message,
                                                    const Number       *v,
                                                    const unsigned int *dofs,
                                                    const std::size_t   n)
      {
        const std::size_t j = std::size_t(blockIdx.x) * n_threads + threadIdx.x;
        if (j < n)
          message[j] = double(v[dofs[j]]);
      }



      template <typename Number>
      __global__ void
      __launch_bounds__(n_threads)
        max_abs_of_dofs_kernel(const Number       *v,
                               const unsigned int *copy_of_dof,
                               const std::size_t   n,
                               unsigned long long *result)
      {
        const std::size_t first =
          std::size_t(blockIdx.x) * (n_threads * n_of_thread) + threadIdx.x;
        LargestMagnitude largest;
        TESSERA_UNROLL
        for (int j = 0; j < n_of_thread; ++j)
          {
            const std::size_t i = first + j * n_threads;
            if (i < n && copy_of_dof[i] != no_copy)
              largest.add(double(v[i]));
          }
        largest.report(true, result);
      }



      /** As many threads as values of blocks of cells, in their order. */
      template <typename Number, bool is_shared>
      __global__ void
      __launch_bounds__(n_threads)
        gather_dofs_kernel(double              *field,
                           const Number        *v,
                           const double        *ghosts,
                           const unsigned int   n_owned_dofs,
                           const unsigned int  *dof_of_copy,
                           const unsigned char *inner_faces,
                           const CellIndex      n_cells,
                           const int            q,
                           const int            N)
      {
        const std::size_t i = std::size_t(blockIdx.x) * n_threads + threadIdx.x;
        // There are fewer than 2^32 of them where there is memory for the
        // values.
        const unsigned int row   = (unsigned int)(i / B);
        const unsigned int block = row / (unsigned int)(N);
        const std::size_t  cell  = std::size_t(block) * B + i % B;
        if (cell >= std::size_t(n_cells))
          return;

        const unsigned int dof   = dof_of_copy[i];
        double             value = 0.;
        if (dof != no_dof)
          value =
            dof < n_owned_dofs ? double(v[dof]) : ghosts[dof - n_owned_dofs];
        if (is_shared)
          {
            const unsigned int faces = inner_faces[cell];
            for (int d = 0, rest = int(row - block * N);
                 (faces >> (2 * d)) != 0;
                 ++d, rest /= q)
              {
                if (rest % q == 0 && (faces >> (2 * d) & 1u))
                  value *= 0.5;
                if (rest % q == q - 1 && (faces >> (2 * d + 1) & 1u))
                  value *= 0.5;
              }
          }
        field[i] = value;
      }



      template <typename Number, typename T, Layout layout>
      __global__ void
      __launch_bounds__(n_threads)
        collect_dofs_kernel(Number             *z,
                            const double        a,
                            const T            *u,
                            const Number       *v,
                            const unsigned int *copy_of_dof,
                            const std::size_t   n,
                            const int           N)
      {
        const std::size_t i = std::size_t(blockIdx.x) * n_threads + threadIdx.x;
        if (i >= n)
          return;
        const unsigned int copy = copy_of_dof[i];
        if (copy == no_copy)
          {
            z[i] = v[i];
            return;
          }
        std::size_t position = copy;
        if (layout == Layout::blocked)
          {
            const unsigned int cell = copy / (unsigned int)(N);
            position =
              (std::size_t(cell / B) * N + (copy - cell * N)) * B + cell % B;
          }
        z[i] = Number(a * double(u[position]));
      }
    } // namespace



    template <typename Number>
    void
    on_device::pack_dofs(double               *message,
                         const Number         *v,
                         const unsigned int   *dofs,
                         const std::size_t     n,
                         const device::Stream &stream)
    {
      device::launch(pack_dofs_kernel<Number>,
                     n_blocks_for(n),
                     n_threads,
                     0,
                     stream,
                     message,
                     v,
                     dofs,
                     n);
    }



    template <typename Number>
    void
    on_device::max_abs_of_dofs(const Number         *v,
                               const unsigned int   *copy_of_dof,
                               const std::size_t     n,
                               unsigned long long   *largest,
                               const device::Stream &stream)
    {
      device::launch(max_abs_of_dofs_kernel<Number>,
                     n_blocks_for((n + n_of_thread - 1) / n_of_thread),
                     n_threads,
                     0,
                     stream,
                     v,
                     copy_of_dof,
                     n,
                     largest);
    }



    template <typename Number>
    void
    on_device::gather_dofs(double               *field,
                           const Number         *v,
                           const double         *ghosts,
                           const unsigned int    n_owned_dofs,
                           const unsigned int   *dof_of_copy,
                           const unsigned char  *inner_faces,
                           const CellIndex       n_cells,
                           const int             n_nodes_of_axis,
                           const int             n_nodes,
                           const device::Stream &stream)
    {
      device::launch(inner_faces == nullptr ?
                       gather_dofs_kernel<Number, false> :
                       gather_dofs_kernel<Number, true>,
                     n_blocks_for((std::size_t(n_cells) + B - 1) / B * B *
                                  n_nodes),
                     n_threads,
                     0,
                     stream,
                     field,
                     v,
                     ghosts,
                     n_owned_dofs,
                     dof_of_copy,
                     inner_faces,
                     n_cells,
                     n_nodes_of_axis,
                     n_nodes);
    }



    template <typename Number, typename T, Layout layout>
    void
    on_device::collect_dofs(Number               *z,
                            const double          a,
                            const T              *u,
                            const Number         *v,
                            const unsigned int   *copy_of_dof,
                            const std::size_t     n,
                            const int             n_nodes,
                            const device::Stream &stream)
    {
      device::launch(collect_dofs_kernel<Number, T, layout>,
                     n_blocks_for(n),
                     n_threads,
                     0,
                     stream,
                     z,
                     a,
                     u,
                     v,
                     copy_of_dof,
                     n,
                     n_nodes);
    }



#define TESSERA_INSTANTIATE_COLLECT(Number, T, layout)      \
  template void on_device::collect_dofs<Number, T, layout>( \
    Number *,                                               \
    double,                                                 \
    const T *,                                              \
    const Number *,                                         \
    const unsigned int *,                                   \
    std::size_t,                                            \
    int,                                                    \
    const device::Stream &)
#define TESSERA_INSTANTIATE(Number)                                 \
  template void on_device::pack_dofs(double *,                      \
                                     const Number *,                \
                                     const unsigned int *,          \
                                     std::size_t,                   \
                                     const device::Stream &);       \
  template void on_device::max_abs_of_dofs(const Number *,          \
                                           const unsigned int *,    \
                                           std::size_t,             \
                                           unsigned long long *,    \
                                           const device::Stream &); \
  template void on_device::gather_dofs(double *,                    \
                                       const Number *,              \
                                       const double *,              \
                                       unsigned int,                \
                                       const unsigned int *,        \
                                       const unsigned char *,       \
                                       CellIndex,                   \
                                       int,                         \
                                       int,                         \
                                       const device::Stream &);     \
  TESSERA_INSTANTIATE_COLLECT(Number, float, Layout::contiguous);   \
  TESSERA_INSTANTIATE_COLLECT(Number, double, Layout::contiguous);  \
  TESSERA_INSTANTIATE_COLLECT(Number, double, Layout::blocked)

    TESSERA_INSTANTIATE(float);
    TESSERA_INSTANTIATE(double);
  } // namespace cellwise
} // namespace tessera
