// SPDX-License-Identifier: LGPL-2.1-or-later
// One-dimensional matrices of a vertex patch: numbers for degree 3, and the
// identities that the patch update relies on for all degrees.
#include <tessera/patch/patch_matrices.h>

#include <cmath>
#include <vector>

#include "check.h"

using namespace tessera;
using namespace tessera::cellwise;
using namespace tessera::patch;

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

  double
  largest(const DenseMatrix &A)
  {
    return distance(A, DenseMatrix(A.n_rows(), A.n_columns()));
  }

  DenseMatrix
  diagonal(const std::vector<double> &values)
  {
    DenseMatrix D(values.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      D(i, i) = values[i];
    return D;
  }

  double
  tau(const std::size_t i)
  {
    return i % 2 == 0 ? 1. : -1.;
  }

  double
  sigma(const std::size_t a)
  {
    return a == 0 ? 1. : -1.;
  }

  /** The entry of the matrix A of the two cells for nodes i and j, counted from
   * 0 to 2p. */
  double
  assembled_entry(const DenseMatrix &A,
                  const std::size_t  i,
                  const std::size_t  j)
  {
    const std::size_t p   = A.n_rows() - 1;
    double            sum = 0.;
    if (i <= p && j <= p)
      sum += A(i, j);
    if (i >= p && j >= p)
      sum += A(i - p, j - p);
    return sum;
  }

  /** Q with the even modes first: nodes 1 to 2p-1, one column a mode. */
  DenseMatrix
  eigenvectors(const PatchMatrices &matrices, const std::size_t p)
  {
    DenseMatrix Q(2 * p - 1, 2 * p - 1);
    for (std::size_t a = 0; a < 2; ++a)
      for (std::size_t m = 0; m < p - a; ++m)
        for (std::size_t b = 0; b < 2; ++b)
          for (std::size_t k = 0; k < p; ++k)
            Q(b * (p - 1) + k, a * p + m) = matrices.nodal[a][b](m, k);
    return Q;
  }

  void
  check_degree_3()
  {
    const PatchMatrices matrices{ReferenceCell(3)};
    const double        mu[6] = {
             2.467738162524572, 23.39125450793831, 109.1410073295372, 10., 42., 1.};
    const double F[2][3][3] = {
      {{0.420782970920794, 0.907218696216166, 1.000285627747947},
       {1.010917540208791, -0.248759960627349, -1.020624612332934},
       {0.548623202463475, -0.784265719781581, 2.336183653658493}},
      {{0., -0.774596669241483, -0.774596669241483},
       {0., 0.916515138991168, -0.916515138991168},
       {0., 0., 0.}}};
    const double B[2][3][4] = {{{0.636691163619395,
                                 -0.300321649536616,
                                 -0.061066278449236,
                                 -0.026498653266655},
                                {0.23251360713119,
                                 0.569732264045053,
                                 -0.332201847516385,
                                 -0.104806976445471},
                                {0.09649758892233,
                                 0.150219546603716,
                                 0.479231512051389,
                                 -0.488323111277042}},
                               {{-0.645497224367903, 0., 0.288675134594813, 0.},
                                {0., 0.632270648448744, 0., -0.316597263270238},
                                {0., 0., 0., 0.}}};
    for (std::size_t i = 0; i < 6; ++i)
      CHECK_NEAR(matrices.eigenvalues[i], mu[i], 1e-14);
    for (std::size_t a = 0; a < 2; ++a)
      for (std::size_t m = 0; m < 3; ++m)
        {
          for (std::size_t k = 0; k < 3; ++k)
            CHECK_NEAR(matrices.nodal[a][a](m, k), F[a][m][k], 2e-14);
          for (std::size_t k = 0; k < 4; ++k)
            CHECK_NEAR(matrices.modal[a][a](m, k), B[a][m][k], 2e-14);
        }
  }

  void
  check_eigenpairs(const ReferenceCell &cell, const PatchMatrices &matrices)
  {
    const std::size_t p = cell.degree;
    const std::size_t n = 2 * p - 1;
    CHECK_EQUAL(matrices.stiffness.n_rows(), n);
    CHECK_EQUAL(matrices.mass.n_rows(), n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        {
          CHECK_EQUAL(matrices.stiffness(i, j),
                      assembled_entry(cell.stiffness, i + 1, j + 1));
          CHECK_EQUAL(matrices.mass(i, j),
                      assembled_entry(cell.mass, i + 1, j + 1));
        }

    CHECK_EQUAL(matrices.eigenvalues.size(), 2 * p);
    CHECK_EQUAL(matrices.eigenvalues.back(), 1.);
    const std::vector<double> mu(matrices.eigenvalues.begin(),
                                 matrices.eigenvalues.end() - 1);
    // Even and odd modes in turn, with the smallest one even.
    for (std::size_t m = 0; m < p; ++m)
      {
        CHECK(mu[m] > (m == 0 ? 0. : mu[p + m - 1]));
        if (m + 1 < p)
          CHECK(mu[m] < mu[p + m]);
      }
    const DenseMatrix Q = eigenvectors(matrices, p);
    CHECK(distance(matrices.stiffness * Q, matrices.mass * Q * diagonal(mu)) <
          1e-14 * largest(matrices.stiffness * Q));
    CHECK(distance(transpose(Q) * matrices.mass * Q, identity_matrix(n)) <
          1e-14);
  }

  void
  check_blocks(const ReferenceCell &cell, const PatchMatrices &matrices)
  {
    const std::size_t p = cell.degree;
    const std::size_t q = p + 1;
    const auto       &F = matrices.nodal;
    const auto       &B = matrices.modal;

    for (std::size_t a = 0; a < 2; ++a)
      {
        const std::size_t other = 1 - a;
        // F of the other modes is the mirror image, bit for bit.
        for (std::size_t m = 0; m < p; ++m)
          for (std::size_t k = 0; k < p; ++k)
            CHECK_EQUAL(F[other][a](m, k),
                        sigma(other) * F[other][other](m, p - 1 - k));
        DenseMatrix mirrored = B[a][a];
        for (std::size_t m = 0; m < p; ++m)
          for (std::size_t j = 0; j < q; ++j)
            mirrored(m, j) *= sigma(a) * tau(j);
        CHECK(distance(B[a][other], mirrored) < 2e-15);

        // The vertex is node p-1 of cell 0 and node 0 of cell 1: the copies
        // are the same bits, and zero for odd modes.
        for (std::size_t m = 0; m < p; ++m)
          {
            CHECK_EQUAL(F[a][0](m, p - 1), F[a][1](m, 0));
            if (a == 1)
              CHECK_EQUAL(F[a][0](m, p - 1), 0.);
          }
      }
    // The row that has no mode.
    for (std::size_t b = 0; b < 2; ++b)
      {
        for (std::size_t k = 0; k < p; ++k)
          CHECK_EQUAL(F[1][b](p - 1, k), 0.);
        for (std::size_t j = 0; j < q; ++j)
          CHECK_EQUAL(B[1][b](p - 1, j), 0.);
      }

    // B acts on modes of a cell, r = S^T of nodal values, like F on the nodes
    // that are not on the rim.
    for (std::size_t a = 0; a < 2; ++a)
      for (std::size_t b = 0; b < 2; ++b)
        {
          const DenseMatrix through_modes =
            B[a][b] * transpose(cell.eigenvectors);
          DenseMatrix restricted(p, q);
          for (std::size_t m = 0; m < p; ++m)
            for (std::size_t k = 0; k < p; ++k)
              restricted(m, b == 0 ? k + 1 : k) = F[a][b](m, k);
          CHECK(distance(through_modes, restricted) < 1e-14);
        }
  }

  /** The patch of one cell at a Neumann end: its eigenpairs are the even ones
   * of the whole patch, with eigenvectors larger by sqrt(2). */
  void
  check_half_patch(const ReferenceCell &cell, const PatchMatrices &matrices)
  {
    const std::size_t p = cell.degree;
    const DenseMatrix K = diagonal_block(cell.stiffness, 0, p);
    const DenseMatrix M = diagonal_block(cell.mass, 0, p);
    DenseMatrix       Q(p, p);
    for (std::size_t m = 0; m < p; ++m)
      for (std::size_t k = 0; k < p; ++k)
        Q(k, m) = std::sqrt(2.) * matrices.nodal[0][1](m, k);
    const std::vector<double> mu(matrices.eigenvalues.begin(),
                                 matrices.eigenvalues.begin() + p);
    CHECK(distance(K * Q, M * Q * diagonal(mu)) < 1e-14 * largest(K * Q));
    CHECK(distance(transpose(Q) * M * Q, identity_matrix(p)) < 1e-14);
  }
} // namespace

int
main()
{
  check_degree_3();
  for (int p = min_degree; p <= max_degree; ++p)
    {
      const ReferenceCell cell(p);
      const PatchMatrices matrices(cell);
      check_eigenpairs(cell, matrices);
      check_blocks(cell, matrices);
      check_half_patch(cell, matrices);
    }
  return check::result();
}
