// SPDX-License-Identifier: LGPL-2.1-or-later
// Constrained components, kernels, numbers, two dimensions, materials, cells
// that are not cubes.
#include <tessera/base/exceptions.h>
#include <tessera/sparse/matrix_vector.h>

#include "amg/amg_problem.h"
#include "check.h"

using namespace tessera;
using namespace amg_problem;
using amg::LevelPrecision;
using amg::SingularMatrix;
using grid_problem::clamp;
using grid_problem::constrain;
using grid_problem::Grid;

namespace
{
  const Grid box    = {3, {{12, 6, 6}}, {{1, 1, 1}}};
  const Grid square = {2, {{60, 40, 0}}, {{1, 1, 1}}};

  bool
  between(const unsigned int n,
          const unsigned int least,
          const unsigned int most)
  {
    if (n < least || n > most)
      std::cerr << "  " << n << " iterations" << std::endl;
    return n >= least && n <= most;
  }

  double
  relative_residual(const Problem &problem, BlockVector<double> &x)
  {
    BlockVector<double>          r = problem.b.copy();
    sparse::MatrixVector<double> products(problem.A);
    products.residual(problem.A, problem.b, x, r);
    return std::sqrt(dot(r, r) / dot(problem.b, problem.b));
  }

  bool
  is_fixed(const int x, const int y, const int z, const int c)
  {
    return (c == 0 && x == 0) || (c == 1 && y == 0) || (c == 2 && z == 0);
  }

  /** Call f(node, component) for x, y and z on three faces of the box: single
   * components of nodes, two on edges, three at a corner. */
  template <typename F>
  void
  for_fixed(const F &f)
  {
    for (int x = 0; x <= box.n_cells[0]; ++x)
      for (int y = 0; y <= box.n_cells[1]; ++y)
        for (int z = 0; z <= box.n_cells[2]; ++z)
          for (int c = 0; c < 3; ++c)
            if (is_fixed(x, y, z, c))
              f(box.node(x, y, z), c);
  }

  Problem
  constrained_box(const double diagonal, const bool with_columns)
  {
    BlockMatrix<double> A = grid_problem::matrix(box, 3);
    for_fixed([&](const auto node, const int c) {
      constrain(A, node, c, diagonal, with_columns);
    });
    return on_grid(box, std::move(A));
  }

  /** The same cycle for what is not constrained, whatever is on the diagonal
   * and in the columns of what is, where C is the inverse diagonal. */
  void
  check_constraints(const LevelPrecision precision)
  {
    Options options;
    options.level_precision = precision;
    const Problem reference = constrained_box(1, true);
    BlockAMG      C;
    initialize(C, reference, options);
    const BlockVector<double> z = apply(C, reference.b);
    CHECK_EQUAL(C.record().levels[0].n_inactive, 49u + 2 * 91);
    CHECK(between(n_iterations(reference, options), 5, 12));

    for (const bool with_columns : {true, false})
      for (const double diagonal : {1., 1e12, 1e-12, 1e100})
        {
          // Right-hand sides that give the same constrained unknowns.
          Problem problem = constrained_box(diagonal, with_columns);
          for_fixed([&](const auto node, const int c) {
            problem.b.data()[node * 3 + c] *= diagonal;
          });
          BlockAMG other;
          initialize(other, problem, options);
          const BlockVector<double> y = apply(other, problem.b);
          BlockVector<double>       x = y.copy(), w = z.copy();
          for_fixed([&](const auto node, const int c) {
            const std::size_t i = node * 3 + c;
            CHECK_EQUAL(y.data()[i], problem.b.data()[i] / diagonal);
            x.data()[i] = w.data()[i] = 0;
          });
          CHECK(distance(x, w) <
                (precision == LevelPrecision::double_precision ? 1e-9 : 1e-4));
          other.update(problem.A);
          CHECK(same_bits(apply(other, problem.b), y));

          if (with_columns)
            CHECK(between(
              n_iterations(constrained_box(diagonal, true), options), 5, 12));
        }
  }

