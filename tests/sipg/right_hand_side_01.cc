// The right-hand side of a polynomial of the ansatz space is A times this
// polynomial, on non-matching meshes with all kinds of data.
#include <tessera/base/exceptions.h>
#include <tessera/sipg/reference_operator.h>
#include <tessera/sipg/right_hand_side.h>
#include <tessera/sipg/shadow_transfer.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "check.h"
#include "nonmatching_sipg.h"

using tessera::InputError;
using namespace sipg_tests;

namespace
{
  /** L2 projection to each active cell: coefficients of a polynomial that the
   * elements contain. */
  template <int dim>
  ActiveVector
  project(const LevelHierarchy<dim>                &levels,
          const ElementMatrices                    &matrices,
          const ScalarFunction<dim>                &u,
          const std::shared_ptr<const FieldLayout> &layout)
  {
    // M^{-1} (u, phi_i), cell by cell; faces do not enter.
    DualField<double> b(layout);
    assemble_right_hand_side<dim>(levels, matrices, {u, {}, {}}, b);
    ActiveVector x = get_active(levels, b);
    const int    n = matrices.n, N = layout->n_cell_values;
    std::size_t  first = 0;
    for (int l = 0; l < levels.n_levels(); ++l)
      for (CellIndex c = 0; c < levels.level(l).n_active_cells; ++c)
        {
          int stride = 1;
          for (int d = 0; d < dim; ++d, stride *= n)
            {
              ActiveVector y(N);
              for (int i = 0; i < N; ++i)
                for (int j = 0; j < n; ++j)
                  y[i] += matrices.inverse_mass(i / stride % n, j) *
                          x[first + i + (j - i / stride % n) * stride] /
                          levels.level(l).cell_size[d];
              std::copy(y.begin(), y.end(), x.begin() + first);
            }
          first += N;
        }
    return x;
  }

  /** |E^T (b - A_split E u)| / |b|, largest entries. */
  template <int dim>
  double
  residual(const LevelHierarchy<dim> &levels,
           const ElementMatrices     &matrices,
           const ScalarFunction<dim> &u,
           const ProblemData<dim>    &data)
  {
    const auto layout = std::make_shared<FieldLayout>(levels, matrices.degree);
    PrimalField<double> U(layout);
    set_active(levels, project<dim>(levels, matrices, u, layout), U);
    refresh_shadows(levels, matrices, U);
    DualField<double> b(layout), r(layout);
    std::fill(b.data(),
              b.data() + b.size(),
              std::numeric_limits<double>::quiet_NaN());
    assemble_right_hand_side<dim>(levels, matrices, data, b);
    double scale = 0.;
    for (std::size_t i = 0; i < b.size(); ++i)
      scale = std::fmax(scale, std::abs(b.data()[i]));
    for (int l = 0; l < levels.n_levels(); ++l)
      for (CellIndex s = 0; s < levels.level(l).n_shadow_cells(); ++s)
        for (int k = 0; k < layout->n_shadow_values; ++k)
          CHECK_EQUAL(b.shadow(l, s, k), 0.);
    apply_reference(levels, matrices, U, r);
    add(-1., b, r);
    assemble_shadows(levels, matrices, r);
    double result = 0.;
    for (const double value : get_active(levels, r))
      result =
        std::isnan(value) ? INFINITY : std::fmax(result, std::abs(value));
    CHECK(scale > 1e-3);
    return result / scale;
  }

  /** $u = x^p - 2 x y^{p-1} + 3 (z^p)$ with u = g on some faces and
   * $k\,\partial_n u = q$ on the others; k is constant. */
  template <int dim>
  void
  check_polynomial(const CoarseMesh<dim> &mesh,
                   const int              p,
                   const int              n_passes,
                   const unsigned int     seed)
  {
    const double              k      = 3.5;
    const Forest<dim>         forest = random_forest(mesh, n_passes, 0.3, seed);
    const LevelHierarchy<dim> levels(
      forest, 8, std::vector<double>(forest.n_active_cells(), k));
    const ElementMatrices matrices(p, {2.2, 1.6});

    const auto power = [](const double x, const int e) {
      return e < 0 ? 0. : std::pow(x, e);
    };
    const ScalarFunction<dim> u = [=](const Point<dim> &x) {
      return power(x[0], p) - 2. * x[0] * power(x[1], p - 1) +
             (dim == 3 ? 3. * power(x[dim - 1], p) : 0.);
    };
    ProblemData<dim> data;
    data.source = [=](const Point<dim> &x) {
      return -k *
             (p * (p - 1) * power(x[0], p - 2) -
              2. * x[0] * (p - 1) * (p - 2) * power(x[1], p - 3) +
              (dim == 3 ? 3. * p * (p - 1) * power(x[dim - 1], p - 2) : 0.));
    };
    data.dirichlet = on_all_faces<dim>(u);
    // The Neumann faces are those at the upper end of x.
    data.neumann = [=](const Point<dim> &x, const BoundaryFace &face) {
      CHECK_EQUAL(face.axis, 0);
      CHECK_EQUAL(face.side, 1);
      return k * (p * power(x[0], p - 1) - 2. * power(x[1], p - 1));
    };
    CHECK(residual<dim>(levels, matrices, u, data) <= 2e-11);
    // What is left out is missed.
    ProblemData<dim> incomplete = data;
    incomplete.neumann          = {};
    CHECK(residual<dim>(levels, matrices, u, incomplete) > 1e-6);
    incomplete           = data;
    incomplete.dirichlet = {};
    CHECK(residual<dim>(levels, matrices, u, incomplete) > 1e-6);
    if (p > 1)
      {
        incomplete        = data;
        incomplete.source = {};
        CHECK(residual<dim>(levels, matrices, u, incomplete) > 1e-6);
      }
  }

