// SPDX-License-Identifier: LGPL-2.1-or-later
// What cannot be solved is refused with a message that names it.
#include <tessera/base/exceptions.h>

#include <functional>
#include <limits>

#include "amg/amg_problem.h"
#include "check.h"

using namespace tessera;
using namespace amg_problem;
using grid_problem::Grid;
using sparse::BlockPattern;
using sparse::IndexLayout;
using sparse::LocalIndex;

namespace
{
  const double nan = std::numeric_limits<double>::quiet_NaN();

  /** A function throws an E whose message has all of these texts. */
  template <typename E>
  void
  check_message(const std::function<void()>    &f,
                const std::vector<std::string> &expected)
  {
    const std::string message = CHECK_THROWS(E, f());
    for (const std::string &text : expected)
      {
        const bool found = message.find(text) != std::string::npos;
        CHECK(found);
        if (!found)
          std::cerr << "  \"" << text << "\" is not in: " << message
                    << std::endl;
      }
  }

  Problem
  scalar_problem()
  {
    const Grid          grid = {2, {{10, 10, 0}}, {{1, 1, 1}}};
    BlockMatrix<double> A    = grid_problem::matrix(grid, 1);
    grid_problem::clamp(A, grid);
    return on_grid(grid, std::move(A));
  }

  Problem
  elastic_problem()
  {
    const Grid          grid = {3, {{4, 4, 4}}, {{1, 1, 1}}};
    BlockMatrix<double> A    = grid_problem::matrix(grid, 3);
    grid_problem::clamp(A, grid);
    return on_grid(grid, std::move(A));
  }

  /** For several levels. */
  Options
  small_limit()
  {
    Options options;
    options.coarse_size_limit = 50;
    return options;
  }

  double &
  diagonal(Problem &problem, const LocalIndex i, const int component)
  {
    const int b = problem.A.shape().rows;
    return problem.A.values_to_write()[problem.A.pattern().find(i, i) * b * b +
                                       component * (b + 1)];
  }

  void
  check_options()
  {
    const Problem problem = scalar_problem();
    const auto    refused = [&](const std::function<void(Options &)> &change,
                             const std::string                    &name) {
      check_message<InputError>(
        [&] {
          Options options;
          change(options);
          BlockAMG C;
          initialize(C, problem, options);
        },
        {name, "it is to be"});
    };
    for (const double value : {-0.1, 1., nan})
      {
        refused([&](Options &o) { o.strength_threshold = value; },
                "strength threshold");
        refused([&](Options &o) { o.prolongator_filter = value; },
                "prolongator filter");
      }
    for (const double value : {0., 1.1, nan})
      {
        refused([&](Options &o) { o.threshold_scale = value; },
                "threshold scale");
        refused([&](Options &o) { o.filter_scale = value; }, "filter scale");
      }
    for (const double value : {0., 2., nan})
      refused([&](Options &o) { o.smoothing_factor = value; },
              "smoothing factor");
    for (const double value : {0., 1.1, nan})
      refused([&](Options &o) { o.smoother_lower = value; }, "lower end");
    for (const double value : {0.9, 11., nan})
      refused([&](Options &o) { o.smoother_upper = value; },
              value >= 0.1 ? "upper end" : "end");
    refused([](Options &o) { o.smoother_degree = 0; }, "smoother degree");
    refused([](Options &o) { o.coarse_size_limit = 0; }, "coarse size limit");
    refused([](Options &o) { o.coarse_size_limit = 1000000; },
            "coarse size limit");
    refused([](Options &o) { o.max_levels = 0; }, "number of levels");
  }

