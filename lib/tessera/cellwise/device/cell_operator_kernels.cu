// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>
#include <tessera/cellwise/cell_laplacian.h>
#include <tessera/cellwise/device/cell_matrices.h>
#include <tessera/cellwise/device/cell_operator_launchers.h>
#include <tessera/cellwise/device/cells_of_warp.h>
#include <tessera/cellwise/device/supported_degrees.h>

namespace tessera
{
  namespace cellwise
  {
    namespace
    {
      /** dst = A u, where b is not looked at, or b - A u. */
      template <int dim, int q, typename T, Layout layout, bool subtract_from_b>
      __global__ void
      __launch_bounds__(cell_threads<T>, min_cell_blocks<T>)
        apply_laplacian_kernel(T                            *dst,
                               const T                      *b,
                               const T                      *u,
                               const CellMatrices<dim, q, T> matrices,
                               const CellIndex               n_cells)
      {
        constexpr int N = power(q, dim);
        using Cells     = CellsOfWarp<T, layout, N>;
        TESSERA_SHARED(T, rows, [cell_warps<T>][Cells::n_shared]);
        const CellIndex warp = warp_of_cells();
        if (warp * 32 >= n_cells)
          return;
        const Cells cells(warp, n_cells, rows[warp_in_block()]);

        T values[N];
        cells.fetch(u);
        apply_cell_laplacian<dim, q, device::WarpLanes<T>>(
          matrices.inverse_eigenvectors,
          matrices.eigenvalues,
          [&](const int k) { return cells.load(u, k); },
          [&](const int k, const T value) { values[k] = value; });
        if constexpr (subtract_from_b)
          {
            // All is loaded before anything is stored: dst may be b.
            cells.fetch(b);
            TESSERA_UNROLL_ON_DEVICE
            for (int k = 0; k < N; ++k)
              values[k] = cells.load(b, k) - values[k];
          }
        TESSERA_UNROLL_ON_DEVICE
        for (int k = 0; k < N; ++k)
          cells.store(dst, k, values[k]);
        cells.flush(dst);
      }

      template <int dim, typename T, Layout layout, bool subtract_from_b>
      void
      launch_apply_laplacian(const int             degree,
                             T                    *dst,
                             const T              *b,
                             const T              *u,
                             const T              *inverse_eigenvectors,
                             const T              *eigenvalues,
                             const CellIndex       n_cells,
                             const device::Stream &stream)
      {
        dispatch_device_degree(degree, [&](const auto p) {
          constexpr int q = decltype(p)::value + 1;
          device::launch(
            apply_laplacian_kernel<dim, q, T, layout, subtract_from_b>,
            n_cell_blocks<T>(n_cells),
            cell_threads<T>,
            0,
            stream,
            dst,
            b,
            u,
            CellMatrices<dim, q, T>(inverse_eigenvectors, eigenvalues),
            n_cells);
        });
      }
    } // namespace



    template <int dim, typename T, Layout layout>
    void
    on_device::apply_laplacian(const int             degree,
                               T                    *dst,
                               const T              *src,
                               const T              *inverse_eigenvectors,
                               const T              *eigenvalues,
                               const CellIndex       n_cells,
                               const device::Stream &stream)
    {
      launch_apply_laplacian<dim, T, layout, false>(degree,
                                                    dst,
                                                    nullptr,
                                                    src,
                                                    inverse_eigenvectors,
                                                    eigenvalues,
                                                    n_cells,
                                                    stream);
    }



    template <int dim, typename T, Layout layout>
    void
    on_device::laplacian_residual(const int             degree,
                                  T                    *r,
                                  const T              *b,
                                  const T              *u,
                                  const T              *inverse_eigenvectors,
                                  const T              *eigenvalues,
                                  const CellIndex       n_cells,
                                  const device::Stream &stream)
    {
      launch_apply_laplacian<dim, T, layout, true>(
        degree, r, b, u, inverse_eigenvectors, eigenvalues, n_cells, stream);
    }



#define TESSERA_INSTANTIATE(dim, T, layout)                    \
  template void on_device::apply_laplacian<dim, T, layout>(    \
    int,                                                       \
    T *,                                                       \
    const T *,                                                 \
    const T *,                                                 \
    const T *,                                                 \
    CellIndex,                                                 \
    const device::Stream &);                                   \
  template void on_device::laplacian_residual<dim, T, layout>( \
    int,                                                       \
    T *,                                                       \
    const T *,                                                 \
    const T *,                                                 \
    const T *,                                                 \
    const T *,                                                 \
    CellIndex,                                                 \
    const device::Stream &)

    TESSERA_INSTANTIATE(2, double, Layout::blocked);
    TESSERA_INSTANTIATE(3, double, Layout::blocked);
    TESSERA_INSTANTIATE(2, float, Layout::blocked);
    TESSERA_INSTANTIATE(3, float, Layout::blocked);
    TESSERA_INSTANTIATE(2, float, Layout::contiguous);
    TESSERA_INSTANTIATE(3, float, Layout::contiguous);
  } // namespace cellwise
} // namespace tessera
