// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sipg/cell_products.h>
#include <tessera/sipg/face_flux.h>
#include <tessera/sipg/face_gather.h>
#include <tessera/sipg/lane_cells.h>
#include <tessera/sipg/lane_width.h>
#include <tessera/sipg/split_kernels.h>

namespace tessera
{
  namespace sipg
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      namespace
      {
        /** Subtract S lanes each from values of groups; a null pointer stands
         * for no group. */
        template <typename L, int S>
        TESSERA_ALWAYS_INLINE void
        subtract_from_groups(typename L::T *const *groups,
                             const std::size_t     offset,
                             const typename L::V  &v)
        {
          using T         = typename L::T;
          constexpr int W = L::width;
          if constexpr (W == S)
            {
              if (groups[0] != nullptr)
                L::store(groups[0] + offset, L::load(groups[0] + offset) - v);
            }
          else
            {
              using Half = tessera::TESSERA_SIMD_NAMESPACE::Lanes<T, W / 2>;
              subtract_from_groups<Half, S>(groups, offset, L::low(v));
              subtract_from_groups<Half, S>(groups + W / 2 / S,
                                            offset,
                                            L::high(v));
            }
        }

        /**
         * The terms of the faces normal to an axis, added to y; see
         * add_face_terms().
         *
         * Two-sided, lane l treats the upper face of its cell: to its sibling,
         * lane l ^ 2^axis, or to the cell of the next group at this place. A
         * permutation brings the terms to the cells above. Lower faces belong
         * to the cells below, but for shadows and the boundary.
         */
        template <int dim, int degree, int axis, typename L>
        class FaceSweep
        {
        public:
          using T      = typename L::T;
          using V      = typename L::V;
          using Gather = FaceGather<dim, degree, L>;

          static constexpr int W        = L::width;
          static constexpr int S        = 1 << dim;
          static constexpr int bit      = 1 << axis;
          static constexpr int n        = degree + 1;
          static constexpr int plane    = Gather::plane;
          static constexpr int n_values = Gather::n_values;
          static constexpr int stride   = cellwise::power(n, axis);

          using Flux = V[2][plane];

          FaceSweep(const FaceTerms        face_terms,
                    const LevelView       &level_view,
                    const MatricesView<T> &matrices_view,
                    const T               *cells,
                    const T               *shadows,
                    T                     *y,
                    T                     *y_of_shadows)
            : terms(face_terms)
            , level(level_view)
            , matrices(matrices_view)
            , gather(level, cells, shadows, matrices.mirror)
            , u_cells(cells)
            , y_cells(y)
            , y_shadows(y_of_shadows)
            , B(level.block_size)
            , two_sided(degree >= 3 && gather.takes_groups())
          {}

          void
          run() const
          {
            for (CellIndex c = 0; c < level.n_padded_cells; c += W)
              if (terms == FaceTerms::level || activity<W, S>(level, c) != 0)
                add_faces(c);
          }

        private:
          void
          add_faces(const CellIndex c) const
          {
            V own[n_values];
            load_layers(c, own);
            Flux flux;
            evaluate<1>(c, own, flux);
            if (!two_sided)
              {
                add_to_own_side(1, c, flux);
                add_to_shadows(1, c, flux);
                evaluate<0>(c, own, flux);
                add_to_own_side(0, c, flux);
                add_to_shadows(0, c, flux);
                return;
              }
            add_to_both_sides(c, flux);
            T is_ours[W];
            if (!find_lower_faces(c, is_ours))
              return;
            evaluate<0>(c, own, flux);
            const auto others = L::equal(L::load(is_ours), L::zero());
            for (int m = 0; m < 2; ++m)
              for (int line = 0; line < plane; ++line)
                flux[m][line] = L::blend(others, L::zero(), flux[m][line]);
            add_to_own_side(0, c, flux);
            add_to_shadows(0, c, flux);
          }

          /** What is beyond the faces at a side of the groups in the lanes. */
          TESSERA_ALWAYS_INLINE SkeletonEntry
          beyond_group(const CellIndex c, const int g, const int side) const
          {
            const CellIndex group = c / S + g;
            return group * S < level.n_padded_cells ?
                     level.skeleton[group * (2 * dim) + 2 * axis + side] :
                     neumann_face;
          }

          /** 1 for cells at lower faces that have no cell below, which would
           * treat the face; else 0. */
          TESSERA_ALWAYS_INLINE bool
          find_lower_faces(const CellIndex c, T *is_ours) const
          {
            bool any = false;
            for (int g = 0; g < W / S; ++g)
              {
                const SkeletonEntry entry = beyond_group(c, g, 0);
                const bool          ours  = entry < 0 && entry != neumann_face;
                any                       = any || ours;
                for (int l = 0; l < S; ++l)
                  is_ours[g * S + l] = T(ours && (l & bit) == 0);
              }
            return any;
          }

          /** The layers that faces of this axis need, at their places among
           * the values of a cell. */
          TESSERA_ALWAYS_INLINE void
          load_layers(const CellIndex c, V *own) const
          {
            if (degree < 4 || level.block_size < W)
              return load_cells<n_values, L>(u_cells, level, c, own);
            const T *in = cell_values(u_cells, c, n_values, level.block_size);
            for_each_line([&](const int, const int first) {
              for (int side = 0; side < 2; ++side)
                for (int m = 0; m < 2; ++m)
                  {
                    const int k = first + layer(side, m) * stride;
                    own[k]      = L::load(in + k * B);
                  }
            });
          }

          template <typename F>
          TESSERA_ALWAYS_INLINE static void
          for_each_line(const F &f)
          {
            OwnSide<dim, degree, L>::template for_each_line<axis>(f);
          }

          /** The terms of the faces at a side of all cells, tested with their
           * own layers; zero where a face does not take part. */
          template <int side>
          __attribute__((noinline)) void
          evaluate(const CellIndex c, const V *own, Flux &flux) const
          {
            V beyond[2][plane], weights;
            gather.template one_face<axis, side>(
              terms, c, own, beyond, weights);
            weights = weights *
                      with_coefficient<L>(level, c, matrices.face_scale[axis]);
            const FaceFlux<L> face_flux(matrices.gamma,
                                        matrices.face_derivative);
            for_each_line([&](const int line, const int first) {
              face_flux(weights,
                        own[first + layer(side, 0) * stride],
                        own[first + layer(side, 1) * stride],
                        beyond[0][line],
                        beyond[1][line],
                        flux[0][line],
                        flux[1][line]);
            });
            // Values of refined cells may be anything.
            if (terms == FaceTerms::active && activity<W, S>(level, c) != 2)
              zero_inactive_cells<2 * plane, L>(level, c, flux[0]);
            UniformMatrix<L, n> mass[dim - 1];
            for (int a = 0; a < dim - 1; ++a)
              mass[a].entries = matrices.mass;
            for (int m = 0; m < 2; ++m)
              contract_cells<dim - 1, n, L>(mass, flux[m]);
          }

          /** Layer m from the face at a side on. */
          static constexpr int
          layer(const int side, const int m)
          {
            return side == 1 ? degree - m : m;
          }

          TESSERA_ALWAYS_INLINE void
          add_to_own_side(const int       side,
                          const CellIndex c,
                          const Flux     &flux) const
          {
            for_each_line([&](const int line, const int first) {
              for (int m = 0; m < 2; ++m)
                add(c, first + layer(side, m) * stride, flux[m][line]);
            });
          }

          /** Of the upper faces, to the cells below and above, or to shadows.
           */
          TESSERA_ALWAYS_INLINE void
          add_to_both_sides(const CellIndex c, const Flux &flux) const
          {
            T   *groups[W / S];
            bool shadows = false;
            for (int g = 0; g < W / S; ++g)
              {
                const SkeletonEntry entry = beyond_group(c, g, 1);
                groups[g]                 = nullptr;
                if (entry >= 0)
                  groups[g] =
                    cell_values(y_cells, entry * S, n_values, level.block_size);
                shadows = shadows || entry <= first_slot;
              }
            if (shadows)
              add_to_shadows(1, c, flux);
            for_each_line([&](const int line, const int first) {
              TESSERA_UNROLL
              for (int m = 0; m < 2; ++m)
                {
                  const int below = first + layer(1, m) * stride;
                  const int above = first + layer(0, m) * stride;
                  const V   v     = flux[m][line];
                  const V   moved = L::template xor_lane<bit>(v);
                  add(c, below, v);
                  add(c, above, -L::template select<bit>(L::zero(), moved));
                  subtract_from_groups<L, S>(
                    groups,
                    above * B,
                    L::template select<bit>(moved, L::zero()));
                }
            });
          }

          /** y <- y + v for value k of cells c, ..., c + W - 1. */
          TESSERA_ALWAYS_INLINE void
          add(const CellIndex c, const int k, const V &v) const
          {
            if (level.block_size >= W)
              {
                T *out =
                  cell_values(y_cells, c, n_values, level.block_size) + k * B;
                L::store(out, L::load(out) + v);
              }
            else
              add_one_by_one(c, k, v);
          }

          __attribute__((noinline)) void
          add_one_by_one(const CellIndex c, const int k, const V &v) const
          {
            T lanes[W];
            L::store(lanes, v);
            for (int l = 0; l < W && c + l < level.n_padded_cells; ++l)
              cell_values(y_cells, c + l, n_values, level.block_size)[k * B] +=
                lanes[l];
          }

          /** The other side of the terms of faces to shadows. */
          __attribute__((noinline)) void
          add_to_shadows(const int       side,
                         const CellIndex c,
                         const Flux     &flux) const
          {
            for (int l = 0; l < W && c + l < level.n_padded_cells; ++l)
              {
                const Neighbour beyond = neighbour<dim>(
                  level.skeleton, level.group_size, c + l, axis, side);
                if (beyond.kind != NeighbourKind::shadow)
                  continue;
                T *out = cell_values(y_shadows,
                                     beyond.index,
                                     2 * plane,
                                     level.block_size);
                for (int m = 0; m < 2; ++m)
                  {
                    const int stored = side == 1 ? m : 1 - m;
                    for (int line = 0; line < plane; ++line)
                      out[(stored * plane + line) * B] -=
                        reinterpret_cast<const T *>(&flux[m][line])[l];
                  }
              }
          }

          const FaceTerms        terms;
          const LevelView       &level;
          const MatricesView<T> &matrices;
          const Gather           gather;
          const T               *u_cells;
          T                     *y_cells;
          T                     *y_shadows;
          const std::size_t      B;
          const bool             two_sided;
        };

        template <int axis>
        struct Axis
        {
          static constexpr int value = axis;
        };
      } // namespace



      template <int dim, typename T>
      void
      add_face_terms(const int              degree,
                     const int              axis,
                     const FaceTerms        terms,
                     const LevelView       &level,
                     const MatricesView<T> &matrices,
                     const T               *cells,
                     const T               *shadows,
                     T                     *y,
                     T                     *y_shadows)
      {
        cellwise::dispatch_degree(degree, [&](const auto p) {
          const auto sweep = [&](const auto a) {
            FaceSweep<dim,
                      decltype(p)::value,
                      decltype(a)::value,
                      GroupLanes<dim, T>>(
              terms, level, matrices, cells, shadows, y, y_shadows)
              .run();
          };
          if (axis == 0)
            sweep(Axis<0>());
          else if (axis == 1)
            sweep(Axis<1>());
          else
            sweep(Axis<dim - 1>());
        });
      }



#define TESSERA_INSTANTIATE(dim, T)                          \
  template void add_face_terms<dim>(int,                     \
                                    int,                     \
                                    FaceTerms,               \
                                    const LevelView &,       \
                                    const MatricesView<T> &, \
                                    const T *,               \
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
