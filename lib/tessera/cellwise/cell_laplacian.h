// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_cell_laplacian_h
#define tessera_cellwise_cell_laplacian_h

#include <tessera/cellwise/tensor_transforms.h>

namespace tessera
{
  namespace cellwise
  {
    /**
     * $v = A_K u = (S^{-T})^{\otimes} \Lambda_K (S^{-1})^{\otimes} u$ for one
     * cell a lane; q^dim values, x fastest.
     *
     * @param[in] inverse_eigenvectors $S^{-1}$, q x q, row-major.
     * @param[in] eigenvalues The diagonal of $\Lambda_K$, q^dim numbers.
     * @param[in] load load(k) is $u_k$. Called once for all k, in ascending
     *   order, with time to fetch the next values from memory in between.
     * @param[in] store store(k, v) takes $v_k$; called in the same way.
     *
     * Cost: 2 dim q^(dim-1) lines (see transform_to_modes()) and q^dim
     * multiplications; 1216 operations on lanes for q = 4, dim = 3.
     */
    template <int dim, int q, typename L, typename Load, typename Store>
    TESSERA_ALWAYS_INLINE void
    apply_cell_laplacian(const typename L::T *inverse_eigenvectors,
                         const typename L::T *eigenvalues,
                         const Load          &load,
                         const Store         &store)
    {
      using V            = typename L::V;
      constexpr int slab = power(q, dim - 1);
      V             modes[q * slab];
      load_slabs_to_modes<dim, q, L>(inverse_eigenvectors, load, modes);
      // Along the last axis there and back, in registers.
      TESSERA_UNROLL_ON_DEVICE
      for (int k = 0; k < slab; ++k)
        {
          V line[q];
          TESSERA_UNROLL
          for (int i = 0; i < q; ++i)
            line[i] = modes[i * slab + k];
          line_to_modes<q, L>(inverse_eigenvectors, line);
          TESSERA_UNROLL
          for (int i = 0; i < q; ++i)
            line[i] = L::set(eigenvalues[i * slab + k]) * line[i];
          line_to_nodes<q, L>(inverse_eigenvectors, line);
          TESSERA_UNROLL
          for (int i = 0; i < q; ++i)
            modes[i * slab + k] = line[i];
        }
      TESSERA_UNROLL_ON_DEVICE
      for (int i = 0; i < q; ++i)
        {
          V *v = modes + i * slab;
          transform_to_nodes<dim - 1, q, L>(inverse_eigenvectors, v);
          TESSERA_UNROLL
          for (int k = 0; k < slab; ++k)
            store(i * slab + k, v[k]);
        }
    }



    /**
     * $u^T A_K u = \hat u^T \Lambda_K \hat u$, $\hat u = (S^{-1})^{\otimes}
     * u$, for one cell a lane: a sum of numbers that are not negative. For each
     * mode of the last axis over those of the other axes in ascending order, by
     * fused multiply-adds; then over the modes of the last axis.
     *
     * Parameters as for apply_cell_laplacian(). Cost: dim q^(dim-1) lines, 2
     * q^dim operations; 704 for q = 4, dim = 3.
     */
    template <int dim, int q, typename L, typename Load>
    TESSERA_ALWAYS_INLINE typename L::V
    cell_energy(const typename L::T *inverse_eigenvectors,
                const typename L::T *eigenvalues,
                const Load          &load)
    {
      using V            = typename L::V;
      constexpr int slab = power(q, dim - 1);
      V             modes[q * slab];
      load_slabs_to_modes<dim, q, L>(inverse_eigenvectors, load, modes);
      V sums[q];
      TESSERA_UNROLL
      for (int i = 0; i < q; ++i)
        sums[i] = L::zero();
      TESSERA_UNROLL_ON_DEVICE
      for (int k = 0; k < slab; ++k)
        {
          V line[q];
          TESSERA_UNROLL
          for (int i = 0; i < q; ++i)
            line[i] = modes[i * slab + k];
          line_to_modes<q, L>(inverse_eigenvectors, line);
          TESSERA_UNROLL
          for (int i = 0; i < q; ++i)
            sums[i] = L::fma(L::set(eigenvalues[i * slab + k]) * line[i],
                             line[i],
                             sums[i]);
        }
      V energy = sums[0];
      TESSERA_UNROLL
      for (int i = 1; i < q; ++i)
        energy += sums[i];
      return energy;
    }
  } // namespace cellwise
} // namespace tessera

#endif
