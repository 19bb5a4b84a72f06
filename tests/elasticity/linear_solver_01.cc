// SPDX-License-Identifier: LGPL-2.1-or-later
// All linear solvers of elasticity find the same displacements, by the same
// iteration and with the same criterion, and say what their set-ups used again.
#include <tessera/amg/near_null_space.h>
#include <tessera/base/exceptions.h>
#include <tessera/dealii/block_matrix_assembly.h>
#include <tessera/dealii/node_blocks.h>
#include <tessera/sparse/matrix_vector.h>

#include <deal.II/base/mpi.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "check.h"
#include "dealii/elastic_bar.h"
#include "elasticity/linear_solver.h"

using namespace tessera;
using namespace tessera::elasticity;
using dealii_adapters::BlockMatrixAssembly;
using dealii_adapters::NodeBlocks;
using elastic_bar::BarOptions;
using elastic_bar::ElasticBar;

namespace
{
  /** A bar in blocks. */
  struct System
  {
    explicit System(const BarOptions &options)
      : bar(options)
      , nodes(bar.mapping, bar.dof_handler, bar.constraints)
      , assembly(nodes, bar.dof_handler, bar.constraints)
      , A(assembly.matrix())
      , b(nodes.vector())
      , modes(amg::rigid_body_modes(nodes.layout(), 3, nodes.coordinates()))
    {
      bar.assemble([&](const auto &cell_matrix,
                       const auto &cell_rhs,
                       const auto &dofs) {
        assembly.distribute_local_to_global(cell_matrix, cell_rhs, dofs, A, b);
      });
    }

    /** $\|b - A x\|$ */
    double
    residual_norm(sparse::BlockVector<double> &x) const
    {
      sparse::MatrixVector<double> products(A);
      sparse::BlockVector<double>  r = nodes.vector();
      products.residual(A, b, x, r);
      return norm(r);
    }

    static double
    norm(const sparse::BlockVector<double> &v)
    {
      double squares = 0.;
      for (std::size_t i = 0; i < v.n_owned_values(); ++i)
        squares += v.data()[i] * v.data()[i];
      return std::sqrt(squares);
    }

    /** $\|x - f y\| / \|f y\|$ */
    static double
    difference(const sparse::BlockVector<double> &x,
               const double                       f,
               const sparse::BlockVector<double> &y)
    {
      double squares = 0.;
      for (std::size_t i = 0; i < x.n_owned_values(); ++i)
        squares += std::pow(x.data()[i] - f * y.data()[i], 2);
      return std::sqrt(squares) / (std::abs(f) * norm(y));
    }

    void
    scale(const double factor)
    {
      double *const values = A.values_to_write();
      for (std::size_t i = 0; i < A.n_values(); ++i)
        values[i] *= factor;
    }

    ElasticBar<3>               bar;
    NodeBlocks<3>               nodes;
    BlockMatrixAssembly<3>      assembly;
    sparse::BlockMatrix<double> A;
    sparse::BlockVector<double> b;
    amg::NearNullSpace          modes;
  };



  const PreconditionerType all_types[] = {PreconditionerType::direct,
                                          PreconditionerType::block_amg,
                                          PreconditionerType::trilinos_ml,
                                          PreconditionerType::jacobi};



  std::unique_ptr<LinearSolver>
  make(const PreconditionerType type, const unsigned int max_iterations = 500)
  {
    LinearSolverOptions options;
    options.preconditioner              = type;
    options.max_iterations              = max_iterations;
    options.block_amg.coarse_size_limit = 100;
    return make_linear_solver(options);
  }



