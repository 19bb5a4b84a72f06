// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_cell_modes_h
#define tessera_sipg_cell_modes_h

#include <tessera/base/lanes.h>
#include <tessera/sipg/level_view.h>
#include <tessera/sipg/tensor_contractions.h>

#include <cstddef>

namespace tessera
{
  namespace sipg
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      /**
       * The eigenvectors of the diagonal blocks of W cells that all have
       * variant 0, as most have.
       */
      template <int dim, int n, typename L>
      class PlainModes
      {
      public:
        using T      = typename L::T;
        using V      = typename L::V;
        using Matrix = UniformMatrix<L, n>;

        TESSERA_ALWAYS_INLINE
        explicit PlainModes(const ModesView<T> &view)
          : sums(view.eigenvalues_of_cell)
          , inverse(view.inverse_eigenvalues)
        {
          for (int a = 0; a < dim; ++a)
            {
              to_nodes[a].entries = view.to_nodes;
              to_modes[a].entries = view.to_modes;
            }
        }

        /** $\sum_a h_a^{-2} \lambda$ of mode k. */
        TESSERA_ALWAYS_INLINE V
        eigenvalue(const int k) const
        {
          return L::set(sums[k]);
        }

        /** Its inverse. */
        TESSERA_ALWAYS_INLINE V
        inverse_eigenvalue(const int k) const
        {
          return L::set(inverse[k]);
        }

        Matrix to_nodes[dim]; ///< V
        Matrix to_modes[dim]; ///< $V^{-1}$

      private:
        const T *sums;
        const T *inverse;
      };

      /** The same for any cells: each lane has matrices of its own. */
      template <int dim, int n, typename L>
      class LaneModes
      {
      public:
        using T      = typename L::T;
        using V      = typename L::V;
        using Matrix = LaneMatrix<L, n>;

        static constexpr int W = L::width;

        /** Of cells c, ..., c + W - 1. */
        __attribute__((noinline)) LaneModes(const LevelView    &level,
                                            const ModesView<T> &view,
                                            const CellIndex     c)
        {
          for (int a = 0; a < dim; ++a)
            {
              std::size_t variants[W] = {};
              for (int l = 0; l < W && c + l < level.n_padded_cells; ++l)
                variants[l] = view.variant[(c + l) * dim + a];
              for (int i = 0; i < n * n; ++i)
                {
                  T nodes[W], modes[W];
                  for (int l = 0; l < W; ++l)
                    {
                      nodes[l] = view.to_nodes[variants[l] * n * n + i];
                      modes[l] = view.to_modes[variants[l] * n * n + i];
                    }
                  nodes_entries[a][i] = L::load(nodes);
                  modes_entries[a][i] = L::load(modes);
                }
              for (int i = 0; i < n; ++i)
                {
                  T values[W];
                  for (int l = 0; l < W; ++l)
                    values[l] =
                      view.scale[a] * view.eigenvalues[variants[l] * n + i];
                  of_axis[a][i] = L::load(values);
                }
              to_nodes[a].entries = nodes_entries[a];
              to_modes[a].entries = modes_entries[a];
            }
        }

        LaneModes(const LaneModes &) = delete;

        TESSERA_ALWAYS_INLINE V
        eigenvalue(const int k) const
        {
          V   sum  = of_axis[0][k % n];
          int rest = k / n;
          for (int a = 1; a < dim; ++a, rest /= n)
            sum = sum + of_axis[a][rest % n];
          return sum;
        }

        TESSERA_ALWAYS_INLINE V
        inverse_eigenvalue(const int k) const
        {
          return L::set(T(1)) / eigenvalue(k);
        }

        Matrix to_nodes[dim];
        Matrix to_modes[dim];

      private:
        V nodes_entries[dim][n * n];
        V modes_entries[dim][n * n];
        V of_axis[dim][n];
      };

      /** Whether one of the cells c, ..., c + W - 1 needs LaneModes. */
      template <int W, int S, typename T>
      TESSERA_ALWAYS_INLINE bool
      needs_lane_modes(const LevelView    &level,
                       const ModesView<T> &modes,
                       const CellIndex     c)
      {
        const CellIndex size    = level.group_size == 1 ? 1 : S;
        bool            special = false;
        for (CellIndex g = c / size; g < (c + W) / size; ++g)
          special = special || modes.group_is_special[g] != 0;
        return special;
      }
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sipg
} // namespace tessera

#endif