  void
  check_sizes()
  {
    BlockAMG C;
    Problem  problem = elastic_problem();
    check_message<InputError>(
      [&] {
        C.initialize(problem.A,
                     amg::constant_modes(problem.A.pattern().rows(), 1),
                     problem.keys);
      },
      {"near-null space is for 125 nodes of 1 components",
       "the matrix has 125 of 3"});
    check_message<InputError>(
      [&] {
        C.initialize(problem.A,
                     amg::constant_modes(IndexLayout(7), 3),
                     problem.keys);
      },
      {"near-null space is for 7 nodes of 3 components"});
    check_message<InputError>(
      [&] {
        C.initialize(problem.A, problem.B, {1, 2, 3});
      },
      {"3 keys of nodes", "the matrix has 125 block rows"});

    // Modes that are zero, or depend on each other.
    const IndexLayout &layout = problem.A.pattern().rows();
    check_message<InputError>(
      [&] {
        C.initialize(problem.A, NearNullSpace(layout, 3, 2), problem.keys);
      },
      {"mode 0 of 2 is zero"});
    NearNullSpace same(layout, 3, 2);
    std::fill_n(same.data(), 125 * 3 * 2, 1.);
    check_message<InputError>(
      [&] { C.initialize(problem.A, same, problem.keys); },
      {"its 2 modes depend on each other"});

    const BlockMatrix<double> empty(
      BlockPattern(IndexLayout(0), IndexLayout(0), {0}, {}), {1, 1});
    check_message<InputError>(
      [&] { C.initialize(empty, amg::constant_modes(IndexLayout(0), 1), {}); },
      {"the matrix has no rows"});
    const BlockMatrix<double> wide(
      BlockPattern(IndexLayout(2), IndexLayout(3), {0, 1, 2}, {0, 1}), {1, 1});
    check_message<InputError>(
      [&] {
        C.initialize(wide, amg::constant_modes(IndexLayout(2), 1), {1, 2});
      },
      {"2 x 3 blocks of 1 x 1 numbers", "square"});
    BlockMatrix<double> without_diagonal(
      BlockPattern(IndexLayout(2), IndexLayout(2), {0, 2, 3}, {0, 1, 0}),
      {1, 1});
    std::fill_n(without_diagonal.values_to_write(), 3, 1.);
    check_message<InputError>(
      [&] {
        C.initialize(without_diagonal,
                     amg::constant_modes(IndexLayout(2), 1),
                     {1, 2});
      },
      {"block row 1 of the matrix has no block on the diagonal"});
    CHECK(!C.is_initialized());
  }

  void
  check_use()
  {
    const Problem       problem = scalar_problem();
    BlockAMG            C;
    BlockVector<double> x = problem.b.copy();
    check_message<InputError>([&] { C.vmult(x, problem.b); },
                              {"before it was initialized"});
    check_message<InputError>([&] { C.update(problem.A); },
                              {"before it was initialized"});
    initialize(C, problem);
    check_message<InputError>([&] { C.vmult(x, x); }, {"same"});
    BlockVector<double> other(IndexLayout(7), 1);
    check_message<InputError>([&] { C.vmult(other, x); }, {"7 blocks", "121"});
    check_message<InputError>([&] { C.update(elastic_problem().A); },
                              {"another pattern", "Set up anew"});
    BlockMatrix<double> A = problem.A.copy();
    grid_problem::constrain(A, 60, 0);
    check_message<InputError>([&] { C.update(A); },
                              {"other rows have no entry", "Set up anew"});
    // A failed set-up leaves nothing behind.
    Problem broken          = scalar_problem();
    diagonal(broken, 60, 0) = nan;
    check_message<InputError>([&] { initialize(C, broken); }, {"60"});
    CHECK(!C.is_initialized());
  }

