// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sipg/cell_modes.h>
#include <tessera/sipg/cell_products.h>
#include <tessera/sipg/lane_width.h>
#include <tessera/sipg/smoother_kernels.h>

namespace tessera
{
  namespace sipg
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      namespace
      {
        /** $1 / (k |K|)$ */
        template <typename L>
        TESSERA_ALWAYS_INLINE typename L::V
        inverse_volumes(const LevelView    &level,
                        const CellIndex     c,
                        const typename L::T volume)
        {
          using T = typename L::T;
          if (level.coefficient == nullptr)
            return L::set(T(1) / volume);
          T lanes[L::width] = {};
          for (int l = 0; l < L::width && c + l < level.n_padded_cells; ++l)
            lanes[l] = T(1) / (volume * T(level.coefficient[c + l]));
          return L::load(lanes);
        }

        template <int dim, int degree, typename L, typename Modes>
        void
        smooth_first_cells(const LevelView                   &level,
                           const MatricesView<typename L::T> &matrices,
                           const Modes                       &modes,
                           const CellIndex                    c,
                           const typename L::T                omega,
                           typename L::T                     *b,
                           typename L::T                     *u)
        {
          using V                = typename L::V;
          constexpr int n        = degree + 1;
          constexpr int n_values = cellwise::power(n, dim);

          V                                  z[n_values];
          Transposed<typename Modes::Matrix> transposed[dim];
          for (int a = 0; a < dim; ++a)
            transposed[a].matrix = modes.to_nodes[a];
          load_cells<n_values, L>(b, level, c, z);
          prefetch_next_cells<n_values, L, true>(b, level, c);
          contract_cells<dim, n, L>(transposed, z);
          const V scale = inverse_volumes<L>(level, c, matrices.volume);
          for (int k = 0; k < n_values; ++k)
            z[k] = scale * z[k];
          store_cells<n_values, L>(b, level, c, z);
          const V w = L::set(omega);
          for (int k = 0; k < n_values; ++k)
            z[k] = w * (modes.inverse_eigenvalue(k) * z[k]);
          prefetch_next_cells<n_values, L, true>(u, level, c);
          contract_cells<dim, n, L>(modes.to_nodes, z);
          store_cells<n_values, L>(u, level, c, z);
        }

        template <int dim, int degree, typename L, typename Modes>
        void
        smooth_cells(const LevelView                   &level,
                     const MatricesView<typename L::T> &matrices,
                     const Modes                       &modes,
                     const CellIndex                    c,
                     const typename L::T                omega,
                     const typename L::T               *b_modes,
                     const typename L::T               *u,
                     const typename L::T               *shadows,
                     typename L::T                     *v)
        {
          using V                = typename L::V;
          constexpr int n        = degree + 1;
          constexpr int n_values = cellwise::power(n, dim);

          V own[n_values], t[n_values], rhs[n_values];
          evaluate_neighbours<dim, degree, L>(
            level, matrices, c, u, shadows, own, t);
          prefetch_next_cells<n_values, L>(u, level, c);
          contract_cells<dim, n, L>(modes.to_modes, t);
          prefetch_next_cells<n_values, L>(b_modes, level, c);
          load_cells<n_values, L>(b_modes, level, c, rhs);
          for (int k = 0; k < n_values; ++k)
            t[k] = modes.inverse_eigenvalue(k) * (rhs[k] - t[k]);
          contract_cells<dim, n, L>(modes.to_nodes, t);
          prefetch_next_cells<n_values, L, true>(v, level, c);
          const V w = L::set(omega);
          for (int k = 0; k < n_values; ++k)
            t[k] = L::fma(w, t[k] - own[k], own[k]);
          store_cells<n_values, L>(v, level, c, t);
        }
      } // namespace



      template <int dim, typename T>
      void
      smooth_first(const int              degree,
                   const LevelView       &level,
                   const MatricesView<T> &matrices,
                   const ModesView<T>    &modes,
                   const T                omega,
                   T                     *b,
                   T                     *u)
      {
        cellwise::dispatch_degree(degree, [&](const auto p) {
          using L                = GroupLanes<dim, T>;
          constexpr int degree_p = decltype(p)::value;
          constexpr int n        = degree_p + 1;
          for (CellIndex c = 0; c < level.n_padded_cells; c += L::width)
            if (needs_lane_modes<L::width, (1 << dim)>(level, modes, c))
              smooth_first_cells<dim, degree_p, L>(level,
                                                   matrices,
                                                   LaneModes<dim, n, L>(level,
                                                                        modes,
                                                                        c),
                                                   c,
                                                   omega,
                                                   b,
                                                   u);
            else
              smooth_first_cells<dim, degree_p, L>(
                level, matrices, PlainModes<dim, n, L>(modes), c, omega, b, u);
        });
      }



      template <int dim, typename T>
      void
      smooth_step(const int              degree,
                  const LevelView       &level,
                  const MatricesView<T> &matrices,
                  const ModesView<T>    &modes,
                  const T                omega,
                  const T               *b_modes,
                  const T               *u,
                  const T               *shadows,
                  T                     *v)
      {
        cellwise::dispatch_degree(degree, [&](const auto p) {
          using L                = GroupLanes<dim, T>;
          constexpr int degree_p = decltype(p)::value;
          constexpr int n        = degree_p + 1;
          for (CellIndex c = 0; c < level.n_padded_cells; c += L::width)
            if (needs_lane_modes<L::width, (1 << dim)>(level, modes, c))
              smooth_cells<dim, degree_p, L>(level,
                                             matrices,
                                             LaneModes<dim, n, L>(level,
                                                                  modes,
                                                                  c),
                                             c,
                                             omega,
                                             b_modes,
                                             u,
                                             shadows,
                                             v);
            else
              smooth_cells<dim, degree_p, L>(level,
                                             matrices,
                                             PlainModes<dim, n, L>(modes),
                                             c,
                                             omega,
                                             b_modes,
                                             u,
                                             shadows,
                                             v);
        });
      }



#define TESSERA_INSTANTIATE(dim, T)                        \
  template void smooth_first<dim>(int,                     \
                                  const LevelView &,       \
                                  const MatricesView<T> &, \
                                  const ModesView<T> &,    \
                                  T,                       \
                                  T *,                     \
                                  T *);                    \
  template void smooth_step<dim>(int,                      \
                                 const LevelView &,        \
                                 const MatricesView<T> &,  \
                                 const ModesView<T> &,     \
                                 T,                        \
                                 const T *,                \
                                 const T *,                \
                                 const T *,                \
                                 T *);
      TESSERA_INSTANTIATE(2, float)
      TESSERA_INSTANTIATE(2, double)
      TESSERA_INSTANTIATE(3, float)
      TESSERA_INSTANTIATE(3, double)
#undef TESSERA_INSTANTIATE
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sipg
} // namespace tessera
