// Numbers of iterations to 1e-10 for u = prod sin(pi x): those of a reference
// program, on uniform meshes and with local levels along a sphere, with levels
// in double and in float; and that the solution is the right one.
#include <tessera/sipg/conjugate_gradients.h>
#include <tessera/sipg/fused_operator.h>
#include <tessera/sipg/local_multigrid.h>
#include <tessera/sipg/right_hand_side.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "check.h"
#include "meshes.h"

using namespace sipg_tests;

namespace
{
  template <int dim, typename Number>
  int
  n_iterations(const Forest<dim> &forest, const int degree = 3)
  {
    const ElementMatrices matrices(degree);
    const auto levels = std::make_shared<const LevelHierarchy<dim>>(forest);
    const FusedOperator<dim>    A(levels, matrices);
    LocalMultigrid<dim, Number> B(levels, matrices);
    DualField<double>           b(A.layout());
    ProblemData<dim>            data;
    data.source = [](const Point<dim> &x) {
      double value = dim * M_PI * M_PI;
      for (int a = 0; a < dim; ++a)
        value *= std::sin(M_PI * x[a]);
      return value;
    };
    assemble_right_hand_side(*levels, matrices, data, b);
    PrimalField<double>           x(A.layout());
    const ConjugateGradientResult result =
      solve_conjugate_gradients([&](const PrimalField<double> &u,
                                    DualField<double> &y) { A.apply(u, y); },
                                [&](const DualField<double> &r,
                                    PrimalField<double> &z) { B.apply(r, z); },
                                b,
                                x);
    CHECK(result.converged);

    // Coefficient 0 is the value at the lower corner: the error there, which is
    // of the order of the method, on the finest level.
    const int l     = levels->n_levels() - 1;
    double    error = 0.;
    for (CellIndex c = 0; c < levels->level(l).n_cells; ++c)
      {
        const Point<dim> corner = forest.lower_corner(forest.level(l).keys[c]);
        double           exact  = 1.;
        for (int a = 0; a < dim; ++a)
          exact *= std::sin(M_PI * corner[a]);
        error = std::max(error, std::abs(x(l, c, 0) - exact));
      }
    CHECK(error < 2e-3);
    std::cout << dim << "D, " << forest.n_active_cells()
              << " cells: " << result.n_iterations << " iterations, error "
              << error << std::endl;
    return result.n_iterations;
  }

  template <int dim>
  void
  check_counts(const Forest<dim> &forest, const int expected)
  {
    CHECK_EQUAL((n_iterations<dim, double>(forest)), expected);
    CHECK_EQUAL((n_iterations<dim, float>(forest)), expected);
  }
} // namespace

int
main()
{
  const auto square = [](const int n) {
    return Forest<2>::uniform(cube_mesh<2>(2), n);
  };
  const auto cube = [](const int n) {
    return Forest<3>::uniform(cube_mesh<3>(2), n);
  };
  check_counts(square(3), 9);
  check_counts(square(4), 9);
  check_counts(square(5), 9);
  check_counts(shell_forest(square(4), 1), 10);
  check_counts(shell_forest(square(4), 2), 10);
  check_counts(shell_forest(square(4), 4), 10);
  check_counts(cube(1), 9);
  check_counts(cube(2), 10);
  check_counts(cube(3), 10);
  check_counts(shell_forest(cube(2), 1), 12);
  check_counts(shell_forest(cube(2), 2), 12);
  const Forest<3> fine_shell = shell_forest(cube(2), 3);
  CHECK_EQUAL(fine_shell.n_active_cells(), std::size_t(21512));
  CHECK_EQUAL((n_iterations<3, float>(fine_shell)), 12);
  return check::result();
}
