// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_patch_row_update_h
#define tessera_patch_patch_row_update_h

#include <tessera/base/macros.h>
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/tensor_transforms.h>
#include <tessera/patch/cell_pairs.h>
#include <tessera/patch/patch_slabs.h>

namespace tessera
{
  namespace patch
  {
    /**
     * The update of PatchUpdate for patches side by side along x, in rows: the
     * two cells of a patch along x are neighbouring lanes, those along the
     * other directions are in 2^(dim-1) different vectors. Row c holds the
     * cells that are the upper ones of direction d where bit d-1 of c is set.
     *
     * Of all exchanges between lanes and selections by lane those along x are
     * left, and what is known to be zero in the other directions is not
     * computed (see CellsInVectors). It takes 2^(dim-1) times as many patches
     * side by side to fill the lanes. The numbers are those of PatchUpdate, but
     * for the sign of zero.
     *
     * L is any lane policy (see Lanes) of an even number of lanes.
     *
     * Operations for degree 3 in three dimensions, of the four rows together:
     * 2560 for the residual, 1960 and 256 permutes forward, 75 in between, 810
     * and 75 permutes backward, 144 and 100 selections to add. A fourth of it,
     * 1387 operations, is what takes 1647 with one cell a lane.
     */
    template <int dim, int degree, typename L>
    class PatchRowUpdate
    {
    public:
      using T = typename L::T;
      using V = typename L::V;

      static constexpr int n_rows  = 1 << (dim - 1);
      static constexpr int q       = degree + 1;
      static constexpr int n_nodes = power(q, dim);
      static constexpr int slab    = power(q, dim - 1);

      /** Modes, or nodes, of a direction other than x. */
      static constexpr int n = 2 * degree - 1;

      /** Those of a patch, of which lanes share the ones along x. */
      static constexpr int n_modes = power(n, dim - 1) * degree;

      static_assert(L::width % 2 == 0, "a pair of cells is in two lanes");

      /**
       * @param[in] inverse The entries of PatchTables::inverse_eigenvalues of
       * the modes of the directions, [z][y][x] with n, n and degree, lane by
       * lane; loading them is for the caller to do.
       */
      TESSERA_ALWAYS_INLINE
      PatchRowUpdate(const PatchTables<T> &t, const V (&inverse)[n_modes])
        : S_inverse(t.inverse_eigenvectors)
        , cell_eigenvalues(t.cell_eigenvalues)
        , inverse_eigenvalues(inverse)
        , along_x(t)
        , across(t)
      {}

      /**
       * One update of all patches in the lanes.
       *
       * @param[in] mirrored See PatchRun.
       * @param[in] load_u, load_b Called once for each row c and slab z, as
       * load(c, z, buffer): returns where the values are, nodes of the iterate
       * or modes of the right-hand side, for which there is a buffer of their
       * size. Slabs of a row in ascending order. All of load_u comes before
       * load_b.
       * @param[in] add Called once for each row and line along x that is not
       * on the rim, as add(c, k, line): adds line[i] to node k + i of the
       * iterate. Comes last.
       */
      template <typename LoadU, typename LoadB, typename Add>
      TESSERA_ALWAYS_INLINE void
      operator()(const unsigned int mirrored,
                 LoadU            &&load_u,
                 LoadB            &&load_b,
                 Add              &&add) const
      {
        V r[n_rows][n_nodes];
        for (int c = 0; c < n_rows; ++c)
          {
            for (int z = 0; z < q; ++z)
              {
                V buffer[slab];
                Slabs::slab_to_modes(S_inverse,
                                     load_u(c, z, buffer),
                                     r[c] + z * slab);
              }
            cellwise::transform_last_axis<Slabs::to_modes, dim, q, L>(S_inverse,
                                                                      r[c]);
          }

        // Forward along x, and in three dimensions along y.
        V y[2][q * n_slab_modes];
        for (int last = 0; last < 2; ++last)
          for (int z = 0; z < q; ++z)
            {
              V by_x[n_rows / 2][lines * degree];
              for (int i = 0; i < n_rows / 2; ++i)
                {
                  const int c = last * (n_rows / 2) + i;
                  V         buffer[slab], residual[slab];
                  Slabs::residual(cell_eigenvalues,
                                  z,
                                  r[c] + z * slab,
                                  load_b(c, z, buffer),
                                  residual);
                  if (mirrored != 0)
                    reflect(mirrored, c, z, residual);
                  Slabs::template for_each_index<lines>([&](const int line) {
                    along_x.template forward<1, 1>(residual + line * q,
                                                   by_x[i] + line * degree);
                  });
                }
              V *out = y[last] + z * n_slab_modes;
              if constexpr (dim == 3)
                Slabs::template for_each_index<degree>([&](const int m) {
                  across.template forward<degree, degree>(by_x[0] + m,
                                                          by_x[1] + m,
                                                          out + m);
                });
              else
                Slabs::template copy<n_slab_modes>(by_x[0], out);
            }

        // Forward along the last direction, and back.
        V nodes[n][n_slab_modes];
        for (int i = 0; i < n_slab_modes; ++i)
          {
            V line[n];
            across.template forward<n_slab_modes, 1>(y[0] + i, y[1] + i, line);
            TESSERA_UNROLL
            for (int m = 0; m < n; ++m)
              line[m] = line[m] * inverse_eigenvalues[m * n_slab_modes + i];
            across.backward(line);
            TESSERA_UNROLL
            for (int m = 0; m < n; ++m)
              nodes[m][i] = line[m];
          }

        for (int node = 0; node < n; ++node)
          add_nodes(node, nodes[node], add);
      }