  /** Nodes all of whose components are constrained, some of them alone among
   * others. */
  void
  check_clamped_nodes()
  {
    for (const double diagonal : {1., 1e12})
      {
        BlockMatrix<double> A = grid_problem::matrix(box, 3);
        clamp(A, box, diagonal);
        for (const int x : {3, 4, 9})
          for (int c = 0; c < 3; ++c)
            constrain(A, box.node(x, 3, 3), c, diagonal);
        CHECK(between(n_iterations(on_grid(box, std::move(A))), 5, 14));
      }
  }

  /** In the complement of the kernel, which a right-hand side must not meet. */
  void
  check_complement(const Grid &grid,
                   const int   n_components,
                   const int   dimension)
  {
    for (const auto precision :
         {LevelPrecision::single_precision, LevelPrecision::double_precision})
      {
        Problem problem =
          on_grid(grid, grid_problem::matrix(grid, n_components));
        Options options;
        options.level_precision = precision;
        BlockAMG          C;
        const std::string refused =
          CHECK_THROWS(InputError, initialize(C, problem, options));
        CHECK(refused.find("maps " + std::to_string(dimension) + " of the " +
                           std::to_string(dimension) + " modes") !=
              std::string::npos);
        CHECK(!C.is_initialized());

        options.singular_matrix = SingularMatrix::complement;
        initialize(C, problem, options);
        CHECK_EQUAL(C.record().kernel_dimension, dimension);
        BlockVector<double> x;
        const std::string   unbalanced =
          CHECK_THROWS(InputError, solve(problem, C, x));
        CHECK(unbalanced.find("has a part in its kernel") != std::string::npos);

        // C = Q C Q with the projection Q.
        CHECK(C.part_in_kernel(problem.b) > 1e-3);
        const BlockVector<double> z = apply(C, problem.b);
        CHECK(C.part_in_kernel(z) < 1e-13);
        C.remove_kernel(problem.b);
        CHECK(distance(apply(C, problem.b), z) < 1e-4);
        CHECK(C.part_in_kernel(problem.b) < 1e-14);
        x = BlockVector<double>(problem.b.layout(), n_components);
        fill_random(x, 3); // has a part in the kernel
        const SolveResult result = amg::solve(problem.A, C, problem.b, x);
        CHECK(result.converged && between(result.n_iterations, 5, 14));
        CHECK(C.part_in_kernel(x) < 1e-13);
        CHECK(relative_residual(problem, x) < 2e-8);

        // Other values with the same kernel, and with another one.
        BlockMatrix<double> A =
          grid_problem::matrix(grid, n_components, [](int i, int, int) {
            return 1 + 0.1 * i;
          });
        C.update(A);
        const SolveResult changed = amg::solve(A, C, problem.b, x);
        CHECK(changed.converged && between(changed.n_iterations, 5, 16));
        double *const values = A.values_to_write();
        values[A.pattern().find(5, 5) * n_components * n_components] *= 2;
        const std::string other = CHECK_THROWS(InputError, C.update(A));
        CHECK(other.find("kernel") != std::string::npos);
      }
  }

  /** One of six motions is left. */
  void
  check_partial_kernel()
  {
    BlockMatrix<double> A = grid_problem::matrix(box, 3);
    for (int y = 0; y <= 6; ++y)
      for (int z = 0; z <= 6; ++z)
        for (int c = 1; c < 3; ++c)
          {
            constrain(A, box.node(0, y, z), c);
            constrain(A, box.node(12, y, z), c);
          }
    Problem problem = on_grid(box, std::move(A));
    Options options;
    options.singular_matrix = SingularMatrix::complement;
    BlockAMG C;
    initialize(C, problem, options);
    CHECK_EQUAL(C.record().kernel_dimension, 1);
    C.remove_kernel(problem.b);
    BlockVector<double> x;
    const SolveResult   result = solve(problem, C, x);
    CHECK(result.converged && between(result.n_iterations, 5, 16));
    CHECK(relative_residual(problem, x) < 2e-8);
  }

