// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_tensor_transforms_h
#define tessera_cellwise_tensor_transforms_h

#include <tessera/base/macros.h>
#include <tessera/cellwise/degree.h>

namespace tessera
{
  namespace cellwise
  {
    /**
     * @name Transforms between nodes and modes
     *
     * Products with $A \otimes \dots \otimes A$, one factor an axis, where the
     * rows of the q x q matrix A are alternately even and odd,
     * $A_{i,q-1-j} = (-1)^i A_{ij}$ bit for bit. $S^{-1}$ and $S^T$ of
     * ReferenceCell are such matrices: they take nodes to modes, and their
     * transposes, $S^{-T}$ and $S$, modes to nodes.
     *
     * Values are q^dim lanes, x fastest, transformed in place; L is any lane
     * policy (see Lanes). A is row-major; the half of it with the columns
     * j < (q+1)/2 is read.
     *
     * Even rows see only the sums $u_j + u_{q-1-j}$, odd rows only the
     * differences, which halves the multiplications. It also makes reflections
     * exact: if the nodes change places under $j \to q-1-j$ in one direction,
     * odd modes of this direction change sign and nothing else changes, bit
     * for bit, and the other way round.
     *
     * Cost of a line of q values: $\lfloor q/2 \rfloor 2$ additions and
     * $\lceil q^2/2 \rceil$ multiplications, fused to additions where there is
     * something to add (q = 4: 4 and 8). There are dim q^(dim-1) lines.
     * @{
     */

    /** Along one line: v <- A v. */
    template <int q, typename L>
    TESSERA_ALWAYS_INLINE void
    line_to_modes(const typename L::T *A, typename L::V (&v)[q])
    {
      using V            = typename L::V;
      constexpr int half = q / 2;
      V             sum[half + 1], difference[half];
      TESSERA_UNROLL
      for (int j = 0; j < half; ++j)
        {
          sum[j]        = v[j] + v[q - 1 - j];
          difference[j] = v[j] - v[q - 1 - j];
        }
      sum[half] = v[half]; // the middle node, if there is one
      TESSERA_UNROLL
      for (int i = 0; i < q; ++i)
        {
          // The middle entry of an odd row is zero.
          const bool even    = i % 2 == 0;
          const int  n_terms = even ? q - half : half;
          V          y = L::set(A[i * q]) * (even ? sum[0] : difference[0]);
          TESSERA_UNROLL
          for (int j = 1; j < n_terms; ++j)
            y = L::fma(L::set(A[i * q + j]), even ? sum[j] : difference[j], y);
          v[i] = y;
        }
    }

    /** Along one line: v <- A^T v. */
    template <int q, typename L>
    TESSERA_ALWAYS_INLINE void
    line_to_nodes(const typename L::T *A, typename L::V (&v)[q])
    {
      using V            = typename L::V;
      constexpr int half = q / 2;
      V             even[half + 1], odd[half];
      TESSERA_UNROLL
      for (int j = 0; j < q - half; ++j)
        {
          even[j] = L::set(A[j]) * v[0];
          TESSERA_UNROLL
          for (int i = 2; i < q; i += 2)
            even[j] = L::fma(L::set(A[i * q + j]), v[i], even[j]);
        }
      TESSERA_UNROLL
      for (int j = 0; j < half; ++j)
        {
          odd[j] = L::set(A[q + j]) * v[1];
          TESSERA_UNROLL
          for (int i = 3; i < q; i += 2)
            odd[j] = L::fma(L::set(A[i * q + j]), v[i], odd[j]);
        }
      TESSERA_UNROLL
      for (int j = 0; j < half; ++j)
        {
          v[j]         = even[j] + odd[j];
          v[q - 1 - j] = even[j] - odd[j];
        }
      if constexpr (q % 2 == 1)
        v[half] = even[half];
    }

    enum class TransformDirection
    {
      to_modes,
      to_nodes
    };

    /** The q values u[0], u[stride], ...: see line_to_modes() and
     * line_to_nodes(). */
    template <TransformDirection direction, int q, int stride, typename L>
    TESSERA_ALWAYS_INLINE void
    transform_line(const typename L::T *A, typename L::V *u)
    {
      typename L::V v[q];
      TESSERA_UNROLL
      for (int i = 0; i < q; ++i)
        v[i] = u[i * stride];
      if constexpr (direction == TransformDirection::to_modes)
        line_to_modes<q, L>(A, v);
      else
        line_to_nodes<q, L>(A, v);
      TESSERA_UNROLL
      for (int i = 0; i < q; ++i)
        u[i * stride] = v[i];
    }

    /** The lines along the last axis. */
    template <TransformDirection direction, int dim, int q, typename L>
    TESSERA_ALWAYS_INLINE void
    transform_last_axis(const typename L::T *A, typename L::V *u)
    {
      constexpr int slab = power(q, dim - 1);
      TESSERA_UNROLL_ON_DEVICE
      for (int i = 0; i < slab; ++i)
        transform_line<direction, q, slab, L>(A, u + i);
    }

    /** All lines. To modes the axes come in the order x, y, z, to nodes z, y,
     * x; x and y slab by slab of the last axis. */
    template <TransformDirection direction, int dim, int q, typename L>
    TESSERA_ALWAYS_INLINE void
    transform(const typename L::T *A, typename L::V *u)
    {
      constexpr bool last_axis_first =
        direction == TransformDirection::to_nodes;
      if constexpr (last_axis_first)
        transform_last_axis<direction, dim, q, L>(A, u);
      if constexpr (dim > 1)
        {
          TESSERA_UNROLL_ON_DEVICE
          for (int i = 0; i < q; ++i)
            transform<direction, dim - 1, q, L>(A, u + i * power(q, dim - 1));
        }
      if constexpr (!last_axis_first)
        transform_last_axis<direction, dim, q, L>(A, u);
    }

    /**
     * The axes before the last one, to modes, of values that load(k) returns,
     * k = 0, ..., q^dim - 1 in ascending order. Between the slabs there is time
     * to fetch values from memory.
     */
    template <int dim, int q, typename L, typename Load>
    TESSERA_ALWAYS_INLINE void
    load_slabs_to_modes(const typename L::T *A,
                        const Load          &load,
                        typename L::V       *u)
    {
      constexpr int slab = power(q, dim - 1);
      TESSERA_UNROLL_ON_DEVICE
      for (int i = 0; i < q; ++i)
        {
          TESSERA_UNROLL
          for (int k = 0; k < slab; ++k)
            u[i * slab + k] = load(i * slab + k);
          transform<TransformDirection::to_modes, dim - 1, q, L>(A,
                                                                 u + i * slab);
        }
    }

    /** Nodes to modes: $u \leftarrow (A \otimes \dots \otimes A)\,u$. */
    template <int dim, int q, typename L>
    TESSERA_ALWAYS_INLINE void
    transform_to_modes(const typename L::T *A, typename L::V *u)
    {
      transform<TransformDirection::to_modes, dim, q, L>(A, u);
    }

    /** Modes to nodes: $u \leftarrow (A^T \otimes \dots \otimes A^T)\,u$. */
    template <int dim, int q, typename L>
    TESSERA_ALWAYS_INLINE void
    transform_to_nodes(const typename L::T *A, typename L::V *u)
    {
      transform<TransformDirection::to_nodes, dim, q, L>(A, u);
    }

    /** @} */
  } // namespace cellwise
} // namespace tessera

#endif
