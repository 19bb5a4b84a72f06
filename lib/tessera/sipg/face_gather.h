// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_face_gather_h
#define tessera_sipg_face_gather_h

#include <tessera/base/lanes.h>
#include <tessera/sipg/lane_cells.h>
#include <tessera/sipg/own_side.h>

#include <cstddef>

namespace tessera
{
  namespace sipg
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      /**
       * Lanes that are a number of sibling groups: lane l receives its sibling
       * across the middle of the group, from the first argument, or its
       * neighbour in the next group, from the second one, which is that
       * group's cell at the same face.
       */
      template <int W, int bit, int side>
      struct AcrossFacePattern
      {
        static constexpr int
        at(const int lane)
        {
          return ((lane & bit) != 0) == (side == 1) ? (lane ^ bit) + W :
                                                      lane ^ bit;
        }
      };

      /** Lane l, a child of a group, receives the shadow cell at its place at a
       * face of the axis; lanes of 2^dim of which the first 2^(dim-1) count. */
      template <int dim, int axis>
      struct ShadowPattern
      {
        static constexpr int
        at(const int lane)
        {
          return tangential_child<dim>(lane, axis);
        }
      };

      /** S values of each of the groups, side by side in the lanes. */
      template <typename L, int S>
      TESSERA_ALWAYS_INLINE typename L::V
      load_groups(const typename L::T *const *groups, const std::size_t offset)
      {
        using T         = typename L::T;
        constexpr int W = L::width;
        if constexpr (W == S)
          return L::load(groups[0] + offset);
        else
          {
            using Half = tessera::TESSERA_SIMD_NAMESPACE::Lanes<T, W / 2>;
            return L::join(load_groups<Half, S>(groups, offset),
                           load_groups<Half, S>(groups + W / 2 / S, offset));
          }
      }

      /**
       * Brings the layers of all neighbours of W cells side by side, cells c to
       * c + W - 1, c a multiple of W, into FaceLayers.
       *
       * Where the neighbours are cells of whole groups this is a load and a
       * permutation a value. What else is beyond a face comes in as a
       * combination with the cell's own layers, so that the arithmetic is one:
       * $$ u_0' = \omega u_0 + \theta u_0^{own}, \quad
       *    u_1' = \omega u_1 + \theta u_1^{own} + \kappa u_0^{own} $$
       * with $\omega = \kappa_F / k$, $\theta = 1 - \omega$ for a cell or a
       * shadow; $\omega = 0$, $\theta = 1$ for a Neumann face and faces that do
       * not take part (the cell's own face term is taken back);
       * $\omega = 0$, $\theta = -1$ (mirrored) and
       * $\kappa = -2 (\beta - 2) \gamma / \phi_1'(0)$ for a Dirichlet face.
       *
       * L has a multiple of 2^dim lanes.
       */
      template <int dim, int degree, typename L>
      class FaceGather
      {
      public:
        using T = typename L::T;
        using V = typename L::V;

        using Layers = FaceLayers<dim, degree, L>;

        static constexpr int W        = L::width;
        static constexpr int S        = 1 << dim;
        static constexpr int n        = degree + 1;
        static constexpr int plane    = Layers::size;
        static constexpr int n_values = cellwise::power(n, dim);

        /** @param[in] mirror $\kappa$ of Dirichlet faces. */
        TESSERA_ALWAYS_INLINE
        FaceGather(const LevelView &view,
                   const T         *cells,
                   const T         *shadows,
                   const T          mirror)
          : level(view)
          , u_cells(cells)
          , u_shadows(shadows)
          , kappa(mirror)
        {}

        /**
         * @param[in] with_own Whether what is not the neighbour's comes in;
         *   else $\theta = \kappa = 0$: the coupling alone.
         * @param[in] c First of the cells.
         * @param[in] own Their values.
         */
        TESSERA_ALWAYS_INLINE void
        operator()(const FaceTerms terms,
                   const bool      with_own,
                   const CellIndex c,
                   const V        *own,
                   Layers         &layers) const
        {
          const SpecialFaces faces = special_faces(terms, c);
          if (takes_groups())
            {
              gather_axis<dim - 1>(c, own, layers);
              if (faces.shadow != 0)
                gather_shadows<dim - 1>(faces.shadow, c, layers);
            }
          if (faces.special != 0)
            for (int face = 0; face < 2 * dim; ++face)
              if ((faces.special >> face) & 1u)
                modify(
                  terms, with_own, face, c, own, layers.values[face], nullptr);
        }

