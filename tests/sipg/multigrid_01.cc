// The local multigrid cycle: symmetric, positive definite, a function of the
// assembled functional, with consistent output; B A has its spectrum near one,
// and has not when a term of the refinement edge is left out. Conjugate
// gradients on fields with shadows have the iterates of the assembled system,
// whose matrix comes from an independent assembly.
#include <tessera/base/exceptions.h>
#include <tessera/sipg/conjugate_gradients.h>
#include <tessera/sipg/fused_operator.h>
#include <tessera/sipg/local_multigrid.h>
#include <tessera/sipg/right_hand_side.h>
#include <tessera/sipg/shadow_transfer.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <memory>

#include "check.h"
#include "nonmatching_sipg.h"

using namespace sipg_tests;

namespace
{
  double
  dot(const ActiveVector &x, const ActiveVector &y)
  {
    double sum = 0.;
    for (std::size_t i = 0; i < x.size(); ++i)
      sum += x[i] * y[i];
    return sum;
  }

  double
  norm(const ActiveVector &x)
  {
    return std::sqrt(dot(x, x));
  }

  double
  relative_difference(ActiveVector x, const ActiveVector &y)
  {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] -= y[i];
    return norm(x) / norm(y);
  }

  /** A problem with its cycle. */
  template <int dim, typename Number = double>
  struct Setting
  {
    Setting(const Forest<dim>         &mesh,
            const int                  degree,
            const MultigridOptions    &options     = MultigridOptions(),
            const std::vector<double> &coefficient = {},
            const int                  block_size  = 8)
      : forest(mesh)
      , matrices(degree)
      , levels(std::make_shared<const LevelHierarchy<dim>>(forest,
                                                           block_size,
                                                           coefficient))
      , A(levels, matrices)
      , B(levels, matrices, options)
      , n(levels->n_active_cells() * A.layout()->n_cell_values)
    {}

    DualField<double>
    dual(const ActiveVector &x) const
    {
      DualField<double> field(A.layout());
      set_active(*levels, x, field);
      return field;
    }

    /** B x by way of fields. */
    ActiveVector
    precondition(const ActiveVector &x)
    {
      PrimalField<double> z(A.layout());
      B.apply(dual(x), z);
      return get_active(*levels, z);
    }

    ConjugateGradientResult
    solve(const DualField<double>        &b,
          PrimalField<double>            &x,
          const ConjugateGradientOptions &options = {},
          const IterationObserver        &observe = {})
    {
      return solve_conjugate_gradients(
        [&](const PrimalField<double> &u, DualField<double> &y) {
          A.apply(u, y);
        },
        [&](const DualField<double> &r, PrimalField<double> &z) {
          B.apply(r, z);
        },
        b,
        x,
        options,
        observe);
    }

    Forest<dim>                                forest;
    ElementMatrices                            matrices;
    std::shared_ptr<const LevelHierarchy<dim>> levels;
    FusedOperator<dim>                         A;
    LocalMultigrid<dim, Number>                B;
    std::size_t                                n;
  };

  /** |<B x, y> - <x, B y>| relative to norms, for some x and y. */
  template <typename S>
  double
  asymmetry(S &s)
  {
    double result = 0.;
    for (int i = 0; i < 3; ++i)
      {
        const ActiveVector x  = random_vector(s.n, 10 + i);
        const ActiveVector y  = random_vector(s.n, 20 + i);
        const ActiveVector Bx = s.precondition(x), By = s.precondition(y);
        result = std::fmax(result,
                           std::abs(dot(Bx, y) - dot(x, By)) /
                             std::sqrt(dot(Bx, x) * dot(By, y)));
      }
    return result;
  }

  template <int dim>
  void
  check_cycle(const Forest<dim>         &forest,
              const int                  degree,
              const char                *name,
              const std::vector<double> &coefficient      = {},
              const int                  most_iterations  = 16,
              const double               least_eigenvalue = 0.5)
  {
    Setting<dim> s(forest, degree, MultigridOptions(), coefficient);
    CHECK(s.levels->n_slots() > 0);
    CHECK(asymmetry(s) < 1e-12);

    // A function of the assembled functional, consistent.
    DualField<double> r = s.dual(random_vector(s.n, 1));
    Random            random(2);
    for (int l = 0; l < s.levels->n_levels(); ++l)
      for (CellIndex c = 0; c < s.levels->level(l).n_shadow_cells(); ++c)
        for (int k = 0; k < s.A.layout()->n_shadow_values; ++k)
          r.shadow(l, c, k) = random();
    PrimalField<double> z(s.A.layout()), refreshed;
    for (int l = 0; l < s.levels->n_levels(); ++l)
      for (CellIndex c = 0; c < s.levels->level(l).n_cells; ++c)
        for (int k = 0; k < s.A.layout()->n_cell_values; ++k)
          z(l, c, k) = std::numeric_limits<double>::quiet_NaN();
    s.B.apply(r, z);
    DualField<double> assembled;
    assembled.copy_from(r);
    assemble_shadows(*s.levels, s.matrices, assembled);
    CHECK(relative_difference(s.precondition(get_active(*s.levels, assembled)),
                              get_active(*s.levels, z)) < 1e-12);
    refreshed.copy_from(z);
    refresh_shadows(*s.levels, s.matrices, refreshed);
    double difference = 0.;
    for (std::size_t i = 0; i < z.size(); ++i)
      difference =
        std::fmax(difference, std::abs(z.data()[i] - refreshed.data()[i]));
    CHECK(difference < 1e-14);

    // Iterates of the assembled system.
    const NonmatchingSIPG<dim> matrix(forest, degree, Penalty(), coefficient);
    const ActiveVector         b = random_vector(s.n, 3);
    std::vector<ActiveVector>  iterates;
    PrimalField<double>        x(s.A.layout());
    const ConjugateGradientResult result =
      s.solve(s.dual(b), x, {}, [&](int, const PrimalField<double> &iterate) {
        iterates.push_back(get_active(*s.levels, iterate));
      });
    CHECK(result.converged);
    CHECK(result.n_iterations <= most_iterations);
    CHECK_EQUAL(std::size_t(result.n_iterations), iterates.size());
    const auto bounds = lanczos_bounds(result);
    if (!(bounds[0] > least_eigenvalue && bounds[1] < 2.) ||
        result.n_iterations > most_iterations)
      std::cerr << name << ", degree " << degree << ": " << result.n_iterations
                << " iterations, spectrum in [" << bounds[0] << ", "
                << bounds[1] << "]" << std::endl;
    CHECK(bounds[0] > least_eigenvalue);
    CHECK(bounds[1] < 2.);

    ActiveVector y(s.n, 0.), res = b, direction = s.precondition(b);
    double       rz = dot(res, direction);
    for (const ActiveVector &iterate : iterates)
      {
        const ActiveVector q     = matrix.apply(direction);
        const double       alpha = rz / dot(q, direction);
        for (std::size_t i = 0; i < s.n; ++i)
          {
            y[i] += alpha * direction[i];
            res[i] -= alpha * q[i];
          }
        CHECK(relative_difference(iterate, y) < 1e-12);
        const ActiveVector preconditioned = s.precondition(res);
        const double       new_rz         = dot(res, preconditioned);
        for (std::size_t i = 0; i < s.n; ++i)
          direction[i] = preconditioned[i] + new_rz / rz * direction[i];
        rz = new_rz;
      }
    // It is the solution, too: the true residual.
    CHECK(relative_difference(matrix.apply(y), b) < 1e-8);

    // A start value of which this is the correction.
    const ActiveVector  start = random_vector(s.n, 8);
    PrimalField<double> from_start(s.A.layout());
    set_active(*s.levels, start, from_start);
    refresh_shadows(*s.levels, s.matrices, from_start);
    ActiveVector sum = matrix.apply(start);
    for (std::size_t i = 0; i < s.n; ++i)
      sum[i] += b[i];
    CHECK_EQUAL(s.solve(s.dual(sum), from_start).n_iterations,
                result.n_iterations);
    ActiveVector correction = get_active(*s.levels, from_start);
    for (std::size_t i = 0; i < s.n; ++i)
      correction[i] -= start[i];
    CHECK(relative_difference(correction, y) < 1e-9);
  }

  /** Largest entry of B - B^T relative to that of B, from all of its columns.
   */
  template <typename S>
  double
  matrix_asymmetry(S &s)
  {
    std::vector<ActiveVector> columns;
    ActiveVector              unit(s.n);
    for (std::size_t j = 0; j < s.n; ++j)
      {
        unit[j] = 1.;
        columns.push_back(s.precondition(unit));
        unit[j] = 0.;
      }
    double largest = 0., difference = 0.;
    for (std::size_t i = 0; i < s.n; ++i)
      for (std::size_t j = 0; j < s.n; ++j)
        {
          largest = std::fmax(largest, std::abs(columns[i][j]));
          difference =
            std::fmax(difference, std::abs(columns[i][j] - columns[j][i]));
        }
    return difference / largest;
  }

  /** Each ablation fails in its own way; the numbers are those of a reference
   * program. */
  void
  check_ablations()
  {
    const auto run =
      [](const Forest<2> &forest, const bool flux, const bool frozen) {
        MultigridOptions options;
        options.edge_flux      = flux;
        options.frozen_shadows = frozen;
        return std::make_unique<Setting<2>>(forest, 3, options);
      };

    // Symmetry, and the spectrum, on a small mesh.
    {
      const Forest<2> forest =
        shell_forest(shell_forest(Forest<2>(cube_mesh<2>(2)), 1), 1, 0.45);
      const auto full       = run(forest, true, true),
                 no_flux    = run(forest, false, true),
                 not_frozen = run(forest, true, false),
                 neither    = run(forest, false, false);
      CHECK_EQUAL(full->n, std::size_t(832));
      CHECK(matrix_asymmetry(*full) < 1e-13);
      CHECK_NEAR(matrix_asymmetry(*no_flux), 0.67, 0.005);
      CHECK_NEAR(matrix_asymmetry(*not_frozen), 0.67, 0.005);
      // Symmetric, but far from the inverse.
      CHECK(matrix_asymmetry(*neither) < 1e-13);

      ConjugateGradientOptions options;
      options.tolerance      = 1e-14;
      options.max_iterations = 200;
      const auto spectrum    = [&](Setting<2> &s) {
        PrimalField<double> x(s.A.layout());
        return lanczos_bounds(
          s.solve(s.dual(random_vector(s.n, 4)), x, options));
      };
      CHECK_NEAR(spectrum(*full)[0], 0.80, 0.005);
      CHECK_NEAR(spectrum(*full)[1], 1.20, 0.005);
      CHECK_NEAR(spectrum(*neither)[0], 0.021, 0.001);
      CHECK_NEAR(spectrum(*neither)[1] / 44.8, 1., 0.005);
    }

    // Conjugate gradients on a mesh with two local levels: the reduction of the
    // residual, or one where they break down.
    const Forest<2> forest =
      shell_forest(Forest<2>::uniform(cube_mesh<2>(2), 3), 2);
    ProblemData<2> data;
    data.source = [](const Point<2> &x) {
      return 2. * M_PI * M_PI * std::sin(M_PI * x[0]) * std::sin(M_PI * x[1]);
    };
    const auto reduction = [&](const bool flux, const bool frozen) {
      const auto        s = run(forest, flux, frozen);
      DualField<double> b(s->A.layout());
      assemble_right_hand_side(*s->levels, s->matrices, data, b);
      PrimalField<double>      x(s->A.layout());
      ConjugateGradientOptions options;
      options.max_iterations = 40;
      try
        {
          const ConjugateGradientResult result = s->solve(b, x, options);
          CHECK_EQUAL(result.n_iterations, flux && frozen ? 10 : 40);
          return result.residuals.back() / result.residuals.front();
        }
      catch (const tessera::SolverBreakdown &)
        {
          return 1.;
        }
    };
    CHECK_NEAR(reduction(true, true) / 4.6e-11, 1., 0.02);
    CHECK(reduction(false, true) > 1e-3);
    CHECK(reduction(true, false) > 1e-9);
    CHECK(reduction(false, false) > 0.05);
  }

  /** 1 or the contrast, at random. */
  std::vector<double>
  materials(const std::size_t n, const double contrast)
  {
    Random              random(11);
    std::vector<double> k(n);
    for (double &value : k)
      value = random() > 0. ? contrast : 1.;
    return k;
  }

  /** Residuals beyond the range of float make the same iterations: all numbers
   * are multiplied by a power of two. */
  void
  check_scales()
  {
    const Forest<2>   forest = random_forest(cube_mesh<2>(2), 3, 0.3, 4);
    Setting<2, float> s(forest, 3);
    std::vector<PrimalField<double>>     solutions;
    std::vector<ConjugateGradientResult> results;
    const std::vector<int>               exponents = {0, -150, -400, 150, 400};
    for (const int exponent : exponents)
      {
        ActiveVector values = random_vector(s.n, 8);
        for (double &value : values)
          value = std::ldexp(value, exponent);
        solutions.emplace_back(s.A.layout());
        results.push_back(s.solve(s.dual(values), solutions.back()));
      }
    CHECK(results[0].converged && results[0].n_iterations > 5);
    for (std::size_t i = 1; i < exponents.size(); ++i)
      {
        CHECK_EQUAL(results[i].n_iterations, results[0].n_iterations);
        bool equal = true;
        for (std::size_t k = 0; k < solutions[0].size(); ++k)
          equal = equal && std::ldexp(solutions[i].data()[k], -exponents[i]) ==
                             solutions[0].data()[k];
        CHECK(equal);
      }
  }



  /** Materials that are constant on coarse cells, here as a checkerboard, do
   * not matter to the cycle. */
  void
  check_contrast()
  {
    const Forest<2> forest =
      shell_forest(Forest<2>::uniform(cube_mesh<2>(2), 2), 2);
    for (int degree = 1; degree <= 3; ++degree)
      for (const double contrast : {1., 1e3, 1e6})
        {
          std::vector<double> k;
          for (const CellKey &key : forest.active_cells())
            k.push_back(
              key.coarse_cell == 0 || key.coarse_cell == 3 ? 1. : contrast);
          Setting<2>          s(forest, degree, MultigridOptions(), k);
          PrimalField<double> x(s.A.layout());
          const auto result = s.solve(s.dual(random_vector(s.n, 5)), x);
          CHECK(result.converged);
          CHECK(result.n_iterations <= 13);
          CHECK(lanczos_bounds(result)[0] > 0.75);
          CHECK(lanczos_bounds(result)[1] < 1.5);
        }
  }

  void
  check_errors()
  {
    const Forest<2>  forest = Forest<2>::uniform(cube_mesh<2>(2), 1);
    MultigridOptions options;
    for (const int n_steps : {0, 11})
      {
        options.n_smoothing_steps = n_steps;
        CHECK_THROWS(tessera::InputError, (Setting<2>(forest, 2, options)));
      }
    // As many as there may be lose nothing in float.
    {
      options.n_smoothing_steps = 10;
      Setting<2, float>             s(forest, 3, options);
      PrimalField<double>           x(s.A.layout());
      const ConjugateGradientResult result =
        s.solve(s.dual(random_vector(s.n, 6)), x);
      CHECK(result.converged && result.n_iterations <= 12);
    }
    options                 = MultigridOptions();
    options.smoothing_range = 1.;
    CHECK_THROWS(tessera::InputError, (Setting<2>(forest, 2, options)));
    // 16^2 cells of 64 unknowns.
    CHECK_THROWS(tessera::InputError,
                 (Setting<2>(Forest<2>(cube_mesh<2>(16)), 7)));
    // Nothing but Neumann faces, on all of the mesh or on a part of it, also
    // where pivots do not show it.
    const auto      closed = neumann_at<2>({0, 1, 2, 3});
    const Forest<2> all_closed(cube_mesh<2>(9, closed));
    CHECK_THROWS(tessera::InputError,
                 (Setting<2>(Forest<2>(cube_mesh<2>(2, closed)), 2)));
    CHECK_THROWS(tessera::InputError,
                 (Setting<2>(all_closed,
                             7,
                             MultigridOptions(),
                             materials(all_closed.n_active_cells(), 1e3))));
    CoarseMesh<2> two_parts = cube_mesh<2>(2);
    two_parts.positions     = {{{0, 0}}, {{2, 0}}};
    two_parts.boundary.resize(2);
    two_parts.boundary[0] = neumann_at<2>({});
    two_parts.boundary[1] = closed;
    const std::string part =
      CHECK_THROWS(tessera::InputError, (Setting<2>(Forest<2>(two_parts), 2)));
    CHECK(part.find("coarse cell 1 has") != std::string::npos);

    // But any contrast: a weak layer between the Dirichlet face and the rest.
    {
      const Forest<2>     strip(box_mesh<2>({{4, 1}},
                                        Point<2>{{0., 0.}},
                                        Point<2>{{4., 1.}},
                                        neumann_at<2>({1, 2, 3})));
      Setting<2>          s(strip, 3, MultigridOptions(), {1e-11, 1., 1., 1.});
      PrimalField<double> x(s.A.layout());
      CHECK(s.solve(s.dual(random_vector(s.n, 6)), x).converged);
    }

    // Coefficients beyond the range of float do, too.
    {
      Setting<2, float>   s(forest,
                          2,
                          MultigridOptions(),
                          std::vector<double>(forest.n_active_cells(), 1e40));
      PrimalField<double> x(s.A.layout());
      const std::string   message =
        CHECK_THROWS(tessera::SolverBreakdown,
                     s.solve(s.dual(random_vector(s.n, 6)), x));
      CHECK(message.find("levels in double precision") != std::string::npos);
    }

    // A penalty that is too small shows.
    Penalty small;
    small.factor = 0.2;
    const ElementMatrices matrices(3, small);
    const auto levels = std::make_shared<const LevelHierarchy<2>>(forest, 8);
    FusedOperator<2>    A(levels, matrices);
    PrimalField<double> x(A.layout());
    DualField<double>   b(A.layout());
    set_active(*levels, random_vector(levels->n_active_cells() * 16, 5), b);
    const std::string message =
      CHECK_THROWS(tessera::SolverBreakdown,
                   solve_conjugate_gradients(
                     [&](const PrimalField<double> &u, DualField<double> &y) {
                       A.apply(u, y);
                     },
                     [&](const DualField<double> &r, PrimalField<double> &z) {
                       std::copy(r.data(), r.data() + r.size(), z.data());
                     },
                     b,
                     x));
    CHECK(message.find("penalty") != std::string::npos);
  }
} // namespace

int
main()
{
  check_scales();
  for (int degree = 1; degree <= 4; ++degree)
    {
      check_cycle(shell_forest(Forest<2>(cube_mesh<2>(2)), 3), degree, "shell");
      check_cycle(random_forest(cube_mesh<2>(3), 3, 0.3, 4, Balance::faces),
                  degree,
                  "random");
    }
  check_cycle(random_forest(corner_mesh<2>(neumann_at<2>({1})), 3, 0.4, 5),
              3,
              "corner");
  check_cycle(random_forest(cube_mesh<3>(2), 2, 0.25, 9), 1, "random 3D");
  check_cycle(random_forest(corner_mesh<3>(), 2, 0.25, 9), 2, "corner 3D");
  check_cycle(random_forest(cube_mesh<3>(1), 2, 0.5, 9), 3, "random 3D");

  const Forest<2> forest = shell_forest(Forest<2>(cube_mesh<2>(2)), 3);
  check_cycle(
    forest, 2, "materials", materials(forest.n_active_cells(), 4.), 20, 0.4);
  check_contrast();
  check_ablations();
  check_errors();
  return check::result();
}
