// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_volume_term_h
#define tessera_sipg_volume_term_h

#include <tessera/base/macros.h>
#include <tessera/cellwise/degree.h>
#include <tessera/sipg/tensor_contractions.h>

namespace tessera
{
  namespace sipg
  {
    /**
     * The volume term of a cell, for values u[n^dim] with the first axis
     * fastest,
     * $$ s = \sum_a h_a^{-2} \bigl(K \text{ along axis } a,\
     *                           M \text{ along the others}\bigr)\,u $$
     * without the factor $k\,|K|$. From m = u, s = 0, axis by axis:
     * $$ s \leftarrow M s + h_a^{-2} K m, \qquad m \leftarrow M m. $$
     * L is any lane policy (see Lanes).
     *
     * Cost a value: (3 dim - 2) n multiply-adds.
     */
    template <int dim, int degree, typename L>
    class VolumeTerm
    {
    public:
      using T = typename L::T;
      using V = typename L::V;

      static constexpr int n = degree + 1;

      /**
       * @param[in] mass M, [n][n] row-major.
       * @param[in] stiffness $h_a^{-2} K$, [axis][n][n] row-major.
       */
      TESSERA_ALWAYS_INLINE
      VolumeTerm(const T *mass, const T *stiffness)
        : M{mass}
        , K(stiffness)
      {}

      /** @param[in,out] m u, and anything afterwards. */
      TESSERA_ALWAYS_INLINE void
      operator()(V *m, V *s) const
      {
        add_axes<0>(m, s);
      }

    private:
      using Matrix = UniformMatrix<L, n>;

      template <int axis>
      TESSERA_ALWAYS_INLINE void
      add_axes(V *m, V *s) const
      {
        constexpr int stride = cellwise::power(n, axis);
        const Matrix  K_axis{K + axis * n * n};
        TESSERA_UNROLL_ON_DEVICE
        for (int outer = 0; outer < cellwise::power(n, dim - 1 - axis); ++outer)
          {
            TESSERA_UNROLL_ON_DEVICE
            for (int inner = 0; inner < stride; ++inner)
              {
                const int first = outer * stride * n + inner;
                add_line<axis>(K_axis, m + first, s + first);
              }
          }
        if constexpr (axis < dim - 1)
          add_axes<axis + 1>(m, s);
      }

      template <int axis>
      TESSERA_ALWAYS_INLINE void
      add_line(const Matrix &K_axis, V *m, V *s) const
      {
        constexpr int stride = cellwise::power(n, axis);
        V             x[n], z[n];
        TESSERA_UNROLL
        for (int j = 0; j < n; ++j)
          {
            x[j] = m[j * stride];
            if constexpr (axis > 0)
              z[j] = s[j * stride];
          }
        for_each_row<n>([&](const int i) {
          V sum = K_axis(i, 0) * x[0];
          TESSERA_UNROLL
          for (int j = 1; j < n; ++j)
            sum = L::fma(K_axis(i, j), x[j], sum);
          if constexpr (axis > 0)
            {
              TESSERA_UNROLL
              for (int j = 0; j < n; ++j)
                sum = L::fma(M(i, j), z[j], sum);
            }
          s[i * stride] = sum;
          if constexpr (axis < dim - 1)
            {
              V product = M(i, 0) * x[0];
              TESSERA_UNROLL
              for (int j = 1; j < n; ++j)
                product = L::fma(M(i, j), x[j], product);
              m[i * stride] = product;
            }
        });
      }

      const Matrix M;
      const T     *K;
    };
  } // namespace sipg
} // namespace tessera

#endif
