// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sipg/cell_products.h>
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

        /** Lane t receives the child of a group at a face with tangential
         * number t. */
        template <int dim, int face>
        struct FaceChildPattern
        {
          static constexpr int
          at(const int lane)
          {
            constexpr int n_face_children = 1 << (dim - 1);
            return child_at_face<dim>(lane % n_face_children,
                                      face / 2,
                                      face % 2);
          }
        };

        /** The two layers of the children of a group at a face, from the face
         * on: 2^(dim-1) values next to each other at out[layer][line]. */
        template <int dim, int degree, int face, typename T, int W>
        __attribute__((noinline)) void
        take_face_children(const T          *group,
                           const std::size_t block_size,
                           T (&out)[2][cellwise::power(degree + 1, dim - 1)][W],
                           const int lane)
        {
          using Group = tessera::TESSERA_SIMD_NAMESPACE::Lanes<T, 1 << dim>;
          using Part =
            tessera::TESSERA_SIMD_NAMESPACE::Lanes<T, 1 << (dim - 1)>;
          using Pattern        = FaceChildPattern<dim, face>;
          constexpr int n      = degree + 1;
          constexpr int top    = face % 2 == 1 ? degree : 0;
          constexpr int stride = cellwise::power(n, face / 2);
          for (int m = 0; m < 2; ++m)
            {
              const int layer = face % 2 == 1 ? top - m : m;
              for (int line = 0; line < cellwise::power(n, dim - 1); ++line)
                {
                  const std::size_t node =
                    line / stride * stride * n + line % stride + layer * stride;
                  const typename Group::V values =
                    Group::load(group + node * block_size);
                  Part::store(out[m][line] + lane,
                              Group::low(Group::template shuffle<Pattern>(
                                values, values)));
                }
            }
        }

        /** The same for a face known at run time. */
        template <int dim, int degree, typename T, int W, int face = 0>
        TESSERA_ALWAYS_INLINE void
        take_children_at(const int         at_face,
                         const T          *group,
                         const std::size_t block_size,
                         T (&out)[2][cellwise::power(degree + 1, dim - 1)][W],
                         const int lane)
        {
          if (at_face == face)
            take_face_children<dim, degree, face>(group, block_size, out, lane);
          else if constexpr (face + 1 < 2 * dim)
            take_children_at<dim, degree, T, W, face + 1>(
              at_face, group, block_size, out, lane);
        }

        /** The same, cell by cell, where a group is in several blocks. */
        template <int dim, int degree, typename T, int W>
        __attribute__((noinline)) void
        take_children_one_by_one(
          const int        face,
          const LevelView &level,
          const CellIndex  group,
          const T         *cells,
          T (&out)[2][cellwise::power(degree + 1, dim - 1)][W],
          const int lane)
        {
          constexpr int n    = degree + 1;
          const int     axis = face / 2, side = face % 2;
          const int     stride = axis == 0 ? 1 : axis == 1 ? n : n * n;
          for (int t = 0; t < 1 << (dim - 1); ++t)
            {
              const T *values =
                cell_values(cells,
                            (group << dim) + child_at_face<dim>(t, axis, side),
                            cellwise::power(n, dim),
                            level.block_size);
              for (int m = 0; m < 2; ++m)
                for (int line = 0; line < cellwise::power(n, dim - 1); ++line)
                  {
                    const int layer = side == 1 ? degree - m : m;
                    const int node  = line / stride * stride * n +
                                     line % stride + layer * stride;
                    out[m][line][lane + t] =
                      values[std::size_t(node) * level.block_size];
                  }
            }
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
          constexpr int S        = 1 << (dim - 1);

          const FaceFlux<L>   flux(matrices.gamma, matrices.face_derivative);
          UniformMatrix<L, n> mass[dim - 1];
          for (int a = 0; a < dim - 1; ++a)
            mass[a].entries = matrices.mass;

          for (CellIndex first = 0; first < level.n_padded_shadow_cells;
               first += W)
            {
              // Of the level cells, from the face on. Padding has weight zero.
              T cell[2][plane][W] = {};
              T scale[W] = {}, high[W] = {};
              for (int l = 0; l < W && first + l < level.n_shadow_cells; l += S)
                {
                  const CellIndex slot  = (first + l) / S;
                  const CellIndex group = level.slot_group[slot];
                  const int       face  = face_of_shadow<dim>(level, first + l);
                  for (int t = 0; t < S; ++t)
                    {
                      high[l + t]  = T(face % 2);
                      scale[l + t] = matrices.face_scale[face / 2];
                      if (level.coefficient != nullptr)
                        {
                          const double k =
                            level.coefficient[(group << dim) +
                                              child_at_face<dim>(
                                                t, face / 2, face % 2)];
                          const double b = level.slot_coefficient[slot];
                          scale[l + t] *=
                            T(k == b ? k : 2. * k * (b / (k + b)));
                        }
                    }
                  if (level.block_size >= 2 * S)
                    take_children_at<dim, degree, T, W>(
                      face,
                      cell_values(
                        cells, group << dim, n_values, level.block_size),
                      level.block_size,
                      cell,
                      l);
                  else
                    take_children_one_by_one<dim, degree>(
                      face, level, group, cells, cell, l);
                }

              // Stored layers ascend along the axis.
              V shadow[2 * plane];
              load_blocked<2 * plane, L>(shadows,
                                         level.block_size,
                                         level.n_padded_shadow_cells,
                                         first,
                                         shadow);
              const auto at_low = L::equal(L::load(high), L::zero());
              const V    w      = L::load(scale);
              V          y[2][plane];
              for (int line = 0; line < plane; ++line)
                {
                  const V low = shadow[line], up = shadow[plane + line];
                  flux(w,
                       L::blend(at_low, up, low),
                       L::blend(at_low, low, up),
                       L::load(cell[0][line]),
                       L::load(cell[1][line]),
                       y[0][line],
                       y[1][line]);
                }
              for (int m = 0; m < 2; ++m)
                contract_cells<dim - 1, n, L>(mass, y[m]);
              for (int line = 0; line < plane; ++line)
                {
                  shadow[line] = L::blend(at_low, y[1][line], y[0][line]);
                  shadow[plane + line] =
                    L::blend(at_low, y[0][line], y[1][line]);
                }
              store_blocked<2 * plane, L>(y_shadows,
                                          level.block_size,
                                          level.n_padded_shadow_cells,
                                          first,
                                          shadow);
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
