// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_patch_slabs_h
#define tessera_patch_patch_slabs_h

#include <tessera/base/macros.h>
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/tensor_transforms.h>

namespace tessera
{
  namespace patch
  {
    using cellwise::power;

    /**
     * Slabs of cells: the q^(dim-1) values with the same index in the last
     * direction, one cell a lane, q = degree + 1. Those of low degree fit into
     * registers, where the loops over their lines are unrolled.
     */
    template <int dim, int degree, typename L>
    struct PatchSlabs
    {
      using T = typename L::T;
      using V = typename L::V;

      static constexpr int  q            = degree + 1;
      static constexpr int  slab         = power(q, dim - 1);
      static constexpr bool in_registers = degree <= 3;

      static constexpr auto to_modes = cellwise::TransformDirection::to_modes;

      /** Call f(0), ..., f(n-1). */
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

      /** u <- u + c. */
      template <int n>
      TESSERA_ALWAYS_INLINE static void
      add_to(const V *c, V *u)
      {
        for_each_index<n>([&](const int i) { u[i] = u[i] + c[i]; });
      }

      /** Nodes to modes in the directions of a slab. */
      TESSERA_ALWAYS_INLINE static void
      slab_to_modes(const T *S_inverse, const V *u, V *r)
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

      /** $s = \hat b - \Lambda_K \hat u$ of slab z. */
      TESSERA_ALWAYS_INLINE static void
      residual(const T  *cell_eigenvalues,
               const int z,
               const V  *u,
               const V  *b,
               V        *s)
      {
        for_each_index<slab>([&](const int k) {
          s[k] = L::fnma(L::set(cell_eigenvalues[z * slab + k]), u[k], b[k]);
        });
      }

      /** Multiply the odd modes of a direction by @p tau; s: slab z. */
      template <int axis>
      TESSERA_ALWAYS_INLINE static void
      scale_odd_modes(const int z, const V tau, V *s)
      {
        for_each_index<slab>([&](const int k) {
          const int index = axis == dim - 1 ? z : axis == 0 ? k % q : k / q;
          if (index % 2 != 0)
            s[k] = s[k] * tau;
        });
      }
    };
  } // namespace patch
} // namespace tessera

#endif
