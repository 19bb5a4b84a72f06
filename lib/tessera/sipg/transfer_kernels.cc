// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/lane_sum.h>
#include <tessera/sipg/cell_modes.h>
#include <tessera/sipg/cell_products.h>
#include <tessera/sipg/child_matrices.h>
#include <tessera/sipg/lane_width.h>
#include <tessera/sipg/transfer_kernels.h>

namespace tessera
{
  namespace sipg
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      namespace
      {
        /** $(V^{-1} P_c)$, which takes a parent's nodes to modes of children.
         */
        template <int dim, int n, typename L>
        class ModesOfParent
        {
        public:
          using V = typename L::V;

          template <typename Modes>
          TESSERA_ALWAYS_INLINE
          ModesOfParent(const Modes                    &modes,
                        const ChildMatrices<dim, n, L> &children)
          {
            for (int a = 0; a < dim; ++a)
              {
                for (int i = 0; i < n; ++i)
                  for (int j = 0; j < n; ++j)
                    {
                      V sum =
                        modes.to_modes[a](i, 0) * children.matrices[a](0, j);
                      for (int k = 1; k < n; ++k)
                        sum = L::fma(modes.to_modes[a](i, k),
                                     children.matrices[a](k, j),
                                     sum);
                      entries[a][i * n + j] = sum;
                    }
                transposed[a].matrix.entries = entries[a];
              }
          }

          ModesOfParent(const ModesOfParent &) = delete;

          Transposed<LaneMatrix<L, n>> transposed[dim];

        private:
          V entries[dim][n * n];
        };

        template <int dim, int degree, typename L, typename Modes>
        void
        restrict_cells(const LevelView                         &level,
                       const MatricesView<typename L::T>       &matrices,
                       const Modes                             &modes,
                       const ModesOfParent<dim, degree + 1, L> &to_parent,
                       const CellIndex                          c,
                       const typename L::T                     *b_modes,
                       const typename L::T                     *u,
                       const typename L::T                     *shadows,
                       typename L::T                           *coarse)
        {
          using T                = typename L::T;
          using V                = typename L::V;
          constexpr int n        = degree + 1;
          constexpr int n_values = cellwise::power(n, dim);
          constexpr int W        = L::width;
          constexpr int S        = 1 << dim;

          V own[n_values], t[n_values], rhs[n_values];
          evaluate_neighbours<dim, degree, L>(
            level, matrices, c, u, shadows, own, t);
          prefetch_next_cells<n_values, L>(u, level, c);
          contract_cells<dim, n, L>(modes.to_modes, t);
          prefetch_next_cells<n_values, L>(b_modes, level, c);
          contract_cells<dim, n, L>(modes.to_modes, own);

          load_cells<n_values, L>(b_modes, level, c, rhs);
          const V scale = with_coefficient<L>(level, c, matrices.volume);
          for (int k = 0; k < n_values; ++k)
            t[k] = scale * L::fnma(modes.eigenvalue(k), own[k], rhs[k] - t[k]);
          contract_cells<dim, n, L>(to_parent.transposed, t);

          const std::size_t B              = level.block_size;
          T                *parents[W / S] = {};
          for (int g = 0; g < W / S && c + g * S < level.n_cells; ++g)
            parents[g] = cell_values(coarse,
                                     level.group_parent[c / S + g],
                                     n_values,
                                     level.block_size);
          for (int k = 0; k < n_values; ++k)
            {
              T sums[W];
              L::store(sums, sum_lanes<L, S>(t[k]));
              for (int g = 0; g < W / S; ++g)
                if (parents[g] != nullptr)
                  parents[g][k * B] = sums[g * S];
            }
        }

        template <int dim, int degree, typename L>
        void
        prolong_cells(const LevelView                         &level,
                      const ChildMatrices<dim, degree + 1, L> &children,
                      const CellIndex                          c,
                      const typename L::T                     *coarse,
                      typename L::T                           *u)
        {
          using T                = typename L::T;
          using V                = typename L::V;
          constexpr int n        = degree + 1;
          constexpr int n_values = cellwise::power(n, dim);
          constexpr int W        = L::width;
          constexpr int S        = 1 << dim;

          const std::size_t B = level.block_size;
          const T          *parents[W];
          for (int l = 0; l < W; ++l)
            {
              parents[l] = nullptr;
              if (c + l < level.n_cells)
                parents[l] = cell_values(coarse,
                                         level.group_parent[(c + l) / S],
                                         n_values,
                                         level.block_size);
            }
          V t[n_values];
          for (int k = 0; k < n_values; ++k)
            {
              T lanes[W];
              for (int l = 0; l < W; ++l)
                lanes[l] = parents[l] == nullptr ? T(0) : parents[l][k * B];
              t[k] = L::load(lanes);
            }
          prefetch_next_cells<n_values, L, true>(u, level, c);
          contract_cells<dim, n, L>(children.matrices, t);
          V values[n_values];
          load_cells<n_values, L>(u, level, c, values);
          for (int k = 0; k < n_values; ++k)
            values[k] = values[k] + t[k];
          store_cells<n_values, L>(u, level, c, values);
        }
      } // namespace



