// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_patch_nodes_h
#define tessera_patch_patch_nodes_h

#include <tessera/base/macros.h>
#include <tessera/cellwise/degree.h>

namespace tessera
{
  namespace patch
  {
    using cellwise::power;

    /**
     * The nodes of each cell that are not on the rim of its patch, with one
     * cell a lane: nodes 1 ... p of the lower cells of a direction (lanes whose
     * bit is not set), 0 ... p-1 of the upper ones. That is $R_b$ of
     * PatchMatrices in every direction.
     *
     * L is any lane policy (see Lanes), p = degree, q = degree + 1; values are
     * x fastest.
     */
    template <int dim, int degree, typename L>
    class PatchNodes
    {
    public:
      using V = typename L::V;

      static constexpr int q = degree + 1;

      /** The degree^dim values of those nodes among the q^dim of a cell:
       * $R\,r$. Cost for degree 3, dim 3: 111 selections. */
      TESSERA_ALWAYS_INLINE static void
      restrict_to_interior(const V *r, V *restricted)
      {
        if constexpr (dim == 3)
          {
            V by_x[degree * q * q], by_y[degree * degree * q];
            restrict_axis<0>(r, by_x);
            restrict_axis<1>(by_x, by_y);
            restrict_axis<2>(by_y, restricted);
          }
        else
          {
            V by_x[degree * q];
            restrict_axis<0>(r, by_x);
            restrict_axis<1>(by_x, restricted);
          }
      }

      /**
       * $R^T c$ at the nodes of each cell with the index @p z in the last
       * direction, q^(dim-1) values, zero on the rim. Cost for degree 3, dim 3:
       * 37 selections.
       */
      TESSERA_ALWAYS_INLINE static void
      expand_to_slab(const V *c, const int z, V *expanded)
      {
        constexpr int n = power(degree, dim - 1);
        V             zeros[n];
        TESSERA_UNROLL_ON_DEVICE
        for (int i = 0; i < n; ++i)
          zeros[i] = L::zero();
        const V *lower = z > 0 ? c + (z - 1) * n : zeros;
        const V *upper = z < degree ? c + z * n : zeros;

        V slab[n];
        TESSERA_UNROLL_ON_DEVICE
        for (int i = 0; i < n; ++i)
          slab[i] = L::template select<(1 << (dim - 1))>(lower[i], upper[i]);
        if constexpr (dim == 3)
          {
            TESSERA_UNROLL_ON_DEVICE
            for (int line = 0; line < q; ++line)
              {
                V values[degree];
                TESSERA_UNROLL
                for (int i = 0; i < degree; ++i)
                  values[i] = at_node<1>(slab + i, degree, line);
                expand_line(values, expanded + line * q);
              }
          }
        else
          expand_line(slab, expanded);
      }

    private:
      /** One direction, q to degree values; those before have degree values,
       * those after q. */
      template <int axis>
      TESSERA_ALWAYS_INLINE static void
      restrict_axis(const V *r, V *restricted)
      {
        constexpr int n_before = power(degree, axis);
        constexpr int n_after  = power(q, dim - 1 - axis);
        TESSERA_UNROLL_ON_DEVICE
        for (int after = 0; after < n_after; ++after)
          {
            TESSERA_UNROLL_ON_DEVICE
            for (int before = 0; before < n_before; ++before)
              {
                const V *in = r + after * q * n_before + before;
                TESSERA_UNROLL
                for (int i = 0; i < degree; ++i)
                  restricted[(after * degree + i) * n_before + before] =
                    L::template select<(1 << axis)>(in[(i + 1) * n_before],
                                                    in[i * n_before]);
              }
          }
      }

      /** The correction at node i of the q nodes of a direction, zero on the
       * rim; c: the degree others, @p stride apart. */
      template <int axis>
      TESSERA_ALWAYS_INLINE static V
      at_node(const V *c, const int stride, const int i)
      {
        return L::template select<(1 << axis)>(i > 0 ? c[(i - 1) * stride] :
                                                       L::zero(),
                                               i < degree ? c[i * stride] :
                                                            L::zero());
      }

      /** The last direction, x. */
      TESSERA_ALWAYS_INLINE static void
      expand_line(const V *c, V *expanded)
      {
        TESSERA_UNROLL
        for (int i = 0; i < q; ++i)
          expanded[i] = at_node<0>(c, 1, i);
      }
    };
  } // namespace patch
} // namespace tessera

#endif
