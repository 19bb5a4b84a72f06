// SPDX-License-Identifier: LGPL-2.1-or-later
// Those kernels of CellOperator that take the correction of a level.
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

        template <typename Number>
        using Level = Lanes<Number, native_width<Number>()>;

        /** The lanes of a register of the level, in double. */
        template <typename Number>
        using Widened = Lanes<double, Level<Number>::width>;

        /**
         * x <- s x + a z for one register of cells of the level, x blocked, z
         * contiguous with n_cells cells from the first of these on. Without
         * @p scale, s is 1 and not looked at. With @p fetch_next, the next
         * block of x is brought into the cache: only if the caller has no
         * longer computation to do that beside.
         */
        template <int N, bool scale, bool fetch_next, typename Number>
        TESSERA_ALWAYS_INLINE void
        scale_and_add_cells(double         *x,
                            const double    s,
                            const double    a,
                            const Number   *z,
                            const CellIndex n_cells)
        {
          using D = Widened<Number>;
          for_each_node<Level<Number>>(
            z, n_cells, N, [&](const int k, const typename Level<Number>::V v) {
              if constexpr (fetch_next)
                prefetch<D>(x + (k + N) * B);
              typename D::V y = D::load(x + k * B);
              if constexpr (scale)
                y = D::set(s) * y;
              D::store(x + k * B,
                       D::fma(D::set(a),
                              Level<Number>::template convert<double>(v),
                              y));
            });
        }

        template <int dim, int q, typename Number>
        double
        correct_blocks(double         *u,
                       const double    a,
                       const Number   *z,
                       double         *r,
                       const double   *b,
                       const double   *inverse_eigenvectors,
                       const double   *eigenvalues,
                       const CellIndex n_cells,
                       const CellIndex n_owned)
        {
          constexpr int  N = power(q, dim), width = Level<Number>::width;
          MaxAbsLanes<L> max;
          for (CellIndex cell = 0; cell < n_cells; cell += B)
            for (int first = 0; first < B; first += width)
              {
                const std::size_t block = std::size_t(cell) * N + first;
                scale_and_add_cells<N, false, false>(
                  u + block,
                  1.,
                  a,
                  z + std::size_t(cell + first) * N,
                  n_cells - cell - first);
                // What has been written is still in the cache.
                for (int lane = 0; lane < width; lane += L::width)
                  {
                    const std::size_t start = block + lane;
                    MaxAbsLanes<L>    max_of_cells;
                    apply_cell_laplacian<dim, q, L>(
                      inverse_eigenvectors,
                      eigenvalues,
                      [&](const int k) {
                        prefetch<L>(u + start + (k + N) * B);
                        return L::load(u + start + k * B);
                      },
                      [&](const int k, const typename L::V v) {
                        prefetch<L>(b + start + (k + N) * B);
                        prefetch<L>(r + start + (k + N) * B);
                        const typename L::V x = L::load(b + start + k * B) - v;
                        L::store(r + start + k * B, x);
                        max_of_cells.add(x);
                      });
                    max.add(max_of_cells,
                            L::first_lanes(n_owned - cell - first - lane));
                  }
              }
          return max.result();
        }

        template <int dim, int q, typename Number>
        void
        scale_and_add_energy_of_blocks(double         *energies,
                                       double         *d,
                                       const double    beta,
                                       const double    a,
                                       const Number   *z,
                                       const double   *inverse_eigenvectors,
                                       const double   *eigenvalues,
                                       const CellIndex n_cells)
        {
          constexpr int N = power(q, dim), width = Level<Number>::width;
          for (CellIndex cell = 0; cell < n_cells; cell += B)
            for (int first = 0; first < B; first += width)
              {
                const std::size_t block = std::size_t(cell) * N + first;
                scale_and_add_cells<N, true, true>(d + block,
                                                   beta,
                                                   a,
                                                   z +
                                                     std::size_t(cell + first) *
                                                       N,
                                                   n_cells - cell - first);
                for (int lane = 0; lane < width; lane += L::width)
                  L::store(energies + cell + first + lane,
                           cell_energy<dim, q, L>(inverse_eigenvectors,
                                                  eigenvalues,
                                                  [&](const int k) {
                                                    return L::load(
                                                      d + block + lane + k * B);
                                                  }));
              }
        }
      } // namespace



      template <int dim, typename Number>
      double
      correct_and_residual(const int       degree,
                           double         *u,
                           const double    a,
                           const Number   *z,
                           double         *r,
                           const double   *b,
                           const double   *inverse_eigenvectors,
                           const double   *eigenvalues,
                           const CellIndex n_cells,
                           const CellIndex n_owned)
      {
        double max = 0.;
        dispatch_degree(degree, [&](const auto p) {
          max = correct_blocks<dim, decltype(p)::value + 1>(
            u, a, z, r, b, inverse_eigenvectors, eigenvalues, n_cells, n_owned);
        });
        return max;
      }



      template <int dim, typename Number>
      void
      scale_and_add_energy(const int       degree,
                           double         *energies,
                           double         *d,
                           const double    beta,
                           const double    a,
                           const Number   *z,
                           const double   *inverse_eigenvectors,
                           const double   *eigenvalues,
                           const CellIndex n_cells)
      {
        dispatch_degree(degree, [&](const auto p) {
          scale_and_add_energy_of_blocks<dim, decltype(p)::value + 1>(
            energies,
            d,
            beta,
            a,
            z,
            inverse_eigenvectors,
            eigenvalues,
            n_cells);
        });
      }



#define TESSERA_INSTANTIATE(dim, Number)                    \
  template double correct_and_residual<dim>(int,            \
                                            double *,       \
                                            double,         \
                                            const Number *, \
                                            double *,       \
                                            const double *, \
                                            const double *, \
                                            const double *, \
                                            CellIndex,      \
                                            CellIndex);     \
  template void   scale_and_add_energy<dim>(int,            \
                                          double *,       \
                                          double *,       \
                                          double,         \
                                          double,         \
                                          const Number *, \
                                          const double *, \
                                          const double *, \
                                          CellIndex)

      TESSERA_INSTANTIATE(2, float);
      TESSERA_INSTANTIATE(2, double);
      TESSERA_INSTANTIATE(3, float);
      TESSERA_INSTANTIATE(3, double);
    } // namespace TESSERA_SIMD_NAMESPACE
  }     // namespace cellwise
} // namespace tessera
