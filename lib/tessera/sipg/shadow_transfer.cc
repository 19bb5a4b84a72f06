// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/degree.h>
#include <tessera/sipg/shadow_transfer.h>

#include <algorithm>
#include <type_traits>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      /** to <- to + A from, or $A^T$ from, along the middle index of an array
       * of three. */
      template <int n_rows, int n_columns, bool transposed, typename Number>
      inline void
      add_product(const Number *A,
                  const int     n_outer,
                  const int     n_inner,
                  const Number *from,
                  Number       *to)
      {
        constexpr int n_to   = transposed ? n_columns : n_rows;
        constexpr int n_from = transposed ? n_rows : n_columns;
        for (int outer = 0; outer < n_outer; ++outer)
          for (int i = 0; i < n_to; ++i)
            for (int k = 0; k < n_from; ++k)
              {
                const Number a =
                  transposed ? A[k * n_columns + i] : A[i * n_columns + k];
                const Number *x = from + (outer * n_from + k) * n_inner;
                Number       *y = to + (outer * n_to + i) * n_inner;
                for (int inner = 0; inner < n_inner; ++inner)
                  y[inner] += a * x[inner];
              }
      }

      /**
       * $P_c$ and $P_c^T$ between the two layers of a large cell and the two
       * layers of its children at a face: two rows and columns of $P$ along the
       * axis, all along the others. Layers and values are in the order of
       * shadow cells.
       */
      template <int dim, int n, typename Number>
      class SlotTransfer
      {
      public:
        static constexpr int plane         = cellwise::power(n, dim - 1);
        static constexpr int n_children    = 1 << (dim - 1);
        static constexpr int n_values      = 2 * plane;
        static constexpr int n_cell_values = plane * n;

        SlotTransfer(const ElementMatrices &matrices,
                     const int              axis,
                     const int              side)
        {
          for (int c = 0; c < 2; ++c)
            for (int i = 0; i < n; ++i)
              for (int j = 0; j < n; ++j)
                tangential[c][i * n + j] = Number(matrices.child[c](i, j));
          // The children lie at the side of the large cell that is opposite to
          // the side of the group.
          const int first = first_shadow_layer(side, n - 1);
          for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
              normal[i * 2 + j] =
                Number(matrices.child[1 - side](first + i, first + j));
          const int stride = cellwise::power(n, axis);
          for (int layer = 0; layer < 2; ++layer)
            for (int t = 0; t < plane; ++t)
              nodes[layer * plane + t] =
                (t / stride * n + first + layer) * stride + t % stride;
        }

        /** The node of a cell that has value k of its two layers. */
        int
        node(const int k) const
        {
          return nodes[k];
        }

        void
        prolong(const Number *large,
                Number (&children)[n_children][n_values]) const
        {
          Number layers[n_values] = {};
          add_product<2, 2, false>(normal, 1, plane, large, layers);
          if constexpr (dim == 2)
            for (int c = 0; c < 2; ++c)
              {
                std::fill_n(children[c], n_values, Number());
                add_product<n, n, false>(
                  tangential[c], 2, 1, layers, children[c]);
              }
          else
            for (int c = 0; c < 2; ++c)
              {
                Number half[n_values] = {};
                add_product<n, n, false>(tangential[c], 2 * n, 1, layers, half);
                for (int d = 0; d < 2; ++d)
                  {
                    std::fill_n(children[c + 2 * d], n_values, Number());
                    add_product<n, n, false>(
                      tangential[d], 2, n, half, children[c + 2 * d]);
                  }
              }
        }

        /** Adds to what is there. */
        void
        restrict_and_add(const Number (&children)[n_children][n_values],
                         Number *large) const
        {
          Number layers[n_values] = {};
          if constexpr (dim == 2)
            for (int c = 0; c < 2; ++c)
              add_product<n, n, true>(tangential[c], 2, 1, children[c], layers);
          else
            for (int c = 0; c < 2; ++c)
              {
                Number half[n_values] = {};
                for (int d = 0; d < 2; ++d)
                  add_product<n, n, true>(
                    tangential[d], 2, n, children[c + 2 * d], half);
                add_product<n, n, true>(tangential[c], 2 * n, 1, half, layers);
              }
          add_product<2, 2, true>(normal, 1, plane, layers, large);
        }

      private:
        Number tangential[2][n * n];
        Number normal[4];
        int    nodes[n_values];
      };

      /** Call f(transfer, slot) for all slots, in their order. */
      template <typename Number, int dim, typename F>
      void
      for_slots(const LevelData<dim>  &level,
                const ElementMatrices &matrices,
                const F               &f)
      {
        cellwise::dispatch_degree(matrices.degree, [&](const auto degree) {
          constexpr int n = decltype(degree)::value + 1;
          for (int face = 0; face < 2 * dim; ++face)
            {
              const SlotTransfer<dim, n, Number> transfer(matrices,
                                                          face / 2,
                                                          face % 2);
              for (CellIndex slot = level.slot_begin[face];
                   slot < level.slot_begin[face + 1];
                   ++slot)
                f(transfer, slot);
            }
        });
      }
    } // namespace



    template <int dim, typename Number>
    void
    prolong_to_shadows(const LevelData<dim>  &level,
                       const ElementMatrices &matrices,
                       const Number          *coarse,
                       Number                *shadows)
    {
      const int B = level.block_size;
      for_slots<Number>(
        level, matrices, [&](const auto &transfer, const CellIndex slot) {
          using Transfer  = std::decay_t<decltype(transfer)>;
          constexpr int N = Transfer::n_values;
          Number        large[N], children[Transfer::n_children][N];
          for (int k = 0; k < N; ++k)
            large[k] = coarse[blocked_position(level.slot_parent[slot],
                                               transfer.node(k),
                                               Transfer::n_cell_values,
                                               B)];
          transfer.prolong(large, children);
          for (int k = 0; k < N; ++k)
            for (int t = 0; t < Transfer::n_children; ++t)
              shadows[blocked_position(
                slot * Transfer::n_children + t, k, N, B)] = children[t][k];
        });
    }



    template <int dim, typename Number>
    void
    restrict_from_shadows(const LevelData<dim>  &level,
                          const ElementMatrices &matrices,
                          const Number          *shadows,
                          Number                *coarse)
    {
      const int B = level.block_size;
      for_slots<Number>(level,
                        matrices,
                        [&](const auto &transfer, const CellIndex slot) {
                          using Transfer  = std::decay_t<decltype(transfer)>;
                          constexpr int N = Transfer::n_values;
                          Number        large[N] = {},
                                 children[Transfer::n_children][N];
                          for (int k = 0; k < N; ++k)
                            for (int t = 0; t < Transfer::n_children; ++t)
                              children[t][k] = shadows[blocked_position(
                                slot * Transfer::n_children + t, k, N, B)];
                          transfer.restrict_and_add(children, large);
                          for (int k = 0; k < N; ++k)
                            coarse[blocked_position(level.slot_parent[slot],
                                                    transfer.node(k),
                                                    Transfer::n_cell_values,
                                                    B)] += large[k];
                        });
    }



    template <int dim, typename Number>
    void
    refresh_shadows(const LevelHierarchy<dim> &levels,
                    const ElementMatrices     &matrices,
                    PrimalField<Number>       &u)
    {
      for (int l = 1; l < levels.n_levels(); ++l)
        prolong_to_shadows(levels.level(l),
                           matrices,
                           u.cells(l - 1),
                           u.shadows(l));
    }



    template <int dim, typename Number>
    void
    assemble_shadows(const LevelHierarchy<dim> &levels,
                     const ElementMatrices     &matrices,
                     DualField<Number>         &y)
    {
      for (int l = 1; l < levels.n_levels(); ++l)
        {
          restrict_from_shadows(levels.level(l),
                                matrices,
                                y.shadows(l),
                                y.cells(l - 1));
          const FieldLayout::Part &part = y.layout().levels[l];
          std::fill(y.shadows(l),
                    y.shadows(l) + (part.end - part.shadows),
                    Number());
        }
    }



#define TESSERA_INSTANTIATE(dim, Number)                       \
  template void prolong_to_shadows(const LevelData<dim> &,     \
                                   const ElementMatrices &,    \
                                   const Number *,             \
                                   Number *);                  \
  template void restrict_from_shadows(const LevelData<dim> &,  \
                                      const ElementMatrices &, \
                                      const Number *,          \
                                      Number *);               \
  template void refresh_shadows(const LevelHierarchy<dim> &,   \
                                const ElementMatrices &,       \
                                PrimalField<Number> &);        \
  template void assemble_shadows(const LevelHierarchy<dim> &,  \
                                 const ElementMatrices &,      \
                                 DualField<Number> &)

    TESSERA_INSTANTIATE(2, float);
    TESSERA_INSTANTIATE(2, double);
    TESSERA_INSTANTIATE(3, float);
    TESSERA_INSTANTIATE(3, double);
  } // namespace sipg
} // namespace tessera
