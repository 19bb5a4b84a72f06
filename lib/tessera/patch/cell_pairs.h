// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_cell_pairs_h
#define tessera_patch_cell_pairs_h

#include <tessera/base/macros.h>

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
     * The two cells of a patch along a direction, in neighbouring lanes whose
     * numbers differ in one bit, that of the upper cell being set: the same
     * instructions for both. See PatchUpdate for the formulas.
     *
     * L is any lane policy (see Lanes).
     */
    template <int degree, typename L, int bit>
    class CellsInLanes
    {
    public:
      using T = typename L::T;
      using V = typename L::V;

      static constexpr int q = degree + 1;

      TESSERA_ALWAYS_INLINE explicit CellsInLanes(const PatchTables<T> &t)
        : sigma(L::template sign<bit>())
      {
        TESSERA_UNROLL_ON_DEVICE
        for (int i = 0; i < degree * q; ++i)
          B[i] = L::template select<bit>(L::set(t.forward[0][i]),
                                         L::set(t.forward[1][i]));
        TESSERA_UNROLL_ON_DEVICE
        for (int i = 0; i < degree * degree; ++i)
          Ft[i] = L::template select<bit>(L::set(t.backward[0][i]),
                                          L::set(t.backward[1][i]));
      }

      /** $\sigma_a$: 1 for lower, -1 for upper cells. */
      TESSERA_ALWAYS_INLINE const V &
      sign() const
      {
        return sigma;
      }

      /** $y_a = B_{aa} (\hat x_a + \sigma_a \tau \circ \hat x_{\bar a})$
       * of a line, q to degree values. */
      template <int in_stride, int out_stride>
      TESSERA_ALWAYS_INLINE void
      forward(const V *in, V *out) const
      {
        V x[q];
        TESSERA_UNROLL
        for (int i = 0; i < q; ++i)
          {
            const V own     = in[i * in_stride];
            const V partner = L::template xor_lane<bit>(own);
            x[i]            = i % 2 == 0 ? L::fma(sigma, partner, own) :
                                           L::fnma(sigma, partner, own);
          }
        TESSERA_UNROLL
        for (int m = 0; m < degree; ++m)
          {
            V sum = B[m * q] * x[0];
            TESSERA_UNROLL
            for (int i = 1; i < q; ++i)
              sum = L::fma(B[m * q + i], x[i], sum);
            out[m * out_stride] = sum;
          }
      }

      /** $w_a = F_{aa}^T y_a$, $x_a = w_a + \sigma_{\bar a} J w_{\bar a}$
       * of a line of degree values, in place. */
      template <int stride>
      TESSERA_ALWAYS_INLINE void
      backward(V *line) const
      {
        V modes[degree], w[degree];
        TESSERA_UNROLL
        for (int m = 0; m < degree; ++m)
          modes[m] = line[m * stride];
        TESSERA_UNROLL
        for (int i = 0; i < degree; ++i)
          {
            w[i] = Ft[i * degree] * modes[0];
            TESSERA_UNROLL
            for (int m = 1; m < degree; ++m)
              w[i] = L::fma(Ft[i * degree + m], modes[m], w[i]);
          }
        // sigma of the partner is minus that of the lane.
        TESSERA_UNROLL
        for (int i = 0; i < degree; ++i)
          line[i * stride] =
            L::fnma(sigma, L::template xor_lane<bit>(w[degree - 1 - i]), w[i]);
      }

    private:
      V sigma;
      V B[degree * q];
      V Ft[degree * degree];
    };

    /**
     * The same two cells in different vectors, lower and upper one each with
     * instructions of its own: no exchange between lanes, no matrices selected
     * by lane, and what is known to be zero is not computed. Odd modes of a
     * patch vanish at its vertex, so that they are modes of a single cell with
     * a parity of their own: half of $B_{11}$ is zero, and there are
     * degree - 1 of them. The numbers are those of CellsInLanes (but the sign
     * of zero).
     *
     * Modes are the degree even ones, then the odd ones; nodes are those inside
     * of the patch in ascending order.
     */
    template <int degree, typename L>
    class CellsInVectors
    {
    public:
      using T = typename L::T;
      using V = typename L::V;

      static constexpr int q       = degree + 1;
      static constexpr int n_modes = 2 * degree - 1;

      TESSERA_ALWAYS_INLINE explicit CellsInVectors(const PatchTables<T> &t)
        : B{t.forward[0], t.forward[1]}
        , Ft{t.backward[0], t.backward[1]}
      {}

      /** Lines of q values of both cells to n_modes modes. Operations for
       * degree 3: 8 + 16. */
      template <int in_stride, int out_stride>
      TESSERA_ALWAYS_INLINE void
      forward(const V *lower, const V *upper, V *modes) const
      {
        V x[q], y[q];
        TESSERA_UNROLL
        for (int i = 0; i < q; ++i)
          {
            const V a = lower[i * in_stride];
            const V b = upper[i * in_stride];
            x[i]      = i % 2 == 0 ? a + b : a - b;
            y[i]      = i % 2 == 0 ? b - a : b + a;
          }
        TESSERA_UNROLL
        for (int m = 0; m < degree; ++m)
          {
            V sum = L::set(B[0][m * q]) * x[0];
            TESSERA_UNROLL
            for (int i = 1; i < q; ++i)
              sum = L::fma(L::set(B[0][m * q + i]), x[i], sum);
            modes[m * out_stride] = sum;
          }
        TESSERA_UNROLL
        for (int m = 0; m < degree - 1; ++m)
          {
            const int first = m % 2;
            V         sum   = L::set(B[1][m * q + first]) * y[first];
            TESSERA_UNROLL
            for (int i = first + 2; i < q; i += 2)
              sum = L::fma(L::set(B[1][m * q + i]), y[i], sum);
            modes[(degree + m) * out_stride] = sum;
          }
      }

      /** n_modes modes to as many nodes, in place. Operations for degree 3: 13
       * + 4. */
      TESSERA_ALWAYS_INLINE void
      backward(V (&line)[n_modes]) const
      {
        V even[degree], odd[degree];
        TESSERA_UNROLL
        for (int i = 0; i < degree; ++i)
          {
            even[i] = L::set(Ft[0][i * degree]) * line[0];
            TESSERA_UNROLL
            for (int m = 1; m < degree; ++m)
              even[i] = L::fma(L::set(Ft[0][i * degree + m]), line[m], even[i]);
          }
        TESSERA_UNROLL
        for (int i = 1; i < degree; ++i)
          {
            odd[i] = L::set(Ft[1][i * degree]) * line[degree];
            TESSERA_UNROLL
            for (int m = 1; m < degree - 1; ++m)
              odd[i] =
                L::fma(L::set(Ft[1][i * degree + m]), line[degree + m], odd[i]);
          }
        line[degree - 1] = even[degree - 1];
        TESSERA_UNROLL
        for (int i = 1; i < degree; ++i)
          {
            line[degree - 1 - i] = even[degree - 1 - i] - odd[i];
            line[degree - 1 + i] = odd[i] + even[degree - 1 - i];
          }
      }

    private:
      const T *B[2];
      const T *Ft[2];
    };
  } // namespace patch
} // namespace tessera

#endif
