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

        /** Values of the level, in double. */
        template <typename Number>
        TESSERA_ALWAYS_INLINE L::V
                              load_widened(const Number *z)
        {
          using Source = Lanes<Number, L::width>;
          return Source::template convert<double>(Source::load(z));
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
                       const CellIndex n_blocks,
                       const CellIndex n_owned)
        {
          constexpr int N = power(q, dim);
          using Source    = Lanes<Number, L::width>;
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
                    prefetch<L>(u + start + (k + N) * B);
                    double *const       p = u + start + k * B;
                    const typename L::V v =
                      L::fma(L::set(a),
                             load_widened(z + start + k * B),
                             L::load(p));
                    L::store(p, v);
                    return v;
                  },
                  [&](const int k, const typename L::V v) {
                    prefetch<L>(b + start + (k + N) * B);
                    prefetch<Source>(z + start + (k + N) * B);
                    prefetch<L>(r + start + (k + N) * B);
                    const typename L::V x = L::load(b + start + k * B) - v;
                    L::store(r + start + k * B, x);
                    max_of_cells.add(x);
                  });
                max.add(max_of_cells,
                        L::first_lanes(n_owned - block * B - lane));
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
                                       const CellIndex n_blocks)
        {
          constexpr int N = power(q, dim);
          using Source    = Lanes<Number, L::width>;
          for (CellIndex block = 0; block < n_blocks; ++block)
            for (int lane = 0; lane < B; lane += L::width)
              {
                const std::size_t start = std::size_t(block) * N * B + lane;
                L::store(energies + std::size_t(block) * B + lane,
                         cell_energy<dim, q, L>(
                           inverse_eigenvectors, eigenvalues, [&](const int k) {
                             prefetch<L>(d + start + (k + N) * B);
                             prefetch<Source>(z + start + (k + N) * B);
                             double *const       p = d + start + k * B;
                             const typename L::V v =
                               L::fma(L::set(a),
                                      load_widened(z + start + k * B),
                                      L::set(beta) * L::load(p));
                             L::store(p, v);
                             return v;
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
                           const CellIndex n_blocks,
                           const CellIndex n_owned)
      {
        double max = 0.;
        dispatch_degree(degree, [&](const auto p) {
          max =
            correct_blocks<dim, decltype(p)::value + 1>(u,
                                                        a,
                                                        z,
                                                        r,
                                                        b,
                                                        inverse_eigenvectors,
                                                        eigenvalues,
                                                        n_blocks,
                                                        n_owned);
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
                           const CellIndex n_blocks)
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
            n_blocks);
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
