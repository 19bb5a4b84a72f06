// What the method promises: rates on uniform meshes; and for the singular
// solution at a reentrant corner, optimal decay with refinement by indicators,
// and not without; with start values from the mesh before, and spectral bounds
// of the preconditioner on all meshes. Estimates follow the error whatever the
// contrast of the coefficient.
#include <tessera/sipg/bulk_marking.h>
#include <tessera/sipg/conjugate_gradients.h>
#include <tessera/sipg/error_norms.h>
#include <tessera/sipg/fused_operator.h>
#include <tessera/sipg/local_multigrid.h>
#include <tessera/sipg/residual_estimator.h>
#include <tessera/sipg/right_hand_side.h>
#include <tessera/sipg/solution_transfer.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <vector>

#include "check.h"
#include "meshes.h"

using namespace sipg_tests;

namespace
{
  template <int dim>
  struct ExactProblem
  {
    ProblemData<dim>      data;
    ScalarFunction<dim>   u;
    GradientFunction<dim> gradient;
    ScalarFunction<dim>   coefficient; ///< at centres of cells; empty for one
  };

  /** A mesh with its solution. */
  template <int dim>
  struct Solution
  {
    std::shared_ptr<const LevelHierarchy<dim>> levels;
    PrimalField<double>                        u;
    ErrorNorms                                 errors;
    ConjugateGradientResult                    iterations;

    std::size_t
    n_dofs() const
    {
      return levels->n_active_cells() * u.layout().n_cell_values;
    }
  };

  template <int dim>
  Solution<dim>
  solve(const Forest<dim>       &forest,
        const ElementMatrices   &matrices,
        const ExactProblem<dim> &problem,
        const Solution<dim>     *start = nullptr)
  {
    Solution<dim>       s;
    std::vector<double> coefficient;
    if (problem.coefficient)
      for (const CellKey &key : forest.active_cells())
        {
          Point<dim>       center = forest.lower_corner(key);
          const Point<dim> size   = forest.cell_size(int(key.level));
          for (int d = 0; d < dim; ++d)
            center[d] += size[d] / 2.;
          coefficient.push_back(problem.coefficient(center));
        }
    s.levels = std::make_shared<const LevelHierarchy<dim>>(
      forest, LevelHierarchy<dim>::default_block_size, coefficient);
    const FusedOperator<dim>    A(s.levels, matrices);
    LocalMultigrid<dim, double> B(s.levels, matrices);
    DualField<double>           b(A.layout());
    s.u = PrimalField<double>(A.layout());
    assemble_right_hand_side(*s.levels, matrices, problem.data, b);
    if (start != nullptr)
      transfer_to_refined(*start->levels, start->u, *s.levels, matrices, s.u);
    s.iterations =
      solve_conjugate_gradients([&](const PrimalField<double> &x,
                                    DualField<double> &y) { A.apply(x, y); },
                                [&](const DualField<double> &r,
                                    PrimalField<double> &z) { B.apply(r, z); },
                                b,
                                s.u);
    CHECK(s.iterations.converged);
    s.errors = compute_errors<dim>(
      *s.levels, matrices, s.u, problem.u, problem.gradient);
    return s;
  }

  /** u = prod cos(2 x_d + d), with Dirichlet values. */
  template <int dim>
  ExactProblem<dim>
  smooth_problem()
  {
    ExactProblem<dim> problem;
    problem.u = [](const Point<dim> &x) {
      double product = 1.;
      for (int d = 0; d < dim; ++d)
        product *= std::cos(2. * x[d] + d);
      return product;
    };
    problem.gradient = [](const Point<dim> &x) {
      Point<dim> g;
      for (int d = 0; d < dim; ++d)
        {
          g[d] = 1.;
          for (int e = 0; e < dim; ++e)
            g[d] *=
              e == d ? -2. * std::sin(2. * x[e] + e) : std::cos(2. * x[e] + e);
        }
      return g;
    };
    const ScalarFunction<dim> u = problem.u;
    problem.data.source = [u](const Point<dim> &x) { return 4. * dim * u(x); };
    problem.data.dirichlet = on_all_faces<dim>(u);
    return problem;
  }

  /** h^(p+1) in L2, h^p in the energy norm. */
  template <int dim>
  void
  check_rates(const int p, const int n_refinements)
  {
    const ElementMatrices matrices(p);
    ErrorNorms            errors[2];
    for (int i = 0; i < 2; ++i)
      errors[i] = solve<dim>(Forest<dim>::uniform(cube_mesh<dim>(2),
                                                  n_refinements - 1 + i),
                             matrices,
                             smooth_problem<dim>())
                    .errors;
    const double L2 = std::log2(errors[0].L2 / errors[1].L2);
    const double H1 = std::log2(errors[0].H1_seminorm / errors[1].H1_seminorm);
    const double energy = std::log2(errors[0].energy / errors[1].energy);
    std::cout << dim << "D, p = " << p << ": rates " << L2 << ' ' << H1 << ' '
              << energy << std::endl;
    CHECK_NEAR(L2 / (p + 1), 1., 0.05);
    CHECK_NEAR(H1 / p, 1., 0.05);
    CHECK_NEAR(energy / p, 1., 0.05);
  }

