// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_cells_of_warp_h
#define tessera_cellwise_device_cells_of_warp_h

// For kernel sources.

#include <tessera/base/device/cuda_port.h>
#include <tessera/base/device/warp_lanes.h>
#include <tessera/cellwise/device/layout.h>

#include <cstddef>

namespace tessera
{
  namespace cellwise
  {
    /** Threads of a block whose threads hold the values of a cell of T. */
    template <typename T>
    inline constexpr int cell_threads = sizeof(T) == 4 ? 128 : 64;

    /** Of these, as many shall fit onto a multiprocessor with its 65536
     * registers: that is 168 a thread. */
    template <typename T>
    inline constexpr int min_cell_blocks = 384 / cell_threads<T>;

    template <typename T>
    inline constexpr int cell_warps = cell_threads<T> / 32;

    /** Blocks of a grid with a thread for each of n_cells cells. */
    template <typename T>
    unsigned int
    n_cell_blocks(const CellIndex n_cells)
    {
      return (unsigned int)((std::size_t(n_cells) + cell_threads<T> - 1) /
                            cell_threads<T>);
    }

    /** The number of this warp in the grid: its cells are those from 32 times
     * this number on, one a lane. */
    inline __device__ CellIndex
    warp_of_cells()
    {
      return CellIndex((blockIdx.x * blockDim.x + threadIdx.x) / 32u);
    }

    /** The warp in its block. */
    inline __device__ int
    warp_in_block()
    {
      return int(threadIdx.x / 32u);
    }

    /**
     * The 32 cells of a warp, from a number on that is a multiple of 32, of
     * fields with N values a cell; one cell a lane.
     *
     * For any layout, a field is read by fetch(field), then load(field, k) for
     * values k of a lane's own cell in any order; and written by store(field,
     * k, value) for all of them, then flush(field). All lanes take part in
     * fetch() and flush(), with whatever they have stored. Cells beyond
     * n_cells are padding, or zeros that are not written.
     */
    template <typename T, Layout layout, int N>
    class CellsOfWarp;

    /** Blocked: a value of all lanes is one piece of memory. */
    template <typename T, int N>
    class CellsOfWarp<T, Layout::blocked, N>
    {
    public:
      /** Values of shared memory that a warp needs. */
      static constexpr int n_shared = 1;

      __device__
      CellsOfWarp(const CellIndex warp, const CellIndex, T *)
        : first(std::size_t(warp) * N * cells_per_device_block +
                device::WarpLanes<T>::lane())
      {}

      __device__ __forceinline__ void
      fetch(const T *) const
      {}

      __device__ __forceinline__ T
      load(const T *field, const int k) const
      {
        return field[first + k * cells_per_device_block];
      }

      __device__ __forceinline__ void
      store(T *field, const int k, const T value) const
      {
        field[first + k * cells_per_device_block] = value;
      }

      __device__ __forceinline__ void
      flush(T *) const
      {}

    private:
      std::size_t first;
    };

    /** A row for each of 32 cells in shared memory: consecutive lanes meet
     * consecutive banks along a row, and different ones down a column. */
    template <int N>
    struct CellRows
    {
      static constexpr int length   = N % 2 == 0 ? N + 1 : N;
      static constexpr int n_shared = 32 * length;
    };

    /** Contiguous: through rows in shared memory, all of it in pieces of 32
     * consecutive values. One field at a time is in them. */
    template <typename T, int N>
    class CellsOfWarp<T, Layout::contiguous, N>
    {
    public:
      static constexpr int n_shared = CellRows<N>::n_shared;

      /** @param[in] rows_of_warp n_shared values. */
      __device__
      CellsOfWarp(const CellIndex warp,
                  const CellIndex n_cells,
                  T              *rows_of_warp)
        : first(std::size_t(warp) * 32 * N)
        , n_values(int((n_cells - warp * 32 < 32 ? n_cells - warp * 32 : 32)) *
                   N)
        , rows(rows_of_warp)
        , row(rows_of_warp + device::WarpLanes<T>::lane() * CellRows<N>::length)
      {}

      __device__ __forceinline__ void
      fetch(const T *field) const
      {
        // Lanes may still read what was here before.
        __syncwarp();
        // Values on their way take registers: not too many at a time.
        constexpr int n_together = N % 16 == 0 ? 16 : N;
#if defined(__CUDACC__)
#  pragma unroll 1
#endif
        for (int piece = 0; piece < N; piece += n_together)
          {
            TESSERA_UNROLL_ON_DEVICE
            for (int j = 0; j < n_together; ++j)
              {
                const int i       = value_of_lane(piece + j);
                rows[position(i)] = i < n_values ? field[first + i] : T(0);
              }
          }
        __syncwarp();
      }

      __device__ __forceinline__ T
      load(const T *, const int k) const
      {
        return row[k];
      }

      __device__ __forceinline__ void
      store(T *, const int k, const T value) const
      {
        row[k] = value;
      }

      __device__ __forceinline__ void
      flush(T *field) const
      {
        __syncwarp();
        TESSERA_UNROLL_ON_DEVICE
        for (int piece = 0; piece < N; ++piece)
          {
            const int i = value_of_lane(piece);
            if (i < n_values)
              field[first + i] = rows[position(i)];
          }
      }

    private:
      static __device__ __forceinline__ int
      value_of_lane(const int piece)
      {
        return piece * 32 + device::WarpLanes<T>::lane();
      }

      /** In the rows, of a value of the 32 cells. */
      static __device__ __forceinline__ int
      position(const int i)
      {
        return i / N * CellRows<N>::length + i % N;
      }

      std::size_t first;
      int         n_values;
      T          *rows;
      T          *row;
    };
  } // namespace cellwise
} // namespace tessera

#endif