        /**
         * One face, for a flux that depends on differences to the cell's own
         * layers and is multiplied by k and the weights: layers of cells and
         * shadows as they are, the cell's own ones where there is no flux,
         * mirrored ones for Dirichlet faces. Those of cells that do not take
         * part are anything.
         *
         * Of own, only the two layers at each of the two faces of the axis are
         * read.
         *
         * @param[out] weights $\kappa_F / k$, 1 at the boundary.
         */
        template <int axis, int side>
        TESSERA_ALWAYS_INLINE void
        one_face(const FaceTerms terms,
                 const CellIndex c,
                 const V        *own,
                 V (&out)[2][plane],
                 V &weights) const
        {
          constexpr int      face  = 2 * axis + side;
          const SpecialFaces faces = special_faces(terms, c);
          weights                  = L::set(T(1));
          if (takes_groups())
            {
              gather_groups<axis, side>(c, own, out);
              if ((faces.shadow >> face) & 1u)
                take_shadows<axis, side>(c, out);
            }
          if ((faces.special >> face) & 1u)
            modify(terms, true, face, c, own, out, &weights);
        }

        /** Whether lanes are loaded from groups, or one by one. */
        TESSERA_ALWAYS_INLINE bool
        takes_groups() const
        {
          return level.group_size == S && level.block_size >= S;
        }

      private:
        /** A bit for each face. */
        struct SpecialFaces
        {
          unsigned int shadow;  ///< A group has a slot there.
          unsigned int special; ///< There is something for modify().
        };

        /** Of the groups in the lanes; all where lanes are loaded one by one.
         */
        TESSERA_ALWAYS_INLINE SpecialFaces
        special_faces(const FaceTerms terms, const CellIndex c) const
        {
          if (!takes_groups())
            return {0, ~0u};
          SpecialFaces        faces = {0, 0};
          const std::uint8_t *flags = terms == FaceTerms::level ?
                                        level.special_level_faces :
                                        level.special_active_faces;
          for (CellIndex g = c / S; g < (c + W) / S; ++g)
            {
              faces.shadow |= level.shadow_faces[g];
              faces.special |= flags[g];
            }
          return faces;
        }

        template <int axis>
        TESSERA_ALWAYS_INLINE void
        gather_axis(const CellIndex c, const V *own, Layers &layers) const
        {
          gather_groups<axis, 0>(c, own, layers.values[2 * axis]);
          gather_groups<axis, 1>(c, own, layers.values[2 * axis + 1]);
          if constexpr (axis > 0)
            gather_axis<axis - 1>(c, own, layers);
        }

        /** Layers of the neighbour, from the face on, are those of its other
         * end. */
        template <int side>
        static constexpr int
        neighbour_layer(const int m)
        {
          return side == 1 ? m : degree - m;
        }

        template <int axis, int side>
        TESSERA_ALWAYS_INLINE void
        gather_groups(const CellIndex c, const V *own, V (&out)[2][plane]) const
        {
          using Across         = AcrossFacePattern<W, 1 << axis, side>;
          constexpr int stride = cellwise::power(n, axis);
          const T      *groups[W / S];
          for (int g = 0; g < W / S; ++g)
            {
              // Lanes beyond the padding show anything.
              const CellIndex group =
                c + g * S < level.n_padded_cells ? c / S + g : c / S;
              const SkeletonEntry entry =
                level.skeleton[group * (2 * dim) + 2 * axis + side];
              groups[g] = cell_values(u_cells,
                                      (entry >= 0 ? entry : group) * S,
                                      n_values,
                                      level.block_size);
            }
          const std::size_t B = level.block_size;
          OwnSide<dim, degree, L>::template for_each_line<axis>(
            [&](const int line, const int first) {
              TESSERA_UNROLL
              for (int m = 0; m < 2; ++m)
                {
                  const int k  = first + neighbour_layer<side>(m) * stride;
                  out[m][line] = L::template shuffle<Across>(
                    own[k], load_groups<L, S>(groups, k * B));
                }
            });
        }

