// SPDX-License-Identifier: LGPL-2.1-or-later
// Kernels of iterations that apply the operator besides.
#include <tessera/base/device/cuda_port.h>
#include <tessera/cellwise/cell_laplacian.h>
#include <tessera/cellwise/device/cell_matrices.h>
#include <tessera/cellwise/device/cell_operator_launchers.h>
#include <tessera/cellwise/device/cells_of_warp.h>
#include <tessera/cellwise/device/magnitude_bits.h>
#include <tessera/cellwise/device/supported_degrees.h>

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

      template <int dim, int q, typename Number>
      __global__ void
      __launch_bounds__(n_threads, min_cell_blocks<double>)
        correct_kernel(double *__restrict__ u,
                       const double a,
                       const Number *__restrict__ z,
                       double                            *r,
                       const double                      *b,
                       const CellMatrices<dim, q, double> matrices,
                       const CellIndex                    n_cells,
                       const CellIndex                    n_owned,
                       unsigned long long                *largest)
      {
        constexpr int N = power(q, dim);
        using OfLevel   = CellsOfLevel<Number, N>;
        TESSERA_SHARED(Number, rows, [n_warps][OfLevel::n_shared]);
        const CellIndex warp = warp_of_cells();
        if (warp * 32 >= n_cells)
          return;
        const Cells<N> cells(warp, n_cells, nullptr);
        const OfLevel  of_level(warp, n_cells, rows[warp_in_block()]);

        double values[N];
        of_level.fetch(z);
        apply_cell_laplacian<dim, q, L>(
          matrices.inverse_eigenvectors,
          matrices.eigenvalues,
          [&](const int k) {
            const double v =
              L::fma(a, double(of_level.load(z, k)), cells.load(u, k));
            cells.store(u, k, v);
            return v;
          },
          [&](const int k, const double v) { values[k] = v; });
        TESSERA_UNROLL_ON_DEVICE
        for (int k = 0; k < N; ++k)
          values[k] = cells.load(b, k) - values[k];
        LargestMagnitude magnitude;
        TESSERA_UNROLL_ON_DEVICE
        for (int k = 0; k < N; ++k)
          {
            cells.store(r, k, values[k]);
            magnitude.add(values[k]);
          }
        magnitude.report(warp * 32 + L::lane() < n_owned, largest);
      }



      template <int dim, int q, typename Number>
      __global__ void
      __launch_bounds__(n_threads, min_cell_blocks<double>)
        update_direction_kernel(double *__restrict__ energies,
                                double *__restrict__ d,
                                const double beta,
                                const double a,
                                const Number *__restrict__ z,
                                const CellMatrices<dim, q, double> matrices,
                                const CellIndex                    n_cells)
      {
        constexpr int N = power(q, dim);
        using OfLevel   = CellsOfLevel<Number, N>;
        TESSERA_SHARED(Number, rows, [n_warps][OfLevel::n_shared]);
        const CellIndex warp = warp_of_cells();
        if (warp * 32 >= n_cells)
          return;
        const Cells<N> cells(warp, n_cells, nullptr);
        const OfLevel  of_level(warp, n_cells, rows[warp_in_block()]);

        of_level.fetch(z);
        energies[warp * 32 + L::lane()] =
          cell_energy<dim, q, L>(matrices.inverse_eigenvectors,
                                 matrices.eigenvalues,
                                 [&](const int k) {
                                   const double v =
                                     L::fma(a,
                                            double(of_level.load(z, k)),
                                            beta * cells.load(d, k));
                                   cells.store(d, k, v);
                                   return v;
                                 });
      }



      template <int dim, int q>
      __global__ void
      __launch_bounds__(n_threads, min_cell_blocks<double>)
        step_kernel(double *__restrict__ u,
                    double *__restrict__ r,
                    const double alpha,
                    const double *__restrict__ d,
                    const CellMatrices<dim, q, double> matrices,
                    const CellIndex                    n_cells,
                    const CellIndex                    n_owned,
                    unsigned long long                *largest)
      {
        constexpr int   N    = power(q, dim);
        const CellIndex warp = warp_of_cells();
        if (warp * 32 >= n_cells)
          return;
        const Cells<N> cells(warp, n_cells, nullptr);

        LargestMagnitude magnitude;
        apply_cell_laplacian<dim, q, L>(
          matrices.inverse_eigenvectors,
          matrices.eigenvalues,
          [&](const int k) {
            const double v = cells.load(d, k);
            cells.store(u, k, L::fma(alpha, v, cells.load(u, k)));
            return v;
          },
          [&](const int k, const double v) {
            const double x = L::fnma(alpha, v, cells.load(r, k));
            cells.store(r, k, x);
            magnitude.add(x);
          });
        magnitude.report(warp * 32 + L::lane() < n_owned, largest);
      }
    } // namespace



    template <int dim, typename Number>
    void
    on_device::correct_and_residual(const int             degree,
                                    double               *u,
                                    const double          a,
                                    const Number         *z,
                                    double               *r,
                                    const double         *b,
                                    const double         *inverse_eigenvectors,
                                    const double         *eigenvalues,
                                    const CellIndex       n_cells,
                                    const CellIndex       n_owned,
                                    unsigned long long   *largest,
                                    const device::Stream &stream)
    {
      dispatch_device_degree(degree, [&](const auto p) {
        constexpr int q = decltype(p)::value + 1;
        device::launch(correct_kernel<dim, q, Number>,
                       n_cell_blocks<double>(n_cells),
                       n_threads,
                       0,
                       stream,
                       u,
                       a,
                       z,
                       r,
                       b,
                       CellMatrices<dim, q, double>(inverse_eigenvectors,
                                                    eigenvalues),
                       n_cells,
                       n_owned,
                       largest);
      });
    }



    template <int dim, typename Number>
    void
    on_device::scale_and_add_energy(const int             degree,
                                    double               *energies,
                                    double               *d,
                                    const double          beta,
                                    const double          a,
                                    const Number         *z,
                                    const double         *inverse_eigenvectors,
                                    const double         *eigenvalues,
                                    const CellIndex       n_cells,
                                    const device::Stream &stream)
    {
      dispatch_device_degree(degree, [&](const auto p) {
        constexpr int q = decltype(p)::value + 1;
        device::launch(update_direction_kernel<dim, q, Number>,
                       n_cell_blocks<double>(n_cells),
                       n_threads,
                       0,
                       stream,
                       energies,
                       d,
                       beta,
                       a,
                       z,
                       CellMatrices<dim, q, double>(inverse_eigenvectors,
                                                    eigenvalues),
                       n_cells);
      });
    }



    template <int dim>
    void
    on_device::step_along_direction(const int             degree,
                                    double               *u,
                                    double               *r,
                                    const double          alpha,
                                    const double         *d,
                                    const double         *inverse_eigenvectors,
                                    const double         *eigenvalues,
                                    const CellIndex       n_cells,
                                    const CellIndex       n_owned,
                                    unsigned long long   *largest,
                                    const device::Stream &stream)
    {
      dispatch_device_degree(degree, [&](const auto p) {
        constexpr int q = decltype(p)::value + 1;
        device::launch(step_kernel<dim, q>,
                       n_cell_blocks<double>(n_cells),
                       n_threads,
                       0,
                       stream,
                       u,
                       r,
                       alpha,
                       d,
                       CellMatrices<dim, q, double>(inverse_eigenvectors,
                                                    eigenvalues),
                       n_cells,
                       n_owned,
                       largest);
      });
    }