  void
  check_values()
  {
    BlockAMG C;
    for (const double value : {nan, std::numeric_limits<double>::infinity()})
      {
        Problem problem = elastic_problem();
        initialize(C, problem);
        diagonal(problem, 77, 1) = value;
        check_message<InputError>([&] { C.update(problem.A); },
                                  {"77", "finite"});
        check_message<InputError>([&] { initialize(C, problem); },
                                  {"77", "finite"});
      }
    {
      Problem problem = elastic_problem();
      grid_problem::constrain(problem.A, 77, 2, 0.);
      check_message<InputError>([&] { initialize(C, problem); },
                                {"Row 2 of block row 77", "is zero"});
    }
    // Indefinite: seen on the diagonal, in a curvature, or in a pivot.
    {
      Problem problem          = elastic_problem();
      diagonal(problem, 77, 1) = -1;
      check_message<SolverBreakdown>([&] { initialize(C, problem); },
                                     {"77", "positive"});
    }
    for (const auto precision : {amg::LevelPrecision::single_precision,
                                 amg::LevelPrecision::double_precision})
      {
        Problem problem = scalar_problem();
        Options options;
        options.level_precision = precision;
        initialize(C, problem, options);
        for (int i = 0; i < 121; ++i)
          diagonal(problem, i, 0) *= 0.3;
        check_message<SolverBreakdown>([&] { C.update(problem.A); },
                                       {"positive definite"});
        CHECK(!C.is_initialized());
      }
    // What is refused at once changes nothing.
    {
      Problem problem = elastic_problem();
      initialize(C, problem);
      const BlockVector<double> before = apply(C, problem.b);
      BlockMatrix<double>       A      = problem.A.copy();
      grid_problem::constrain(A, 0, 1, -1.);
      check_message<SolverBreakdown>([&] { C.update(A); },
                                     {"row 1 of block row 0", "positive"});
      CHECK(same_bits(apply(C, problem.b), before));
    }
    // Singular, but with a kernel that no mode has: a free body of which only
    // translations are known.
    {
      const Grid grid    = {2, {{12, 4, 0}}, {{1, 1, 1}}};
      Problem    problem = on_grid(grid, grid_problem::matrix(grid, 2));
      for (int x = 0; x < 2; ++x)
        grid_problem::constrain(problem.A, 0, x);
      problem.B = amg::constant_modes(problem.A.pattern().rows(), 2);
      Options options;
      options.prolongator_smoothing = false;
      options.max_levels            = 1;
      check_message<SolverBreakdown>([&] { initialize(C, problem, options); },
                                     {"level 0, the coarsest",
                                      "is not positive definite",
                                      "block row",
                                      "its whole kernel"});
    }
    // Beyond single precision.
    {
      Problem       problem = scalar_problem();
      double *const values  = problem.A.values_to_write();
      for (std::size_t v = 0; v < problem.A.n_values(); ++v)
        values[v] *= 1e50;
      check_message<InputError>([&] { initialize(C, problem); },
                                {"single precision", "double precision"});
      Options options;
      options.level_precision = amg::LevelPrecision::double_precision;
      CHECK(n_iterations(problem, options) > 0);
    }
  }

  void
  check_coarsening()
  {
    // Nothing is strong enough, and there is too much to solve exactly.
    const Grid          grid = {2, {{30, 30, 0}}, {{1, 1, 1}}};
    BlockMatrix<double> A    = grid_problem::matrix(grid, 1);
    grid_problem::clamp(A, grid);
    const Problem problem = on_grid(grid, std::move(A));
    Options       options;
    options.strength_threshold = 0.9;
    options.coarse_size_limit  = 300;
    BlockAMG C;
    check_message<InputError>(
      [&] { initialize(C, problem, options); },
      {"coarsening ends on level 0 with 961 block rows, 961 equations",
       "0 aggregates",
       "900, three times the coarse size limit",
       "Lower the strength threshold, which was 0.9"});
    options.coarse_size_limit = 350;
    initialize(C, problem, options);
    CHECK_EQUAL(C.record().levels.size(), 1u);
    CHECK(C.record().end_of_coarsening.find("0 aggregates") == 0);
    CHECK(n_iterations(problem, options) <= 2);

    options                   = Options();
    options.max_levels        = 1;
    options.coarse_size_limit = 300;
    check_message<InputError>([&] { initialize(C, problem, options); },
                              {"the largest number of levels, 1",
                               "Allow more levels"});
  }

