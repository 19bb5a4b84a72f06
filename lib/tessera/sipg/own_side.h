// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_own_side_h
#define tessera_sipg_own_side_h

#include <tessera/base/macros.h>
#include <tessera/cellwise/degree.h>
#include <tessera/sipg/tensor_contractions.h>

namespace tessera
{
  namespace sipg
  {
    /**
     * What a cell sees of its neighbours: the two layers of coefficients at
     * each face, of which alone the value and the normal derivative on the face
     * depend.
     *
     * Face 2a is the low one of axis a, 2a+1 the high one; layer 0 is next to
     * the face. Within a layer the axes other than a come in ascending order,
     * the first one fastest.
     */
    template <int dim, int degree, typename L>
    struct FaceLayers
    {
      static constexpr int size = cellwise::power(degree + 1, dim - 1);

      typename L::V values[2 * dim][2][size];
    };

    /**
     * The own-side form of the operator, cell by cell, with the mass matrix
     * factored out:
     * $$ y = |K| (M \otimes \dots \otimes M)\,t, \qquad
     *    t = \sum_a h_a^{-2} \left( M^{-1} K_b\,u
     *      + M^{-1} F\,u_{\text{low}} + M^{-1} F'\,u_{\text{high}} \right) $$
     * with, in the direction of axis a, $K_b = K + F_{RR} + F_{LL}$ and the
     * columns F = F_RL, F' = F_LR of the neighbours, of which two are not zero.
     * F' is F with the order of rows and columns reversed.
     *
     * These are the parts of t, for values u[n^dim] with the first axis
     * fastest. L is any lane policy (see Lanes).
     *
     * Cost a value: dim n fused multiply-adds for the cell itself, 4 dim for
     * its neighbours.
     */
    template <int dim, int degree, typename L>
    class OwnSide
    {
    public:
      using T = typename L::T;
      using V = typename L::V;

      static constexpr int n        = degree + 1;
      static constexpr int n_values = cellwise::power(n, dim);

      using Layers = FaceLayers<dim, degree, L>;

      /**
       * @param[in] own $h_a^{-2} M^{-1} K_b$, [axis][n][n] row-major.
       * @param[in] coupling The two columns of $h_a^{-2} M^{-1} F_{RL}$ that
       * are not zero, [axis][n][2], that of layer 0 first.
       */
      TESSERA_ALWAYS_INLINE
      OwnSide(const T *own, const T *coupling)
        : own_matrices(own)
        , couplings(coupling)
      {}

      /** All of t. */
      TESSERA_ALWAYS_INLINE void
      evaluate(const V *u, const Layers &layers, V *t) const
      {
        add_axes<dim - 1, true>(u, layers, t);
      }

      /** The part of the neighbours. */
      TESSERA_ALWAYS_INLINE void
      evaluate_neighbours(const Layers &layers, V *t) const
      {
        add_axes<dim - 1, false>(nullptr, layers, t);
      }

      /**
       * Call f(line, first) for the lines along an axis: the number of the line
       * within a layer of FaceLayers and that of its first value.
       */
      template <int axis, typename F>
      TESSERA_ALWAYS_INLINE static void
      for_each_line(const F &f)
      {
        constexpr int stride = cellwise::power(n, axis);
        TESSERA_UNROLL_ON_DEVICE
        for (int outer = 0; outer < cellwise::power(n, dim - 1 - axis); ++outer)
          {
            TESSERA_UNROLL_ON_DEVICE
            for (int inner = 0; inner < stride; ++inner)
              f(outer * stride + inner, outer * stride * n + inner);
          }
      }

    private:
      /** From the last axis, which overwrites t, down to the first. */
      template <int axis, bool with_own>
      TESSERA_ALWAYS_INLINE void
      add_axes(const V *u, const Layers &layers, V *t) const
      {
        add_axis<axis, with_own>(u, layers, t);
        if constexpr (axis > 0)
          add_axes<axis - 1, with_own>(u, layers, t);
      }

      template <int axis, bool with_own>
      TESSERA_ALWAYS_INLINE void
      add_axis(const V *u, const Layers &layers, V *t) const
      {
        constexpr int stride = cellwise::power(n, axis);
        const T      *A      = own_matrices + axis * n * n;
        const T      *C      = couplings + axis * n * 2;
        for_each_line<axis>([&](const int line, const int first) {
          const V low0  = layers.values[2 * axis][0][line];
          const V low1  = layers.values[2 * axis][1][line];
          const V high0 = layers.values[2 * axis + 1][0][line];
          const V high1 = layers.values[2 * axis + 1][1][line];
          V       x[n];
          if constexpr (with_own)
            {
              TESSERA_UNROLL
              for (int j = 0; j < n; ++j)
                x[j] = u[first + j * stride];
            }
          for_each_row<n>([&](const int i) {
            const int mirrored = degree - i;
            V         y        = L::set(C[2 * i]) * low0;
            y                  = L::fma(L::set(C[2 * i + 1]), low1, y);
            y                  = L::fma(L::set(C[2 * mirrored]), high0, y);
            y                  = L::fma(L::set(C[2 * mirrored + 1]), high1, y);
            if constexpr (with_own)
              {
                TESSERA_UNROLL
                for (int j = 0; j < n; ++j)
                  y = L::fma(L::set(A[i * n + j]), x[j], y);
              }
            if constexpr (axis == dim - 1)
              t[first + i * stride] = y;
            else
              t[first + i * stride] = t[first + i * stride] + y;
          });
        });
      }

      const T *own_matrices;
      const T *couplings;
    };
  } // namespace sipg
} // namespace tessera

#endif
