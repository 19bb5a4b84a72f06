// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sipg/face_flux.h>
#include <tessera/sipg/lane_cells.h>
#include <tessera/sipg/lane_width.h>
#include <tessera/sipg/operator_kernels.h>
#include <tessera/sipg/tensor_contractions.h>

namespace tessera
{
  namespace sipg
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      namespace
      {
        /** The face of the groups at which shadow cell s is. */
        template <int dim>
        TESSERA_ALWAYS_INLINE int
        face_of_shadow(const LevelView &level, const CellIndex s)
        {
          int face = 0;
          while (face + 1 < 2 * dim &&
                 (s >> (dim - 1)) >= level.slot_begin[face + 1])
            ++face;
          return face;
        }

        template <int dim, int degree, typename L>
        void
        apply_fluxes(const LevelView                   &level,
                     const MatricesView<typename L::T> &matrices,
                     const typename L::T               *cells,
                     const typename L::T               *shadows,
                     typename L::T                     *y_shadows)
        {
          using T                = typename L::T;
          using V                = typename L::V;
          constexpr int n        = degree + 1;
          constexpr int n_values = cellwise::power(n, dim);
          constexpr int plane    = cellwise::power(n, dim - 1);
          constexpr int W        = L::width;

          const std::size_t   B = level.block_size;
          const FaceFlux<L>   flux(matrices.gamma, matrices.face_derivative);
          UniformMatrix<L, n> mass[dim - 1];
          for (int a = 0; a < dim - 1; ++a)
            mass[a].entries = matrices.mass;

          for (CellIndex first = 0; first < level.n_padded_shadow_cells;
               first += W)
            {
              // Of the shadow and of the cell, from the face on.
              T         shadow[2][plane][W] = {}, cell[2][plane][W] = {};
              T         scale[W] = {};
              int       sides[W] = {};
              const int n_left   = int(level.n_shadow_cells - first);
              const int n_lanes  = n_left < 0 ? 0 : n_left < W ? n_left : W;
              for (int l = 0; l < n_lanes; ++l)
                {
                  const CellIndex s    = first + l;
                  const CellIndex slot = s >> (dim - 1);
                  const int       face = face_of_shadow<dim>(level, s);
                  const int       axis = face / 2, side = face % 2;
                  const CellIndex c =
                    (level.slot_group[slot] << dim) +
                    child_at_face<dim>(s & ((1 << (dim - 1)) - 1), axis, side);
                  sides[l] = side;
                  scale[l] = matrices.face_scale[axis];
                  if (level.coefficient != nullptr)
                    {
                      const double k = level.coefficient[c];
                      const double b = level.slot_coefficient[slot];
                      scale[l] *= T(k == b ? k : 2. * k * (b / (k + b)));
                    }
                  const T *of_shadow =
                    cell_values(shadows, s, 2 * plane, level.block_size);
                  const T *of_cell =
                    cell_values(cells, c, n_values, level.block_size);
                  const int stride = axis == 0 ? 1 : axis == 1 ? n : n * n;
                  for (int m = 0; m < 2; ++m)
                    {
                      const int stored = side == 1 ? m : 1 - m;
                      const int layer  = side == 1 ? degree - m : m;
                      for (int line = 0; line < plane; ++line)
                        {
                          const int node = line / stride * stride * n +
                                           line % stride + layer * stride;
                          shadow[m][line][l] =
                            of_shadow[(stored * plane + line) * B];
                          cell[m][line][l] = of_cell[node * B];
                        }
                    }
                }

              V       y[2][plane];
              const V w = L::load(scale);
              for (int line = 0; line < plane; ++line)
                flux(w,
                     L::load(shadow[0][line]),
                     L::load(shadow[1][line]),
                     L::load(cell[0][line]),
                     L::load(cell[1][line]),
                     y[0][line],
                     y[1][line]);
              for (int m = 0; m < 2; ++m)
                contract<dim - 1, n, L>(mass, y[m]);
              for (int m = 0; m < 2; ++m)
                for (int line = 0; line < plane; ++line)
                  L::store(shadow[m][line], y[m][line]);

              // Padding has weight zero.
              for (int l = 0; l < W && first + l < level.n_padded_shadow_cells;
                   ++l)
                {
                  T *out = cell_values(y_shadows,
                                       CellIndex(first + l),
                                       2 * plane,
                                       level.block_size);
                  for (int m = 0; m < 2; ++m)
                    {
                      const int stored = sides[l] == 1 ? m : 1 - m;
                      for (int line = 0; line < plane; ++line)
                        out[(stored * plane + line) * B] = shadow[m][line][l];
                    }
                }
            }
        }
      } // namespace



      template <int dim, typename T>
      void
      apply_to_shadows(const int              degree,
                       const LevelView       &level,
                       const MatricesView<T> &matrices,
                       const T               *cells,
                       const T               *shadows,
                       T                     *y_shadows)
      {
        cellwise::dispatch_degree(degree, [&](const auto p) {
          apply_fluxes<dim, decltype(p)::value, GroupLanes<dim, T>>(
            level, matrices, cells, shadows, y_shadows);
        });
      }



#define TESSERA_INSTANTIATE(dim, T)                            \
  template void apply_to_shadows<dim>(int,                     \
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
