// SPDX-License-Identifier: LGPL-2.1-or-later
// Kernels that move copies of degrees of freedom between cells, and cells
// between fields and messages: a thread a value, without arithmetic to speak
// of.
#include <tessera/base/device/cuda_port.h>
#include <tessera/cellwise/device/field_launchers.h>
#include <tessera/cellwise/device/layout.h>

#include <cstddef>
#include <type_traits>

namespace tessera
{
  namespace cellwise
  {
    namespace
    {
      constexpr int B         = cells_per_device_block;
      constexpr int n_threads = 256;

      /** Where value k of a cell of N values is. */
      template <Layout layout>
      __device__ __forceinline__ std::size_t
      position(const CellIndex cell, const int k, const int N)
      {
        return layout == Layout::blocked ?
                 (std::size_t(cell / B) * N + k) * B + cell % B :
                 std::size_t(cell) * N + k;
      }

      unsigned int
      n_blocks_for(const std::size_t n)
      {
        return (unsigned int)((n + n_threads - 1) / n_threads);
      }

      template <typename T, Layout layout, bool to_message>
      __global__ void
      __launch_bounds__(n_threads)
        copy_cells_kernel(std::conditional_t<to_message, T, const T> *message,
                          std::conditional_t<to_message, const T, T> *field,
                          const CellIndex                            *cells,
                          const CellIndex                             n,
                          const int                                   N)
      {
        const std::size_t i = std::size_t(blockIdx.x) * n_threads + threadIdx.x;
        if (i >= std::size_t(n) * N)
          return;
        const int  k = int(i % N);
        const auto p = position<layout>(cells[i / N], k, N);
        if constexpr (to_message)
          message[i] = field[p];
        else
          field[p] = message[i];
      }



      /** Threads of a warp take the same node of 32 cells, one after the other
       * in memory; the next warp takes the next node. There are fewer than
       * $2^{32}$ warps where there is memory for the cells. */
      struct NodeOfCells
      {
        __device__
        NodeOfCells(const int n_nodes)
        {
          const unsigned int warp =
            blockIdx.x * (n_threads / 32) + threadIdx.x / 32;
          const unsigned int block = warp / (unsigned int)(n_nodes);
          node                     = int(warp - block * n_nodes);
          cell                     = std::size_t(block) * 32 + threadIdx.x % 32;
        }

        int         node;
        std::size_t cell;
      };

      std::size_t
      n_threads_for(const CellIndex n_cells, const int n_nodes)
      {
        return (std::size_t(n_cells) + 31) / 32 * 32 * n_nodes;
      }

      __global__ void
      __launch_bounds__(n_threads)
        combine_copies_kernel(double          *r,
                              const double     factor,
                              const CellIndex *upper,
                              const CellIndex  n_cells,
                              const int        q,
                              const int        N,
                              const int        stride)
      {
        const NodeOfCells on_face(N / q);
        if (on_face.cell >= std::size_t(n_cells))
          return;
        const CellIndex neighbour = upper[on_face.cell];
        if (neighbour == no_cell)
          return;
        // Nodes of the lower face, of which the coordinate along the axis is
        // zero.
        const int k =
          on_face.node / stride * stride * q + on_face.node % stride;
        double *const a = r + position<Layout::blocked>(CellIndex(on_face.cell),
                                                        k + (q - 1) * stride,
                                                        N);
        double *const b = r + position<Layout::blocked>(neighbour, k, N);
        const double  c = factor * (*a + *b);
        *a              = c;
        *b              = c;
      }



      __global__ void
      __launch_bounds__(n_threads) zero_nodes_kernel(double             *r,
                                                     const CellIndex    *cells,
                                                     const unsigned int *faces,
                                                     const CellIndex     n,
                                                     const int           q,
                                                     const int           N)
      {
        const NodeOfCells of_cells(N);
        if (of_cells.cell >= std::size_t(n))
          return;
        const unsigned int faces_of_cell = faces[of_cells.cell];
        bool               is_on_a_face  = false;
        for (int d = 0, rest = of_cells.node; (1u << (2 * d)) <= faces_of_cell;
             ++d, rest /= q)
          is_on_a_face =
            is_on_a_face ||
            (rest % q == 0 && (faces_of_cell >> (2 * d) & 1u)) ||
            (rest % q == q - 1 && (faces_of_cell >> (2 * d + 1) & 1u));
        if (is_on_a_face)
          r[position<Layout::blocked>(cells[of_cells.cell], of_cells.node, N)] =
            0.;
      }
    } // namespace



    template <typename T, Layout layout>
    void
    on_device::pack_cells(T                    *message,
                          const T              *field,
                          const CellIndex      *cells,
                          const CellIndex       n,
                          const int             n_nodes,
                          const device::Stream &stream)
    {
      device::launch(copy_cells_kernel<T, layout, true>,
                     n_blocks_for(std::size_t(n) * n_nodes),
                     n_threads,
                     0,
                     stream,
                     message,
                     field,
                     cells,
                     n,
                     n_nodes);
    }



    template <typename T, Layout layout>
    void
    on_device::unpack_cells(T                    *field,
                            const T              *message,
                            const CellIndex      *cells,
                            const CellIndex       n,
                            const int             n_nodes,
                            const device::Stream &stream)
    {
      device::launch(copy_cells_kernel<T, layout, false>,
                     n_blocks_for(std::size_t(n) * n_nodes),
                     n_threads,
                     0,
                     stream,
                     message,
                     field,
                     cells,
                     n,
                     n_nodes);
    }



    void
    on_device::combine_copies(double               *r,
                              const double          factor,
                              const CellIndex      *upper,
                              const CellIndex       n_cells,
                              const int             n_nodes_of_axis,
                              const int             n_nodes,
                              const int             axis,
                              const device::Stream &stream)
    {
      int stride = 1;
      for (int d = 0; d < axis; ++d)
        stride *= n_nodes_of_axis;
      device::launch(combine_copies_kernel,
                     n_blocks_for(
                       n_threads_for(n_cells, n_nodes / n_nodes_of_axis)),
                     n_threads,
                     0,
                     stream,
                     r,
                     factor,
                     upper,
                     n_cells,
                     n_nodes_of_axis,
                     n_nodes,
                     stride);
    }



    void
    on_device::zero_nodes_of_faces(double               *r,
                                   const CellIndex      *cells,
                                   const unsigned int   *faces,
                                   const CellIndex       n,
                                   const int             n_nodes_of_axis,
                                   const int             n_nodes,
                                   const device::Stream &stream)
    {
      device::launch(zero_nodes_kernel,
                     n_blocks_for(n_threads_for(n, n_nodes)),
                     n_threads,
                     0,
                     stream,
                     r,
                     cells,
                     faces,
                     n,
                     n_nodes_of_axis,
                     n_nodes);
    }



#define TESSERA_INSTANTIATE(T, layout)                                    \
  template void on_device::pack_cells<T, layout>(T *,                     \
                                                 const T *,               \
                                                 const CellIndex *,       \
                                                 CellIndex,               \
                                                 int,                     \
                                                 const device::Stream &); \
  template void on_device::unpack_cells<T, layout>(                       \
    T *, const T *, const CellIndex *, CellIndex, int, const device::Stream &)

    TESSERA_INSTANTIATE(double, Layout::blocked);
    TESSERA_INSTANTIATE(double, Layout::contiguous);
    TESSERA_INSTANTIATE(float, Layout::contiguous);
  } // namespace cellwise
} // namespace tessera
