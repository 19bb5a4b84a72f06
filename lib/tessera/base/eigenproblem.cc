// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/eigenproblem.h>
#include <tessera/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace tessera
{
  namespace
  {
    template <typename Number>
    using Matrix = BasicDenseMatrix<Number>;

    /** Lower L with M = L L^T. */
    template <typename Number>
    Matrix<Number>
    cholesky(const Matrix<Number> &M)
    {
      const std::size_t n = M.n_rows();
      Matrix<Number>    L(n, n);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j)
          {
            Number sum = M(i, j);
            for (std::size_t k = 0; k < j; ++k)
              sum -= L(i, k) * L(j, k);
            if (i != j)
              L(i, j) = sum / L(j, j);
            else if (sum > 0.)
              L(i, i) = std::sqrt(sum);
            else
              throw SolverBreakdown(
                "The mass matrix of an eigenproblem is not positive definite: "
                "pivot " +
                std::to_string(i) + " of its Cholesky decomposition is " +
                std::to_string(sum) + ".");
          }
      return L;
    }

    /** $L^{-1} B$ in place. */
    template <typename Number>
    void
    forward_substitution(const Matrix<Number> &L, Matrix<Number> &B)
    {
      for (std::size_t i = 0; i < L.n_rows(); ++i)
        for (std::size_t j = 0; j < B.n_columns(); ++j)
          {
            Number sum = B(i, j);
            for (std::size_t k = 0; k < i; ++k)
              sum -= L(i, k) * B(k, j);
            B(i, j) = sum / L(i, i);
          }
    }

    /** $L^{-T} B$ in place. */
    template <typename Number>
    void
    backward_substitution(const Matrix<Number> &L, Matrix<Number> &B)
    {
      for (std::size_t i = L.n_rows(); i-- > 0;)
        for (std::size_t j = 0; j < B.n_columns(); ++j)
          {
            Number sum = B(i, j);
            for (std::size_t k = i + 1; k < L.n_rows(); ++k)
              sum -= L(k, i) * B(k, j);
            B(i, j) = sum / L(i, i);
          }
    }

    /** Rotate rows p and q of a matrix. */
    template <typename Number>
    void
    rotate_rows(Matrix<Number>   &A,
                const std::size_t p,
                const std::size_t q,
                const Number      c,
                const Number      s)
    {
      for (std::size_t j = 0; j < A.n_columns(); ++j)
        {
          const Number x = A(p, j), y = A(q, j);
          A(p, j) = c * x - s * y;
          A(q, j) = s * x + c * y;
        }
    }

    template <typename Number>
    void
    rotate_columns(Matrix<Number>   &A,
                   const std::size_t p,
                   const std::size_t q,
                   const Number      c,
                   const Number      s)
    {
      for (std::size_t i = 0; i < A.n_rows(); ++i)
        {
          const Number x = A(i, p), y = A(i, q);
          A(i, p) = c * x - s * y;
          A(i, q) = s * x + c * y;
        }
    }

    /**
     * Diagonalize the symmetric matrix A in place by cyclic Jacobi rotations;
     * returns the transpose of the orthogonal V with A = V D V^T.
     */
    template <typename Number>
    Matrix<Number>
    jacobi(Matrix<Number> &A)
    {
      const std::size_t      n          = A.n_rows();
      constexpr unsigned int max_sweeps = 60;
      const Number epsilon = std::numeric_limits<Number>::epsilon() / 20;

      Matrix<Number> VT          = identity_matrix<Number>(n);
      bool           any_rotated = true;
      unsigned int   sweep       = 0;
      for (; any_rotated && sweep < max_sweeps; ++sweep)
        {
          any_rotated = false;
          for (std::size_t p = 0; p < n; ++p)
            for (std::size_t q = p + 1; q < n; ++q)
              {
                const Number a = A(p, q);
                if (std::abs(a) <=
                    epsilon * std::sqrt(std::abs(A(p, p) * A(q, q))))
                  continue;
                any_rotated = true;
                // The smaller root of t^2 + 2 theta t - 1 = 0.
                const Number theta = Number(0.5) * (A(q, q) - A(p, p)) / a;
                const Number t =
                  std::copysign(Number(1), theta) /
                  (std::abs(theta) + std::hypot(theta, Number(1)));
                const Number c = 1 / std::hypot(t, Number(1));
                const Number s = t * c;
                rotate_rows(A, p, q, c, s);
                rotate_columns(A, p, q, c, s);
                A(p, q) = A(q, p) = 0.;
                rotate_rows(VT, p, q, c, s);
              }
        }
      return VT;
    }

    /** The basis of even (sign = 1) or odd (-1) vectors of n entries. */
    template <typename Number>
    Matrix<Number>
    parity_basis(const std::size_t n, const int sign)
    {
      const std::size_t m = sign > 0 ? (n + 1) / 2 : n / 2;
      Matrix<Number>    T(n, m);
      for (std::size_t j = 0; j < m; ++j)
        {
          T(n - 1 - j, j) = sign;
          T(j, j)         = 1.;
        }
      return T;
    }

    template <typename Number>
    void
    sort(BasicEigenpairs<Number> &pairs)
    {
      const std::size_t        n = pairs.values.size();
      std::vector<std::size_t> order(n);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(),
                       order.end(),
                       [&](const std::size_t a, const std::size_t b) {
                         return pairs.values[a] < pairs.values[b];
                       });
      BasicEigenpairs<Number> sorted;
      sorted.vectors = Matrix<Number>(pairs.vectors.n_rows(), n);
      for (std::size_t j = 0; j < n; ++j)
        {
          sorted.values.push_back(pairs.values[order[j]]);
          if (!pairs.parity.empty())
            sorted.parity.push_back(pairs.parity[order[j]]);
          for (std::size_t i = 0; i < pairs.vectors.n_rows(); ++i)
            sorted.vectors(i, j) = pairs.vectors(i, order[j]);
        }
      pairs = sorted;
    }
  } // namespace



  template <typename Number>
  BasicEigenpairs<Number>
  generalized_eigenpairs(const Matrix<Number> &K, const Matrix<Number> &M)
  {
    const std::size_t n = K.n_rows();
    TESSERA_ASSERT(K.n_columns() == n && M.n_rows() == n && M.n_columns() == n,
                   "both matrices are square and of the same size");

    // With M = L L^T and q = L^-T v: (L^-1 K L^-T) v = lambda v.
    const Matrix<Number> L = cholesky(M);
    Matrix<Number>       A = K;
    forward_substitution(L, A);
    A = transpose(A);
    forward_substitution(L, A);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j)
        A(i, j) = A(j, i) = Number(0.5) * (A(i, j) + A(j, i));

    BasicEigenpairs<Number> pairs;
    pairs.vectors = transpose(jacobi(A));
    backward_substitution(L, pairs.vectors);
    for (std::size_t j = 0; j < n; ++j)
      {
        pairs.values.push_back(A(j, j));

        Number largest = 0;
        for (std::size_t i = 0; i < n; ++i)
          largest = std::max(largest, std::abs(pairs.vectors(i, j)));
        std::size_t first = 0;
        while (first + 1 < n &&
               std::abs(pairs.vectors(first, j)) < Number(1e-8) * largest)
          ++first;
        if (pairs.vectors(first, j) < 0.)
          for (std::size_t i = 0; i < n; ++i)
            pairs.vectors(i, j) = -pairs.vectors(i, j);
      }
    sort(pairs);
    return pairs;
  }



  template <typename Number>
  BasicEigenpairs<Number>
  parity_eigenpairs(const Matrix<Number> &K, const Matrix<Number> &M)
  {
    const std::size_t       n = K.n_rows();
    BasicEigenpairs<Number> all;
    all.vectors          = Matrix<Number>(n, n);
    std::size_t n_before = 0;
    for (const int sign : {1, -1})
      {
        const Matrix<Number> T  = parity_basis<Number>(n, sign);
        const Matrix<Number> Tt = transpose(T);
        if (T.n_columns() == 0)
          continue;
        const BasicEigenpairs<Number> half =
          generalized_eigenpairs(Tt * K * T, Tt * M * T);
        const Matrix<Number> vectors = T * half.vectors;
        for (std::size_t j = 0; j < half.values.size(); ++j)
          {
            all.values.push_back(half.values[j]);
            all.parity.push_back(sign);
            for (std::size_t i = 0; i < n; ++i)
              all.vectors(i, n_before + j) = vectors(i, j);
          }
        n_before += half.values.size();
      }
    sort(all);
    return all;
  }



#define TESSERA_INSTANTIATE(Number)                                      \
  template BasicEigenpairs<Number> generalized_eigenpairs(               \
    const BasicDenseMatrix<Number> &, const BasicDenseMatrix<Number> &); \
  template BasicEigenpairs<Number> parity_eigenpairs(                    \
    const BasicDenseMatrix<Number> &, const BasicDenseMatrix<Number> &)

  TESSERA_INSTANTIATE(double);
  TESSERA_INSTANTIATE(long double);
} // namespace tessera
