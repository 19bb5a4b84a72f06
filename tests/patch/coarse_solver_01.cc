// SPDX-License-Identifier: LGPL-2.1-or-later
// Fast diagonalization of whole box grids, against dense matrices.
#include <tessera/patch/coarse_solver.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "assembled_problem.h"
#include "check.h"

using namespace tessera;
using namespace tessera::patch;
using namespace reference;

namespace
{
  constexpr auto D = BoundaryCondition::dirichlet;
  constexpr auto N = BoundaryCondition::neumann;

  template <int dim, typename Number>
  void
  check_solution(const GridDescription<dim> &box,
                 const int                   degree,
                 const double                reaction = 0.)
  {
    const ReferenceCell          cell(degree);
    const AssembledProblem<dim>  problem(box, cell, reaction);
    const CoarseSolver<dim>      solver(problem.grid,
                                   cell,
                                   {problem.grid.stiffness_weights(),
                                         problem.mass_weight});
    Random                       random(19);
    const int                    n = power(cell.n_nodes, dim);
    const DualModalField<Number> b = to_modal<dim, Number>(
      random.vector(std::size_t(problem.grid.n_local()) * n), cell);
    Primal<Number> u(problem.grid.n_local(), n);
    std::fill(u.data(),
              u.data() + u.size(),
              std::numeric_limits<Number>::quiet_NaN());
    solver.solve(u, b);

    CHECK(problem.is_continuous(u));
    const Vector found = problem.values(u);
    for (int i = 0; i < problem.n_nodes; ++i)
      if (problem.is_dirichlet(i))
        CHECK_EQUAL(found[i], 0.);
    const Vector expected =
      Cholesky(problem.matrix(problem.free_nodes))
        .solve(entries(problem.assemble(b), problem.free_nodes));
    CHECK(relative_error(entries(found, problem.free_nodes), expected) <
          (sizeof(Number) == 4 ? 1e-7 : 1e-12));
  }

  /** What is constant in a direction between Neumann ends does not depend on
   * the size of the box there, however thin it is. */
  void
  check_thin_box()
  {
    constexpr int       q = 4, n_x = 3;
    const ReferenceCell cell(q - 1);
    const CellGrid<2>   grid(
      GridDescription<2>{{{n_x, 4}}, {{1., 1.}}, {{{{D, D}}, {{N, N}}}}});
    Random                 random(23);
    const Vector           load = random.vector(n_x * q);
    DualModalField<double> b(grid.n_local(), q * q);
    for (CellIndex c = 0; c < grid.n_local(); ++c)
      for (int k = 0; k < q; ++k) // of the first mode in y, the constant
        b(c, k) = load[grid.coordinates(c)[0] * q + k];

    const auto solve = [&](const std::array<double, 2> &weights) {
      Primal<double> u(grid.n_local(), q * q);
      CoarseSolver<2>(grid, cell, weights).solve(u, b);
      Vector values;
      for (CellIndex c = 0; c < grid.n_local(); ++c)
        for (int k = 0; k < q * q; ++k)
          values.push_back(u(c, k));
      return values;
    };
    const Vector expected = solve({{1., 1.}});
    Vector       found    = solve({{1e-14, 1.}});
    for (double &x : found)
      x *= 1e-14;
    CHECK(relative_error(found, expected) < 1e-12);
  }

  /** The limit is one of unknowns, not of cells. */
  void
  check_size()
  {
    const auto solver = [](const int n_cells, const BoundaryCondition end) {
      const CellGrid<2> grid(GridDescription<2>{{{2, n_cells}},
                                                {{1., 1.}},
                                                {{{{D, D}}, {{D, end}}}}});
      return CoarseSolver<2>(grid, ReferenceCell(4), {{1., 1.}});
    };
    CHECK_EQUAL(CoarseSolver<2>::max_unknowns, 400);
    CHECK(solver(100, N).memory_consumption() >= 2 * 400 * 400 * 8);
    const std::string message = CHECK_THROWS(InputError, solver(101, N));
    for (const char *part : {"101 cells",
                             "degree 4",
                             "direction y",
                             "404",
                             "400",
                             "more than two"})
      CHECK(message.find(part) != std::string::npos);
    CHECK_THROWS(InputError, solver(101, D));
  }
} // namespace

int
main()
{
  const std::array<std::array<BoundaryCondition, 2>, 2> neumann2 = {
    {{{N, N}}, {{N, N}}}};
  const std::array<std::array<BoundaryCondition, 2>, 3> neumann3 = {
    {{{N, N}}, {{N, N}}, {{N, N}}}};
  const std::array<double, 2>           h2     = {{0.5, 0.4}};
  const std::vector<GridDescription<2>> boxes2 = {
    {{{3, 5}}, h2, {{{{D, D}}, {{D, D}}}}},
    {{{4, 1}}, h2, {{{{N, D}}, {{N, N}}}}},
    {{{1, 3}}, h2, {{{{N, N}}, {{N, D}}}}},
    {{{2, 3}}, h2, {{{{D, N}}, {{D, D}}}}}};
  const std::array<double, 3>           h3     = {{0.5, 0.4, 0.65}};
  const std::vector<GridDescription<3>> boxes3 = {
    {{{3, 2, 5}}, h3, {{{{D, D}}, {{D, D}}, {{D, D}}}}},
    {{{3, 2, 5}}, h3, {{{{D, N}}, {{N, N}}, {{N, D}}}}},
    {{{2, 4, 2}}, h3, {{{{N, N}}, {{D, D}}, {{D, N}}}}}};

  for (int degree = cellwise::min_degree; degree <= cellwise::max_degree;
       ++degree)
    {
      for (const auto &box : boxes2)
        {
          check_solution<2, float>(box, degree);
          check_solution<2, double>(box, degree);
        }
      if (degree <= 2)
        for (const auto &box : boxes3)
          {
            check_solution<3, float>(box, degree);
            check_solution<3, double>(box, degree);
          }
      // Degree 1 has no unknowns inside of a cell.
      if (degree > 1)
        check_solution<3, double>(
          {{{2, 1, 1}}, h3, {{{{N, D}}, {{D, D}}, {{D, D}}}}}, degree);
    }

  // With a reaction term also between Neumann ends only.
  for (const double reaction : {1e-2, 30., 1e5})
    {
      check_solution<2, float>({{{3, 2}}, h2, neumann2}, 3, reaction);
      check_solution<2, double>({{{3, 2}}, h2, {{{{D, N}}, {{D, D}}}}},
                                4,
                                reaction);
      check_solution<3, double>({{{2, 3, 2}}, h3, neumann3}, 2, reaction);
    }
  check_thin_box();
  check_size();
  return check::result();
}
