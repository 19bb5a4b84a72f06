// SPDX-License-Identifier: LGPL-2.1-or-later
// The Cholesky factorization of dense matrices: sizes around those of panels,
// blocks and passes; the same bits from every instruction set; rows without
// pivot are found.
#include <tessera/amg/cholesky_kernels.h>
#include <tessera/amg/dense_cholesky.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "check.h"

using namespace tessera;
using amg::DenseCholesky;

namespace
{
  /** Symmetric, with a dominant diagonal. */
  std::vector<double>
  random_matrix(const int n, const unsigned int seed)
  {
    std::mt19937                     generator(seed);
    std::uniform_real_distribution<> uniform(-1, 1);
    std::vector<double>              A(n * n);
    for (int i = 0; i < n; ++i)
      {
        for (int j = 0; j < i; ++j)
          A[i * n + j] = A[j * n + i] = uniform(generator);
        A[i * n + i] = 0.1 * n + 4 + uniform(generator);
      }
    return A;
  }

  void
  fill(const std::vector<double> &A, const int n, DenseCholesky &cholesky)
  {
    cholesky.reinit(n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        cholesky.lower(i, j) = A[i * n + j];
  }

  void
  check_solution(const int n)
  {
    const std::vector<double> A = random_matrix(n, n);
    DenseCholesky             cholesky;
    fill(A, n, cholesky);
    CHECK_EQUAL(cholesky.factorize().row, n);

    std::vector<double> exact(n), x(cholesky.padded_size(), 0.);
    for (int i = 0; i < n; ++i)
      exact[i] = std::sin(3. * i + 1);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        x[i] += A[i * n + j] * exact[j];
    cholesky.solve(x.data());
    double error = 0;
    for (int i = 0; i < n; ++i)
      error = std::fmax(error, std::abs(x[i] - exact[i]));
    CHECK_NEAR(error, 0., 1e-13);
    for (std::size_t i = n; i < x.size(); ++i)
      CHECK_EQUAL(x[i], 0.);
  }

  /** All instruction sets against a plain loop. */
  void
  check_bits(const int n_panels)
  {
    const int                 n = 8 * n_panels;
    const std::vector<double> A = random_matrix(n, 7);

    // The same chains, entry by entry.
    std::vector<double> exact = A;
    for (int j = 0; j < n; ++j)
      for (int i = j; i < n; ++i)
        {
          double sum = A[i * n + j];
          for (int k = 0; k < j; ++k)
            sum = std::fma(-exact[i * n + k], exact[j * n + k], sum);
          exact[i * n + j] = i == j ? std::sqrt(sum) : sum / exact[j * n + j];
        }

    std::vector<double> first_solution;
    for (const InstructionSet set : available_instruction_sets())
      {
        AlignedVector<double> L(amg::lower_panel_begin(n_panels), -1e300);
        AlignedVector<double> U(amg::upper_panel_begin(n_panels, n_panels),
                                std::numeric_limits<double>::quiet_NaN());
        for (int i = 0; i < n; ++i)
          for (int j = 0; j <= i; ++j)
            L[amg::lower_panel_begin(i / 8) + j * 8 + i % 8] = A[i * n + j];
        const std::vector<double> smallest(n, 1e-10);
        double                    pivot = -1;
        using namespace amg;
        CHECK_EQUAL(TESSERA_CALL_SIMD_FOR(set,
                                          factorize_cholesky(n_panels,
                                                             smallest.data(),
                                                             L.data(),
                                                             &pivot)),
                    n);
        bool same = true;
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < (i / 8 + 1) * 8; ++j)
            same = same && L[lower_panel_begin(i / 8) + j * 8 + i % 8] ==
                             (j <= i ? exact[i * n + j] : 0.);
        CHECK(same);

        TESSERA_CALL_SIMD_FOR(set,
                              transpose_cholesky(n_panels, L.data(), U.data()));
        std::vector<double> x(n);
        for (int i = 0; i < n; ++i)
          x[i] = std::cos(1. * i);
        TESSERA_CALL_SIMD_FOR(
          set, solve_cholesky(n_panels, L.data(), U.data(), x.data()));
        if (first_solution.empty())
          first_solution = x;
        CHECK(std::memcmp(x.data(),
                          first_solution.data(),
                          n * sizeof(double)) == 0);
      }
  }

  void
  check_breakdown(const int n, const int row, const double diagonal)
  {
    std::vector<double> A = random_matrix(n, 3);
    A[row * n + row]      = diagonal;
    DenseCholesky cholesky;
    fill(A, n, cholesky);
    const DenseCholesky::Result result = cholesky.factorize();
    CHECK_EQUAL(result.row, row);
    CHECK(!(result.pivot > 0));
  }
} // namespace



int
main()
{
  for (const int n : {1, 2, 7, 8, 9, 16, 63, 64, 65, 72, 130, 333, 600})
    check_solution(n);
  for (const int n_panels : {1, 2, 3, 8, 9, 11, 41})
    check_bits(n_panels);
  check_breakdown(1, 0, -1.);
  check_breakdown(100, 0, 0.);
  check_breakdown(100, 77, -1.);
  check_breakdown(100, 77, std::numeric_limits<double>::quiet_NaN());

  // Singular to working precision: the Laplacian of a ring.
  const int     n = 50;
  DenseCholesky ring;
  ring.reinit(n);
  for (int i = 0; i < n; ++i)
    {
      ring.lower(i, i) = 2;
      if (i > 0)
        ring.lower(i, i - 1) = -1;
    }
  ring.lower(n - 1, 0)               = -1;
  const DenseCholesky::Result result = ring.factorize();
  CHECK_EQUAL(result.row, n - 1);
  CHECK_EQUAL(result.diagonal, 2.);

  // Used again.
  fill(random_matrix(n, 5), n, ring);
  CHECK_EQUAL(ring.factorize().row, n);
  return check::result();
}