        template <int axis>
        TESSERA_ALWAYS_INLINE void
        gather_shadows(const unsigned int faces,
                       const CellIndex    c,
                       Layers            &layers) const
        {
          if ((faces >> (2 * axis)) & 1u)
            take_shadows<axis, 0>(c, layers.values[2 * axis]);
          if ((faces >> (2 * axis + 1)) & 1u)
            take_shadows<axis, 1>(c, layers.values[2 * axis + 1]);
          if constexpr (axis > 0)
            gather_shadows<axis - 1>(faces, c, layers);
        }

        /** Into the lanes at a face, where it has a slot. */
        template <int axis, int side>
        __attribute__((noinline)) void
        take_shadows(const CellIndex c, V (&out)[2][plane]) const
        {
          using Group = tessera::TESSERA_SIMD_NAMESPACE::Lanes<T, S>;
          using Part  = tessera::TESSERA_SIMD_NAMESPACE::Lanes<T, S / 2>;
          const std::size_t B = level.block_size;
          for (int g = 0; g < W / S; ++g)
            {
              const CellIndex group = c / S + g;
              if (c + g * S >= level.n_padded_cells)
                break;
              const SkeletonEntry entry =
                level.skeleton[group * (2 * dim) + 2 * axis + side];
              if (entry > first_slot)
                continue;
              const T *values = cell_values(u_shadows,
                                            (first_slot - entry) * (S / 2),
                                            2 * plane,
                                            level.block_size);
              for (int m = 0; m < 2; ++m)
                {
                  const int stored = side == 1 ? m : 1 - m;
                  for (int line = 0; line < plane; ++line)
                    {
                      const typename Part::V part =
                        Part::load(values + (stored * plane + line) * B);
                      const typename Group::V both = Group::join(part, part);
                      const typename Group::V beyond =
                        Group::template shuffle<ShadowPattern<dim, axis>>(both,
                                                                          both);
                      T *const lanes = &lane_of(out[m][line], g * S);
                      const typename Group::V siblings = Group::load(lanes);
                      Group::store(
                        lanes,
                        side == 1 ?
                          Group::template select<(1 << axis)>(siblings,
                                                              beyond) :
                          Group::template select<(1 << axis)>(beyond,
                                                              siblings));
                    }
                }
            }
        }

        // Not inlined: rarely called, and long. Where weights are asked for,
        // omega is 1 or 0.
        __attribute__((noinline)) void
        modify(const FaceTerms terms,
               const bool      with_own,
               const int       face,
               const CellIndex c,
               const V        *own,
               V (&out)[2][plane],
               V *weights) const
        {
          const int  axis = face / 2, side = face % 2;
          const int  stride   = axis == 0 ? 1 : axis == 1 ? n : n * n;
          const bool by_group = takes_groups();
          T          omega[W], theta[W], kappas[W], factors[W];
          for (int l = 0; l < W; ++l)
            {
              const CellIndex cell = c + l;
              omega[l]             = T(0);
              theta[l]             = T(1);
              kappas[l]            = T(0);
              factors[l]           = T(1);
              if (cell >= level.n_padded_cells)
                continue;
              const Neighbour beyond = neighbour<dim>(
                level.skeleton, level.group_size, cell, axis, side);
              switch (beyond.kind)
                {
                  case NeighbourKind::cell:
                    if (terms == FaceTerms::level || level.active[beyond.index])
                      omega[l] = weight(cell, level.coefficient, beyond.index);
                    if (!by_group)
                      copy_from_cell(stride, side, beyond.index, l, out);
                    break;
                  case NeighbourKind::shadow:
                    if (terms == FaceTerms::level || level.active[cell])
                      omega[l] = weight(cell,
                                        level.slot_coefficient,
                                        beyond.index >> (dim - 1));
                    if (!by_group)
                      copy_from_shadow(side, beyond.index, l, out);
                    break;
                  case NeighbourKind::dirichlet:
                    theta[l]  = T(-1);
                    kappas[l] = kappa;
                    break;
                  case NeighbourKind::neumann:
                    break;
                }
              if (weights != nullptr && omega[l] != T(0))
                {
                  factors[l] = omega[l];
                  omega[l]   = T(1);
                }
              if (omega[l] != T(0))
                theta[l] = T(1) - omega[l];
            }
          const V w = L::load(omega), t = L::load(theta), s = L::load(kappas);
          if (weights != nullptr)
            *weights = L::load(factors);
          // What does not take part may hold anything.
          const auto unused = L::equal(w, L::zero());
          for (int m = 0; m < 2; ++m)
            for (int line = 0; line < plane; ++line)
              out[m][line] = w * L::blend(unused, L::zero(), out[m][line]);
          if (!with_own)
            return;
          const int face_layer = side == 0 ? 0 : degree;
          const int next_layer = side == 0 ? 1 : degree - 1;
          for (int line = 0; line < plane; ++line)
            {
              const int first = first_of_line(line, stride);
              const V   own0  = own[first + face_layer * stride];
              const V   own1  = own[first + next_layer * stride];
              out[0][line]    = L::fma(t, own0, out[0][line]);
              out[1][line]    = L::fma(t, own1, L::fma(s, own0, out[1][line]));
            }
        }

