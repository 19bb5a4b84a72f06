// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/lane_sum.h>
#include <tessera/sipg/cell_products.h>
#include <tessera/sipg/child_matrices.h>
#include <tessera/sipg/lane_width.h>
#include <tessera/sipg/shadow_transfer_kernels.h>

namespace tessera
{
  namespace sipg
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      namespace
      {
        /** Where the first value of each line of a cell is, lines along an axis
         * in the order of FaceLayers. */
        template <int dim, int n>
        struct FirstOfLines
        {
          static constexpr int plane = cellwise::power(n, dim - 1);

          TESSERA_ALWAYS_INLINE
          explicit FirstOfLines(const std::size_t block_size)
          {
            for (int axis = 0, stride = 1; axis < dim; ++axis, stride *= n)
              for (int line = 0; line < plane; ++line)
                offsets[axis][line] =
                  (line / stride * stride * n + line % stride) * block_size;
          }

          std::size_t offsets[dim][plane];
        };

        /**
         * The large cells of the slots whose shadow cells are in the lanes:
         * where their two layers are, and $P$ along the axis of the face. U is
         * T or const T. Slots beyond the last one are like that one.
         */
        template <int dim, int n, typename L, typename U>
        class LargeCells
        {
        public:
          using T = typename L::T;
          using V = typename L::V;

          static constexpr int S       = 1 << (dim - 1);
          static constexpr int n_lanes = L::width / S;

          TESSERA_ALWAYS_INLINE
          LargeCells(const SlotView             &slots,
                     const SlotMatrices<T>      &matrices,
                     const FirstOfLines<dim, n> &first_of_lines,
                     const CellIndex             first,
                     U                          *coarse)
          {
            constexpr int n_values = cellwise::power(n, dim);
            T             high[L::width];
            for (int i = 0; i < n_lanes; ++i)
              {
                const CellIndex slot =
                  first + i < slots.n_slots ? first + i : slots.n_slots - 1;
                int face = 0;
                while (slot >= slots.slot_begin[face + 1])
                  ++face;
                const int axis = face / 2, side = face % 2;
                const int stride = axis == 0 ? 1 : axis == 1 ? n : n * n;
                lines[i]         = first_of_lines.offsets[axis];
                strides[i]       = std::size_t(stride) * slots.block_size;
                layers[i]        = cell_values(coarse,
                                        slots.slot_parent[slot],
                                        n_values,
                                        slots.block_size) +
                            first_layer(side) * strides[i];
                for (int l = 0; l < S; ++l)
                  high[i * S + l] = T(side);
              }
            const auto at_low = L::equal(L::load(high), L::zero());
            for (int i = 0; i < 2; ++i)
              for (int j = 0; j < 2; ++j)
                normal[i][j] = L::blend(at_low,
                                        L::set(matrices.normal[0][i][j]),
                                        L::set(matrices.normal[1][i][j]));
          }

          /** Where a slot has value @p line of layer m. */
          TESSERA_ALWAYS_INLINE U *
          value(const int slot, const int m, const int line) const
          {
            return layers[slot] + m * strides[slot] + lines[slot][line];
          }

          /** These values, in all lanes of their slots. */
          TESSERA_ALWAYS_INLINE V
          load(const int m, const int line) const
          {
            return load_lanes<L>(0, m, line);
          }

          V normal[2][2];

        private:
          U                 *layers[n_lanes];
          std::size_t        strides[n_lanes];
          const std::size_t *lines[n_lanes];

          static TESSERA_ALWAYS_INLINE int
          first_layer(const int side)
          {
            return side == 1 ? 0 : n - 2;
          }

          template <typename Part>
          TESSERA_ALWAYS_INLINE typename Part::V
          load_lanes(const int slot, const int m, const int line) const
          {
            if constexpr (Part::width == S)
              return Part::set(*value(slot, m, line));
            else
              {
                constexpr int half = Part::width / 2;
                using Half = tessera::TESSERA_SIMD_NAMESPACE::Lanes<T, half>;
                return Part::join(load_lanes<Half>(slot, m, line),
                                  load_lanes<Half>(slot + half / S, m, line));
              }
          }
        };

        template <int dim, int degree, typename L>
        void
        prolong(const SlotView                    &slots,
                const SlotMatrices<typename L::T> &matrices,
                const typename L::T               *coarse,
                typename L::T                     *shadows)
        {
          using T             = typename L::T;
          using V             = typename L::V;
          constexpr int n     = degree + 1;
          constexpr int plane = cellwise::power(n, dim - 1);
          constexpr int W     = L::width;
          constexpr int S     = 1 << (dim - 1);

          const FirstOfLines<dim, n>         lines(slots.block_size);
          const ChildMatrices<dim - 1, n, L> children(matrices.tangential);
          for (CellIndex first = 0; first * S < slots.n_padded_shadow_cells;
               first += W / S)
            {
              const LargeCells<dim, n, L, const T> large(
                slots, matrices, lines, first, coarse);
              V u[2 * plane];
              for (int line = 0; line < plane; ++line)
                {
                  const V u0 = large.load(0, line), u1 = large.load(1, line);
                  for (int m = 0; m < 2; ++m)
                    u[m * plane + line] =
                      L::fma(large.normal[m][1], u1, large.normal[m][0] * u0);
                }
              for (int m = 0; m < 2; ++m)
                contract_cells<dim - 1, n, L>(children.matrices, u + m * plane);
              if (first + W / S > slots.n_slots)
                {
                  const auto inside =
                    L::first_lanes((slots.n_slots - first) * S);
                  for (int k = 0; k < 2 * plane; ++k)
                    u[k] = L::blend(inside, u[k], L::zero());
                }
              store_blocked<2 * plane, L>(shadows,
                                          slots.block_size,
                                          slots.n_padded_shadow_cells,
                                          first * S,
                                          u);
            }
        }

        template <int dim, int degree, typename L>
        void
        restrict_and_add(const SlotView                    &slots,
                         const SlotMatrices<typename L::T> &matrices,
                         const typename L::T                factor,
                         const typename L::T               *shadows,
                         typename L::T                     *coarse)
        {
          using T             = typename L::T;
          using V             = typename L::V;
          constexpr int n     = degree + 1;
          constexpr int plane = cellwise::power(n, dim - 1);
          constexpr int W     = L::width;
          constexpr int S     = 1 << (dim - 1);

          const FirstOfLines<dim, n>         lines(slots.block_size);
          const ChildMatrices<dim - 1, n, L> children(matrices.tangential);
          Transposed<LaneMatrix<L, n>>       transposed[dim - 1];
          for (int a = 0; a < dim - 1; ++a)
            transposed[a].matrix = children.matrices[a];
          const V scale = L::set(factor);
          for (CellIndex first = 0; first < slots.n_slots; first += W / S)
            {
              const LargeCells<dim, n, L, T> large(
                slots, matrices, lines, first, coarse);
              V y[2 * plane];
              load_blocked<2 * plane, L>(shadows,
                                         slots.block_size,
                                         slots.n_padded_shadow_cells,
                                         first * S,
                                         y);
              for (int m = 0; m < 2; ++m)
                contract_cells<dim - 1, n, L>(transposed, y + m * plane);
              T sums[2][plane][W];
              for (int line = 0; line < plane; ++line)
                {
                  const V y0 = sum_lanes<L, S>(y[line]);
                  const V y1 = sum_lanes<L, S>(y[plane + line]);
                  for (int m = 0; m < 2; ++m)
                    L::store(sums[m][line],
                             scale * L::fma(large.normal[1][m],
                                            y1,
                                            large.normal[0][m] * y0));
                }
              // A large cell may be there twice, with two of its faces.
              for (int i = 0; i < W / S && first + i < slots.n_slots; ++i)
                for (int m = 0; m < 2; ++m)
                  for (int line = 0; line < plane; ++line)
                    *large.value(i, m, line) += sums[m][line][i * S];
            }
        }
      } // namespace