  /** u = r^(2/3) sin(2/3 phi), harmonic; phi is the angle from the face x = 0,
   * y > 0 through the domain to the face y = 0, x > 0. */
  ExactProblem<2>
  corner_problem()
  {
    const auto angle = [](const Point<2> &x) {
      const double phi = std::atan2(x[1], x[0]);
      return phi < M_PI / 2. - 1e-9 ? phi + 3. * M_PI / 2. : phi - M_PI / 2.;
    };
    ExactProblem<2> problem;
    problem.u = [angle](const Point<2> &x) {
      return std::pow(std::hypot(x[0], x[1]), 2. / 3.) *
             std::sin(2. / 3. * angle(x));
    };
    problem.gradient = [angle](const Point<2> &x) {
      const double r     = std::hypot(x[0], x[1]);
      const double phi   = std::atan2(x[1], x[0]);
      const double slope = 2. / 3. * std::pow(r, -1. / 3.);
      const double along = slope * std::sin(2. / 3. * angle(x));
      const double round = slope * std::cos(2. / 3. * angle(x));
      return Point<2>{{along * std::cos(phi) - round * std::sin(phi),
                       along * std::sin(phi) + round * std::cos(phi)}};
    };
    problem.data.dirichlet = on_all_faces<2>(problem.u);
    return problem;
  }

  /** The slope of the straight line through (log x, log y), least squares. */
  double
  fitted_rate(const std::vector<double> &x, const std::vector<double> &y)
  {
    double n = double(x.size()), sx = 0., sy = 0., sxx = 0., sxy = 0.;
    for (std::size_t i = 0; i < x.size(); ++i)
      {
        const double a = std::log(x[i]), b = std::log(y[i]);
        sx += a;
        sy += b;
        sxx += a * a;
        sxy += a * b;
      }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
  }

  /** Iterations until the residual is at most the given one. */
  int
  n_iterations_to(const ConjugateGradientResult &result, const double residual)
  {
    int n = 0;
    while (n < result.n_iterations && result.residuals[n] > residual)
      ++n;
    return n;
  }

  /** Refinement by indicators: the energy error is like dofs^(-p/2), as it is
   * for smooth solutions. The indicators follow it within a constant. */
  void
  check_adaptive_refinement(const int    p,
                            const double fraction,
                            const int    n_cycles)
  {
    const ElementMatrices matrices(p);
    const ExactProblem<2> problem = corner_problem();
    std::vector<double>   dofs, energies;
    Forest<2>             forest = Forest<2>::uniform(corner_mesh<2>(), 1);
    Solution<2>           previous;
    for (int cycle = 0; cycle < n_cycles; ++cycle)
      {
        Solution<2> s =
          solve<2>(forest, matrices, problem, cycle > 0 ? &previous : nullptr);
        const std::vector<double> eta =
          residual_indicators(*s.levels, matrices, problem.data, s.u);
        const double effectivity = global_estimate(eta) / s.errors.energy;
        CHECK(effectivity > 1.5);
        CHECK(effectivity < 4.5);
        const std::array<double, 2> bounds = lanczos_bounds(s.iterations);
        CHECK(bounds[0] >= 0.5);
        CHECK(bounds[1] <= 2.);
        std::cout << "p = " << p << ", cycle " << cycle << ": " << s.n_dofs()
                  << " dofs, " << forest.n_levels() << " levels, L2 "
                  << s.errors.L2 << ", energy " << s.errors.energy
                  << ", effectivity " << effectivity << ", "
                  << s.iterations.n_iterations << " iterations, spectrum ["
                  << bounds[0] << ", " << bounds[1] << "]" << std::endl;
        dofs.push_back(double(s.n_dofs()));
        energies.push_back(s.errors.energy);

        // A start value from the mesh before begins where some iterations from
        // zero lead, and ends at the same solution.
        if (cycle == n_cycles - 1)
          {
            const Solution<2> cold = solve<2>(forest, matrices, problem);
            CHECK(s.iterations.residuals[0] <
                  1e-2 * cold.iterations.residuals[0]);
            const double end = cold.iterations.residuals.back();
            CHECK(n_iterations_to(s.iterations, end) + 2 <=
                  cold.iterations.n_iterations);
            CHECK_NEAR(s.errors.energy / cold.errors.energy, 1., 1e-5);
          }

        const std::vector<char> marked = bulk_marking(eta, fraction);
        std::size_t             next   = 0;
        forest =
          forest.refine([&](const CellKey &) { return marked[next++] != 0; });
        previous = std::move(s);
      }
    // The first half of the meshes is too coarse for the rate.
    const std::size_t first = dofs.size() / 2;
    const double      rate  = fitted_rate({dofs.begin() + first, dofs.end()},
                                    {energies.begin() + first, energies.end()});
    std::cout << "p = " << p << ": energy dofs^" << rate << std::endl;
    CHECK_NEAR(rate / (-p / 2.), 1., 0.15);
  }

