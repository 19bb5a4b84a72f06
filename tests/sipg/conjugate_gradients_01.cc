// SPDX-License-Identifier: LGPL-2.1-or-later
// Conjugate gradients with diagonal matrices in the place of operator and
// preconditioner, whose eigenvalues are known: as many iterations as there are
// different ones, bounds that are the extreme ones, when they stop, and what
// they refuse.
#include <tessera/base/exceptions.h>
#include <tessera/sipg/conjugate_gradients.h>
#include <tessera/sipg/level_hierarchy.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "check.h"
#include "meshes.h"

using namespace sipg_tests;

namespace
{
  /** B A has the eigenvalues 0.5, 0.7, 1, 1.3, 2, which A alone has not. */
  class Diagonal
  {
  public:
    Diagonal()
      : layout(std::make_shared<const FieldLayout>(
          LevelHierarchy<2>(Forest<2>(cube_mesh<2>(2)), 4),
          1))
      , b(layout)
    {
      const double eigenvalues[] = {0.5, 0.7, 1., 1.3, 2.};
      Random       random(3);
      for (std::size_t i = 0; i < b.size(); ++i)
        {
          weights.push_back(std::pow(10., random()));
          diagonal.push_back(eigenvalues[i % 5] / weights[i]);
          b.data()[i] = random();
        }
    }

    ConjugateGradientResult
    solve(PrimalField<double>            &x,
          const ConjugateGradientOptions &options = {},
          const double                    sign    = 1.) const
    {
      return solve_conjugate_gradients(
        [&](const PrimalField<double> &u, DualField<double> &y) {
          for (std::size_t i = 0; i < y.size(); ++i)
            y.data()[i] = diagonal[i] * u.data()[i];
        },
        [&](const DualField<double> &r, PrimalField<double> &z) {
          for (std::size_t i = 0; i < z.size(); ++i)
            z.data()[i] = sign * weights[i] * r.data()[i];
        },
        b,
        x,
        options);
    }

    double
    error(const PrimalField<double> &x) const
    {
      double largest = 0.;
      for (std::size_t i = 0; i < x.size(); ++i)
        largest =
          std::fmax(largest, std::abs(x.data()[i] * diagonal[i] - b.data()[i]));
      return largest;
    }

    std::shared_ptr<const FieldLayout> layout;
    DualField<double>                  b;
    std::vector<double>                weights, diagonal;
  };
} // namespace

int
main()
{
  const Diagonal      problem;
  PrimalField<double> x(problem.layout);
  CHECK_EQUAL(x.size(), std::size_t(16));

  // Five eigenvalues, five iterations; before the last one they are inside.
  const ConjugateGradientResult result = problem.solve(x);
  CHECK(result.converged);
  CHECK_EQUAL(result.n_iterations, 5);
  CHECK(problem.error(x) < 1e-12);
  CHECK_NEAR(lanczos_bounds(result)[0], 0.5, 1e-10);
  CHECK_NEAR(lanczos_bounds(result)[1], 2., 1e-10);
  double square = 0.;
  for (std::size_t i = 0; i < 16; ++i)
    square += problem.b.data()[i] * problem.weights[i] * problem.b.data()[i];
  CHECK_NEAR(result.residuals[0], std::sqrt(square), 1e-14);
  ConjugateGradientOptions options;
  options.max_iterations = 3;
  x.set_zero();
  const ConjugateGradientResult three = problem.solve(x, options);
  CHECK(!three.converged);
  CHECK_EQUAL(three.n_iterations, 3);
  CHECK(lanczos_bounds(three)[0] > 0.5 + 1e-6);
  CHECK(lanczos_bounds(three)[1] < 2. - 1e-6);

  // The tolerance is relative to the first residual, or to the reference: with
  // that of zero a start value close to the solution saves iterations.
  options              = ConjugateGradientOptions();
  options.tolerance    = 1e-4;
  const auto check_end = [&](const double reference, const bool relative) {
    PrimalField<double> start(problem.layout);
    for (std::size_t i = 0; i < 16; ++i)
      start.data()[i] = 0.99 * problem.b.data()[i] / problem.diagonal[i];
    options.reference_residual        = relative ? reference : 0.;
    const ConjugateGradientResult end = problem.solve(start, options);
    CHECK(end.converged);
    CHECK_NEAR(end.residuals[0] / result.residuals[0], 0.01, 1e-10);
    const double target =
      1e-4 * (relative ? result.residuals[0] : end.residuals[0]);
    CHECK(end.residuals.back() <= target);
    CHECK(end.residuals[end.residuals.size() - 2] > target);
    return end.n_iterations;
  };
  CHECK(check_end(result.residuals[0], true) <
        check_end(result.residuals[0], false));
  PrimalField<double> solution(problem.layout);
  problem.solve(solution);
  options.reference_residual         = result.residuals[0];
  const ConjugateGradientResult none = problem.solve(solution, options);
  CHECK(none.converged);
  CHECK_EQUAL(none.n_iterations, 0);

  // A preconditioner that is not positive definite, and numbers that are none.
  x.set_zero();
  const std::string negative =
    CHECK_THROWS(tessera::SolverBreakdown, problem.solve(x, {}, -1.));
  CHECK(negative.find("preconditioner is not positive definite") !=
        std::string::npos);
  x.data()[7] = std::numeric_limits<double>::quiet_NaN();
  const std::string nan =
    CHECK_THROWS(tessera::SolverBreakdown, problem.solve(x));
  CHECK(nan.find("not a finite number") != std::string::npos);
  return check::result();
}
