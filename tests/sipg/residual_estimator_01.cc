// Error indicators: against quadrature over boxes, against numbers of a
// reference program, and zero for solutions the elements contain.
#include <tessera/base/exceptions.h>
#include <tessera/sipg/bulk_marking.h>
#include <tessera/sipg/residual_estimator.h>
#include <tessera/sipg/shadow_transfer.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "check.h"
#include "nonmatching_sipg.h"

using tessera::InputError;
using namespace sipg_tests;

namespace
{
  template <int dim>
  ProblemData<dim>
  bilinear_data()
  {
    ProblemData<dim> data;
    data.source = [](const Point<dim> &x) {
      return x[0] * x[1] - 3. * x[dim - 1] + 1.;
    };
    data.dirichlet = [](const Point<dim> &x, const BoundaryFace &) {
      return x[0] - 2. * x[dim - 1] * x[0];
    };
    data.neumann = [](const Point<dim> &x, const BoundaryFace &face) {
      return x[1] + 3. * x[0] * x[dim - 1] + face.axis + 0.1 * face.side;
    };
    return data;
  }

  template <int dim>
  void
  check_against_boxes(const Forest<dim> &forest,
                      const int          p,
                      const int          block_size,
                      const bool         has_coefficient)
  {
    std::vector<double> k;
    if (has_coefficient)
      for (const double exponent : random_vector(forest.n_active_cells(), 5))
        k.push_back(std::pow(10., exponent));
    const Penalty              penalty = {2.3, 1.7};
    const LevelHierarchy<dim>  levels(forest, block_size, k);
    const ElementMatrices      matrices(p, penalty);
    const NonmatchingSIPG<dim> boxes(forest, p, penalty, k);
    PrimalField<double>        U(std::make_shared<FieldLayout>(levels, p));
    const ActiveVector         x = random_vector(boxes.size(), 10 + p);
    set_active(levels, x, U);
    refresh_shadows(levels, matrices, U);

    const ProblemData<dim>    data     = bilinear_data<dim>();
    const std::vector<double> expected = boxes.indicators(x, data);
    const std::vector<double> found =
      residual_indicators(levels, matrices, data, U);
    CHECK_EQUAL(found.size(), expected.size());
    double difference = 0.;
    for (std::size_t i = 0; i < found.size(); ++i)
      difference = std::fmax(difference, std::abs(found[i] / expected[i] - 1.));
    CHECK(difference < 1e-12);
    CHECK(*std::min_element(found.begin(), found.end()) > 0.);

    // What is left out is zero.
    ProblemData<dim> zero;
    zero.source    = [](const Point<dim> &) { return 0.; };
    zero.dirichlet = on_all_faces<dim>(zero.source);
    zero.neumann   = zero.dirichlet;
    CHECK(residual_indicators(levels, matrices, zero, U) ==
          residual_indicators(levels, matrices, ProblemData<dim>(), U));
  }

  struct ReferenceValues
  {
    int    level;
    double norm;    ///< root of the sum of squares on the level
    double largest; ///< on the level
  };

  /** Coefficients cos(1 + 2 l + (3,5,7) . place + (11,13,17) . node), k = 1,
   * C = 2, beta = 2. The expected values are those of the function `indicator`
   * of the reference program in numpy, which works with whole layers of
   * shadow cells of a mesh of its own. */
  template <int dim>
  void
  check_reference_values(const int                           n_uniform,
                         const int                           p,
                         const std::vector<ReferenceValues> &expected)
  {
    const Forest<dim> forest =
      shell_forest(Forest<dim>::uniform(cube_mesh<dim>(2), n_uniform), 2);
    const LevelHierarchy<dim> levels(forest);
    const ElementMatrices     matrices(p);
    PrimalField<double>       U(std::make_shared<FieldLayout>(levels, p));
    for_active_values(
      levels,
      U.layout().n_cell_values,
      [&](const int l, const CellIndex c, const int k, std::size_t) {
        const auto   place      = forest.coordinates(forest.level(l).keys[c]);
        const double of_place[] = {3., 5., 7.}, of_node[] = {11., 13., 17.};
        double       angle = 1. + 2. * l;
        for (int d = 0, rest = k; d < dim; ++d, rest /= p + 1)
          angle += of_place[d] * place[d] + of_node[d] * (rest % (p + 1));
        U(l, c, k) = std::cos(angle);
      });
    refresh_shadows(levels, matrices, U);

    const std::vector<double> eta =
      residual_indicators(levels, matrices, bilinear_data<dim>(), U);
    const std::vector<CellKey> keys = forest.active_cells();
    double                     all  = 0.;
    for (const ReferenceValues &values : expected)
      {
        double sum = 0., largest = 0.;
        for (std::size_t i = 0; i < eta.size(); ++i)
          if (int(keys[i].level) == values.level)
            {
              sum += eta[i] * eta[i];
              largest = std::fmax(largest, eta[i]);
            }
        CHECK_NEAR(std::sqrt(sum) / values.norm, 1., 1e-9);
        CHECK_NEAR(largest / values.largest, 1., 1e-9);
        all += values.norm * values.norm;
      }
    CHECK_NEAR(global_estimate(eta), std::sqrt(all), 1e-9);
  }

