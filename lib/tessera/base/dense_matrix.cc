// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/dense_matrix.h>
#include <tessera/base/exceptions.h>

namespace tessera
{
  DenseMatrix
  identity_matrix(const std::size_t n)
  {
    DenseMatrix I(n, n);
    for (std::size_t i = 0; i < n; ++i)
      I(i, i) = 1.;
    return I;
  }



  DenseMatrix
  transpose(const DenseMatrix &A)
  {
    DenseMatrix T(A.n_columns(), A.n_rows());
    for (std::size_t i = 0; i < A.n_rows(); ++i)
      for (std::size_t j = 0; j < A.n_columns(); ++j)
        T(j, i) = A(i, j);
    return T;
  }



  DenseMatrix
  operator*(const DenseMatrix &A, const DenseMatrix &B)
  {
    TESSERA_ASSERT(A.n_columns() == B.n_rows(), "sizes do not match");
    DenseMatrix C(A.n_rows(), B.n_columns());
    for (std::size_t i = 0; i < A.n_rows(); ++i)
      for (std::size_t k = 0; k < A.n_columns(); ++k)
        for (std::size_t j = 0; j < B.n_columns(); ++j)
          C(i, j) += A(i, k) * B(k, j);
    return C;
  }



  DenseMatrix
  diagonal_block(const DenseMatrix &A,
                 const std::size_t  begin,
                 const std::size_t  end)
  {
    TESSERA_ASSERT(begin <= end && end <= A.n_rows() && end <= A.n_columns(),
                   "the block is inside the matrix");
    DenseMatrix B(end - begin, end - begin);
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t j = begin; j < end; ++j)
        B(i - begin, j - begin) = A(i, j);
    return B;
  }
} // namespace tessera
