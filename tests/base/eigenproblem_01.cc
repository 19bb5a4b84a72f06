// SPDX-License-Identifier: LGPL-2.1-or-later
// Generalized symmetric eigenproblems: residuals and orthogonality for random
// matrices, known spectra, parity bit for bit, and matrices that are not
// positive definite.
#include <tessera/base/eigenproblem.h>
#include <tessera/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "check.h"

using namespace tessera;

namespace
{
  double
  distance(const DenseMatrix &A, const DenseMatrix &B)
  {
    double d = 0.;
    for (std::size_t i = 0; i < A.n_rows(); ++i)
      for (std::size_t j = 0; j < A.n_columns(); ++j)
        d = std::fmax(d, std::abs(A(i, j) - B(i, j)));
    return d;
  }

  DenseMatrix
  diagonal(const std::vector<double> &values)
  {
    DenseMatrix D(values.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      D(i, i) = values[i];
    return D;
  }

  DenseMatrix
  random_matrix(const std::size_t n, std::mt19937_64 &engine)
  {
    DenseMatrix A(n, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        A(i, j) = std::ldexp(double(engine() >> 11), -52) - 1.;
    return A;
  }

  /** Symmetric, of both signs. */
  DenseMatrix
  random_symmetric(const std::size_t n, std::mt19937_64 &engine)
  {
    const DenseMatrix A = random_matrix(n, engine);
    DenseMatrix       B(n, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        B(i, j) = A(i, j) + A(j, i);
    return B;
  }

  DenseMatrix
  random_positive_definite(const std::size_t n, std::mt19937_64 &engine)
  {
    const DenseMatrix A = random_matrix(n, engine);
    DenseMatrix       B = transpose(A) * A;
    for (std::size_t i = 0; i < n; ++i)
      B(i, i) += 1.;
    return B;
  }

  /** The same matrix plus itself with both orders reversed. */
  DenseMatrix
  plus_reversed(const DenseMatrix &A)
  {
    const std::size_t n = A.n_rows();
    DenseMatrix       B(n, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        B(i, j) = A(i, j) + A(n - 1 - i, n - 1 - j);
    return B;
  }

  void
  check_pairs(const DenseMatrix &K, const DenseMatrix &M, const Eigenpairs &e)
  {
    const std::size_t n = K.n_rows();
    CHECK_EQUAL(e.values.size(), n);
    CHECK_EQUAL(e.vectors.n_rows(), n);
    CHECK_EQUAL(e.vectors.n_columns(), n);
    CHECK(std::is_sorted(e.values.begin(), e.values.end()));

    const double tolerance = 1e-14 * double(n);
    double       largest   = 1.;
    for (const double value : e.values)
      largest = std::fmax(largest, std::abs(value));
    CHECK(distance(K * e.vectors, M * e.vectors * diagonal(e.values)) <
          tolerance * largest * double(n));
    CHECK(distance(transpose(e.vectors) * M * e.vectors, identity_matrix(n)) <
          tolerance);
    // The first entry that is not negligible is positive.
    for (std::size_t j = 0; j < n; ++j)
      {
        std::size_t first = 0;
        while (std::abs(e.vectors(first, j)) < 1e-6)
          ++first;
        CHECK(e.vectors(first, j) > 0.);
      }
  }

  void
  check_random()
  {
    std::mt19937_64 engine(1);
    for (const std::size_t n : {1, 2, 3, 4, 7, 13, 30})
      {
        const DenseMatrix K = random_symmetric(n, engine);
        const DenseMatrix M = random_positive_definite(n, engine);
        const Eigenpairs  e = generalized_eigenpairs(K, M);
        check_pairs(K, M, e);
        CHECK(e.parity.empty());

        const DenseMatrix Ks = plus_reversed(K);
        const DenseMatrix Ms = plus_reversed(M);
        const Eigenpairs  p  = parity_eigenpairs(Ks, Ms);
        check_pairs(Ks, Ms, p);
        const Eigenpairs whole = generalized_eigenpairs(Ks, Ms);
        for (std::size_t j = 0; j < n; ++j)
          CHECK_NEAR(p.values[j], whole.values[j], 1e-13 * double(n));

        // Parity, bit for bit.
        CHECK_EQUAL(p.parity.size(), n);
        CHECK_EQUAL(std::count(p.parity.begin(), p.parity.end(), 1),
                    std::ptrdiff_t((n + 1) / 2));
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t i = 0; i < n; ++i)
            CHECK_EQUAL(p.vectors(i, j), p.parity[j] * p.vectors(n - 1 - i, j));
      }
  }

  /** Second differences: $4 \sin^2(k \pi / (2 (n+1)))$, even and odd vectors
   * in turn. */
  template <typename Number>
  void
  check_second_differences(const std::size_t n)
  {
    const Number             pi      = std::acos(Number(-1));
    const Number             epsilon = std::numeric_limits<Number>::epsilon();
    BasicDenseMatrix<Number> K(n, n);
    for (std::size_t i = 0; i < n; ++i)
      {
        K(i, i) = 2;
        if (i > 0)
          K(i - 1, i) = K(i, i - 1) = -1;
      }
    const auto I = identity_matrix<Number>(n);
    const auto e = generalized_eigenpairs(K, I);
    const auto p = parity_eigenpairs(K, I);
    for (std::size_t k = 0; k < n; ++k)
      {
        const Number s     = std::sin(Number(k + 1) * pi / Number(2 * (n + 1)));
        const Number value = 4 * s * s;
        CHECK(std::abs(e.values[k] - value) <= 500 * epsilon);
        CHECK(std::abs(p.values[k] - value) <= 500 * epsilon);
        CHECK_EQUAL(p.parity[k], k % 2 == 0 ? 1 : -1);
        for (std::size_t i = 0; i < n; ++i)
          {
            const Number expected =
              std::sqrt(2 / Number(n + 1)) *
              std::sin(Number((k + 1) * (i + 1)) * pi / Number(n + 1));
            CHECK(std::abs(e.vectors(i, k) - expected) <= 5e4 * epsilon);
            CHECK(std::abs(p.vectors(i, k) - expected) <= 5e4 * epsilon);
          }
      }
  }

  /** Eigenvalues of very different size, zero, negative and double ones. */
  void
  check_special_spectra()
  {
    const std::vector<double> spectrum = {-2., 0., 0., 1e-6, 3., 3., 1e4};
    // An orthogonal matrix: I - 2 v v^T.
    const std::size_t n            = spectrum.size();
    DenseMatrix       H            = identity_matrix(n);
    double            norm_squared = 0.;
    for (std::size_t i = 0; i < n; ++i)
      norm_squared += double((i + 1) * (i + 1));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        H(i, j) -= 2. * double((i + 1) * (j + 1)) / norm_squared;
    const DenseMatrix A = H * diagonal(spectrum) * transpose(H);
    const DenseMatrix I = identity_matrix(n);
    const Eigenpairs  e = generalized_eigenpairs(A, I);
    for (std::size_t k = 0; k < n; ++k)
      CHECK(std::abs(e.values[k] - spectrum[k]) < 1e-14 * 1e4);

    const Eigenpairs zero =
      generalized_eigenpairs(DenseMatrix(3, 3), identity_matrix(3));
    for (const double value : zero.values)
      CHECK_EQUAL(value, 0.);
    CHECK_EQUAL(distance(zero.vectors, identity_matrix(3)), 0.);
  }

  void
  check_not_positive_definite()
  {
    const DenseMatrix I = identity_matrix(3);
    DenseMatrix       M = identity_matrix(3);
    M(1, 1)             = -1.;
    const std::string message =
      CHECK_THROWS(SolverBreakdown, generalized_eigenpairs(I, M));
    CHECK(message.find("not positive definite") != std::string::npos);
    M(1, 1) = 0.;
    CHECK_THROWS(SolverBreakdown, generalized_eigenpairs(I, M));
    CHECK_THROWS(SolverBreakdown, parity_eigenpairs(I, M));
    M(1, 1) = NAN;
    CHECK_THROWS(SolverBreakdown, generalized_eigenpairs(I, M));
    // Positive diagonal, one negative eigenvalue.
    M       = identity_matrix(3);
    M(0, 1) = M(1, 0) = 2.;
    CHECK_THROWS(SolverBreakdown, generalized_eigenpairs(I, M));
  }
} // namespace

int
main()
{
  check_random();
  for (const std::size_t n : {1, 2, 5, 40})
    {
      check_second_differences<double>(n);
      check_second_differences<long double>(n);
    }
  check_special_spectra();
  check_not_positive_definite();
  return check::result();
}
