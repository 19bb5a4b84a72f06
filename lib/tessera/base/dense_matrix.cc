// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/dense_matrix.h>
#include <tessera/base/exceptions.h>

namespace tessera
{
  template <typename Number>
  BasicDenseMatrix<Number>
  identity_matrix(const std::size_t n)
  {
    BasicDenseMatrix<Number> I(n, n);
    for (std::size_t i = 0; i < n; ++i)
      I(i, i) = Number(1);
    return I;
  }



  template <typename Number>
  BasicDenseMatrix<Number>
  transpose(const BasicDenseMatrix<Number> &A)
  {
    BasicDenseMatrix<Number> T(A.n_columns(), A.n_rows());
    for (std::size_t i = 0; i < A.n_rows(); ++i)
      for (std::size_t j = 0; j < A.n_columns(); ++j)
        T(j, i) = A(i, j);
    return T;
  }



  template <typename Number>
  BasicDenseMatrix<Number>
  operator*(const BasicDenseMatrix<Number> &A,
            const BasicDenseMatrix<Number> &B)
  {
    TESSERA_ASSERT(A.n_columns() == B.n_rows(), "sizes do not match");
    BasicDenseMatrix<Number> C(A.n_rows(), B.n_columns());
    for (std::size_t i = 0; i < A.n_rows(); ++i)
      for (std::size_t k = 0; k < A.n_columns(); ++k)
        for (std::size_t j = 0; j < B.n_columns(); ++j)
          C(i, j) += A(i, k) * B(k, j);
    return C;
  }



  template <typename Number>
  BasicDenseMatrix<Number>
  diagonal_block(const BasicDenseMatrix<Number> &A,
                 const std::size_t               begin,
                 const std::size_t               end)
  {
    TESSERA_ASSERT(begin <= end && end <= A.n_rows() && end <= A.n_columns(),
                   "the block is inside the matrix");
    BasicDenseMatrix<Number> B(end - begin, end - begin);
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t j = begin; j < end; ++j)
        B(i - begin, j - begin) = A(i, j);
    return B;
  }



#define TESSERA_INSTANTIATE(Number)                                      \
  template BasicDenseMatrix<Number> identity_matrix(std::size_t);        \
  template BasicDenseMatrix<Number> transpose(                           \
    const BasicDenseMatrix<Number> &);                                   \
  template BasicDenseMatrix<Number> operator*(                           \
    const BasicDenseMatrix<Number> &, const BasicDenseMatrix<Number> &); \
  template BasicDenseMatrix<Number> diagonal_block(                      \
    const BasicDenseMatrix<Number> &, std::size_t, std::size_t)

  TESSERA_INSTANTIATE(double);
  TESSERA_INSTANTIATE(long double);
} // namespace tessera