  void
  check_iteration()
  {
    Problem  problem = scalar_problem();
    BlockAMG C;
    initialize(C, problem);
    BlockVector<double> x;
    problem.b.data()[50] = nan;
    check_message<SolverBreakdown>([&] { solve(problem, C, x); },
                                   {"iteration 0",
                                    "norm of the residual",
                                    "not finite"});
    // Another matrix, indefinite.
    problem                  = scalar_problem();
    diagonal(problem, 60, 0) = -10;
    check_message<SolverBreakdown>([&] { solve(problem, C, x); },
                                   {"p^T A p", "not positive"});

    // Nothing to do; and not enough iterations.
    problem = scalar_problem();
    SolveOptions options;
    options.max_iterations = 2;
    x                      = BlockVector<double>(problem.b.layout(), 1);
    unsigned int n_reports = 0;
    options.report         = [&](const unsigned int i, const double residual) {
      CHECK_EQUAL(i, ++n_reports);
      CHECK(residual > 0 && residual < 1);
    };
    const SolveResult result = amg::solve(problem.A, C, problem.b, x, options);
    CHECK(!result.converged);
    CHECK_EQUAL(result.n_iterations, 2u);
    CHECK_EQUAL(n_reports, 2u);
    problem.b.set_zero();
    x.set_zero();
    const SolveResult zero = amg::solve(problem.A, C, problem.b, x);
    CHECK(zero.converged);
    CHECK_EQUAL(zero.n_iterations, 0u);
    // Nothing is small beside zero: the solution is known.
    fill_random(x, 3);
    CHECK(amg::solve(problem.A, C, problem.b, x).converged);
    CHECK_EQUAL(dot(x, x), 0.);

    // More digits than there are.
    options           = SolveOptions();
    options.tolerance = 1e-300;
    fill_random(problem.b, 3);
    CHECK(amg::solve(problem.A, C, problem.b, x, options).converged);
  }

  /** The units of modes do not matter. */
  void
  check_units_of_modes()
  {
    Problem            problem  = elastic_problem();
    const unsigned int expected = n_iterations(problem, small_limit());
    for (const int exponent : {-40, 40})
      {
        NearNullSpace B = problem.B.copy();
        for (std::size_t i = 0; i < problem.b.n_owned_values(); ++i)
          for (int m = 3; m < 6; ++m)
            B.data()[i * 6 + m] = std::ldexp(B.data()[i * 6 + m], exponent);
        std::swap(problem.B, B);
        CHECK_EQUAL(n_iterations(problem, small_limit()), expected);
        std::swap(problem.B, B);
      }
  }

  /** Right-hand sides whose squares are no numbers of double. */
  void
  check_sizes_of_right_hand_sides()
  {
    Problem  problem = scalar_problem();
    BlockAMG C;
    initialize(C, problem);
    BlockVector<double>       x, y;
    const BlockVector<double> b        = problem.b.copy();
    const SolveResult         expected = solve(problem, C, x);
    for (const int exponent : {-990, -560, 560, 1010})
      {
        for (std::size_t i = 0; i < b.n_owned_values(); ++i)
          problem.b.data()[i] = std::ldexp(b.data()[i], exponent);
        const SolveResult result = solve(problem, C, y);
        CHECK(result.converged);
        CHECK_EQUAL(result.n_iterations, expected.n_iterations);
        for (std::size_t i = 0; i < y.n_owned_values(); ++i)
          y.data()[i] = std::ldexp(y.data()[i], -exponent);
        CHECK(distance(y, x) < 1e-12);
      }
  }
} // namespace



int
main()
{
  check_options();
  check_sizes();
  check_use();
  check_values();
  check_coarsening();
  check_iteration();
  check_sizes_of_right_hand_sides();
  check_units_of_modes();
  return check::result();
}
