// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_patch_variants_h
#define tessera_patch_patch_variants_h

#include <tessera/base/exceptions.h>
#include <tessera/base/macros.h>
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/tensor_transforms.h>
#include <tessera/patch/patch_nodes.h>
#include <tessera/patch/patch_update.h>

#include <type_traits>

namespace tessera
{
  namespace patch
  {
    /**
     * Ways to organize the arithmetic of a patch update with a nodal
     * right-hand side. All compute the same correction, up to rounding.
     */
    enum class PatchVariant
    {
      /** The residual $b - A_K u$ by contractions with K and M; then
       * $y_a = \sum_i (F_{aa,i} x_{a,i} + F_{a \bar a,i} x_{\bar a,i})$, where
       * the terms of the own cell and of its partner are added in pairs. */
      nodal,

      /** The same with all products accumulated in one chain: every term but
       * the first is one fused multiply-add. */
      accumulator_chain,

      /** The residual in the eigenbasis of the cell, $\hat r =
       * (S^T)^{\otimes} b - \Lambda_K (S^{-1})^{\otimes} u$, then back to the
       * nodes, $r = (S^{-T})^{\otimes} \hat r$. */
      cell_eigenbasis,

      /** The way back to the nodes merged with F: $B_{ab}$. */
      merged_transforms,

      /** Blocks of the partner from the own ones by reflection: PatchUpdate,
       * with b transformed in every visit of a cell. */
      reflection_symmetry
    };

    inline constexpr int n_patch_variants = 5;

    /** Call f with the variant as a constant,
     * std::integral_constant<PatchVariant, v>. */
    template <typename F>
    TESSERA_ALWAYS_INLINE void
    dispatch_variant(const PatchVariant variant, const F &f)
    {
      switch (variant)
        {
          case PatchVariant::nodal:
            return f(
              std::integral_constant<PatchVariant, PatchVariant::nodal>());
          case PatchVariant::accumulator_chain:
            return f(std::integral_constant<PatchVariant,
                                            PatchVariant::accumulator_chain>());
          case PatchVariant::cell_eigenbasis:
            return f(std::integral_constant<PatchVariant,
                                            PatchVariant::cell_eigenbasis>());
          case PatchVariant::merged_transforms:
            return f(std::integral_constant<PatchVariant,
                                            PatchVariant::merged_transforms>());
          case PatchVariant::reflection_symmetry:
            return f(
              std::integral_constant<PatchVariant,
                                     PatchVariant::reflection_symmetry>());
        }
    }

    /** Tables of all variants, row-major; q = degree + 1. */
    template <typename T>
    struct VariantTables
    {
      PatchTables<T> patch;

      const T *transposed_eigenvectors; ///< $S^T$, q x q
      const T *mass;                    ///< M, q x q
      const T *scaled_stiffness[3];     ///< $s_d K$, q x q
      const T *nodal_forward[2][2];     ///< $F_{ab}$ at [a][b], degree^2
      const T *modal_forward[2][2];     ///< $B_{ab}$ at [a][b], degree x q
      const T *backward[2][2];          ///< $F_{ab}^T$ at [b][a], degree^2
    };

    /** The residual of each cell in its eigenbasis from nodal b and u:
     * $r = (S^T)^{\otimes} b - \Lambda_K (S^{-1})^{\otimes} u$. */
    template <int dim, int degree, typename L>
    TESSERA_ALWAYS_INLINE void
    modal_residual_of_nodal(const VariantTables<typename L::T> &tables,
                            const typename L::V                *b,
                            const typename L::V                *u,
                            typename L::V                      *r)
    {
      constexpr int n_nodes = power(degree + 1, dim);
      typename L::V modes[n_nodes];
      TESSERA_UNROLL_ON_DEVICE
      for (int k = 0; k < n_nodes; ++k)
        modes[k] = b[k];
      cellwise::transform_to_modes<dim, degree + 1, L>(
        tables.transposed_eigenvectors, modes);
      modal_residual<dim, degree, L>(tables.patch.inverse_eigenvectors,
                                     tables.patch.cell_eigenvalues,
                                     modes,
                                     u,
                                     r);
    }

    /**
     * $r = b - A_K u$ of each cell in three dimensions, one cell a lane, by
     * contractions with M and K in x, y, z: all fields nodal, q values a
     * direction.
     *
     * Cost for q = 4: 1792 operations.
     */
    template <int q, typename L>
    class NodalResidual
    {
    public:
      using T = typename L::T;
      using V = typename L::V;