#define TESSERA_INSTANTIATE(dim, Number)                                      \
  template void on_device::correct_and_residual<dim>(int,                     \
                                                     double *,                \
                                                     double,                  \
                                                     const Number *,          \
                                                     double *,                \
                                                     const double *,          \
                                                     const double *,          \
                                                     const double *,          \
                                                     CellIndex,               \
                                                     CellIndex,               \
                                                     unsigned long long *,    \
                                                     const device::Stream &); \
  template void on_device::scale_and_add_energy<dim>(int,                     \
                                                     double *,                \
                                                     double *,                \
                                                     double,                  \
                                                     double,                  \
                                                     const Number *,          \
                                                     const double *,          \
                                                     const double *,          \
                                                     CellIndex,               \
                                                     const device::Stream &)

    TESSERA_INSTANTIATE(2, float);
    TESSERA_INSTANTIATE(2, double);
    TESSERA_INSTANTIATE(3, float);
    TESSERA_INSTANTIATE(3, double);

#undef TESSERA_INSTANTIATE
#define TESSERA_INSTANTIATE(dim)                                           \
  template void on_device::step_along_direction<dim>(int,                  \
                                                     double *,             \
                                                     double *,             \
                                                     double,               \
                                                     const double *,       \
                                                     const double *,       \
                                                     const double *,       \
                                                     CellIndex,            \
                                                     CellIndex,            \
                                                     unsigned long long *, \
                                                     const device::Stream &)
    TESSERA_INSTANTIATE(2);
    TESSERA_INSTANTIATE(3);
  } // namespace cellwise
} // namespace tessera
