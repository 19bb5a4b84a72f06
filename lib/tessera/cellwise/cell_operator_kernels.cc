// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/lanes.h>
#include <tessera/cellwise/cell_lanes.h>
#include <tessera/cellwise/cell_laplacian.h>
#include <tessera/cellwise/cell_operator_kernels.h>
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/max_abs_lanes.h>

#include <cstddef>

namespace tessera
{
  namespace cellwise
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      using namespace tessera::TESSERA_SIMD_NAMESPACE;

      namespace
      {
        constexpr int B = cells_per_block;

        using L = Lanes<double, native_width<double>()>;

        /** dst = A u, where b is not looked at, or b - A u. */
        template <int dim, int q, bool subtract_from_b>
        void
        apply_to_blocks(double         *dst,
                        const double   *b,
                        const double   *u,
                        const double   *inverse_eigenvectors,
                        const double   *eigenvalues,
                        const CellIndex n_blocks)
        {
          constexpr int N = power(q, dim);
          for (CellIndex block = 0; block < n_blocks; ++block)
            for (int lane = 0; lane < B; lane += L::width)
              {
                const std::size_t start = std::size_t(block) * N * B + lane;
                apply_cell_laplacian<dim, q, L>(
                  inverse_eigenvectors,
                  eigenvalues,
                  [&](const int k) {
                    prefetch<L>(u + start + (k + N) * B);
                    return L::load(u + start + k * B);
                  },
                  [&](const int k, typename L::V v) {
                    if constexpr (subtract_from_b)
                      {
                        prefetch<L>(b + start + (k + N) * B);
                        v = L::load(b + start + k * B) - v;
                      }
                    prefetch<L>(dst + start + (k + N) * B);
                    L::store(dst + start + k * B, v);
                  });
              }
        }

        template <int dim, int q>
        double
        step_blocks(double         *u,
                    double         *r,
                    const double    alpha,
                    const double   *d,
                    const double   *inverse_eigenvectors,
                    const double   *eigenvalues,
                    const CellIndex n_blocks,
                    const CellIndex n_owned)
        {
          constexpr int  N = power(q, dim);
          MaxAbsLanes<L> max;
          for (CellIndex block = 0; block < n_blocks; ++block)
            for (int lane = 0; lane < B; lane += L::width)
              {
                const std::size_t start = std::size_t(block) * N * B + lane;
                MaxAbsLanes<L>    max_of_cells;
                apply_cell_laplacian<dim, q, L>(
                  inverse_eigenvectors,
                  eigenvalues,
                  [&](const int k) {
                    prefetch<L>(d + start + (k + N) * B);
                    prefetch<L>(u + start + (k + N) * B);
                    double *const       p = u + start + k * B;
                    const typename L::V v = L::load(d + start + k * B);
                    L::store(p, L::fma(L::set(alpha), v, L::load(p)));
                    return v;
                  },
                  [&](const int k, const typename L::V v) {
                    prefetch<L>(r + start + (k + N) * B);
                    double *const       p = r + start + k * B;
                    const typename L::V x =
                      L::fnma(L::set(alpha), v, L::load(p));
                    L::store(p, x);
                    max_of_cells.add(x);
                  });
                max.add(max_of_cells,
                        L::first_lanes(n_owned - block * B - lane));
              }
          return max.result();
        }
      } // namespace



      template <int dim>
      void
      apply_laplacian(const int       degree,
                      double         *dst,
                      const double   *src,
                      const double   *inverse_eigenvectors,
                      const double   *eigenvalues,
                      const CellIndex n_blocks)
      {
        dispatch_degree(degree, [&](const auto p) {
          apply_to_blocks<dim, decltype(p)::value + 1, false>(
            dst, nullptr, src, inverse_eigenvectors, eigenvalues, n_blocks);
        });
      }



      template <int dim>
      void
      laplacian_residual(const int       degree,
                         double         *r,
                         const double   *b,
                         const double   *u,
                         const double   *inverse_eigenvectors,
                         const double   *eigenvalues,
                         const CellIndex n_blocks)
      {
        dispatch_degree(degree, [&](const auto p) {
          apply_to_blocks<dim, decltype(p)::value + 1, true>(
            r, b, u, inverse_eigenvectors, eigenvalues, n_blocks);
        });
      }



      template <int dim>
      double
      step_along_direction(const int       degree,
                           double         *u,
                           double         *r,
                           const double    alpha,
                           const double   *d,
                           const double   *inverse_eigenvectors,
                           const double   *eigenvalues,
                           const CellIndex n_blocks,
                           const CellIndex n_owned)
      {
        double max = 0.;
        dispatch_degree(degree, [&](const auto p) {
          max = step_blocks<dim, decltype(p)::value + 1>(u,
                                                         r,
                                                         alpha,
                                                         d,
                                                         inverse_eigenvectors,
                                                         eigenvalues,
                                                         n_blocks,
                                                         n_owned);
        });
        return max;
      }



#define TESSERA_INSTANTIATE(dim)                                               \
  template void apply_laplacian<dim>(                                          \
    int, double *, const double *, const double *, const double *, CellIndex); \
  template void   laplacian_residual<dim>(int,                                 \
                                        double *,                            \
                                        const double *,                      \
                                        const double *,                      \
                                        const double *,                      \
                                        const double *,                      \
                                        CellIndex);                          \
  template double step_along_direction<dim>(int,                               \
                                            double *,                          \
                                            double *,                          \
                                            double,                            \
                                            const double *,                    \
                                            const double *,                    \
                                            const double *,                    \
                                            CellIndex,                         \
                                            CellIndex)

      TESSERA_INSTANTIATE(2);
      TESSERA_INSTANTIATE(3);
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace cellwise
} // namespace tessera