  /** u = 1 - x y with matching data of both kinds, in Bernstein polynomials of
   * degree 2, of which a bilinear function has its values at 0, 1/2, 1 as
   * coefficients. */
  void
  check_zero()
  {
    const double    k = 3.;
    const Forest<2> forest =
      random_forest(corner_mesh<2>(neumann_at<2>({1, 2})), 3, 0.3, 9);
    const LevelHierarchy<2> levels(
      forest, 8, std::vector<double>(forest.n_active_cells(), k));
    const ElementMatrices   matrices(2);
    PrimalField<double>     U(std::make_shared<FieldLayout>(levels, 2));
    const ScalarFunction<2> u = [](const Point<2> &x) {
      return 1. - x[0] * x[1];
    };
    for_active_values(
      levels,
      9,
      [&](const int l, const CellIndex c, const int node, std::size_t) {
        Point<2> x = forest.lower_corner(forest.level(l).keys[c]);
        x[0] += 0.5 * (node % 3) * levels.level(l).cell_size[0];
        x[1] += 0.5 * (node / 3) * levels.level(l).cell_size[1];
        U(l, c, node) = u(x);
      });
    refresh_shadows(levels, matrices, U);
    ProblemData<2> data;
    data.dirichlet = on_all_faces<2>(u);
    data.neumann   = [&](const Point<2> &x, const BoundaryFace &face) {
      return (2. * face.side - 1.) * k * -x[1 - face.axis];
    };
    const auto largest = [&](const ProblemData<2> &d) {
      const std::vector<double> eta =
        residual_indicators(levels, matrices, d, U);
      return *std::max_element(eta.begin(), eta.end());
    };
    CHECK(largest(data) < 1e-13);

    // A source of one leaves h^2 |K| / (p^2 k), cell by cell.
    data.source = [](const Point<2> &) { return 1.; };
    const std::vector<double> eta =
      residual_indicators(levels, matrices, data, U);
    const std::vector<CellKey> keys = forest.active_cells();
    for (std::size_t i = 0; i < eta.size(); ++i)
      {
        const double h = forest.cell_size(int(keys[i].level))[0];
        CHECK_NEAR(eta[i] / (h * h / (2. * std::sqrt(k))), 1., 1e-11);
      }
    data.source  = {};
    data.neumann = {};
    CHECK(largest(data) > 1e-2);
  }

  void
  check_errors()
  {
    const LevelHierarchy<2> levels(
      Forest<2>(cube_mesh<2>(2, neumann_at<2>({3}))), 4);
    const ElementMatrices   matrices(2);
    PrimalField<double>     U(std::make_shared<FieldLayout>(levels, 2));
    const ScalarFunction<2> infinite = [](const Point<2> &x) {
      return x[0] > 0.6 ? INFINITY : 1.;
    };
    const auto message = [&](const ProblemData<2> &data) {
      return CHECK_THROWS(InputError,
                          residual_indicators(levels, matrices, data, U));
    };
    CHECK(message({infinite, {}, {}}).find("source is inf at (") !=
          std::string::npos);
    CHECK(message({{}, on_all_faces<2>(infinite), {}})
            .find("Dirichlet value is inf at (") != std::string::npos);
    CHECK(message({{}, {}, on_all_faces<2>(infinite)})
            .find("Neumann value is inf at (") != std::string::npos);

    int                  n_calls = 0;
    const ProblemData<2> counted = {[&](const Point<2> &) {
                                      ++n_calls;
                                      return 1.;
                                    },
                                    {},
                                    {}};
    residual_indicators(levels, matrices, counted, U);
    CHECK_EQUAL(n_calls, 4 * 16);
    n_calls = 0;
    residual_indicators(levels, matrices, counted, U, 3);
    CHECK_EQUAL(n_calls, 4 * 9);

    // A solution that is not finite is seen.
    U(0, 3, 0) = NAN;
    const std::vector<double> eta =
      residual_indicators(levels, matrices, ProblemData<2>(), U);
    CHECK(std::isnan(eta[3]));
    CHECK_THROWS(InputError, bulk_marking(eta, 0.5));
  }
} // namespace

int
main()
{
  const CoarseMesh<2> rectangle =
    box_mesh<2>({{2, 3}}, {{-0.5, 0.1}}, {{0.9, 1.2}}, neumann_at<2>({1, 2}));
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
                                          neumann_at<3>({2, 5}));
  check_against_boxes(random_forest(brick, 2, 0.3, 21), 1, 8, true);
  check_against_boxes(random_forest(brick, 2, 0.3, 22), 2, 32, false);
  check_against_boxes(random_forest(brick, 1, 0.5, 23), 3, 1, true);

  check_reference_values<2>(1,
                            1,
                            {{2, 31.948928671838626, 7.341697310749537},
                             {3, 37.37291445895765, 5.280203833596687}});
  check_reference_values<2>(1,
                            2,
                            {{2, 46.0302799164194, 11.719597283144708},
                             {3, 44.88163848425622, 7.891418969029484}});
  check_reference_values<2>(1,
                            3,
                            {{2, 94.14516866200175, 22.913864733482157},
                             {3, 104.87750137631241, 15.036759593245378}});
  check_reference_values<3>(0,
                            2,
                            {{1, 23.451562552080983, 6.239620295989605},
                             {2, 31.782730341525475, 3.003415505949729}});
  check_zero();
  check_errors();
  return check::result();
}