      template <int dim, typename T>
      void
      restrict_residual(const int              degree,
                        const LevelView       &level,
                        const MatricesView<T> &matrices,
                        const ModesView<T>    &modes,
                        const T               *b_modes,
                        const T               *u,
                        const T               *shadows,
                        T                     *coarse)
      {
        cellwise::dispatch_degree(degree, [&](const auto p) {
          using L                                 = GroupLanes<dim, T>;
          constexpr int                  degree_p = decltype(p)::value;
          constexpr int                  n        = degree_p + 1;
          constexpr int                  W        = L::width;
          constexpr int                  S        = 1 << dim;
          const PlainModes<dim, n, L>    plain(modes);
          const ChildMatrices<dim, n, L> children(modes.child);
          const ModesOfParent<dim, n, L> plain_to_parent(plain, children);
          for (CellIndex c = 0; c < level.n_cells; c += W)
            if (needs_lane_modes<W, S>(level, modes, c))
              {
                const LaneModes<dim, n, L>     special(level, modes, c);
                const ModesOfParent<dim, n, L> to_parent(special, children);
                restrict_cells<dim, degree_p, L>(level,
                                                 matrices,
                                                 special,
                                                 to_parent,
                                                 c,
                                                 b_modes,
                                                 u,
                                                 shadows,
                                                 coarse);
              }
            else
              restrict_cells<dim, degree_p, L>(level,
                                               matrices,
                                               plain,
                                               plain_to_parent,
                                               c,
                                               b_modes,
                                               u,
                                               shadows,
                                               coarse);
        });
      }



      template <int dim, typename T>
      void
      prolong_and_add(const int           degree,
                      const LevelView    &level,
                      const ModesView<T> &modes,
                      const T            *coarse,
                      T                  *u)
      {
        cellwise::dispatch_degree(degree, [&](const auto p) {
          using L                = GroupLanes<dim, T>;
          constexpr int degree_p = decltype(p)::value;
          const ChildMatrices<dim, degree_p + 1, L> children(modes.child);
          for (CellIndex c = 0; c < level.n_cells; c += L::width)
            prolong_cells<dim, degree_p, L>(level, children, c, coarse, u);
        });
      }



#define TESSERA_INSTANTIATE(dim, T)                             \
  template void restrict_residual<dim>(int,                     \
                                       const LevelView &,       \
                                       const MatricesView<T> &, \
                                       const ModesView<T> &,    \
                                       const T *,               \
                                       const T *,               \
                                       const T *,               \
                                       T *);                    \
  template void prolong_and_add<dim>(                           \
    int, const LevelView &, const ModesView<T> &, const T *, T *);
      TESSERA_INSTANTIATE(2, float)
      TESSERA_INSTANTIATE(2, double)
      TESSERA_INSTANTIATE(3, float)
      TESSERA_INSTANTIATE(3, double)
#undef TESSERA_INSTANTIATE
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sipg
} // namespace tessera