  /** k = 1 to the left of x = 1/2 and the contrast to the right of it; the
   * flux is normal to the interface there, or tangential and large on the side
   * of the large k. */
  ExactProblem<2>
  interface_problem(const double contrast, const bool normal_flux)
  {
    ExactProblem<2> problem;
    problem.coefficient = [contrast](const Point<2> &x) {
      return x[0] < 0.5 ? 1. : contrast;
    };
    const ScalarFunction<2> k = problem.coefficient;
    // Normal: k u is smooth and u = 0 at the interface. Tangential: u is smooth
    // and its derivative in x is zero there.
    const auto scale = [k, normal_flux](const Point<2> &x) {
      return normal_flux ? 1. / k(x) : 1.;
    };
    const double phase = normal_flux ? -M_PI / 2. : 0.;
    problem.u          = [scale, phase](const Point<2> &x) {
      return scale(x) * std::cos(3. * (x[0] - 0.5) + phase) *
             std::cos(2. * x[1]);
    };
    problem.gradient = [scale, phase](const Point<2> &x) {
      const double angle = 3. * (x[0] - 0.5) + phase;
      return Point<2>{{-3. * scale(x) * std::sin(angle) * std::cos(2. * x[1]),
                       -2. * scale(x) * std::cos(angle) * std::sin(2. * x[1])}};
    };
    const ScalarFunction<2> u = problem.u;
    problem.data.source       = [k, u](const Point<2> &x) {
      return 13. * k(x) * u(x);
    };
    problem.data.dirichlet = on_all_faces<2>(u);
    return problem;
  }

  /** The effectivity of the indicators does not depend on the contrast, with
   * cells of different size at the interface. */
  void
  check_contrast(const int p)
  {
    const ElementMatrices matrices(p);
    Random                random(3);
    const Forest<2>       forest =
      Forest<2>::uniform(cube_mesh<2>(2), 2).refine([&](const CellKey &) {
        return random() > 0.3;
      });
    const auto effectivity = [&](const double contrast, const bool normal) {
      const ExactProblem<2> problem = interface_problem(contrast, normal);
      const Solution<2>     s       = solve<2>(forest, matrices, problem);
      return global_estimate(
               residual_indicators(*s.levels, matrices, problem.data, s.u)) /
             s.errors.energy;
    };
    for (const bool normal : {false, true})
      {
        const double of_one = effectivity(1., normal);
        CHECK(of_one > 3.);
        CHECK(of_one < 6.);
        for (const double contrast : {1e-6, 1e-3, 1e3, 1e6})
          {
            const double found = effectivity(contrast, normal);
            std::cout << "p = " << p << ", contrast " << contrast
                      << ": effectivity " << found << std::endl;
            CHECK_NEAR(found / of_one, 1., 0.1);
          }
      }
  }

  /** Uniform refinement: dofs^(-1/3) for any degree. */
  void
  check_uniform_refinement(const int p)
  {
    std::vector<double> dofs, energies;
    for (int n = 1; n <= 5; ++n)
      {
        const Solution<2> s = solve<2>(Forest<2>::uniform(corner_mesh<2>(), n),
                                       ElementMatrices(p),
                                       corner_problem());
        dofs.push_back(double(s.n_dofs()));
        energies.push_back(s.errors.energy);
      }
    const double rate = fitted_rate(dofs, energies);
    std::cout << "p = " << p << ", uniform: energy dofs^" << rate << std::endl;
    CHECK_NEAR(rate * -3., 1., 0.05);
  }
} // namespace

int
main()
{
  for (int p = 1; p <= 3; ++p)
    check_rates<2>(p, 4);
  check_rates<3>(2, 3);
  check_adaptive_refinement(1, 0.5, 14);
  check_adaptive_refinement(2, 0.5, 18);
  check_adaptive_refinement(3, 0.9, 18);
  for (int p = 1; p <= 3; ++p)
    {
      check_uniform_refinement(p);
      check_contrast(p);
    }
  return check::result();
}
