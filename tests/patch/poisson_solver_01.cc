// SPDX-License-Identifier: LGPL-2.1-or-later
// Iterates, monitors and decisions of both iterations on several ranks have the
// same bits as in one process, whatever the partition; ghosts are no input, and
// up to date on return. Errors are seen by all ranks.
#include <tessera/base/communication_session.h>
#include <tessera/cellwise/cell_operator.h>
#include <tessera/cellwise/dirichlet_nodes.h>
#include <tessera/cellwise/element_weights.h>
#include <tessera/patch/poisson_solver.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "../cellwise/partitions.h"
#include "keyed_problem.h"

using namespace tessera;
using namespace tessera::patch;
using namespace reference;
using cellwise::BoundaryCondition;
using cellwise::CellGrid;
using cellwise::CellIndex;
using cellwise::DistributedGrid;
using cellwise::DualField;
using cellwise::GridDescription;
using cellwise::power;
using cellwise::PrimalField;

namespace
{
  constexpr auto   D   = BoundaryCondition::dirichlet;
  constexpr auto   N   = BoundaryCondition::neumann;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();

  template <int dim>
  void
  check_solver(const GridDescription<dim> &box,
               const int                   degree,
               const SolverOptions        &options,
               const Communicator         &communicator = Communicator::world())
  {
    const DistributedGrid<dim> whole(box);
    PoissonSolver<dim>         alone(whole, degree, options);
    Problem<dim>               expected(whole.cells(), degree);
    const SolverStatistics     expected_statistics =
      alone.solve(expected.u, expected.b);
    if (options.tolerance >= 1e-12)
      CHECK(expected_statistics.converged);
    CHECK(expected_statistics.n_iterations > 2);

    for (const Partition partition : all_partitions)
      {
        const auto         grid = distribute(partition, box, communicator);
        PoissonSolver<dim> together(grid, degree, options);
        CHECK_EQUAL(together.n_levels(), alone.n_levels());

        // Twice: nothing may be left over.
        for (int repeat = 0; repeat < 2; ++repeat)
          {
            Problem<dim>           problem(grid.cells(), degree);
            unsigned int           n_reports = 0;
            const SolverStatistics statistics =
              together.solve(problem.u,
                             problem.b,
                             [&](const unsigned int n, const double eta) {
                               CHECK_EQUAL(n, n_reports + 1);
                               CHECK(eta > 0.);
                               ++n_reports;
                             });
            // The last monitor may be unknown.
            CHECK(n_reports == statistics.n_iterations ||
                  n_reports + 1 == statistics.n_iterations);
            compare(statistics, expected_statistics);
            compare(grid.cells(), problem.u, whole.cells(), expected.u);
          }
      }
  }

  template <int dim>
  void
  check_iterations(const GridDescription<dim> &box, const int degree)
  {
    check_solver(box, degree, options_of(Iteration::stationary, 1, 1));
    check_solver(box, degree, options_of(Iteration::cg, 1, 1));
    check_solver(box, degree, options_of(Iteration::cg, 3, 50));
  }

  /** With a reaction term; also where nothing else makes it definite. The
   * solution is known. */
  template <int dim>
  void
  check_reaction(const GridDescription<dim> &box,
                 const int                   degree,
                 const double                reaction)
  {
    for (const Iteration iteration : {Iteration::stationary, Iteration::cg})
      {
        SolverOptions options      = options_of(iteration, 1, 1);
        options.multigrid.reaction = reaction;
        check_solver(box, degree, options);

        const CellGrid<dim>               grid(box);
        const cellwise::ReferenceCell     cell(degree);
        const cellwise::CellOperator<dim> A(
          cell, cellwise::element_weights(grid, reaction));
        Problem<dim>               problem(grid, degree);
        const PrimalField<double> &solution = problem.u;
        A.vmult(problem.b, solution);
        // The start iterate has the Dirichlet values.
        DualField<double> inside(grid.n_local(), solution.n_nodes());
        for (CellIndex c = 0; c < grid.n_local(); ++c)
          for (int k = 0; k < solution.n_nodes(); ++k)
            inside(c, k) = solution(c, k);
        cellwise::DirichletNodes<dim>(grid, degree).set_zero(inside);
        PrimalField<double> u(grid.n_local(), solution.n_nodes());
        for (CellIndex c = 0; c < grid.n_local(); ++c)
          for (int k = 0; k < solution.n_nodes(); ++k)
            u(c, k) = solution(c, k) - inside(c, k);
        options.tolerance = 1e-11;
        PoissonSolver<dim> solver(DistributedGrid<dim>(box), degree, options);
        CHECK(solver.solve(u, problem.b).converged);
        double error = 0.;
        for (CellIndex c = 0; c < grid.n_local(); ++c)
          for (int k = 0; k < solution.n_nodes(); ++k)
            error = std::fmax(error, std::abs(u(c, k) - solution(c, k)));
        CHECK(error < 1e-9);
      }
  }

  /** What ends iterations otherwise. */
  template <int dim>
  void
  check_ends(const GridDescription<dim> &box, const int degree)
  {
    for (const Iteration iteration : {Iteration::stationary, Iteration::cg})
      {
        SolverOptions options    = options_of(iteration, 2, 1);
        options.fixed_iterations = 4;
        check_solver(box, degree, options);
        options.level_precision  = LevelPrecision::double_precision;
        options.fixed_iterations = 0;
        options.rebalance_every  = 0;
        check_solver(box, degree, options);
        // To where rounding decides, and beyond.
        options           = options_of(iteration, 1, 1);
        options.tolerance = 1e-17;
        check_solver(box, degree, options);
      }
  }

