// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_scalar_tensors_h
#define tessera_sipg_scalar_tensors_h

#include <tessera/base/dense_matrix.h>

#include <vector>

namespace tessera
{
  namespace sipg
  {
    enum class Transposed
    {
      no,
      yes
    };

    /**
     * A small array of several indices, the first one fastest, for scalar
     * set-up and reference code.
     */
    struct ScalarTensor
    {
      std::vector<int>    extents;
      std::vector<double> values;

      explicit ScalarTensor(const std::vector<int> &sizes)
        : extents(sizes)
      {
        std::size_t n = 1;
        for (const int size : extents)
          n *= size;
        values.resize(n);
      }
    };

    /** $A$ or $A^T$ times all lines along one index. */
    inline ScalarTensor
    multiply_axis(const DenseMatrix  &A,
                  const ScalarTensor &from,
                  const int           axis,
                  const Transposed    transposed = Transposed::no)
    {
      const bool       t = transposed == Transposed::yes;
      std::vector<int> extents(from.extents);
      const int        n_from = extents[axis];
      const int        n_to   = int(t ? A.n_columns() : A.n_rows());
      extents[axis]           = n_to;
      ScalarTensor to(extents);

      int stride = 1;
      for (int d = 0; d < axis; ++d)
        stride *= extents[d];
      const int n_slabs = int(from.values.size()) / (n_from * stride);
      for (int slab = 0; slab < n_slabs; ++slab)
        for (int i = 0; i < n_to; ++i)
          for (int k = 0; k < n_from; ++k)
            {
              const double  a = t ? A(k, i) : A(i, k);
              double       *y = &to.values[(slab * n_to + i) * stride];
              const double *x = &from.values[(slab * n_from + k) * stride];
              for (int s = 0; s < stride; ++s)
                y[s] += a * x[s];
            }
      return to;
    }

    /** Rows [r, r + n_rows) and columns [c, c + n_columns). */
    inline DenseMatrix
    submatrix(const DenseMatrix &A,
              const int          r,
              const int          n_rows,
              const int          c,
              const int          n_columns)
    {
      DenseMatrix B(n_rows, n_columns);
      for (int i = 0; i < n_rows; ++i)
        for (int j = 0; j < n_columns; ++j)
          B(i, j) = A(r + i, c + j);
      return B;
    }
  } // namespace sipg
} // namespace tessera

#endif
