// SPDX-License-Identifier: LGPL-2.1-or-later
// The one-dimensional matrices: closed forms for degree 3, and the identities
// that the kernels rely on for all degrees.
#include <tessera/cellwise/reference_cell.h>

#include <cmath>

#include "check.h"

using namespace tessera;
using namespace tessera::cellwise;

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

  void
  check_gauss()
  {
    for (int n = 1; n <= 10; ++n)
      {
        const Quadrature quadrature = gauss_quadrature(n);
        for (int power = 0; power < 2 * n; ++power)
          {
            double sum = 0.;
            for (int i = 0; i < n; ++i)
              sum += quadrature.weights[i] *
                     std::pow(quadrature.points[i], double(power));
            CHECK_NEAR(sum, 1. / (power + 1), 1e-14);
          }
      }
  }

  void
  check_degree_3()
  {
    const ReferenceCell cell(3);
    const double        root = std::sqrt(5.);
    CHECK_NEAR(cell.nodes[1], (1. - 1. / root) / 2., 1e-15);

    const double M[4][4] = {{120, 20 * root, -20 * root, 20},
                            {20 * root, 600, 100, -20 * root},
                            {-20 * root, 100, 600, 20 * root},
                            {20, -20 * root, 20 * root, 120}};
    const double a = -4.878418305208074, b = 0.711751638541405;
    const double K[4][4] = {{13. / 3, a, b, -1. / 6},
                            {a, 25. / 3, -25. / 6, b},
                            {b, -25. / 6, 25. / 3, a},
                            {-1. / 6, b, a, 13. / 3}};
    const double S[2][4] = {
      {1., 1.415866004325301, 2.236067977499788, 2.827600300218527},
      {1., 0.905693431869883, -0.447213595499958, -1.086148888259688}};
    const double lambda[4] = {0., 9.875097503959495, 60., 170.1249024960406};
    const double P[4][4]   = {{1, 0, 0, 0},
                              {0.348606797749979,
                               0.779508497187473,
                               -0.184016994374947,
                               0.055901699437495},
                              {-0.098606797749979,
                               0.934016994374947,
                               0.220491502812527,
                               -0.055901699437495},
                              {-0.125, 0.625, 0.625, -0.125}};
    for (int i = 0; i < 4; ++i)
      {
        CHECK_NEAR(cell.eigenvalues[i], lambda[i], 1e-13);
        for (int j = 0; j < 4; ++j)
          {
            CHECK_NEAR(1680 * cell.mass(i, j), M[i][j], 1e-13);
            CHECK_NEAR(cell.stiffness(i, j), K[i][j], 1e-13);
            CHECK_NEAR(cell.embedding[0](i, j), P[i][j], 1e-14);
            CHECK_NEAR(cell.eigenvectors(i, j),
                       S[i < 2 ? i : 3 - i][j] * (i >= 2 && j % 2 ? -1 : 1),
                       1e-13);
          }
      }
  }

  void
  check_identities(const int p)
  {
    const ReferenceCell cell(p);
    const std::size_t   q = p + 1;
    const DenseMatrix  &S = cell.eigenvectors;

    CHECK(distance(transpose(S) * cell.mass * S, identity_matrix(q)) < 1e-13);
    CHECK(distance(cell.inverse_eigenvectors * S, identity_matrix(q)) < 1e-13);
    CHECK_EQUAL(cell.eigenvalues[0], 0.);
    DenseMatrix KS = cell.stiffness * S, MS_lambda = cell.mass * S;
    for (std::size_t i = 0; i < q; ++i)
      for (std::size_t j = 0; j < q; ++j)
        MS_lambda(i, j) *= cell.eigenvalues[j];
    CHECK(distance(KS, MS_lambda) < 1e-14 * distance(KS, DenseMatrix(q, q)));

    // K 1 = 0, 1^T M 1 = 1, and the derivative of x is 1.
    double volume = 0., energy_of_x = 0.;
    for (std::size_t i = 0; i < q; ++i)
      {
        double row = 0.;
        for (std::size_t j = 0; j < q; ++j)
          {
            row += cell.stiffness(i, j);
            volume += cell.mass(i, j);
            energy_of_x += cell.nodes[i] * cell.stiffness(i, j) * cell.nodes[j];
          }
        CHECK(std::abs(row) < 1e-11);
      }
    CHECK_NEAR(volume, 1., 1e-14);
    CHECK_NEAR(energy_of_x, 1., 1e-12);

    // Bit for bit: symmetries of matrices, modes and transfers.
    for (std::size_t i = 0; i < q; ++i)
      {
        CHECK_EQUAL(cell.nodes[i] + cell.nodes[p - i], 1.);
        for (std::size_t j = 0; j < q; ++j)
          {
            const double parity = j % 2 == 0 ? 1. : -1.;
            CHECK_EQUAL(S(i, j), parity * S(p - i, j));
            CHECK_EQUAL(cell.inverse_eigenvectors(j, i),
                        parity * cell.inverse_eigenvectors(j, p - i));
            CHECK_EQUAL(cell.mass(i, j), cell.mass(j, i));
            CHECK_EQUAL(cell.mass(i, j), cell.mass(p - i, p - j));
            CHECK_EQUAL(cell.stiffness(i, j), cell.stiffness(p - i, p - j));
            CHECK_EQUAL(cell.embedding[1](i, j),
                        cell.embedding[0](p - i, p - j));
          }
      }
    for (std::size_t j = 0; j < q; ++j)
      {
        CHECK_EQUAL(cell.embedding[0](0, j), j == 0 ? 1. : 0.);
        CHECK_EQUAL(cell.embedding[1](p, j), j == q - 1 ? 1. : 0.);
        CHECK_EQUAL(cell.embedding[0](p, j), cell.embedding[1](0, j));
      }

    // The embedding reproduces the polynomial x^p on both halves.
    for (int c = 0; c < 2; ++c)
      for (std::size_t i = 0; i < q; ++i)
        {
          double value = 0.;
          for (std::size_t j = 0; j < q; ++j)
            value += cell.embedding[c](i, j) * std::pow(cell.nodes[j], p);
          CHECK_NEAR(value, std::pow(0.5 * (cell.nodes[i] + c), p), 1e-14);
        }
    for (int c = 0; c < 2; ++c)
      CHECK(distance(S * cell.modal_embedding[c], cell.embedding[c] * S) <
            1e-13);
  }
} // namespace

int
main()
{
  check_gauss();
  check_degree_3();
  for (int p = min_degree; p <= max_degree; ++p)
    check_identities(p);
  CHECK_THROWS(InputError, ReferenceCell(0));
  const std::string message = CHECK_THROWS(InputError, ReferenceCell(8));
  CHECK(message.find("degree 8") != std::string::npos);
  return check::result();
}
