// SPDX-License-Identifier: LGPL-2.1-or-later
// The kernel of a matrix among modes: as many as motions are left, whatever the
// stiffness and the shape of cells; a single support is enough.
#include <tessera/amg/inactive_components.h>
#include <tessera/amg/matrix_kernel.h>
#include <tessera/amg/spectrum.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/matrix_vector.h>

#include <cmath>

#include "amg/amg_problem.h"
#include "check.h"

using namespace tessera;
using amg_problem::Problem;
using grid_problem::constrain;
using grid_problem::Grid;
using sparse::BlockMatrix;
using sparse::BlockVector;

namespace
{
  std::size_t
  kernel_dimension(const Grid &grid, BlockMatrix<double> A)
  {
    Problem problem = amg_problem::on_grid(grid, std::move(A));
    amg::remove_inactive(amg::find_inactive_components(problem.A), problem.B);
    const auto        D = amg::inverse_scalar_diagonal(problem.A);
    const DenseMatrix C = amg::kernel_coefficients(problem.A, D, problem.B);
    CHECK_EQUAL(C.n_rows(), std::size_t(problem.B.n_modes()));

    // An orthonormal basis that the matrix maps to zero.
    const amg::OrthonormalBasis Z(problem.B, C);
    CHECK_EQUAL(Z.vectors().size(), C.n_columns());
    for (const auto &z : Z.vectors())
      for (const auto &y : Z.vectors())
        CHECK_NEAR(amg_problem::dot(z, y), &z == &y ? 1. : 0., 1e-14);
    CHECK(Z.residual(problem.A, D) < 1e-12);

    BlockVector<double> x    = problem.b.copy();
    const double        part = Z.part_of(x);
    CHECK(C.n_columns() == 0 ? part == 0 : part > 1e-4 && part < 1);
    Z.remove_from(x);
    CHECK_NEAR(Z.part_of(x), 0., 1e-15);
    return C.n_columns();
  }

  void
  check_grid(const Grid &grid)
  {
    const int  dim   = grid.dim;
    const auto none  = [](int, int, int) { return 1.; };
    const auto jumps = [](int x, int y, int) {
      return (x + y) % 2 == 0 ? 1. : 1e4;
    };
    const std::size_t n_rotations = dim == 3 ? 3 : 1;
    for (const auto &stiffness : {std::function<double(int, int, int)>(none),
                                  std::function<double(int, int, int)>(jumps)})
      {
        const auto free = [&] {
          return grid_problem::matrix(grid, dim, stiffness);
        };
        CHECK_EQUAL(kernel_dimension(grid, free()), dim + n_rotations);

        // A hinge at a corner, and then supports against rotations.
        BlockMatrix<double> A = free();
        for (int c = 0; c < dim; ++c)
          constrain(A, 0, c, c == 0 ? 1e12 : 1);
        CHECK_EQUAL(kernel_dimension(grid, A.copy()), n_rotations);
        constrain(A, grid.node(grid.n_cells[0], 0), 1);
        if (dim == 2)
          {
            CHECK_EQUAL(kernel_dimension(grid, A.copy()), 0u);
            continue;
          }
        CHECK_EQUAL(kernel_dimension(grid, A.copy()), 2u);
        constrain(A, grid.node(grid.n_cells[0], 0), 2);
        CHECK_EQUAL(kernel_dimension(grid, A.copy()), 1u);
        constrain(A, grid.node(0, grid.n_cells[1]), 2);
        CHECK_EQUAL(kernel_dimension(grid, A.copy()), 0u);
      }

    // Numbers: constants, unless a point is fixed.
    BlockMatrix<double> A = grid_problem::matrix(grid, 1, jumps);
    CHECK_EQUAL(kernel_dimension(grid, A.copy()), 1u);
    constrain(A, grid.node(1, 1), 0);
    CHECK_EQUAL(kernel_dimension(grid, A.copy()), 0u);
  }

  /** Modes that depend on each other in what is active: with all displacements
   * in x fixed, translation in x is none. */
  void
  check_vanishing_modes()
  {
    const Grid          grid = {2, {{4, 3, 0}}, {{1, 1, 1}}};
    BlockMatrix<double> A    = grid_problem::matrix(grid, 2);
    for (int i = 0; i < grid.n_nodes(); ++i)
      constrain(A, i, 0);
    CHECK_EQUAL(kernel_dimension(grid, std::move(A)), 1u);
  }

  void
  check_independence()
  {
    const Grid                grid = {2, {{4, 3, 0}}, {{1, 1, 1}}};
    const sparse::IndexLayout layout(grid.n_nodes());
    CHECK_NEAR(amg::independence(
                 amg::rigid_body_modes(layout, 2, grid.coordinates())),
               1.,
               1e-14);
    amg::NearNullSpace B(layout, 2, 2);
    const std::string  zero = CHECK_THROWS(InputError, amg::independence(B));
    CHECK(zero.find("mode 0 of 2 is zero") != std::string::npos);
    for (int v = 0; v < 2 * grid.n_nodes(); ++v)
      {
        B.data()[2 * v]     = v + 1;
        B.data()[2 * v + 1] = 1e-3 * (v + 1);
      }
    CHECK_NEAR(amg::independence(B), 0., 1e-15);
    B.data()[3]           = NAN;
    const std::string nan = CHECK_THROWS(InputError, amg::independence(B));
    CHECK(nan.find("mode 1 of 2 is not finite") != std::string::npos);
  }
} // namespace



int
main()
{
  check_grid({2, {{12, 5, 0}}, {{1, 1, 1}}});
  check_grid({2, {{12, 5, 0}}, {{100, 1, 1}}});
  check_grid({3, {{5, 4, 3}}, {{1, 1, 1}}});
  check_grid({3, {{5, 4, 3}}, {{1, 0.01, 1}}});
  check_vanishing_modes();
  check_independence();
  return check::result();
}
