// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_patch_update_h
#define tessera_patch_patch_update_h

#include <tessera/base/macros.h>
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/tensor_transforms.h>
#include <tessera/patch/cell_pairs.h>
#include <tessera/patch/patch_nodes.h>
#include <tessera/patch/patch_slabs.h>

#include <type_traits>

namespace tessera
{
  namespace patch
  {
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
      TESSERA_UNROLL_ON_DEVICE
      for (int k = 0; k < n_nodes; ++k)
        r[k] = u[k];
      cellwise::transform_to_modes<dim, degree + 1, L>(inverse_eigenvectors, r);
      TESSERA_UNROLL_ON_DEVICE
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
     * exchange between lanes. With one cell a lane, this is the variant of the
     * arithmetic with the fewest operations: reflection symmetry, merged
     * transforms, and a right-hand side that is kept in the eigenbasis.
     * PatchRowUpdate takes less, for cells in rows.
     *
     * L is any lane policy (see Lanes) of a multiple of 2^dim lanes. Arrays
     * hold one value of every cell a lane: nodes and modes x fastest.
     *
     * Operations for degree 3 in three dimensions: 640 for the residual, 592
     * and 148 permutes forward, 27 in between, 324 and 81 permutes backward,
     * 64 and 148 selections to add.
     *
     * @tparam tables_in_registers Hold the matrices of each lane; or refer to
     * them.
     */
    template <int dim, int degree, typename L, bool tables_in_registers = true>
    class PatchUpdate
    {
      template <int bit>
      using CellPair = CellsInLanes<degree, L, bit>;

    public:
      using PairX    = CellPair<1>;
      using PairY    = CellPair<2>; ///< of three directions
      using PairLast = CellPair<(1 << (dim - 1))>;

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
        , along_x(t)
        , along_y(t)
        , along_last(t)
      {}

      /** With the matrices of each lane, which are not copied unless
       * tables_in_registers. */
      TESSERA_ALWAYS_INLINE
      PatchUpdate(const PatchTables<T> &t,
                  const V (&inverse)[n_modes],
                  const PairX    &pair_x,
                  const PairY    &pair_y,
                  const PairLast &pair_last)
        : S_inverse(t.inverse_eigenvectors)
        , cell_eigenvalues(t.cell_eigenvalues)
        , inverse_eigenvalues(inverse)
        , along_x(pair_x)
        , along_y(pair_y)
        , along_last(pair_last)
      {}

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
        TESSERA_UNROLL_ON_DEVICE
        for (int z = 0; z < q; ++z)
          {
            V buffer[slab];
            Slabs::slab_to_modes(S_inverse, load_u(z, buffer), r + z * slab);
          }
        cellwise::transform_last_axis<Slabs::to_modes, dim, q, L>(S_inverse, r);
        solve(
          [&](const int z, V(&buffer)[slab]) {
            const V *b = load_b(z, buffer);
            V       *s = Slabs::in_registers ? buffer : r + z * slab;
            Slabs::residual(cell_eigenvalues, z, r + z * slab, b, s);
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
          [&](const int z, V(&c)[slab]) {
            Slabs::template add_to<slab>(c, u + z * slab);
          });
      }

      /**
       * The correction $R^T A_v^{-1} R\,r$ at the nodes of each cell that are
       * not on the rim of the patch, where R assembles the residual of the
       * cells.
       * @param[in] residual Called for z = 0, ..., q-1 as residual(z, buffer):
       * returns where the modes of slab z are.
       * @param[in] add See operator()().
       */
      template <typename Residual, typename Add>
      TESSERA_ALWAYS_INLINE void
      solve(const Residual &residual, Add &&add) const
      {
        V y[q * n_slab_modes];
        TESSERA_UNROLL_ON_DEVICE
        for (int z = 0; z < q; ++z)
          {
            V buffer[slab];
            slab_forward(residual(z, buffer), y + z * n_slab_modes);
          }

        TESSERA_UNROLL_ON_DEVICE
        for (int i = 0; i < n_slab_modes; ++i)
          {
            V modes[degree];
            along_last.template forward<n_slab_modes, 1>(y + i, modes);
            TESSERA_UNROLL
            for (int m = 0; m < degree; ++m)
              modes[m] = modes[m] * inverse_eigenvalues[m * n_slab_modes + i];
            along_last.template backward<1>(modes);
            TESSERA_UNROLL
            for (int m = 0; m < degree; ++m)
              y[m * n_slab_modes + i] = modes[m];
          }

        TESSERA_UNROLL_ON_DEVICE
        for (int z = 0; z < degree; ++z)
          slab_backward(y + z * n_slab_modes);

        TESSERA_UNROLL_ON_DEVICE
        for (int z = 0; z < q; ++z)
          {
            V c[slab];
            PatchNodes<dim, degree, L>::expand_to_slab(y, z, c);
            add(z, c);
          }
      }

    private:
      using Slabs = PatchSlabs<dim, degree, L>;

      static constexpr int n_slab_modes = power(degree, dim - 1);

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
        reflect_axis<0>(mirrored, z, along_x.sign(), s);
        reflect_axis<1>(mirrored, z, along_y.sign(), s);
        if constexpr (dim == 3)
          reflect_axis<2>(mirrored, z, along_last.sign(), s);
      }

      template <int axis>
      TESSERA_ALWAYS_INLINE static void
      reflect_axis(const unsigned int mirrored,
                   const int          z,
                   const V           &sign,
                   V                 *s)
      {
        const unsigned int ends = (mirrored >> (2 * axis)) & 3u;
        // The lanes of the lower cells have sign 1.
        if (ends != 0)
          Slabs::template scale_odd_modes<axis>(z, ends == 1 ? -sign : sign, s);
      }

      /** q^(dim-1) to degree^(dim-1) values. */
      TESSERA_ALWAYS_INLINE void
      slab_forward(const V *s, V *y) const
      {
        if constexpr (dim == 3)
          {
            V by_x[degree * q];
            Slabs::template for_each_index<q>([&](const int i) {
              along_x.template forward<1, 1>(s + i * q, by_x + i * degree);
            });
            Slabs::template for_each_index<degree>([&](const int i) {
              along_y.template forward<degree, degree>(by_x + i, y + i);
            });
          }
        else
          along_x.template forward<1, 1>(s, y);
      }

      TESSERA_ALWAYS_INLINE void
      slab_backward(V *y) const
      {
        V  buffer[n_slab_modes];
        V *s = Slabs::in_registers ? buffer : y;
        if constexpr (Slabs::in_registers)
          Slabs::template copy<n_slab_modes>(y, s);
        if constexpr (dim == 3)
          Slabs::template for_each_index<degree>(
            [&](const int i) { along_y.template backward<degree>(s + i); });
        Slabs::template for_each_index<n_slab_modes / degree>(
          [&](const int i) { along_x.template backward<1>(s + i * degree); });
        if constexpr (Slabs::in_registers)
          Slabs::template copy<n_slab_modes>(s, y);
      }

      const T *S_inverse;
      const T *cell_eigenvalues;
      const V (&inverse_eigenvalues)[n_modes];

      template <typename Pair>
      using Held = std::conditional_t<tables_in_registers, Pair, const Pair &>;

      Held<PairX>    along_x;
      Held<PairY>    along_y;
      Held<PairLast> along_last;
    };
  } // namespace patch
} // namespace tessera

#endif