  void
  check_solutions()
  {
    BarOptions options;
    options.hanging_nodes = true;
    options.sliding       = true;
    System                      system(options);
    sparse::BlockVector<double> expected = system.nodes.vector();
    std::vector<unsigned int>   n_iterations;
    for (const PreconditionerType type : all_types)
      {
        const std::unique_ptr<LinearSolver> solver = make(type);
        CHECK_THROWS(InputError,
                     solver->solve(system.b, expected)); // no matrix yet
        CHECK(solver->setup(system.A, system.modes, system.nodes.keys()) ==
              SetupKind::cold);
        CHECK(solver->seconds_of_setup() > 0.);
        CHECK(solver->memory_consumption() > 0);
        CHECK(!solver->description().empty());

        sparse::BlockVector<double> x          = system.nodes.vector();
        unsigned int                n_reported = 0;
        double                      last       = 1.;
        const LinearSolverResult    result =
          solver->solve(system.b, x, [&](const unsigned int n, const double r) {
            CHECK_EQUAL(n, ++n_reported);
            last = r;
          });
        CHECK(result.converged);
        CHECK_EQUAL(result.n_iterations, n_reported);
        CHECK_EQUAL(result.residual_history.size(), result.n_iterations + 1);
        CHECK_NEAR(result.residual_history.front() / System::norm(system.b),
                   1.,
                   1e-14);
        CHECK(last <= 1e-8);
        CHECK(system.residual_norm(x) < 1.001e-8 * System::norm(system.b));
        if (type == PreconditionerType::direct)
          expected = x.copy();
        else
          CHECK(System::difference(x, 1., expected) < 1e-5);
        n_iterations.push_back(result.n_iterations);

        const bool has_hierarchy = type == PreconditionerType::block_amg;
        CHECK_EQUAL(solver->hierarchy() != nullptr, has_hierarchy);
        CHECK_EQUAL(solver->seconds_of_galerkin() > 0., has_hierarchy);

        // Another matrix with the same pattern.
        system.scale(4.);
        const SetupKind kind =
          solver->setup(system.A, system.modes, system.nodes.keys());
        CHECK_EQUAL(name(kind), has_hierarchy ? "hot" : "cold");
        x.set_zero();
        const LinearSolverResult again = solver->solve(system.b, x);
        CHECK(again.converged);
        CHECK_EQUAL(again.n_iterations, result.n_iterations);
        CHECK(System::difference(x, 0.25, expected) < 1e-5);
        system.scale(0.25);

        // Another pattern.
        const System smaller((BarOptions()));
        CHECK(solver->setup(smaller.A, smaller.modes, smaller.nodes.keys()) ==
              SetupKind::cold);
        sparse::BlockVector<double> y = smaller.nodes.vector();
        CHECK(solver->solve(smaller.b, y).converged);
        CHECK(smaller.residual_norm(y) < 1.001e-8 * System::norm(smaller.b));
        CHECK_THROWS(InputError, solver->solve(system.b, x));
      }
    std::cout << "iterations " << n_iterations[1] << ' ' << n_iterations[2]
              << ' ' << n_iterations[3] << std::endl;
    CHECK_EQUAL(n_iterations[0], 1U);
    CHECK(n_iterations[1] <= 16);
    CHECK(n_iterations[2] <= 25);
    CHECK(n_iterations[3] > 4 * n_iterations[1]);
  }



  void
  check_breakdowns()
  {
    System system((BarOptions()));
    for (const PreconditionerType type : all_types)
      if (type != PreconditionerType::direct)
        {
          const auto solver = make(type, 3);
          solver->setup(system.A, system.modes, system.nodes.keys());
          sparse::BlockVector<double> x      = system.nodes.vector();
          const LinearSolverResult    result = solver->solve(system.b, x);
          CHECK(!result.converged);
          CHECK_EQUAL(result.n_iterations, 3U);
        }

    // A matrix that is not definite.
    system.scale(-1.);
    for (const PreconditionerType type :
         {PreconditionerType::block_amg, PreconditionerType::jacobi})
      {
        const auto solver = make(type);
        CHECK_THROWS(SolverBreakdown,
                     solver->setup(system.A,
                                   system.modes,
                                   system.nodes.keys()));
        sparse::BlockVector<double> x = system.nodes.vector();
        CHECK_THROWS(InputError, solver->solve(system.b, x));
      }

    // A singular one.
    double *const values = system.A.values_to_write();
    for (std::int64_t k = 0; k < system.A.pattern().row_begin()[1]; ++k)
      for (int c = 0; c < 3; ++c)
        values[9 * k + c] = 0.;
    const auto direct = make(PreconditionerType::direct);
    CHECK_THROWS(SolverBreakdown,
                 direct->setup(system.A, system.modes, system.nodes.keys()));
  }



  void
  check_names()
  {
    CHECK_EQUAL(name(PreconditionerType::block_amg), "block amg");
    CHECK_EQUAL(name(PreconditionerType::trilinos_ml), "trilinos ml");
    CHECK_EQUAL(name(PreconditionerType::jacobi), "jacobi");
    CHECK_EQUAL(name(PreconditionerType::direct), "direct");
  }
} // namespace



int
main(int argc, char **argv)
{
  const dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  check_solutions();
  check_breakdowns();
  check_names();
  return check::result();
}
