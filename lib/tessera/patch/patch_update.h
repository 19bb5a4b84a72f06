// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_patch_update_h
#define tessera_patch_patch_update_h

#include <tessera/base/macros.h>
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/tensor_transforms.h>
#include <tessera/patch/patch_nodes.h>

namespace tessera
{
  namespace patch
  {
    /**
     * Tables of the patch update that do not depend on the lane, in the
     * precision of the level; q = degree + 1, matrices row-major. See
     * add_patch_tables().
     */
    template <typename T>
    struct PatchTables
    {
      const T *inverse_eigenvectors; ///< $S^{-1}$, q x q
      const T *cell_eigenvalues;     ///< $\Lambda_K$, q^dim
      const T *forward[2];           ///< $B_{00}$, $B_{11}$, degree x q
      const T *backward[2];          ///< $F_{00}^T$, $F_{11}^T$, degree^2

      /** $1/\sum_d s_d \tilde\mu$, [mode, degree^dim][lane, 2^dim]. */
      const T *inverse_eigenvalues;
    };

    /**
     * The residual of each cell in its eigenbasis, one cell a lane:
     * $r = \hat b - \Lambda_K (S^{-1})^{\otimes} u$, b and r modes, u nodes.
     *
     * Cost for degree 3 in three dimensions: 576 + 64 operations.
     */
    template <int dim, int degree, typename L>
    TESSERA_ALWAYS_INLINE void
    modal_residual(const typename L::T *inverse_eigenvectors,
                   const typename L::T *cell_eigenvalues,
                   const typename L::V *b,
                   const typename L::V *u,
                   typename L::V       *r)
    {
      constexpr int n_nodes = power(degree + 1, dim);
      for (int k = 0; k < n_nodes; ++k)
        r[k] = u[k];
      cellwise::transform_to_modes<dim, degree + 1, L>(inverse_eigenvectors, r);
      for (int k = 0; k < n_nodes; ++k)
        r[k] = L::fnma(L::set(cell_eigenvalues[k]), r[k], b[k]);
    }

    /**
     * The update of vertex patches in lanes, one cell a lane: the 2^dim cells
     * of a patch are neighbouring lanes, bit d of a lane being set for the
     * upper cell of direction d. Several patches may lie side by side; they do
     * not see one another.
     *
     * With the residual in the eigenbasis of each cell,
     * $\hat r = \hat b - \Lambda_K (S^{-1})^{\otimes} u$, every
     * direction x, y, z takes
     * $y_a = B_{aa} (\hat x_a + \sigma_a \tau \circ \hat x_{\bar a})$,
     * the modes are divided by their eigenvalues, and every direction z, y, x
     * takes $w_a = F_{aa}^T y_a$,
     * $x_a = w_a + \sigma_{\bar a} J w_{\bar a}$ (see PatchMatrices). The
     * cell $\bar a$ is the neighbouring lane of the direction: the only
     * exchange between lanes. This is the variant of the arithmetic with the
     * fewest operations: reflection symmetry, merged transforms, and a
     * right-hand side that is kept in the eigenbasis.
     *
     * L is any lane policy (see Lanes) of a multiple of 2^dim lanes. Arrays
     * hold one value of every cell a lane: nodes and modes x fastest.
     *
     * Operations for degree 3 in three dimensions: 640 for the residual, 592
     * and 148 permutes forward, 27 in between, 324 and 81 permutes backward,
     * 64 and 148 selections to add.
     */
    template <int dim, int degree, typename L>
    class PatchUpdate
    {
    public:
      using T = typename L::T;
      using V = typename L::V;

      static constexpr int q             = degree + 1;
      static constexpr int n_nodes       = power(q, dim);
      static constexpr int n_modes       = power(degree, dim);
      static constexpr int n_patch_cells = 1 << dim;

      static_assert(L::width % n_patch_cells == 0,
                    "a patch lies in neighbouring lanes");

      /**
       * Select the tables of each lane.
       * @param[in] inverse_eigenvalues PatchTables::inverse_eigenvalues, lane
       * by lane: loading them is for the caller to do.
       */
      TESSERA_ALWAYS_INLINE
      PatchUpdate(const PatchTables<T> &t, const V (&inverse)[n_modes])
        : S_inverse(t.inverse_eigenvectors)
        , cell_eigenvalues(t.cell_eigenvalues)
        , inverse_eigenvalues(inverse)
      {
        set_axis<0>(t);
        set_axis<1>(t);
        if constexpr (dim == 3)
          set_axis<2>(t);
      }

      /**
       * One update of all patches in the lanes.
       * @param[in] mirrored See PatchRun.
       * @param[in] b n_nodes modes of the right-hand side.
       * @param[in,out] u n_nodes nodes of the iterate.
       */
      TESSERA_ALWAYS_INLINE void
      operator()(const unsigned int mirrored, const V *b, V *u) const
      {
        V r[n_nodes];
        modal_residual<dim, degree, L>(S_inverse, cell_eigenvalues, b, u, r);
        if (mirrored != 0)
          reflect(mirrored, r);
        solve_and_add(r, u);
      }

