// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/lanes.h>
#include <tessera/cellwise/cell_lanes.h>
#include <tessera/cellwise/cell_laplacian.h>
#include <tessera/cellwise/cell_operator_kernels.h>
#include <tessera/cellwise/degree.h>

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
        /** dst = A u, where b is not looked at, or b - A u. */
        template <int dim, int q, bool subtract_from_b, typename Number>
        void
        apply_to_blocks(Number         *dst,
                        const Number   *b,
                        const Number   *u,
                        const Number   *inverse_eigenvectors,
                        const Number   *eigenvalues,
                        const CellIndex n_blocks)
        {
          constexpr int N = power(q, dim), B = cells_per_block;
          using L = Lanes<Number, native_width<Number>()>;
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
      } // namespace



      template <int dim, typename Number>
      void
      apply_laplacian(const int       degree,
                      Number         *dst,
                      const Number   *src,
                      const Number   *inverse_eigenvectors,
                      const Number   *eigenvalues,
                      const CellIndex n_blocks)
      {
        dispatch_degree(degree, [&](const auto p) {
          apply_to_blocks<dim, decltype(p)::value + 1, false, Number>(
            dst, nullptr, src, inverse_eigenvectors, eigenvalues, n_blocks);
        });
      }



      template <int dim, typename Number>
      void
      laplacian_residual(const int       degree,
                         Number         *r,
                         const Number   *b,
                         const Number   *u,
                         const Number   *inverse_eigenvectors,
                         const Number   *eigenvalues,
                         const CellIndex n_blocks)
      {
        dispatch_degree(degree, [&](const auto p) {
          apply_to_blocks<dim, decltype(p)::value + 1, true>(
            r, b, u, inverse_eigenvectors, eigenvalues, n_blocks);
        });
      }



#define TESSERA_INSTANTIATE(dim, Number)                                       \
  template void apply_laplacian<dim>(                                          \
    int, Number *, const Number *, const Number *, const Number *, CellIndex); \
  template void laplacian_residual<dim>(int,                                   \
                                        Number *,                              \
                                        const Number *,                        \
                                        const Number *,                        \
                                        const Number *,                        \
                                        const Number *,                        \
                                        CellIndex)

      TESSERA_INSTANTIATE(2, float);
      TESSERA_INSTANTIATE(2, double);
      TESSERA_INSTANTIATE(3, float);
      TESSERA_INSTANTIATE(3, double);
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace cellwise
} // namespace tessera