      TESSERA_ALWAYS_INLINE explicit NodalResidual(const VariantTables<T> &t)
        : M(t.mass)
        , scaled_K{t.scaled_stiffness[0],
                   t.scaled_stiffness[1],
                   t.scaled_stiffness[2]}
      {}

      TESSERA_ALWAYS_INLINE void
      operator()(const V *b, const V *u, V *r) const
      {
        constexpr int slab    = q * q;
        constexpr int n_nodes = q * slab;

        V Mx[n_nodes], Kx[n_nodes]; // M u, s_x K u
        TESSERA_UNROLL_ON_DEVICE
        for (int line = 0; line < n_nodes; line += q)
          {
            TESSERA_UNROLL
            for (int i = 0; i < q; ++i)
              {
                Mx[line + i] = row_times(M + i * q, u + line, 1);
                Kx[line + i] = row_times(scaled_K[0] + i * q, u + line, 1);
              }
          }

        V MM[n_nodes], KM[n_nodes]; // (M x M) u, s_y (K x M) u + s_x (M x K) u
        TESSERA_UNROLL_ON_DEVICE
        for (int first = 0; first < n_nodes; first += slab)
          {
            TESSERA_UNROLL_ON_DEVICE
            for (int k = first; k < first + q; ++k)
              {
                TESSERA_UNROLL
                for (int i = 0; i < q; ++i)
                  {
                    MM[k + i * q] = row_times(M + i * q, Mx + k, q);
                    KM[k + i * q] =
                      add_products<q>(scaled_K[1] + i * q,
                                      Mx + k,
                                      q,
                                      row_times(M + i * q, Kx + k, q));
                  }
              }
          }

        TESSERA_UNROLL_ON_DEVICE
        for (int k = 0; k < slab; ++k)
          {
            TESSERA_UNROLL
            for (int i = 0; i < q; ++i)
              {
                V sum = b[k + i * slab];
                TESSERA_UNROLL
                for (int j = 0; j < q; ++j)
                  sum = L::fnma(L::set(M[i * q + j]), KM[k + j * slab], sum);
                TESSERA_UNROLL
                for (int j = 0; j < q; ++j)
                  sum = L::fnma(L::set(scaled_K[2][i * q + j]),
                                MM[k + j * slab],
                                sum);
                r[k + i * slab] = sum;
              }
          }
      }

    private:
      /** $s + \sum_j a_j x_j$, the x_j @p stride apart. */
      template <int n>
      TESSERA_ALWAYS_INLINE static V
      add_products(const T *a, const V *x, const int stride, V sum)
      {
        TESSERA_UNROLL
        for (int j = 0; j < n; ++j)
          sum = L::fma(L::set(a[j]), x[j * stride], sum);
        return sum;
      }

      TESSERA_ALWAYS_INLINE static V
      row_times(const T *row, const V *x, const int stride)
      {
        return add_products<q - 1>(row + 1,
                                   x + stride,
                                   stride,
                                   L::set(row[0]) * x[0]);
      }

      const T *M;
      const T *scaled_K[3];
    };

    /**
     * Contractions in one direction of a patch whose lanes are cells:
     * $y_a = T_{aa} x_a + T_{a \bar a} x_{\bar a}$ with blocks $T_{ab}$ of
     * degree x n, without use of their symmetry. $\bar a$ is the neighbouring
     * lane of the direction.
     * @tparam in_pairs Add the terms of both cells in pairs, not in one chain.
     *
     * Cost of a value y: 2n operations, or 3n - 1 in pairs.
     */
    template <int dim, int degree, int n, int axis, bool in_pairs, typename L>
    class BlockContraction
    {
    public:
      using T = typename L::T;
      using V = typename L::V;

      /** Select the blocks of each lane. */
      TESSERA_ALWAYS_INLINE explicit BlockContraction(
        const T *const (&blocks)[2][2])
      {
        TESSERA_UNROLL_ON_DEVICE
        for (int i = 0; i < degree * n; ++i)
          {
            own[i]     = L::template select<bit>(L::set(blocks[0][0][i]),
                                             L::set(blocks[1][1][i]));
            partner[i] = L::template select<bit>(L::set(blocks[0][1][i]),
                                                 L::set(blocks[1][0][i]));
          }
      }