  /** Continuous flux across a jump of the coefficient: piecewise linear. */
  void
  check_interface()
  {
    const Forest<2>     forest = random_forest(cube_mesh<2>(2), 3, 0.3, 77);
    std::vector<double> k;
    for (const CellKey &key : forest.active_cells())
      k.push_back(forest.lower_corner(key)[0] < 0.49 ? 1. : 1000.);
    const LevelHierarchy<2> levels(forest, 4, k);
    const ScalarFunction<2> u = [](const Point<2> &x) {
      return x[0] < 0.5 ? x[0] - 0.5 : (x[0] - 0.5) / 1000.;
    };
    ProblemData<2> data;
    data.dirichlet = on_all_faces<2>(u);
    CHECK(residual<2>(levels, ElementMatrices(3), u, data) <= 1e-12);
  }

  void
  check_errors()
  {
    const LevelHierarchy<2> levels(
      Forest<2>(cube_mesh<2>(2, neumann_at<2>({3}))), 4);
    const ElementMatrices   matrices(2);
    DualField<double>       b(std::make_shared<FieldLayout>(levels, 2));
    const ScalarFunction<2> infinite = [](const Point<2> &x) {
      return x[0] > 0.6 ? INFINITY : 1.;
    };
    const auto message = [&](const ProblemData<2> &data) {
      return CHECK_THROWS(InputError,
                          assemble_right_hand_side(levels, matrices, data, b));
    };
    CHECK(message({infinite, {}, {}}).find("source is inf at (") !=
          std::string::npos);
    CHECK(message({{}, on_all_faces<2>(infinite), {}})
            .find("Dirichlet value is inf at (") != std::string::npos);
    CHECK(message({{}, {}, on_all_faces<2>(infinite)})
            .find("Neumann value is inf at (") != std::string::npos);
  }

  /** The source of one is the volume of the cells, whatever the number of
   * points; the number of points is used. */
  void
  check_quadrature()
  {
    const LevelHierarchy<2> levels(Forest<2>(cube_mesh<2>(1)), 4);
    const ElementMatrices   matrices(1);
    DualField<double>       b(std::make_shared<FieldLayout>(levels, 1));
    int                     n_calls = 0;
    const ProblemData<2>    data    = {[&](const Point<2> &) {
                                   ++n_calls;
                                   return 1.;
                                 },
                                       {},
                                       {}};
    assemble_right_hand_side(levels, matrices, data, b, 5);
    CHECK_EQUAL(n_calls, 25);
    double sum = 0.;
    for (int k = 0; k < 4; ++k)
      sum += b(0, 0, k);
    CHECK_NEAR(sum, 1., 1e-14);
    n_calls = 0;
    assemble_right_hand_side(levels, matrices, data, b);
    CHECK_EQUAL(n_calls, 16);
  }
} // namespace

int
main()
{
  for (int p = 1; p <= 7; ++p)
    check_polynomial(
      box_mesh<2>({{2, 3}}, {{-0.5, 0.1}}, {{0.9, 1.2}}, neumann_at<2>({1})),
      p,
      3,
      p);
  check_polynomial(corner_mesh<2>(neumann_at<2>({1})), 3, 2, 8);
  for (int p = 1; p <= 3; ++p)
    check_polynomial(box_mesh<3>({{2, 1, 1}},
                                 {{0., 0., 0.}},
                                 {{1., 0.7, 0.4}},
                                 neumann_at<3>({1})),
                     p,
                     2,
                     10 + p);
  check_interface();
  check_errors();
  check_quadrature();
  return check::result();
}
