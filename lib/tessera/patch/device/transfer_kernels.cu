// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>
#include <tessera/cellwise/device/supported_degrees.h>
#include <tessera/patch/device/transfer_launchers.h>
#include <tessera/patch/device/transfer_step.h>

#include <cstring>

namespace tessera
{
  namespace patch
  {
    using cellwise::cell_threads;
    using cellwise::cell_warps;
    using cellwise::power;

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
        using Families = FamiliesOfWarp<dim, T, power(q, dim)>;
        TESSERA_SHARED(T, rows, [cell_warps<T>][Families::n_shared]);
        restrict_residual_of_warp<dim, q>(
          coarse_b,
          u,
          b,
          parents,
          children,
          n_parents,
          TransferTables<T>{residual.inverse_eigenvectors,
                            residual.cell_eigenvalues,
                            {modal_embedding.entries[0],
                             modal_embedding.entries[1]},
                            {nullptr, nullptr}},
          std::size_t(cellwise::warp_of_cells()),
          rows[cellwise::warp_in_block()]);
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
        using Families = FamiliesOfWarp<dim, T, power(q, dim)>;
        TESSERA_SHARED(T, rows, [cell_warps<T>][Families::n_shared]);
        prolongate_and_add_of_warp<dim, q>(
          u,
          coarse_u,
          parents,
          children,
          n_parents,
          TransferTables<T>{nullptr,
                            nullptr,
                            {nullptr, nullptr},
                            {embedding.entries[0], embedding.entries[1]}},
          std::size_t(cellwise::warp_of_cells()),
          rows[cellwise::warp_in_block()]);
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