      /** n to degree values; those of the directions before have degree
       * values, those after n. y may be x if n is degree. */
      TESSERA_ALWAYS_INLINE void
      operator()(const V *x, V *y) const
      {
        constexpr int n_before = power(degree, axis);
        constexpr int n_after  = power(n, dim - 1 - axis);
        TESSERA_UNROLL_ON_DEVICE
        for (int after = 0; after < n_after; ++after)
          {
            TESSERA_UNROLL_ON_DEVICE
            for (int before = 0; before < n_before; ++before)
              {
                V mine[n], theirs[n];
                TESSERA_UNROLL
                for (int i = 0; i < n; ++i)
                  {
                    mine[i]   = x[(after * n + i) * n_before + before];
                    theirs[i] = L::template xor_lane<bit>(mine[i]);
                  }
                TESSERA_UNROLL
                for (int m = 0; m < degree; ++m)
                  y[(after * degree + m) * n_before + before] =
                    accumulate(own + m * n, mine, partner + m * n, theirs);
              }
          }
      }

    private:
      static constexpr int bit = 1 << axis;

      /** $\sum_i a_i x_i + b_i y_i$. */
      TESSERA_ALWAYS_INLINE static V
      accumulate(const V *a, const V *x, const V *b, const V *y)
      {
        V sum = a[0] * x[0];
        if constexpr (in_pairs)
          {
            sum = L::fma(b[0], y[0], sum);
            TESSERA_UNROLL
            for (int i = 1; i < n; ++i)
              sum = sum + L::fma(b[i], y[i], a[i] * x[i]);
          }
        else
          {
            TESSERA_UNROLL
            for (int i = 1; i < n; ++i)
              sum = L::fma(a[i], x[i], sum);
            TESSERA_UNROLL
            for (int i = 0; i < n; ++i)
              sum = L::fma(b[i], y[i], sum);
          }
        return sum;
      }

      V own[degree * n];
      V partner[degree * n];
    };

    /** Add slabs of corrections, degree 3 in three dimensions, to u. */
    template <typename L>
    struct AddToSlabs
    {
      using V = typename L::V;

      V *u;

      TESSERA_ALWAYS_INLINE void
      operator()(const int z, const V (&c)[16]) const
      {
        PatchSlabs<3, 3, L>::template add_to<16>(c, u + z * 16);
      }
    };

    /**
     * The update of vertex patches in lanes as PatchUpdate, in another
     * organization of the arithmetic, with a nodal right-hand side; degree 3 in
     * three dimensions.
     *
     * The shared copies of a correction agree bit for bit in all variants:
     * entries of odd modes at the vertex are exactly zero.
     *
     * Operations of a lane: additions, multiplications, and fused ones. In all
     * variants there are 27 in between, and 64 to add the correction.
     * | variant             | residual | forward | backward | all  |
     * |---------------------|----------|---------|----------|------|
     * | nodal               | 1792     | 648     | 648      | 3179 |
     * | accumulator_chain   | 1792     | 486     | 486      | 2855 |
     * | cell_eigenbasis     | 1792     | 486     | 486      | 2855 |
     * | merged_transforms   | 1216     | 888     | 486      | 2681 |
     * | reflection_symmetry | 1216     | 592     | 324      | 2223 |
     *
     * Transforms between nodes and modes take 576 of them, instead of 768, by
     * their parity (see tensor_transforms.h).
     *
     * Source: M. Wichrowski, arXiv:2610.31496, section 6.
     */
    template <PatchVariant variant, typename L>
    class PatchVariantUpdate
    {
    public:
      using T = typename L::T;
      using V = typename L::V;

      static constexpr int dim     = 3;
      static constexpr int degree  = 3;
      static constexpr int q       = degree + 1;
      static constexpr int n_nodes = power(q, dim);
      static constexpr int n_modes = power(degree, dim);

      /** @param[in] inverse See PatchUpdate. */
      TESSERA_ALWAYS_INLINE
      PatchVariantUpdate(const VariantTables<T> &t, const V (&inverse)[n_modes])
        : tables(t)
        , inverse_eigenvalues(inverse)
        , forward_x(forward_blocks(t))
        , forward_y(forward_blocks(t))
        , forward_z(forward_blocks(t))
        , backward_x(t.backward)
        , backward_y(t.backward)
        , backward_z(t.backward)
      {}

      /** See PatchUpdate; b nodal, all cells inside of the box. */
      TESSERA_ALWAYS_INLINE void
      operator()(const unsigned int mirrored, const V *b, V *u) const
      {
        (*this)(mirrored, b, u, AddToSlabs<L>{u});
      }

