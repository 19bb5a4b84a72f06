// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sipg/lane_cells.h>
#include <tessera/sipg/lane_width.h>
#include <tessera/sipg/split_kernels.h>
#include <tessera/sipg/volume_term.h>

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
                    typename L::T                     *y)
        {
          using V                = typename L::V;
          constexpr int n_values = cellwise::power(degree + 1, dim);
          constexpr int W        = L::width;

          const VolumeTerm<dim, degree, L> volume_term(matrices.mass,
                                                       matrices.stiffness);
          V                                u[n_values], s[n_values];
          for (CellIndex c = 0; c < level.n_padded_cells; c += W)
            {
              const int active = terms == FaceTerms::active ?
                                   activity<W, (1 << dim)>(level, c) :
                                   2;
              if (active == 0)
                for (int k = 0; k < n_values; ++k)
                  s[k] = L::zero();
              else
                {
                  load_cells<n_values, L>(cells, level, c, u);
                  volume_term(u, s);
                  const V scale =
                    with_coefficient<L>(level, c, matrices.volume);
                  for (int k = 0; k < n_values; ++k)
                    s[k] = scale * s[k];
                  if (active == 1)
                    zero_inactive_cells<n_values, L>(level, c, s);
                }
              store_cells<n_values, L>(y, level, c, s);
            }
        }
      } // namespace



      template <int dim, typename T>
      void
      apply_volume_terms(const int              degree,
                         const FaceTerms        terms,
                         const LevelView       &level,
                         const MatricesView<T> &matrices,
                         const T               *cells,
                         T                     *y,
                         T                     *y_shadows)
      {
        cellwise::dispatch_degree(degree, [&](const auto p) {
          constexpr int shadow_values =
            2 * cellwise::power(decltype(p)::value + 1, dim - 1);
          apply_cells<dim, decltype(p)::value, GroupLanes<dim, T>>(
            terms, level, matrices, cells, y);
          const std::size_t n =
            std::size_t(level.n_padded_shadow_cells) * shadow_values;
          for (std::size_t i = 0; i < n; ++i)
            y_shadows[i] = T(0);
        });
      }



#define TESSERA_INSTANTIATE(dim, T)                              \
  template void apply_volume_terms<dim>(int,                     \
                                        FaceTerms,               \
                                        const LevelView &,       \
                                        const MatricesView<T> &, \
                                        const T *,               \
                                        T *,                     \
                                        T *);
      TESSERA_INSTANTIATE(2, float)
      TESSERA_INSTANTIATE(2, double)
      TESSERA_INSTANTIATE(3, float)
      TESSERA_INSTANTIATE(3, double)
#undef TESSERA_INSTANTIATE
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sipg
} // namespace tessera
