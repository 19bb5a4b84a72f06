// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>
#include <tessera/cellwise/device/cells_of_warp.h>
#include <tessera/cellwise/device/field_launchers.h>
#include <tessera/cellwise/device/magnitude_bits.h>
#include <tessera/cellwise/device/supported_degrees.h>
#include <tessera/cellwise/tensor_transforms.h>

#include <cstring>

namespace tessera
{
  namespace cellwise
  {
    namespace
    {
      using L = device::WarpLanes<double>;

      constexpr int n_threads = cell_threads<double>;
      constexpr int n_warps   = cell_warps<double>;

      template <int N>
      using Cells = CellsOfWarp<double, Layout::blocked, N>;

      template <typename Number, int N>
      using CellsOfLevel = CellsOfWarp<Number, Layout::contiguous, N>;

      template <int N,
                typename To,
                Layout to_layout,
                typename From,
                Layout from_layout>
      __global__ void
      __launch_bounds__(n_threads)
        convert_kernel(To *dst, const From *src, const CellIndex n_cells)
      {
        using Target = CellsOfWarp<To, to_layout, N>;
        using Source = CellsOfWarp<From, from_layout, N>;
        TESSERA_SHARED(To, to_rows, [n_warps][Target::n_shared]);
        TESSERA_SHARED(From, from_rows, [n_warps][Source::n_shared]);
        const CellIndex warp = warp_of_cells();
        if (warp * 32 >= n_cells)
          return;
        const Target target(warp, n_cells, to_rows[warp_in_block()]);
        const Source source(warp, n_cells, from_rows[warp_in_block()]);
        source.fetch(src);
        TESSERA_UNROLL_ON_DEVICE
        for (int k = 0; k < N; ++k)
          target.store(dst, k, To(source.load(src, k)));
        target.flush(dst);
      }



      template <int N, typename Number>
      __global__ void
      __launch_bounds__(n_threads) add_kernel(double *__restrict__ u,
                                              const double a,
                                              const Number *__restrict__ z,
                                              const CellIndex n_cells)
      {
        using OfLevel = CellsOfLevel<Number, N>;
        TESSERA_SHARED(Number, rows, [n_warps][OfLevel::n_shared]);
        const CellIndex warp = warp_of_cells();
        if (warp * 32 >= n_cells)
          return;
        const Cells<N> cells(warp, n_cells, nullptr);
        const OfLevel  of_level(warp, n_cells, rows[warp_in_block()]);
        of_level.fetch(z);
        TESSERA_UNROLL_ON_DEVICE
        for (int k = 0; k < N; ++k)
          cells.store(u,
                      k,
                      L::fma(a, double(of_level.load(z, k)), cells.load(u, k)));
      }



      template <int N, typename Number>
      __global__ void
      __launch_bounds__(n_threads) dot_kernel(double *__restrict__ sums,
                                              const double *__restrict__ r,
                                              const Number *__restrict__ z,
                                              const CellIndex n_cells)
      {
        using OfLevel = CellsOfLevel<Number, N>;
        TESSERA_SHARED(Number, rows, [n_warps][OfLevel::n_shared]);
        const CellIndex warp = warp_of_cells();
        if (warp * 32 >= n_cells)
          return;
        const Cells<N> cells(warp, n_cells, nullptr);
        const OfLevel  of_level(warp, n_cells, rows[warp_in_block()]);
        of_level.fetch(z);
        double sum = 0;
        TESSERA_UNROLL_ON_DEVICE
        for (int k = 0; k < N; ++k)
          sum = L::fma(cells.load(r, k), double(of_level.load(z, k)), sum);
        sums[warp * 32 + L::lane()] = sum;
      }



      template <int N>
      __global__ void
      __launch_bounds__(n_threads) max_abs_kernel(const double       *r,
                                                  const CellIndex     n_owned,
                                                  unsigned long long *largest)
      {
        const CellIndex warp = warp_of_cells();
        if (warp * 32 >= n_owned)
          return;
        const Cells<N>   cells(warp, n_owned, nullptr);
        LargestMagnitude magnitude;
        TESSERA_UNROLL_ON_DEVICE
        for (int k = 0; k < N; ++k)
          magnitude.add(cells.load(r, k));
        magnitude.report(warp * 32 + L::lane() < n_owned, largest);
      }



      /** A matrix as a parameter of a kernel, see CellMatrices. */
      template <int q>
      struct Matrix
      {
        double entries[q * q];
      };

      template <int dim, int q, typename Number>
      __global__ void
      __launch_bounds__(n_threads, min_cell_blocks<double>)
        to_modal_kernel(Number         *b,
                        const double    a,
                        const Matrix<q> A,
                        const double   *r,
                        const CellIndex n_cells)
      {
        constexpr int N = power(q, dim);
        using OfLevel   = CellsOfLevel<Number, N>;
        TESSERA_SHARED(Number, rows, [n_warps][OfLevel::n_shared]);
        const CellIndex warp = warp_of_cells();
        if (warp * 32 >= n_cells)
          return;
        const Cells<N> cells(warp, n_cells, nullptr);
        const OfLevel  of_level(warp, n_cells, rows[warp_in_block()]);
        double         values[N];
        load_slabs_to_modes<dim, q, L>(
          A.entries, [&](const int k) { return cells.load(r, k); }, values);
        transform_last_axis<TransformDirection::to_modes, dim, q, L>(A.entries,
                                                                     values);
        TESSERA_UNROLL_ON_DEVICE
        for (int k = 0; k < N; ++k)
          of_level.store(b, k, Number(a * values[k]));
        of_level.flush(b);
      }
    } // namespace