      template <int dim, typename T>
      void
      prolong_slots(const int              degree,
                    const SlotView        &slots,
                    const SlotMatrices<T> &matrices,
                    const T               *coarse,
                    T                     *shadows)
      {
        cellwise::dispatch_degree(degree, [&](const auto p) {
          prolong<dim, decltype(p)::value, GroupLanes<dim, T>>(slots,
                                                               matrices,
                                                               coarse,
                                                               shadows);
        });
      }



      template <int dim, typename T>
      void
      restrict_slots(const int              degree,
                     const SlotView        &slots,
                     const SlotMatrices<T> &matrices,
                     const T                factor,
                     const T               *shadows,
                     T                     *coarse)
      {
        cellwise::dispatch_degree(degree, [&](const auto p) {
          restrict_and_add<dim, decltype(p)::value, GroupLanes<dim, T>>(
            slots, matrices, factor, shadows, coarse);
        });
      }



#define TESSERA_INSTANTIATE(dim, T)                                  \
  template void prolong_slots<dim>(                                  \
    int, const SlotView &, const SlotMatrices<T> &, const T *, T *); \
  template void restrict_slots<dim>(                                 \
    int, const SlotView &, const SlotMatrices<T> &, T, const T *, T *);
      TESSERA_INSTANTIATE(2, float)
      TESSERA_INSTANTIATE(2, double)
      TESSERA_INSTANTIATE(3, float)
      TESSERA_INSTANTIATE(3, double)
#undef TESSERA_INSTANTIATE
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sipg
} // namespace tessera