    private:
      using Slabs = PatchSlabs<dim, degree, L>;

      static constexpr int n_slab_modes = power(n, dim - 2) * degree;

      /** Lines along x of a slab. */
      static constexpr int lines = power(q, dim - 2);

      /** Turn the residual of cells that stand in the place of cells outside of
       * the box (see PatchRun) to that of their mirror images. */
      TESSERA_ALWAYS_INLINE void
      reflect(const unsigned int mirrored, const int c, const int z, V *s) const
      {
        const unsigned int ends = mirrored & 3u;
        if (ends != 0)
          Slabs::template scale_odd_modes<0>(
            z, ends == 1 ? -along_x.sign() : along_x.sign(), s);
        if (is_outside<1>(mirrored, c))
          Slabs::template scale_odd_modes<1>(z, L::set(T(-1)), s);
        if constexpr (dim == 3)
          if (is_outside<2>(mirrored, c))
            Slabs::template scale_odd_modes<2>(z, L::set(T(-1)), s);
      }

      template <int axis>
      TESSERA_ALWAYS_INLINE static bool
      is_outside(const unsigned int mirrored, const int c)
      {
        return (mirrored & (1u << (2 * axis + ((c >> (axis - 1)) & 1)))) != 0;
      }

      /**
       * Backward in the directions of a slab of nodes of the patch, and add to
       * the cells that have it.
       * @param[in] node Of the last direction.
       * @param[in] modes n_slab_modes of the other directions.
       */
      template <typename Add>
      TESSERA_ALWAYS_INLINE void
      add_nodes(const int node, const V *modes, Add &&add) const
      {
        // Lines of nodes along x, as they are in the cells.
        V expanded[power(n, dim - 2)][q];
        if constexpr (dim == 3)
          {
            V by_y[degree][n];
            Slabs::template for_each_index<degree>([&](const int m) {
              TESSERA_UNROLL
              for (int i = 0; i < n; ++i)
                by_y[m][i] = modes[i * degree + m];
              across.backward(by_y[m]);
            });
            Slabs::template for_each_index<n>([&](const int i) {
              V line[degree];
              TESSERA_UNROLL
              for (int m = 0; m < degree; ++m)
                line[m] = by_y[m][i];
              expand(line, expanded[i]);
            });
          }
        else
          {
            V line[degree];
            TESSERA_UNROLL
            for (int m = 0; m < degree; ++m)
              line[m] = modes[m];
            expand(line, expanded[0]);
          }

        // The lower cell has its rim at 0, the upper one at q - 1.
        if (node < degree)
          add_to_cells(0, node + 1, expanded, add);
        if (node >= degree - 1)
          add_to_cells(1, node - (degree - 1), expanded, add);
      }

      /** Backward along x, and to the q nodes of a cell, zero on the rim. */
      TESSERA_ALWAYS_INLINE void
      expand(V (&line)[degree], V (&nodes)[q]) const
      {
        along_x.template backward<1>(line);
        TESSERA_UNROLL
        for (int i = 0; i < q; ++i)
          nodes[i] = L::template select<1>(i > 0 ? line[i - 1] : L::zero(),
                                           i < degree ? line[i] : L::zero());
      }

      /** Add to the slab z of those cells that are lower or upper ones (last
       * = 1) of the last direction. */
      template <typename Add>
      TESSERA_ALWAYS_INLINE static void
      add_to_cells(const int last,
                   const int z,
                   const V (&expanded)[power(n, dim - 2)][q],
                   Add &&add)
      {
        if constexpr (dim == 3)
          Slabs::template for_each_index<degree>([&](const int y) {
            add(2 * last, z * slab + (y + 1) * q, expanded[y]);
            add(2 * last + 1, z * slab + y * q, expanded[y + (degree - 1)]);
          });
        else
          add(last, z * slab, expanded[0]);
      }

      const T *S_inverse;
      const T *cell_eigenvalues;
      const V (&inverse_eigenvalues)[n_modes];

      CellsInLanes<degree, L, 1> along_x;
      CellsInVectors<degree, L>  across;
    };
  } // namespace patch
} // namespace tessera

#endif
