// Norms of errors: against quadrature over boxes, of what is known in closed
// form, and for what the elements contain.
#include <tessera/base/exceptions.h>
#include <tessera/sipg/error_norms.h>
#include <tessera/sipg/shadow_transfer.h>

#include <cmath>
#include <memory>
#include <string>

#include "check.h"
#include "nonmatching_sipg.h"

using tessera::InputError;
using namespace sipg_tests;

namespace
{
  /** Functions of the elements of any degree p >= 1. */
  template <int dim>
  double
  u(const Point<dim> &x)
  {
    return 1. + x[0] - 2. * x[1] * x[dim - 1 == 1 ? 0 : dim - 1];
  }

  template <int dim>
  Point<dim>
  gradient(const Point<dim> &x)
  {
    if constexpr (dim == 2)
      return {{1. - 2. * x[1], -2. * x[0]}};
    else
      return {{1., -2. * x[2], -2. * x[1]}};
  }

  template <int dim>
  void
  check_against_boxes(const Forest<dim> &forest,
                      const int          p,
                      const int          block_size,
                      const bool         has_coefficient)
  {
    const std::vector<double> k =
      has_coefficient ? random_coefficient(forest.n_active_cells(), 5) :
                        std::vector<double>();
    const Penalty              penalty = {2.3, 1.7};
    const LevelHierarchy<dim>  levels(forest, block_size, k);
    const ElementMatrices      matrices(p, penalty);
    const NonmatchingSIPG<dim> boxes(forest, p, penalty, k);
    PrimalField<double>        U(std::make_shared<FieldLayout>(levels, p));
    const ActiveVector         x = random_vector(boxes.size(), 10 + p);
    set_active(levels, x, U);
    refresh_shadows(levels, matrices, U);

    const ErrorNorms expected = boxes.errors(x, u<dim>, gradient<dim>);
    const ErrorNorms found =
      compute_errors<dim>(levels, matrices, U, u<dim>, gradient<dim>);
    CHECK_NEAR(found.L2 / expected.L2, 1., 1e-12);
    CHECK_NEAR(found.H1_seminorm / expected.H1_seminorm, 1., 1e-12);
    CHECK_NEAR(found.energy / expected.energy, 1., 1e-12);
  }

  /** The error of zero is the solution, of which the norms are known. The
   * formula is exact from p+1 points on, and not for fewer. */
  void
  check_closed_form()
  {
    const Forest<2> forest =
      random_forest(box_mesh<2>({{3, 2}}, {{0., 0.}}, {{1., 2.}}), 2, 0.4, 3);
    const double            k = 7.;
    const LevelHierarchy<2> levels(
      forest, 4, std::vector<double>(forest.n_active_cells(), k));
    const ElementMatrices     matrices(1);
    const PrimalField<double> zero(std::make_shared<FieldLayout>(levels, 1));
    const ErrorNorms          e = compute_errors<2>(
      levels,
      matrices,
      zero,
      [](const Point<2> &x) { return x[0] * x[0]; },
      [](const Point<2> &x) {
        return Point<2>{{2. * x[0], 0.}};
      });
    CHECK_NEAR(e.L2, std::sqrt(2. / 5.), 1e-13);
    CHECK_NEAR(e.H1_seminorm, std::sqrt(8. / 3.), 1e-13);

    // Boundary terms: sigma is beta gamma k / h, and h depends on the cell, so
    // on a uniform mesh of h = (1/3, 1).
    const LevelHierarchy<2>   coarse(Forest<2>(forest.coarse_mesh()),
                                   4,
                                   std::vector<double>(6, k));
    const PrimalField<double> coarse_zero(
      std::make_shared<FieldLayout>(coarse, 1));
    const double energy = compute_errors<2>(
                            coarse,
                            matrices,
                            coarse_zero,
                            [](const Point<2> &x) { return x[0]; },
                            [](const Point<2> &) {
                              return Point<2>{{1., 0.}};
                            })
                            .energy;
    const double gamma = 2. * 2.;
    CHECK_NEAR(energy * energy,
               k * (2. + 2. * gamma * (3. * 2. + 1. * 2. / 3.)),
               1e-12);
  }