  void
  check_materials()
  {
    for (const double jump : {1., 1e2, 1e4})
      {
        const auto stiffness = [jump](const int x, const int y, const int z) {
          return (x / 3 + y / 3 + z / 3) % 2 == 0 ? 1 : jump;
        };
        for (const int n : {1, 3})
          {
            BlockMatrix<double> A = grid_problem::matrix(box, n, stiffness);
            clamp(A, box);
            CHECK(between(n_iterations(on_grid(box, std::move(A))), 5, 18));
          }
      }
  }

  /** Cells 10 and 100 times as long as wide, in one direction or two: bounds
   * with couplings that are strong by their sign. By their norm, those along
   * the cells count, too, and iterations are many times more. */
  void
  check_stretched_cells()
  {
    for (const double length : {1., 10., 100.})
      for (const int direction : {0, 1, 2})
        {
          Grid grid         = {3, {{14, 7, 7}}, {{1, 1, 1}}};
          grid.h[direction] = length;
          if (direction == 2)
            grid.h[1] = length;
          BlockMatrix<double> A = grid_problem::matrix(grid, 3);
          clamp(A, grid);
          const Problem problem = on_grid(grid, std::move(A));
          Options       options;
          options.strength_measure   = amg::StrengthMeasure::negative_couplings;
          options.strength_threshold = 0.3;
          options.threshold_scale    = 1;
          options.coarse_size_limit  = 500;
          const unsigned int most = length == 1 ? 14 : length == 10 ? 50 : 160;
          CHECK(between(n_iterations(problem, options), 5, most));
          options.strength_measure    = amg::StrengthMeasure::block_norms;
          options.strength_threshold  = 0.05;
          options.threshold_scale     = 0.5;
          const unsigned int by_norms = n_iterations(problem, options);
          CHECK(length == 1 ? between(by_norms, 5, 14) :
                              by_norms == 0 || by_norms > 40);
        }
  }

  void
  check_two_dimensions()
  {
    for (const int n : {1, 2})
      {
        BlockMatrix<double> A = grid_problem::matrix(square, n);
        clamp(A, square);
        const Problem problem = on_grid(square, std::move(A));
        BlockAMG      C;
        initialize(C, problem);
        CHECK_EQUAL(C.record().levels[1].block_size, n == 1 ? 1 : 3);
        BlockVector<double> x;
        const SolveResult   result = solve(problem, C, x);
        CHECK(result.converged && between(result.n_iterations, 6, 14));
        CHECK(relative_residual(problem, x) < 2e-8);
      }
  }

  /** Systems that are small, or whose nodes do not meet. */
  void
  check_direct()
  {
    for (const int n_cells : {1, 2})
      {
        const Grid          grid = {2, {{n_cells, 1, 0}}, {{1, 1, 1}}};
        BlockMatrix<double> A    = grid_problem::matrix(grid, 2);
        clamp(A, grid, 3.);
        CHECK(between(n_iterations(on_grid(grid, std::move(A))), 1, 8));
      }
    // A single node.
    const sparse::IndexLayout  layout(1);
    const sparse::BlockPattern pattern(layout, layout, {0, 1}, {0});
    Problem                    problem;
    problem.A                      = BlockMatrix<double>(pattern, {1, 1});
    problem.A.values_to_write()[0] = 4;
    problem.B                      = amg::constant_modes(layout, 1);
    problem.keys                   = amg::keys_of_numbers(layout);
    problem.b                      = BlockVector<double>(layout, 1);
    problem.b.data()[0]            = 2;
    BlockAMG C;
    initialize(C, problem);
    CHECK_EQUAL(C.record().levels.size(), 1u);
    CHECK_EQUAL(apply(C, problem.b).data()[0], 0.5);
  }
} // namespace



int
main()
{
  check_constraints(LevelPrecision::single_precision);
  check_constraints(LevelPrecision::double_precision);
  check_clamped_nodes();
  check_complement(box, 3, 6);
  check_complement(square, 2, 3);
  check_complement(square, 1, 1);
  check_partial_kernel();
  check_materials();
  check_stretched_cells();
  check_two_dimensions();
  check_direct();
  return check::result();
}
