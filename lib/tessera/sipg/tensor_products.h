// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_tensor_products_h
#define tessera_sipg_tensor_products_h

#include <tessera/base/dense_matrix.h>

#include <array>
#include <cstddef>
#include <vector>

namespace tessera
{
  namespace sipg
  {
    /**
     * to <- A from along the middle index of an array of three indices, the
     * last one fastest: n_slow x A.n_columns() x n_fast numbers, of which
     * A.n_rows() take the place of A.n_columns().
     *
     * With the cells of a block as a part of the last index this is fast
     * without kernels for each degree.
     */
    void
    multiply_index(const DenseMatrix &A,
                   std::size_t        n_slow,
                   std::size_t        n_fast,
                   const double      *from,
                   double            *to);

    /**
     * Tensor products of small matrices of any sizes. Keeps its scratch arrays
     * from one call to the next.
     */
    class TensorProducts
    {
    public:
      /**
       * to <- $(A_{m-1} \otimes \dots \otimes A_0)$ from, on arrays with the
       * index of $A_0$ fastest of m indices, and n_fast numbers for each entry,
       * side by side. @p from and @p to are different arrays.
       */
      template <std::size_t m>
      void
      multiply(const std::array<const DenseMatrix *, m> &matrices,
               std::size_t                               n_fast,
               const double                             *from,
               double                                   *to)
      {
        multiply(matrices.data(), m, n_fast, from, to);
      }

    private:
      std::array<std::vector<double>, 2> scratch;

      void
      multiply(const DenseMatrix *const *matrices,
               std::size_t               m,
               std::size_t               n_fast,
               const double             *from,
               double                   *to);
    };

    /** The same matrix for all axes. */
    template <std::size_t m>
    std::array<const DenseMatrix *, m>
    all_axes(const DenseMatrix &A)
    {
      std::array<const DenseMatrix *, m> matrices;
      matrices.fill(&A);
      return matrices;
    }

    /** B along one axis, A along the others. */
    template <std::size_t m>
    std::array<const DenseMatrix *, m>
    one_axis(const DenseMatrix &B, const std::size_t axis, const DenseMatrix &A)
    {
      std::array<const DenseMatrix *, m> matrices = all_axes<m>(A);
      matrices[axis]                              = &B;
      return matrices;
    }
  } // namespace sipg
} // namespace tessera

#endif