    template <typename To, Layout to_layout, typename From, Layout from_layout>
    void
    on_device::convert(To                   *dst,
                       const From           *src,
                       const CellIndex       n_cells,
                       const int             n_nodes,
                       const device::Stream &stream)
    {
      dispatch_device_nodes(n_nodes, [&](const auto n) {
        constexpr int N = decltype(n)::value;
        device::launch(convert_kernel<N, To, to_layout, From, from_layout>,
                       n_cell_blocks<double>(n_cells),
                       n_threads,
                       0,
                       stream,
                       dst,
                       src,
                       n_cells);
      });
    }



    template <typename Number>
    void
    on_device::add(double               *u,
                   const double          a,
                   const Number         *z,
                   const CellIndex       n_cells,
                   const int             n_nodes,
                   const device::Stream &stream)
    {
      dispatch_device_nodes(n_nodes, [&](const auto n) {
        constexpr int N = decltype(n)::value;
        device::launch(add_kernel<N, Number>,
                       n_cell_blocks<double>(n_cells),
                       n_threads,
                       0,
                       stream,
                       u,
                       a,
                       z,
                       n_cells);
      });
    }



    template <typename Number>
    void
    on_device::dot(double               *sums,
                   const double         *r,
                   const Number         *z,
                   const CellIndex       n_cells,
                   const int             n_nodes,
                   const device::Stream &stream)
    {
      dispatch_device_nodes(n_nodes, [&](const auto n) {
        constexpr int N = decltype(n)::value;
        device::launch(dot_kernel<N, Number>,
                       n_cell_blocks<double>(n_cells),
                       n_threads,
                       0,
                       stream,
                       sums,
                       r,
                       z,
                       n_cells);
      });
    }



    void
    on_device::max_abs(const double         *r,
                       const CellIndex       n_owned,
                       const int             n_nodes,
                       unsigned long long   *largest,
                       const device::Stream &stream)
    {
      dispatch_device_nodes(n_nodes, [&](const auto n) {
        constexpr int N = decltype(n)::value;
        device::launch(max_abs_kernel<N>,
                       n_cell_blocks<double>(n_owned),
                       n_threads,
                       0,
                       stream,
                       r,
                       n_owned,
                       largest);
      });
    }



    template <int dim, typename Number>
    void
    on_device::transform_and_scale(const int             degree,
                                   Number               *b,
                                   const double          a,
                                   const double         *A,
                                   const double         *r,
                                   const CellIndex       n_cells,
                                   const device::Stream &stream)
    {
      dispatch_device_degree(degree, [&](const auto p) {
        constexpr int q = decltype(p)::value + 1;
        Matrix<q>     matrix;
        std::memcpy(matrix.entries, A, sizeof(matrix.entries));
        device::launch(to_modal_kernel<dim, q, Number>,
                       n_cell_blocks<double>(n_cells),
                       n_threads,
                       0,
                       stream,
                       b,
                       a,
                       matrix,
                       r,
                       n_cells);
      });
    }



#define TESSERA_CONVERT(To, to_layout, From, from_layout)             \
  template void on_device::convert<To, to_layout, From, from_layout>( \
    To *, const From *, CellIndex, int, const device::Stream &)

    TESSERA_CONVERT(float, Layout::contiguous, double, Layout::blocked);
    TESSERA_CONVERT(double, Layout::contiguous, double, Layout::blocked);
    TESSERA_CONVERT(double, Layout::blocked, float, Layout::contiguous);
    TESSERA_CONVERT(double, Layout::blocked, double, Layout::contiguous);
    TESSERA_CONVERT(float, Layout::contiguous, float, Layout::blocked);
    TESSERA_CONVERT(float, Layout::blocked, float, Layout::contiguous);

#define TESSERA_INSTANTIATE(Number)                                            \
  template void on_device::add(                                                \
    double *, double, const Number *, CellIndex, int, const device::Stream &); \
  template void on_device::dot(double *,                                       \
                               const double *,                                 \
                               const Number *,                                 \
                               CellIndex,                                      \
                               int,                                            \
                               const device::Stream &);                        \
  template void on_device::transform_and_scale<2>(int,                         \
                                                  Number *,                    \
                                                  double,                      \
                                                  const double *,              \
                                                  const double *,              \
                                                  CellIndex,                   \
                                                  const device::Stream &);     \
  template void on_device::transform_and_scale<3>(int,                         \
                                                  Number *,                    \
                                                  double,                      \
                                                  const double *,              \
                                                  const double *,              \
                                                  CellIndex,                   \
                                                  const device::Stream &)

    TESSERA_INSTANTIATE(float);
    TESSERA_INSTANTIATE(double);
  } // namespace cellwise
} // namespace tessera