      /**
       * For patches of which a part is outside of the box (see PatchRun): turn
       * the residual in the lanes of the missing cells from that of the cell
       * which stands in their place into its mirror image, $\tau \circ \hat
       * r$ along the direction. What these lanes compute from then on is the
       * mirror image of the correction.
       */
      TESSERA_ALWAYS_INLINE void
      reflect(const unsigned int mirrored, V *r) const
      {
        reflect_axis<0>(mirrored, r);
        reflect_axis<1>(mirrored, r);
        if constexpr (dim == 3)
          reflect_axis<2>(mirrored, r);
      }

      /**
       * $u \leftarrow u + R^T A_v^{-1} R\,r$ at the nodes of each cell that
       * are not on the rim of the patch, where R assembles the residual of the
       * cells.
       * @param[in] r n_nodes modes; contents are lost.
       */
      TESSERA_ALWAYS_INLINE void
      solve_and_add(V *r, V *u) const
      {
        V modes[n_modes];
        if constexpr (dim == 3)
          {
            V by_x[degree * q * q], by_y[degree * degree * q];
            forward<0>(r, by_x);
            forward<1>(by_x, by_y);
            forward<2>(by_y, modes);
          }
        else
          {
            V by_x[degree * q];
            forward<0>(r, by_x);
            forward<1>(by_x, modes);
          }

        for (int m = 0; m < n_modes; ++m)
          modes[m] = modes[m] * inverse_eigenvalues[m];

        if constexpr (dim == 3)
          backward<2>(modes);
        backward<1>(modes);
        backward<0>(modes);
        PatchNodes<dim, degree, L>::add_correction(modes, u);
      }

    private:
      template <int axis>
      TESSERA_ALWAYS_INLINE void
      set_axis(const PatchTables<T> &t)
      {
        constexpr int bit = 1 << axis;
        sign[axis]        = L::template sign<bit>();
        for (int i = 0; i < degree * q; ++i)
          B[axis][i] = L::template select<bit>(L::set(t.forward[0][i]),
                                               L::set(t.forward[1][i]));
        for (int i = 0; i < degree * degree; ++i)
          Ft[axis][i] = L::template select<bit>(L::set(t.backward[0][i]),
                                                L::set(t.backward[1][i]));
      }

      template <int axis>
      TESSERA_ALWAYS_INLINE void
      reflect_axis(const unsigned int mirrored, V *r) const
      {
        const unsigned int ends = (mirrored >> (2 * axis)) & 3u;
        if (ends == 0)
          return;
        // The lanes of the lower cells have sign 1.
        const V       tau    = ends == 1 ? -sign[axis] : sign[axis];
        constexpr int stride = power(q, axis);
        for (int after = 0; after < power(q, dim - 1 - axis); ++after)
          for (int i = 1; i < q; i += 2)
            for (int before = 0; before < stride; ++before)
              {
                V &value = r[(after * q + i) * stride + before];
                value    = value * tau;
              }
      }

      /** One direction, q to degree values; those before have degree values,
       * those after q. */
      template <int axis>
      TESSERA_ALWAYS_INLINE void
      forward(const V *r, V *y) const
      {
        constexpr int n_before = power(degree, axis);
        constexpr int n_after  = power(q, dim - 1 - axis);
        for (int after = 0; after < n_after; ++after)
          for (int before = 0; before < n_before; ++before)
            {
              const V *in  = r + after * q * n_before + before;
              V       *out = y + after * degree * n_before + before;

              V x[q];
              TESSERA_UNROLL
              for (int i = 0; i < q; ++i)
                {
                  const V own     = in[i * n_before];
                  const V partner = L::template xor_lane<(1 << axis)>(own);
                  x[i] = i % 2 == 0 ? L::fma(sign[axis], partner, own) :
                                      L::fnma(sign[axis], partner, own);
                }
              TESSERA_UNROLL
              for (int m = 0; m < degree; ++m)
                {
                  V sum = B[axis][m * q] * x[0];
                  TESSERA_UNROLL
                  for (int i = 1; i < q; ++i)
                    sum = L::fma(B[axis][m * q + i], x[i], sum);
                  out[m * n_before] = sum;
                }
            }
      }

      /** One direction of degree^dim values, in place. */
      template <int axis>
      TESSERA_ALWAYS_INLINE void
      backward(V *y) const
      {
        constexpr int n_before = power(degree, axis);
        constexpr int n_after  = power(degree, dim - 1 - axis);
        for (int after = 0; after < n_after; ++after)
          for (int before = 0; before < n_before; ++before)
            {
              V *line = y + after * degree * n_before + before;

              V modes[degree], w[degree];
              TESSERA_UNROLL
              for (int m = 0; m < degree; ++m)
                modes[m] = line[m * n_before];
              TESSERA_UNROLL
              for (int i = 0; i < degree; ++i)
                {
                  w[i] = Ft[axis][i * degree] * modes[0];
                  TESSERA_UNROLL
                  for (int m = 1; m < degree; ++m)
                    w[i] = L::fma(Ft[axis][i * degree + m], modes[m], w[i]);
                }
              // sigma of the partner is minus that of the lane.
              TESSERA_UNROLL
              for (int i = 0; i < degree; ++i)
                line[i * n_before] =
                  L::fnma(sign[axis],
                          L::template xor_lane<(1 << axis)>(w[degree - 1 - i]),
                          w[i]);
            }
      }

      const T *S_inverse;
      const T *cell_eigenvalues;
      const V (&inverse_eigenvalues)[n_modes];

      V sign[dim];
      V B[dim][degree * q];
      V Ft[dim][degree * degree];
    };
  } // namespace patch
} // namespace tessera

#endif
