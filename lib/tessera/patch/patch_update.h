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
      static constexpr int slab          = power(q, dim - 1);
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
       * One update of all patches in the lanes, of cells that come and go slab
       * by slab: between the transforms of the slabs there is time to fetch the
       * next one. A slab is the q^(dim-1) values of a cell with the same index
       * in the last direction, z.
       *
       * @param[in] mirrored See PatchRun.
       * @param[in] load_u, load_b Called once for z = 0, ..., q-1 in this
       * order, as load(z, buffer): returns where the values of slab z are,
       * nodes of the iterate or modes of the right-hand side, for which there
       * is a buffer of their size. All of load_u comes before load_b.
       * @param[in] add Called in the same order, as add(z, c): adds c[k] to
       * node k of slab z of the iterate. Comes last.
       */
      template <typename LoadU, typename LoadB, typename Add>
      TESSERA_ALWAYS_INLINE void
      operator()(const unsigned int mirrored,
                 LoadU            &&load_u,
                 LoadB            &&load_b,
                 Add              &&add) const
      {
        V r[n_nodes];
        for (int z = 0; z < q; ++z)
          {
            V buffer[slab];
            slab_to_modes(load_u(z, buffer), r + z * slab);
          }
        cellwise::transform_last_axis<to_modes, dim, q, L>(S_inverse, r);
        solve(
          [&](const int z, V(&buffer)[slab]) {
            const V *b = load_b(z, buffer);
            V       *s = in_registers ? buffer : r + z * slab;
            for_each_index<slab>([&](const int k) {
              s[k] = L::fnma(L::set(cell_eigenvalues[z * slab + k]),
                             r[z * slab + k],
                             b[k]);
            });
            if (mirrored != 0)
              reflect(mirrored, z, s);
            return static_cast<const V *>(s);
          },
          add);
      }

      /**
       * The same for cells that are in lanes.
       * @param[in] b n_nodes modes of the right-hand side.
       * @param[in,out] u n_nodes nodes of the iterate.
       */
      TESSERA_ALWAYS_INLINE void
      operator()(const unsigned int mirrored, const V *b, V *u) const
      {
        (*this)(
          mirrored,
          [&](const int z, V(&)[slab]) {
            return static_cast<const V *>(u + z * slab);
          },
          [&](const int z, V(&)[slab]) { return b + z * slab; },
          [&](const int z, V(&c)[slab]) { add_to<slab>(c, u + z * slab); });
      }

      /**
       * $u \leftarrow u + R^T A_v^{-1} R\,r$ at the nodes of each cell that
       * are not on the rim of the patch, where R assembles the residual of the
       * cells.
       * @param[in] r n_nodes modes.
       */
      TESSERA_ALWAYS_INLINE void
      solve_and_add(const V *r, V *u) const
      {
        solve([&](const int z, V(&)[slab]) { return r + z * slab; },
              [&](const int z, V(&c)[slab]) { add_to<slab>(c, u + z * slab); });
      }

    private:
      static constexpr auto to_modes = cellwise::TransformDirection::to_modes;

      static constexpr bool in_registers = degree <= 3;
      static constexpr int  n_slab_modes = power(degree, dim - 1);

      /** Call f(0), ..., f(n-1). Slabs of low degree fit into registers, where
       * the loops over their lines are unrolled. */
      template <int n, typename F>
      TESSERA_ALWAYS_INLINE static void
      for_each_index(const F &f)
      {
        if constexpr (in_registers)
          {
            TESSERA_UNROLL
            for (int i = 0; i < n; ++i)
              f(i);
          }
        else
          for (int i = 0; i < n; ++i)
            f(i);
      }

      template <int n>
      TESSERA_ALWAYS_INLINE static void
      copy(const V *from, V *to)
      {
        for_each_index<n>([&](const int i) { to[i] = from[i]; });
      }

      template <int n>
      TESSERA_ALWAYS_INLINE static void
      add_to(const V *c, V *u)
      {
        for_each_index<n>([&](const int i) { u[i] = u[i] + c[i]; });
      }

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

      /** Nodes to modes in the directions of a slab. */
      TESSERA_ALWAYS_INLINE void
      slab_to_modes(const V *u, V *r) const
      {
        V  buffer[slab];
        V *s = in_registers ? buffer : r;
        for_each_index<slab / q>([&](const int i) {
          V line[q];
          TESSERA_UNROLL
          for (int k = 0; k < q; ++k)
            line[k] = u[i * q + k];
          cellwise::line_to_modes<q, L>(S_inverse, line);
          TESSERA_UNROLL
          for (int k = 0; k < q; ++k)
            s[i * q + k] = line[k];
        });
        if constexpr (dim == 3)
          for_each_index<q>([&](const int i) {
            cellwise::transform_line<to_modes, q, q, L>(S_inverse, s + i);
          });
        if constexpr (in_registers)
          copy<slab>(s, r);
      }

      /**
       * For patches of which a part is outside of the box (see PatchRun): turn
       * the residual in the lanes of the missing cells from that of the cell
       * which stands in their place into its mirror image, $\tau \circ \hat
       * r$ along the direction. What these lanes compute from then on is the
       * mirror image of the correction.
       */
      TESSERA_ALWAYS_INLINE void
      reflect(const unsigned int mirrored, const int z, V *s) const
      {
        TESSERA_UNROLL
        for (int axis = 0; axis < dim; ++axis)
          {
            const unsigned int ends = (mirrored >> (2 * axis)) & 3u;
            if (ends == 0)
              continue;
            // The lanes of the lower cells have sign 1.
            const V tau = ends == 1 ? -sign[axis] : sign[axis];
            for_each_index<slab>([&](const int k) {
              const int index = axis == dim - 1 ? z : axis == 0 ? k % q : k / q;
              if (index % 2 != 0)
                s[k] = s[k] * tau;
            });
          }
      }

      /**
       * The correction from the residual.
       * @param[in] residual Called for z = 0, ..., q-1 as residual(z, buffer):
       * returns where the modes of slab z are.
       * @param[in] add See operator()().
       */
      template <typename Residual, typename Add>
      TESSERA_ALWAYS_INLINE void
      solve(const Residual &residual, Add &&add) const
      {
        V y[q * n_slab_modes];
        for (int z = 0; z < q; ++z)
          {
            V buffer[slab];
            slab_forward(residual(z, buffer), y + z * n_slab_modes);
          }

        for (int i = 0; i < n_slab_modes; ++i)
          {
            V modes[degree];
            line_forward<dim - 1, n_slab_modes, 1>(y + i, modes);
            TESSERA_UNROLL
            for (int m = 0; m < degree; ++m)
              modes[m] = modes[m] * inverse_eigenvalues[m * n_slab_modes + i];
            line_backward<dim - 1, 1>(modes);
            TESSERA_UNROLL
            for (int m = 0; m < degree; ++m)
              y[m * n_slab_modes + i] = modes[m];
          }

        for (int z = 0; z < degree; ++z)
          slab_backward(y + z * n_slab_modes);

        for (int z = 0; z < q; ++z)
          {
            V c[slab];
            PatchNodes<dim, degree, L>::expand_to_slab(y, z, c);
            add(z, c);
          }
      }

      /** q^(dim-1) to degree^(dim-1) values. */
      TESSERA_ALWAYS_INLINE void
      slab_forward(const V *s, V *y) const
      {
        if constexpr (dim == 3)
          {
            V by_x[degree * q];
            for_each_index<q>([&](const int i) {
              line_forward<0, 1, 1>(s + i * q, by_x + i * degree);
            });
            for_each_index<degree>([&](const int i) {
              line_forward<1, degree, degree>(by_x + i, y + i);
            });
          }
        else
          line_forward<0, 1, 1>(s, y);
      }

      TESSERA_ALWAYS_INLINE void
      slab_backward(V *y) const
      {
        V  buffer[n_slab_modes];
        V *s = in_registers ? buffer : y;
        if constexpr (in_registers)
          copy<n_slab_modes>(y, s);
        if constexpr (dim == 3)
          for_each_index<degree>(
            [&](const int i) { line_backward<1, degree>(s + i); });
        for_each_index<n_slab_modes / degree>(
          [&](const int i) { line_backward<0, 1>(s + i * degree); });
        if constexpr (in_registers)
          copy<n_slab_modes>(s, y);
      }

      /** One line of a direction, q to degree values. */
      template <int axis, int in_stride, int out_stride>
      TESSERA_ALWAYS_INLINE void
      line_forward(const V *in, V *out) const
      {
        V x[q];
        TESSERA_UNROLL
        for (int i = 0; i < q; ++i)
          {
            const V own     = in[i * in_stride];
            const V partner = L::template xor_lane<(1 << axis)>(own);
            x[i]            = i % 2 == 0 ? L::fma(sign[axis], partner, own) :
                                           L::fnma(sign[axis], partner, own);
          }
        TESSERA_UNROLL
        for (int m = 0; m < degree; ++m)
          {
            V sum = B[axis][m * q] * x[0];
            TESSERA_UNROLL
            for (int i = 1; i < q; ++i)
              sum = L::fma(B[axis][m * q + i], x[i], sum);
            out[m * out_stride] = sum;
          }
      }

      /** One line of degree values, in place. */
      template <int axis, int stride>
      TESSERA_ALWAYS_INLINE void
      line_backward(V *line) const
      {
        V modes[degree], w[degree];
        TESSERA_UNROLL
        for (int m = 0; m < degree; ++m)
          modes[m] = line[m * stride];
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
          line[i * stride] =
            L::fnma(sign[axis],
                    L::template xor_lane<(1 << axis)>(w[degree - 1 - i]),
                    w[i]);
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