  /** Ghosts that share no vertex with an owned cell are up to date on return,
   * too. */
  void
  check_additional_ghosts(const GridDescription<2> &box, const int degree)
  {
    const Communicator         world = Communicator::world();
    const DistributedGrid<2>   whole(box);
    std::vector<std::uint64_t> all(whole.cells().n_global());
    std::iota(all.begin(), all.end(), std::uint64_t(0));
    const DistributedGrid<2> grid(
      world,
      box,
      keys_of_rank<2>(Partition::curve, box, world.rank(), world.n_ranks()),
      all);
    CHECK_EQUAL(grid.cells().n_local(), whole.cells().n_local());
    for (const Iteration iteration : {Iteration::stationary, Iteration::cg})
      {
        const SolverOptions options = options_of(iteration, 1, 1);
        PoissonSolver<2>    alone(whole, degree, options);
        PoissonSolver<2>    together(grid, degree, options);
        Problem<2>          expected(whole.cells(), degree);
        Problem<2>          problem(grid.cells(), degree);
        alone.solve(expected.u, expected.b);
        together.solve(problem.u, problem.b);
        compare(grid.cells(), problem.u, whole.cells(), expected.u);
      }
  }

  /** Two groups of ranks solve problems of their own at the same time; in each
   * the order of the ranks is reversed. */
  void
  check_groups(const GridDescription<2> &box, const GridDescription<2> &other)
  {
    const Communicator world = Communicator::world();
    const unsigned int group = world.rank() % 2;
    check_solver(group == 0 ? box : other,
                 2,
                 options_of(Iteration::cg, 1, 1),
                 world.split(group, -int(world.rank())));
  }

  /** Whatever is wrong on one rank is an error on all. */
  void
  check_errors(const GridDescription<2> &box)
  {
    const Communicator world = Communicator::world();
    for (const Iteration iteration : {Iteration::stationary, Iteration::cg})
      for (const Partition partition : all_partitions)
        for (const bool at_vertex : {false, true})
          {
            const auto       grid = distribute(partition, box, world);
            PoissonSolver<2> solver(grid, 2, options_of(iteration, 1, 1));
            Problem<2>       problem(grid.cells(), 2);
            const CellIndex  c = grid.cells().find({{3, 4}});
            if (c != cellwise::no_cell && c < grid.cells().n_owned())
              problem.b(c, at_vertex ? 8 : 4) = nan;
            const std::string message =
              CHECK_THROWS(SolverBreakdown, solver.solve(problem.u, problem.b));
            CHECK(message.find("iteration 0") != std::string::npos);
          }

    GridDescription<2> free = box;
    free.boundary           = {{{{N, N}}, {{N, N}}}};
    const auto free_grid    = distribute(Partition::holes, free, world);
    CHECK_THROWS(InputError,
                 PoissonSolver<2>(free_grid,
                                  2,
                                  options_of(Iteration::stationary, 1, 1)));
    SolverOptions negative      = options_of(Iteration::stationary, 1, 1);
    negative.multigrid.reaction = -1.;
    CHECK_THROWS(InputError, PoissonSolver<2>(free_grid, 2, negative));
    SolverOptions unsymmetric            = options_of(Iteration::cg, 1, 1);
    unsymmetric.multigrid.post_smoothing = PostSmoothing::forward;
    const auto grid = distribute(Partition::holes, box, world);
    CHECK_THROWS(InputError, PoissonSolver<2>(grid, 2, unsymmetric));
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);

  const std::array<double, 2> h2 = {{0.5, 0.4}};
  const std::array<double, 3> h3 = {{0.5, 0.4, 0.6}};
  const GridDescription<2>    plane{{{16, 12}}, h2, {{{{D, D}}, {{D, D}}}}};
  const GridDescription<2>    strip{{{24, 8}}, h2, {{{{N, D}}, {{D, N}}}}};
  check_iterations<2>(plane, 2);
  check_iterations<2>(strip, 1);
  check_iterations<2>({{{10, 14}}, h2, {{{{D, D}}, {{N, N}}}}}, 5);
  check_iterations<3>({{{8, 8, 8}}, h3, {{{{D, D}}, {{D, D}}, {{D, D}}}}}, 3);
  check_iterations<3>({{{12, 4, 6}}, h3, {{{{D, N}}, {{N, D}}, {{N, N}}}}}, 2);
  check_iterations<3>({{{6, 10, 4}}, h3, {{{{N, D}}, {{D, D}}, {{D, D}}}}}, 4);
  check_reaction<2>(plane, 2, 30.);
  check_reaction<2>({{{8, 12}}, h2, {{{{N, N}}, {{N, N}}}}}, 3, 0.01);
  check_reaction<3>({{{4, 4, 6}}, h3, {{{{N, D}}, {{D, D}}, {{N, N}}}}}, 2, 5.);
  check_ends<2>(plane, 3);
  check_groups(plane, strip);
  check_additional_ghosts(plane, 2);
  check_errors(plane);
  return check::result();
}
