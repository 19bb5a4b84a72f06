// The Hermite-like basis has the properties that define it; the matrices of
// degree 3 are those of the closed forms; layers and transfers of all degrees.
#include <tessera/base/eigenproblem.h>
#include <tessera/base/exceptions.h>
#include <tessera/cellwise/reference_cell.h>
#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/hermite_like_basis.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "check.h"

using namespace tessera;
using namespace tessera::sipg;

namespace
{
  void
  check_matrix(const DenseMatrix                      &A,
               const std::vector<std::vector<double>> &expected,
               const double                            tolerance)
  {
    CHECK_EQUAL(A.n_rows(), expected.size());
    for (std::size_t i = 0; i < A.n_rows(); ++i)
      for (std::size_t j = 0; j < A.n_columns(); ++j)
        CHECK_NEAR(A(i, j), expected[i][j], tolerance);
  }

  /** phi_0 and phi_1 of degree 3 in closed form. */
  double
  phi_0(const double x)
  {
    return -3.5 * (x - 2. / 7.) * (x - 1.) * (x - 1.);
  }

  double
  phi_1(const double x)
  {
    return 5.5 * x * (x - 1.) * (x - 1.);
  }

  void
  check_degree_3()
  {
    const HermiteLikeBasis    basis(3);
    const std::vector<double> points = {0., 0.1, 0.37, 0.5, 0.8, 1.};
    const DenseMatrix         V      = basis.values(points);
    for (std::size_t k = 0; k < points.size(); ++k)
      {
        const double x = points[k];
        CHECK_NEAR(V(k, 0), phi_0(x), 1e-15);
        CHECK_NEAR(V(k, 1), phi_1(x), 1e-15);
        CHECK_NEAR(V(k, 2), phi_1(1. - x), 1e-15);
        CHECK_NEAR(V(k, 3), phi_0(1. - x), 1e-15);
      }

    // Exact integrals of these polynomials; C = 2, beta = 2.
    const ElementMatrices m(3);
    CHECK_EQUAL(m.gamma, 24.);
    const double a = 1. / 12., b = -11. / 240., c = 1. / 240., d = 121. / 420.,
                 e = 121. / 560.;
    check_matrix(m.mass,
                 {{a, 0., b, c}, {0., d, e, b}, {b, e, d, 0.}, {c, b, 0., a}},
                 1e-15);
    const double f = 62. / 15., g = -209. / 60., h = -187. / 120.,
                 i = 109. / 120., j = 121. / 30., k = 121. / 120.;
    check_matrix(m.stiffness,
                 {{f, g, h, i}, {g, j, k, h}, {h, k, j, g}, {i, h, g, f}},
                 1e-15);
    check_matrix(m.face[0][0],
                 {{0., 0., 0., 0.},
                  {0., 0., 0., 0.},
                  {0., 0., 0., 2.75},
                  {0., 0., 2.75, 18.5}},
                 1e-14);
    check_matrix(m.face[1][1],
                 {{18.5, 2.75, 0., 0.},
                  {2.75, 0., 0., 0.},
                  {0., 0., 0., 0.},
                  {0., 0., 0., 0.}},
                 1e-14);
    check_matrix(m.face[0][1],
                 {{0., 0., 0., 0.},
                  {0., 0., 0., 0.},
                  {-2.75, 0., 0., 0.},
                  {-18.5, -2.75, 0., 0.}},
                 1e-14);
    check_matrix(m.nitsche[0],
                 {{37., 5.5, 0., 0.},
                  {5.5, 0., 0., 0.},
                  {0., 0., 0., 0.},
                  {0., 0., 0., 0.}},
                 1e-14);
    check_matrix(m.nitsche[1],
                 {{0., 0., 0., 0.},
                  {0., 0., 0., 0.},
                  {0., 0., 0., 5.5},
                  {0., 0., 5.5, 37.}},
                 1e-14);
    check_matrix(m.child[0],
                 {{1., 0., 0., 0.},
                  {.5, .5, 0., 0.},
                  {-31. / 176., 13. / 16., 9. / 16., -35. / 176.},
                  {-3. / 16., 11. / 16., 11. / 16., -3. / 16.}},
                 1e-15);

    using End           = ElementMatrices::End;
    const auto spectrum = [&](const End lower, const End upper) {
      return generalized_eigenpairs(m.cell_matrix(lower, upper), m.mass).values;
    };
    const auto check_spectrum = [](const std::vector<double> &found,
                                   const std::vector<double> &expected) {
      for (int n = 0; n < 4; ++n)
        CHECK_NEAR(found[n], expected[n], 1e-5 / expected[n]);
    };
    check_spectrum(spectrum(End::neighbour, End::neighbour),
                   {9.70182, 41.15333, 278.29818, 438.84667});
    check_spectrum(spectrum(End::dirichlet, End::neighbour),
                   {9.81945, 41.09439, 326.63182, 654.45434});
    check_spectrum(spectrum(End::neighbour, End::dirichlet),
                   {9.81945, 41.09439, 326.63182, 654.45434});
    check_spectrum(spectrum(End::dirichlet, End::dirichlet),
                   {9.95968, 40.91548, 506.04032, 739.08452});
    CHECK_NEAR(spectrum(End::neumann, End::neumann)[0], 0., 1e-12);
    CHECK(spectrum(End::neumann, End::neighbour)[0] > 0.1);
  }