      /** The same where the correction is not added to u.
       * @param[in] add See PatchUpdate. */
      template <typename Add>
      TESSERA_ALWAYS_INLINE void
      operator()(const unsigned int mirrored,
                 const V           *b,
                 const V           *u,
                 Add              &&add) const
      {
        TESSERA_ASSERT(mirrored == 0, "only PatchUpdate knows mirror images");
        (void)mirrored;

        V r[n_nodes], c[n_modes];
        if constexpr (variant == PatchVariant::nodal ||
                      variant == PatchVariant::accumulator_chain)
          {
            const NodalResidual<q, L> residual(tables);
            residual(b, u, r);
          }
        else
          modal_residual_of_nodal<dim, degree, L>(tables, b, u, r);
        if constexpr (variant == PatchVariant::cell_eigenbasis)
          cellwise::transform_to_nodes<dim, q, L>(
            tables.patch.inverse_eigenvectors, r);

        if constexpr (variant == PatchVariant::merged_transforms)
          {
            V by_x[degree * q * q], by_y[degree * degree * q];
            forward_x(r, by_x);
            forward_y(by_x, by_y);
            forward_z(by_y, c);
          }
        else
          {
            PatchNodes<dim, degree, L>::restrict_to_interior(r, c);
            forward_x(c, c);
            forward_y(c, c);
            forward_z(c, c);
          }
        TESSERA_UNROLL_ON_DEVICE
        for (int m = 0; m < n_modes; ++m)
          c[m] = c[m] * inverse_eigenvalues[m];
        backward_z(c, c);
        backward_y(c, c);
        backward_x(c, c);
        TESSERA_UNROLL_ON_DEVICE
        for (int z = 0; z < q; ++z)
          {
            V slab[q * q];
            PatchNodes<dim, degree, L>::expand_to_slab(c, z, slab);
            add(z, slab);
          }
      }

    private:
      static constexpr bool in_pairs = variant == PatchVariant::nodal;
      static constexpr bool is_merged =
        variant == PatchVariant::merged_transforms;

      using Blocks = const T *const[2][2];

      TESSERA_ALWAYS_INLINE static Blocks &
      forward_blocks(const VariantTables<T> &t)
      {
        return is_merged ? t.modal_forward : t.nodal_forward;
      }

      template <int axis>
      using Forward = BlockContraction<dim,
                                       degree,
                                       is_merged ? q : degree,
                                       axis,
                                       in_pairs,
                                       L>;
      template <int axis>
      using Backward = BlockContraction<dim, degree, degree, axis, in_pairs, L>;

      const VariantTables<T> &tables;
      const V (&inverse_eigenvalues)[n_modes];

      Forward<0>  forward_x;
      Forward<1>  forward_y;
      Forward<2>  forward_z;
      Backward<0> backward_x;
      Backward<1> backward_y;
      Backward<2> backward_z;
    };

    template <typename L>
    class PatchVariantUpdate<PatchVariant::reflection_symmetry, L>
    {
    public:
      using T      = typename L::T;
      using V      = typename L::V;
      using Update = PatchUpdate<3, 3, L>;

      static constexpr int dim     = 3;
      static constexpr int n_nodes = Update::n_nodes;
      static constexpr int n_modes = Update::n_modes;

      TESSERA_ALWAYS_INLINE
      PatchVariantUpdate(const VariantTables<T> &t, const V (&inverse)[n_modes])
        : tables(t)
        , update(t.patch, inverse)
      {}

      TESSERA_ALWAYS_INLINE void
      operator()(const unsigned int mirrored, const V *b, V *u) const
      {
        (*this)(mirrored, b, u, AddToSlabs<L>{u});
      }

      template <typename Add>
      TESSERA_ALWAYS_INLINE void
      operator()(const unsigned int mirrored,
                 const V           *b,
                 const V           *u,
                 Add              &&add) const
      {
        TESSERA_ASSERT(mirrored == 0, "only PatchUpdate knows mirror images");
        (void)mirrored;
        V r[n_nodes];
        modal_residual_of_nodal<3, 3, L>(tables, b, u, r);
        update.solve(
          [&](const int z, V(&)[Update::slab]) {
            return static_cast<const V *>(r + z * Update::slab);
          },
          add);
      }

    private:
      const VariantTables<T> &tables;
      const Update            update;
    };
  } // namespace patch
} // namespace tessera

#endif