  /** Where the field is the function, nothing is left. */
  void
  check_zero()
  {
    const Forest<2>         forest = random_forest(corner_mesh<2>(), 3, 0.3, 9);
    const LevelHierarchy<2> levels(forest, 8);
    const ElementMatrices   matrices(2);
    PrimalField<double>     U(std::make_shared<FieldLayout>(levels, 2));
    // x y is in the space spanned by the products of 1 - t, t, of which the
    // Bernstein polynomials of degree 2 have the coefficients at 0, 1/2, 1.
    const auto exact = [](const Point<2> &x) { return 1. - x[0] * x[1]; };
    for_active_values(
      levels, 9, [&](const int l, const CellIndex c, const int k, std::size_t) {
        Point<2> x = forest.lower_corner(forest.level(l).keys[c]);
        x[0] += 0.5 * (k % 3) * levels.level(l).cell_size[0];
        x[1] += 0.5 * (k / 3) * levels.level(l).cell_size[1];
        U(l, c, k) = exact(x);
      });
    refresh_shadows(levels, matrices, U);
    const GradientFunction<2> slope = [](const Point<2> &x) {
      return Point<2>{{-x[1], -x[0]}};
    };
    const ErrorNorms e = compute_errors<2>(levels, matrices, U, exact, slope);
    CHECK(e.L2 < 1e-14);
    CHECK(e.H1_seminorm < 1e-13);
    CHECK(e.energy < 1e-13);

    // Not if one value is changed, or one shadow is.
    U(levels.n_levels() - 1, 0, 4) += 1e-3;
    CHECK(compute_errors<2>(levels, matrices, U, exact, slope).L2 > 1e-5);
    U(levels.n_levels() - 1, 0, 4) -= 1e-3;
    U.shadow(levels.n_levels() - 1, 0, 0) += 1e-3;
    U.shadow(levels.n_levels() - 1, 0, 3) += 1e-3;
    const ErrorNorms jump =
      compute_errors<2>(levels, matrices, U, exact, slope);
    CHECK(jump.L2 < 1e-14);
    CHECK(jump.energy > 1e-4);
  }

  void
  check_errors()
  {
    const LevelHierarchy<2> levels(Forest<2>(cube_mesh<2>(2)), 4);
    const ElementMatrices   matrices(2);
    PrimalField<double>     U(std::make_shared<FieldLayout>(levels, 2));
    const auto nan = [](const Point<2> &x) { return x[0] > 0.6 ? NAN : 1.; };
    const std::string value =
      CHECK_THROWS(InputError,
                   compute_errors<2>(levels, matrices, U, nan, gradient<2>));
    CHECK(value.find("The exact solution is nan at (") != std::string::npos);
    const std::string slope = CHECK_THROWS(
      InputError,
      compute_errors<2>(levels, matrices, U, u<2>, [&](const Point<2> &x) {
        return Point<2>{{0., nan(x)}};
      }));
    CHECK(slope.find("gradient of the exact solution is nan at (") !=
          std::string::npos);

    // A solution that is not finite does not pass for a good one.
    U(0, 3, 0) = NAN;
    CHECK(std::isnan(
      compute_errors<2>(levels, matrices, U, u<2>, gradient<2>).energy));

    // Points a direction: p+3, or as told.
    int        n_calls = 0;
    const auto counted = [&](const Point<2> &x) {
      ++n_calls;
      return gradient<2>(x);
    };
    compute_errors<2>(levels, matrices, U, u<2>, counted);
    CHECK_EQUAL(n_calls, 4 * 25);
    n_calls = 0;
    compute_errors<2>(levels, matrices, U, u<2>, counted, 2);
    CHECK_EQUAL(n_calls, 4 * 4);
  }
} // namespace

int
main()
{
  const CoarseMesh<2> rectangle =
    box_mesh<2>({{2, 3}}, {{-0.5, 0.1}}, {{0.9, 1.2}}, neumann_at<2>({1}));
  for (int p = 1; p <= 4; ++p)
    for (const int B : {1, 8})
      check_against_boxes(random_forest(rectangle, 3, 0.3, p),
                          p,
                          B,
                          p % 2 == 0);
  check_against_boxes(
    random_forest(corner_mesh<2>(), 2, 0.4, 7, Balance::faces), 7, 32, true);
  const CoarseMesh<3> brick = box_mesh<3>({{2, 1, 1}},
                                          {{0., 0., 0.}},
                                          {{1., 0.7, 0.4}},
                                          neumann_at<3>({2}));
  check_against_boxes(random_forest(brick, 2, 0.3, 21), 1, 8, true);
  check_against_boxes(random_forest(brick, 2, 0.3, 22), 2, 32, false);
  check_against_boxes(random_forest(brick, 1, 0.5, 23), 3, 1, true);
  check_closed_form();
  check_zero();
  check_errors();
  return check::result();
}