        static TESSERA_ALWAYS_INLINE int
        first_of_line(const int line, const int stride)
        {
          return line / stride * stride * n + line % stride;
        }

        /** $\kappa_F / k = 2 k' / (k + k')$. */
        TESSERA_ALWAYS_INLINE T
        weight(const CellIndex cell,
               const double   *coefficient_beyond,
               const CellIndex index) const
        {
          if (level.coefficient == nullptr)
            return T(1);
          const double k = level.coefficient[cell];
          const double b = coefficient_beyond[index];
          return k == b ? T(1) : T(2. * (b / (k + b)));
        }

        TESSERA_ALWAYS_INLINE void
        copy_from_cell(const int       stride,
                       const int       side,
                       const CellIndex cell,
                       const int       l,
                       V (&out)[2][plane]) const
        {
          const std::size_t B = level.block_size;
          const T          *values =
            cell_values(u_cells, cell, n_values, level.block_size);
          for (int m = 0; m < 2; ++m)
            {
              const int layer = side == 1 ? m : degree - m;
              for (int line = 0; line < plane; ++line)
                lane_of(out[m][line], l) =
                  values[(first_of_line(line, stride) + layer * stride) * B];
            }
        }

        TESSERA_ALWAYS_INLINE void
        copy_from_shadow(const int       side,
                         const CellIndex s,
                         const int       l,
                         V (&out)[2][plane]) const
        {
          const std::size_t B = level.block_size;
          const T          *values =
            cell_values(u_shadows, s, 2 * plane, level.block_size);
          for (int m = 0; m < 2; ++m)
            {
              const int stored = side == 1 ? m : 1 - m;
              for (int line = 0; line < plane; ++line)
                lane_of(out[m][line], l) = values[(stored * plane + line) * B];
            }
        }

        TESSERA_ALWAYS_INLINE static T &
        lane_of(V &values, const int l)
        {
          return reinterpret_cast<T *>(&values)[l];
        }

        const LevelView &level;
        const T         *u_cells;
        const T         *u_shadows;
        const T          kappa;
      };

      /** FaceGather as a function, which kernels share. */
      template <int dim, int degree, typename L>
      __attribute__((noinline)) void
      gather_layers(const LevelView                   &level,
                    const MatricesView<typename L::T> &matrices,
                    const FaceTerms                    terms,
                    const bool                         with_own,
                    const CellIndex                    c,
                    const typename L::T               *cells,
                    const typename L::T               *shadows,
                    const typename L::V               *own,
                    FaceLayers<dim, degree, L>        &layers)
      {
        const FaceGather<dim, degree, L> gather(level,
                                                cells,
                                                shadows,
                                                matrices.mirror);
        gather(terms, with_own, c, own, layers);
      }
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sipg
} // namespace tessera

#endif