  bool
  vanishes(const double value)
  {
    return value == 0.;
  }

  void
  check_degree(const int p)
  {
    const HermiteLikeBasis basis(p);
    const std::size_t      n          = p + 1;
    const auto             quadrature = cellwise::gauss_quadrature(p + 3);
    std::vector<double>    points     = quadrature.points;
    points.insert(points.end(), {0., 1.});
    const DenseMatrix V    = basis.values(points);
    const DenseMatrix D    = basis.derivatives(1, points);
    const DenseMatrix D2   = basis.derivatives(2, points);
    const std::size_t at_0 = points.size() - 2, at_1 = points.size() - 1;

    for (std::size_t k = 0; k < points.size(); ++k)
      {
        double sum = 0., slope = 0., curvature = 0.;
        for (std::size_t i = 0; i < n; ++i)
          {
            sum += V(k, i);
            slope += D(k, i);
            curvature += D2(k, i);
          }
        CHECK_NEAR(sum, 1., 1e-14);
        CHECK_NEAR(slope, 0., 1e-13);
        CHECK_NEAR(curvature, 0., 1e-11);
      }

    // Derivatives are those of the values: central differences.
    const double h = 1e-4;
    for (const double x : {0.2, 0.73})
      {
        const DenseMatrix around = basis.values({x - h, x, x + h});
        const DenseMatrix slopes = basis.derivatives(1, std::vector<double>{x});
        const DenseMatrix curvatures =
          basis.derivatives(2, std::vector<double>{x});
        for (std::size_t i = 0; i < n; ++i)
          {
            CHECK_NEAR((around(2, i) - around(0, i)) / (2 * h),
                       slopes(0, i),
                       1e-4);
            CHECK_NEAR((around(2, i) - 2 * around(1, i) + around(0, i)) /
                         (h * h),
                       curvatures(0, i),
                       1e-3);
          }
      }

    // Layers, exactly.
    for (std::size_t i = 0; i < n; ++i)
      {
        CHECK_EQUAL(vanishes(V(at_0, i)), i != 0);
        CHECK_EQUAL(vanishes(V(at_1, i)), i != n - 1);
        CHECK_EQUAL(vanishes(D(at_0, i)), i > 1);
        CHECK_EQUAL(vanishes(D(at_1, i)), i + 2 < n);
      }
    CHECK_NEAR(V(at_0, 0), 1., 1e-15);
    CHECK_NEAR(D(at_0, 0), -D(at_0, 1), 1e-13);

    const ElementMatrices m(p, {1.7, 1.3});
    CHECK_NEAR(m.gamma, 1.7 * p * (p + 1), 1e-14);

    // Mass and stiffness by another formula.
    double volume = 0.;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        {
          double mass = 0., stiffness = 0., product = 0.;
          for (std::size_t k = 0; k < quadrature.points.size(); ++k)
            {
              mass += quadrature.weights[k] * V(k, i) * V(k, j);
              stiffness += quadrature.weights[k] * D(k, i) * D(k, j);
            }
          for (std::size_t k = 0; k < n; ++k)
            product += m.mass(i, k) * m.inverse_mass(k, j);
          CHECK_NEAR(m.mass(i, j), mass, 1e-14);
          CHECK_NEAR(m.stiffness(i, j), stiffness, 1e-12);
          CHECK_NEAR(product, i == j ? 1. : 0., 1e-13);
          CHECK_EQUAL(m.mass(i, j), m.mass(j, i));
          CHECK_EQUAL(m.mass(i, j), m.mass(n - 1 - i, n - 1 - j));
          volume += m.mass(i, j);
        }
    CHECK_NEAR(volume, 1., 1e-14);
    if (p >= 3)
      CHECK_EQUAL(m.mass(0, 1), 0.);
    const auto eigenvalues =
      generalized_eigenpairs(m.mass, identity_matrix<double>(n)).values;
    const double condition = eigenvalues.back() / eigenvalues.front();
    // Condition numbers published for deal.II's elements of this name.
    const double published[] = {17.19, 16.83, 15.99, 16.34};
    if (p >= 3 && p <= 6)
      CHECK(std::abs(condition - published[p - 3]) < 0.0051);

    // Face matrices from jumps and means at both ends.
    for (int s = 0; s < 2; ++s)
      for (int t = 0; t < 2; ++t)
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            {
              const std::size_t test_end  = s == 0 ? at_1 : at_0,
                                trial_end = t == 0 ? at_1 : at_0;
              const double jump_v = (s == 0 ? 1. : -1.) * V(test_end, i),
                           jump_u = (t == 0 ? 1. : -1.) * V(trial_end, j);
              CHECK_NEAR(m.face[s][t](i, j),
                         m.gamma * jump_u * jump_v -
                           jump_v * D(trial_end, j) / 2. -
                           jump_u * D(test_end, i) / 2.,
                         1e-14);
              CHECK_EQUAL(m.face[s][t](i, j), m.face[t][s](j, i));
              const auto in_layers = [&](const int cell, const std::size_t k) {
                return cell == 0 ? k + 2 >= n : k < 2;
              };
              if (!in_layers(s, i) || !in_layers(t, j))
                CHECK_EQUAL(m.face[s][t](i, j), 0.);
            }
    for (int s = 0; s < 2; ++s)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          {
            const std::size_t end     = s == 0 ? at_0 : at_1;
            const double      outward = s == 0 ? -1. : 1.;
            CHECK_NEAR(m.nitsche[s](i, j),
                       1.3 * m.gamma * V(end, i) * V(end, j) -
                         outward * V(end, i) * D(end, j) -
                         outward * V(end, j) * D(end, i),
                       1e-13);
            CHECK_EQUAL(m.end_value[s][i], V(end, i));
            CHECK_EQUAL(m.end_derivative[s][i], D(end, i));
          }

    // Children: a function of the parent is a sum of those of a child.
    for (int c = 0; c < 2; ++c)
      {
        std::vector<double> in_parent(points);
        for (double &x : in_parent)
          x = (x + c) / 2.;
        const DenseMatrix parent = basis.values(in_parent);
        for (std::size_t k = 0; k < points.size(); ++k)
          for (std::size_t j = 0; j < n; ++j)
            {
              double sum = 0.;
              for (std::size_t i = 0; i < n; ++i)
                sum += V(k, i) * m.child[c](i, j);
              CHECK_NEAR(sum, parent(k, j), 1e-13);
            }
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            CHECK_EQUAL(m.child[0](i, j), m.child[1](n - 1 - i, n - 1 - j));
      }
    // The two layers at the outer end depend on those of the parent only.
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 2; j < n; ++j)
        {
          CHECK_EQUAL(m.child[0](i, j), 0.);
          CHECK_EQUAL(m.child[1](n - 1 - i, n - 1 - j), 0.);
        }

    using End = ElementMatrices::End;
    const DenseMatrix sum =
      m.cell_matrix(End::dirichlet, End::neighbour, 3., 5., 7.);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        CHECK_NEAR(sum(i, j),
                   3. * m.stiffness(i, j) + 5. * m.nitsche[0](i, j) +
                     7. * m.face[0][0](i, j),
                   1e-13);
  }
} // namespace

int
main()
{
  check_degree_3();
  for (int p = 1; p <= 7; ++p)
    check_degree(p);

  for (const int p : {-1, 0, 8})
    {
      CHECK_THROWS(InputError, HermiteLikeBasis(p));
      CHECK_THROWS(InputError, ElementMatrices(p));
    }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(InputError, ElementMatrices(3, {0., 2.}));
  CHECK_THROWS(InputError, ElementMatrices(3, {-1., 2.}));
  CHECK_THROWS(InputError, ElementMatrices(3, {nan, 2.}));
  CHECK_THROWS(InputError, ElementMatrices(3, {2., 0.}));
  CHECK_THROWS(InputError, ElementMatrices(3, {2., nan}));
  return check::result();
}
