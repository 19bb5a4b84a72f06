// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sipg/cell_products.h>
#include <tessera/sipg/lane_width.h>
#include <tessera/sipg/operator_kernels.h>

namespace tessera
{
  namespace sipg
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      namespace
      {
        template <int dim, int degree, typename L>
        void
        apply_cells(const FaceTerms                    terms,
                    const LevelView                   &level,
                    const MatricesView<typename L::T> &matrices,
                    const typename L::T               *cells,
                    const typename L::T               *shadows,
                    typename L::T                     *y)
        {
          using V                = typename L::V;
          constexpr int n        = degree + 1;
          constexpr int n_values = cellwise::power(n, dim);
          constexpr int W        = L::width;

          V                   t[n_values];
          UniformMatrix<L, n> mass[dim];
          for (int a = 0; a < dim; ++a)
            mass[a].entries = matrices.mass;

          for (CellIndex c = 0; c < level.n_padded_cells; c += W)
            {
              const int active = terms == FaceTerms::active ?
                                   activity<W, (1 << dim)>(level, c) :
                                   2;
              if (active != 0)
                {
                  evaluate_all<dim, degree, L>(
                    level, matrices, terms, c, cells, shadows, t);
                  prefetch_next_cells<n_values, L>(cells, level, c);
                  contract_cells<dim, n, L>(mass, t);
                  prefetch_next_cells<n_values, L, true>(y, level, c);
                  const V scale =
                    with_coefficient<L>(level, c, matrices.volume);
                  for (int k = 0; k < n_values; ++k)
                    t[k] = scale * t[k];
                }
              if (active == 0)
                for (int k = 0; k < n_values; ++k)
                  t[k] = L::zero();
              else if (active == 1)
                zero_inactive_cells<n_values, L>(level, c, t);
              store_cells<n_values, L>(y, level, c, t);
            }
        }
      } // namespace



      template <int dim, typename T>
      void
      apply_own_side(const int              degree,
                     const FaceTerms        terms,
                     const LevelView       &level,
                     const MatricesView<T> &matrices,
                     const T               *cells,
                     const T               *shadows,
                     T                     *y)
      {
        cellwise::dispatch_degree(degree, [&](const auto p) {
          apply_cells<dim, decltype(p)::value, GroupLanes<dim, T>>(
            terms, level, matrices, cells, shadows, y);
        });
      }



#define TESSERA_INSTANTIATE(dim, T)                          \
  template void apply_own_side<dim>(int,                     \
                                    FaceTerms,               \
                                    const LevelView &,       \
                                    const MatricesView<T> &, \
                                    const T *,               \
                                    const T *,               \
                                    T *);
      TESSERA_INSTANTIATE(2, float)
      TESSERA_INSTANTIATE(2, double)
      TESSERA_INSTANTIATE(3, float)
      TESSERA_INSTANTIATE(3, double)
#undef TESSERA_INSTANTIATE
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sipg
} // namespace tessera
