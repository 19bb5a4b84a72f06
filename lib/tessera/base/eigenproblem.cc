// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/eigenproblem.h>
#include <tessera/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace tessera
{
  namespace
  {
    /** Lower L with M = L L^T. */
    DenseMatrix
    cholesky(const DenseMatrix &M)
    {
      const std::size_t n = M.n_rows();
      DenseMatrix       L(n, n);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j)
          {
            double sum = M(i, j);
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
    void
    forward_substitution(const DenseMatrix &L, DenseMatrix &B)
    {
      for (std::size_t i = 0; i < L.n_rows(); ++i)
        for (std::size_t j = 0; j < B.n_columns(); ++j)
          {
            double sum = B(i, j);
            for (std::size_t k = 0; k < i; ++k)
              sum -= L(i, k) * B(k, j);
            B(i, j) = sum / L(i, i);
          }
    }

    /** $L^{-T} B$ in place. */
    void
    backward_substitution(const DenseMatrix &L, DenseMatrix &B)
    {
      for (std::size_t i = L.n_rows(); i-- > 0;)
        for (std::size_t j = 0; j < B.n_columns(); ++j)
          {
            double sum = B(i, j);
            for (std::size_t k = i + 1; k < L.n_rows(); ++k)
              sum -= L(k, i) * B(k, j);
            B(i, j) = sum / L(i, i);
          }
    }

    /** Rotate rows p and q of a matrix. */
    void
    rotate_rows(DenseMatrix      &A,
                const std::size_t p,
                const std::size_t q,
                const double      c,
                const double      s)
    {
      for (std::size_t j = 0; j < A.n_columns(); ++j)
        {
          const double x = A(p, j), y = A(q, j);
          A(p, j) = c * x - s * y;
          A(q, j) = s * x + c * y;
        }
    }

    void
    rotate_columns(DenseMatrix      &A,
                   const std::size_t p,
                   const std::size_t q,
                   const double      c,
                   const double      s)
    {
      for (std::size_t i = 0; i < A.n_rows(); ++i)
        {
          const double x = A(i, p), y = A(i, q);
          A(i, p) = c * x - s * y;
          A(i, q) = s * x + c * y;
        }
    }

    /**
     * Diagonalize the symmetric matrix A in place by cyclic Jacobi rotations;
     * returns the transpose of the orthogonal V with A = V D V^T.
     */
    DenseMatrix
    jacobi(DenseMatrix &A)
    {
      const std::size_t      n          = A.n_rows();
      constexpr unsigned int max_sweeps = 60;
      constexpr double       epsilon    = 1e-17;

      DenseMatrix  VT          = identity_matrix(n);
      bool         any_rotated = true;
      unsigned int sweep       = 0;
      for (; any_rotated && sweep < max_sweeps; ++sweep)
        {
          any_rotated = false;
          for (std::size_t p = 0; p < n; ++p)
            for (std::size_t q = p + 1; q < n; ++q)
              {
                const double a = A(p, q);
                if (std::abs(a) <=
                    epsilon * std::sqrt(std::abs(A(p, p) * A(q, q))))
                  continue;
                any_rotated = true;
                // The smaller root of t^2 + 2 theta t - 1 = 0.
                const double theta = 0.5 * (A(q, q) - A(p, p)) / a;
                const double t     = std::copysign(1., theta) /
                                 (std::abs(theta) + std::hypot(theta, 1.));
                const double c = 1. / std::hypot(t, 1.);
                const double s = t * c;
                rotate_rows(A, p, q, c, s);
                rotate_columns(A, p, q, c, s);
                A(p, q) = A(q, p) = 0.;
                rotate_rows(VT, p, q, c, s);
              }
        }
      return VT;
    }

    /** The basis of even (sign = 1) or odd (-1) vectors of n entries. */
    DenseMatrix
    parity_basis(const std::size_t n, const int sign)
    {
      const std::size_t m = sign > 0 ? (n + 1) / 2 : n / 2;
      DenseMatrix       T(n, m);
      for (std::size_t j = 0; j < m; ++j)
        {
          T(n - 1 - j, j) = sign;
          T(j, j)         = 1.;
        }
      return T;
    }

    void
    sort(Eigenpairs &pairs)
    {
      const std::size_t        n = pairs.values.size();
      std::vector<std::size_t> order(n);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(),
                       order.end(),
                       [&](const std::size_t a, const std::size_t b) {
                         return pairs.values[a] < pairs.values[b];
                       });
      Eigenpairs sorted;
      sorted.vectors = DenseMatrix(pairs.vectors.n_rows(), n);
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



  Eigenpairs
  generalized_eigenpairs(const DenseMatrix &K, const DenseMatrix &M)
  {
    const std::size_t n = K.n_rows();
    TESSERA_ASSERT(K.n_columns() == n && M.n_rows() == n && M.n_columns() == n,
                   "both matrices are square and of the same size");

    // With M = L L^T and q = L^-T v: (L^-1 K L^-T) v = lambda v.
    const DenseMatrix L = cholesky(M);
    DenseMatrix       A = K;
    forward_substitution(L, A);
    A = transpose(A);
    forward_substitution(L, A);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j)
        A(i, j) = A(j, i) = 0.5 * (A(i, j) + A(j, i));

    Eigenpairs pairs;
    pairs.vectors = transpose(jacobi(A));
    backward_substitution(L, pairs.vectors);
    for (std::size_t j = 0; j < n; ++j)
      {
        pairs.values.push_back(A(j, j));

        double largest = 0.;
        for (std::size_t i = 0; i < n; ++i)
          largest = std::max(largest, std::abs(pairs.vectors(i, j)));
        std::size_t first = 0;
        while (first + 1 < n &&
               std::abs(pairs.vectors(first, j)) < 1e-8 * largest)
          ++first;
        if (pairs.vectors(first, j) < 0.)
          for (std::size_t i = 0; i < n; ++i)
            pairs.vectors(i, j) = -pairs.vectors(i, j);
      }
    sort(pairs);
    return pairs;
  }



  Eigenpairs
  parity_eigenpairs(const DenseMatrix &K, const DenseMatrix &M)
  {
    const std::size_t n = K.n_rows();
    Eigenpairs        all;
    all.vectors          = DenseMatrix(n, n);
    std::size_t n_before = 0;
    for (const int sign : {1, -1})
      {
        const DenseMatrix T  = parity_basis(n, sign);
        const DenseMatrix Tt = transpose(T);
        if (T.n_columns() == 0)
          continue;
        const Eigenpairs  half = generalized_eigenpairs(Tt * K * T, Tt * M * T);
        const DenseMatrix vectors = T * half.vectors;
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
} // namespace tessera
