// SPDX-License-Identifier: LGPL-2.1-or-later
// The AMG preconditioner from three kinds of matrices: elasticity with clamped,
// sliding and hanging nodes.
#include <tessera/amg/conjugate_gradients.h>
#include <tessera/base/exceptions.h>
#include <tessera/dealii/block_matrix_assembly.h>
#include <tessera/dealii/matrix_in_blocks.h>
#include <tessera/dealii/node_blocks.h>
#include <tessera/dealii/precondition_block_amg.h>

#include <deal.II/base/mpi.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/component_mask.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/solver_control.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_vector.h>

#include <cmath>
#include <functional>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "check.h"
#include "dealii/elastic_bar.h"

using namespace dealii;
using namespace tessera::dealii_adapters;
using elastic_bar::BarOptions;
using elastic_bar::ElasticBar;
using elastic_bar::Numbering;
using tessera::InputError;
namespace amg    = tessera::amg;
namespace sparse = tessera::sparse;

namespace
{
  void
  check_message(const std::string &message, const std::string &why)
  {
    CHECK(message.find(why) != std::string::npos);
    if (message.find(why) == std::string::npos)
      std::cerr << message << std::endl;
  }



  template <int dim>
  BlockAMGData
  data_of(const ElasticBar<dim> &)
  {
    BlockAMGData result;
    result.block_size = dim;
    // More than one level for small problems.
    result.options.coarse_size_limit = 100;
    return result;
  }

  template <int dim>
  BlockAMGData
  data_with_coordinates(const ElasticBar<dim> &problem)
  {
    BlockAMGData result = data_of(problem);
    result.coordinates = node_coordinates(problem.mapping, problem.dof_handler);
    return result;
  }



  struct Solution
  {
    unsigned int        n_iterations;
    std::vector<double> history;
  };



  template <typename Matrix, typename VectorType>
  Solution
  solve(const Matrix               &A,
        const PreconditionBlockAMG &C,
        const VectorType           &b,
        VectorType                 &x)
  {
    ReductionControl control(100, 1e-100, 1e-8);
    control.enable_history_data();
    SolverCG<VectorType> solver(control);
    x = 0.;
    solver.solve(A, x, b, C);
    return {control.last_step(), control.get_history_data()};
  }



  /** The same matrix, with all entries that the sparsity pattern has. */
  void
  copy_to_trilinos(const SparseMatrix<double>     &A,
                   TrilinosWrappers::SparseMatrix &result)
  {
    result.reinit(A.get_sparsity_pattern());
    for (types::global_dof_index i = 0; i < A.m(); ++i)
      for (auto entry = A.begin(i); entry != A.end(i); ++entry)
        result.set(i, entry->column(), entry->value());
    result.compress(VectorOperation::insert);
  }



  /** Solutions by the matrix of deal.II, and the same matrix in other formats,
   * agree to the last digit; by the assembled matrix of blocks without clamped
   * and hanging nodes it is the same function. */
  template <int dim>
  void
  check_kinds_of_matrices(const BarOptions &options, const unsigned int max_its)
  {
    const ElasticBar<dim> problem(options);
    const BlockAMGData    data = data_with_coordinates(problem);

    PreconditionBlockAMG C;
    CHECK_EQUAL(C.m(), 0U);
    C.initialize(problem.A, data);
    CHECK_EQUAL(C.m(), problem.dof_handler.n_dofs());
    CHECK_EQUAL(C.n(), C.m());
    CHECK(C.record().levels.size() > 1);
    Vector<double> x(problem.b.size());
    const Solution expected = solve(problem.A, C, problem.b, x);
    std::cout << "iterations " << expected.n_iterations << std::endl;
    CHECK(expected.n_iterations <= max_its);

    const sparse::BlockMatrix<double> A_in_blocks =
      matrix_in_blocks(problem.A, dim);
    PreconditionBlockAMG C_blocks;
    C_blocks.initialize(A_in_blocks, data);
    CHECK(C_blocks.memory_consumption() < C.memory_consumption());
    CHECK(solve(problem.A, C_blocks, problem.b, x).history == expected.history);

    TrilinosWrappers::SparseMatrix A_trilinos;
    copy_to_trilinos(problem.A, A_trilinos);
    PreconditionBlockAMG C_trilinos;
    C_trilinos.initialize(A_trilinos, data);
    CHECK(solve(problem.A, C_trilinos, problem.b, x).history ==
          expected.history);

    // Products with vectors of all kinds.
    Vector<double>                             z(x.size());
    LinearAlgebra::distributed::Vector<double> r_1(x.size()), z_1(x.size());
    const IndexSet                all = complete_index_set(x.size());
    TrilinosWrappers::MPI::Vector r_2(all, MPI_COMM_SELF),
      z_2(all, MPI_COMM_SELF);
    sparse::BlockVector<double> r_3(A_in_blocks.pattern().rows(), dim),
      z_3(A_in_blocks.pattern().rows(), dim);
    for (types::global_dof_index i = 0; i < x.size(); ++i)
      r_1(i) = r_2(i) = r_3.data()[i] = problem.b(i);
    C.vmult(z, problem.b);
    C.vmult(z_1, r_1);
    C.vmult(z_2, r_2);
    C.vmult(z_3, r_3);
    bool is_equal = true;
    for (types::global_dof_index i = 0; i < x.size(); ++i)
      is_equal =
        is_equal && z_1(i) == z(i) && z_2(i) == z(i) && z_3.data()[i] == z(i);
    CHECK(is_equal);
    C.Tvmult(z_1, r_1);
    for (types::global_dof_index i = 0; i < x.size(); ++i)
      is_equal = is_equal && z_1(i) == z(i);
    CHECK(is_equal);

    // Compressed.
    const NodeBlocks<dim>       nodes(problem.mapping,
                                problem.dof_handler,
                                problem.constraints);
    BlockMatrixAssembly<dim>    assembly(nodes,
                                      problem.dof_handler,
                                      problem.constraints);
    sparse::BlockMatrix<double> A = assembly.matrix();
    sparse::BlockVector<double> b = nodes.vector(), u = nodes.vector();
    problem.assemble(
      [&](const auto &cell_matrix, const auto &cell_rhs, const auto &dofs) {
        assembly.distribute_local_to_global(cell_matrix, cell_rhs, dofs, A, b);
      });
    BlockAMGData compressed_data = data_of(problem);
    compressed_data.coordinates  = nodes.coordinates();
    compressed_data.keys         = nodes.keys();
    C.initialize(A, compressed_data);
    const amg::SolveResult result = amg::solve(
      A, [&](auto &dst, const auto &src) { C.vmult(dst, src); }, b, u);
    CHECK(result.converged);
    CHECK(result.n_iterations <= expected.n_iterations + 2);
    CHECK(result.n_iterations + 2 >= expected.n_iterations);
    nodes.copy(u, problem.constraints, z);
    problem.constraints.distribute(x);
    z -= x;
    CHECK(z.l2_norm() < 1e-6 * x.l2_norm());
  }



  /** Iterations do not depend on what is on the diagonal of constrained
   * rows. */
  void
  check_diagonals()
  {
    BarOptions options;
    options.hanging_nodes = true;
    options.sliding       = true;
    ElasticBar<3>      problem(options);
    const BlockAMGData data = data_with_coordinates(problem);
    for (types::global_dof_index i = 0; i < problem.b.size(); ++i)
      if (problem.constraints.is_constrained(i))
        problem.b(i) = 0.;
    Vector<double>       x(problem.b.size());
    PreconditionBlockAMG C;
    Solution             expected;
    for (const double diagonal : {0., 1., 1e12})
      {
        for (types::global_dof_index i = 0; i < problem.b.size(); ++i)
          if (problem.constraints.is_constrained(i) && diagonal > 0.)
            problem.A.set(i, i, diagonal);
        C.initialize(problem.A, data);
        const Solution solution = solve(problem.A, C, problem.b, x);
        if (diagonal == 0.)
          expected = solution;
        CHECK_EQUAL(solution.n_iterations, expected.n_iterations);
        CHECK(solution.n_iterations <= 16);
      }
  }



  /** Modes and keys in several forms. */
  void
  check_data()
  {
    const ElasticBar<3> problem((BarOptions()));
    Vector<double>      x(problem.b.size());
    BlockAMGData        data = data_with_coordinates(problem);
    data.keys.resize(problem.b.size() / 3);
    std::mt19937_64 generator(3);
    for (std::uint64_t &key : data.keys)
      key = generator();
    PreconditionBlockAMG C;
    C.initialize(problem.A, data);
    const Solution expected = solve(problem.A, C, problem.b, x);

    // The same modes as vectors, in any combination.
    BlockAMGData same = data_of(problem);
    same.keys         = data.keys;
    same.modes        = rigid_body_modes(problem.mapping, problem.dof_handler);
    C.initialize(problem.A, same);
    CHECK_EQUAL(solve(problem.A, C, problem.b, x).n_iterations,
                expected.n_iterations);
    same.modes[0].add(2., same.modes[4]);
    same.modes[5] *= 1e3;
    C.initialize(problem.A, same);
    CHECK_EQUAL(solve(problem.A, C, problem.b, x).n_iterations,
                expected.n_iterations);

    // Constants only: another function, and not as good for bending.
    BlockAMGData constants = data_of(problem);
    constants.keys         = data.keys;
    C.initialize(problem.A, constants);
    const Solution with_constants = solve(problem.A, C, problem.b, x);
    CHECK(with_constants.n_iterations > expected.n_iterations);
    CHECK_EQUAL(C.record().levels[1].block_size, 3);
    DoFTools::extract_constant_modes(problem.dof_handler,
                                     ComponentMask(3, true),
                                     constants.constant_modes);
    C.initialize(problem.A, constants);
    CHECK(solve(problem.A, C, problem.b, x).history == with_constants.history);

    // In symbols: <x, C y> = <C x, y> with levels in double.
    data.options.level_precision = amg::LevelPrecision::double_precision;
    C.initialize(problem.A, data);
    Vector<double> y(x.size()), C_x(x.size()), C_y(x.size());
    std::uniform_real_distribution<double> distribution(-1., 1.);
    for (types::global_dof_index i = 0; i < x.size(); ++i)
      {
        x(i) = distribution(generator);
        y(i) = distribution(generator);
      }
    C.vmult(C_x, x);
    C.vmult(C_y, y);
    CHECK_NEAR((x * C_y) / (C_x * y), 1., 1e-10);
    CHECK(x * C_x > 0.);
  }



  void
  check_update()
  {
    const BarOptions options;
    ElasticBar<2>    problem(options);
    Vector<double>   x(problem.b.size());
    const auto       data = data_with_coordinates(problem);

    TrilinosWrappers::SparseMatrix    A_trilinos;
    const sparse::BlockMatrix<double> A_in_blocks =
      matrix_in_blocks(problem.A, 2);
    copy_to_trilinos(problem.A, A_trilinos);
    PreconditionBlockAMG C, C_trilinos, C_blocks;
    C.initialize(problem.A, data);
    C_trilinos.initialize(A_trilinos, data);
    C_blocks.initialize(A_in_blocks, data);
    CHECK(!C.record().is_update);
    const Solution before = solve(problem.A, C, problem.b, x);

    // Other units: the same history, if it is really the new matrix.
    problem.A *= 4.;
    C.update(problem.A);
    CHECK(C.record().is_update);
    CHECK(solve(problem.A, C, problem.b, x).history == before.history);
    A_trilinos *= 4.;
    C_trilinos.update(A_trilinos);
    CHECK(solve(problem.A, C_trilinos, problem.b, x).history == before.history);
    const sparse::BlockMatrix<double> A_4 = matrix_in_blocks(problem.A, 2);
    Vector<double>                    z(x.size()), z_1(x.size());
    C.vmult(z, problem.b);
    C_blocks.vmult(z_1, problem.b);
    z_1.add(-4., z);
    CHECK(z_1.l2_norm() < 1e-5 * z.l2_norm());

    check_message(CHECK_THROWS(InputError, C.update(A_4)), "another kind");
    CHECK_EQUAL(C.m(), 0U);
    C.initialize(problem.A, data);
    check_message(CHECK_THROWS(InputError, C_blocks.update(problem.A)),
                  "another kind");
    BarOptions other_options;
    other_options.n_cells = 5;
    const ElasticBar<2> larger(other_options);
    check_message(CHECK_THROWS(InputError, C.update(larger.A)),
                  "Call initialize()");
    CHECK_EQUAL(C.m(), 0U);
    C.initialize(problem.A, data);
    DynamicSparsityPattern more_entries(problem.b.size());
    for (types::global_dof_index i = 0; i < problem.b.size(); ++i)
      for (auto entry = problem.A.begin(i); entry != problem.A.end(i); ++entry)
        more_entries.add(i, entry->column());
    more_entries.add(problem.b.size() - 1, 0);
    SparsityPattern pattern;
    pattern.copy_from(more_entries);
    SparseMatrix<double> other(pattern);
    for (types::global_dof_index i = 0; i < problem.b.size(); ++i)
      for (auto entry = problem.A.begin(i); entry != problem.A.end(i); ++entry)
        other.set(i, entry->column(), entry->value());
    C.update(other); // a zero, for which there need not be room
    CHECK(solve(problem.A, C, problem.b, x).history == before.history);
    other.set(problem.b.size() - 1, 0, 1e-3);
    check_message(CHECK_THROWS(InputError, C.update(other)),
                  "where the one before had none");
    CHECK_EQUAL(C.m(), 0U);
    C.initialize(problem.A, data);
    C.clear();
    CHECK_EQUAL(C.m(), 0U);
    check_message(CHECK_THROWS(InputError, C.update(problem.A)),
                  "call initialize() first");
  }



  /** What cannot be a numbering by nodes is refused, and nothing else. */
  template <int dim>
  void
  check_numbering(const BarOptions &by_nodes)
  {
    PreconditionBlockAMG C;
    {
      const ElasticBar<dim> problem(by_nodes);
      C.initialize(problem.A, data_of(problem));
      CHECK_EQUAL(C.m(), problem.b.size());
    }

    BarOptions options = by_nodes;
    options.numbering  = Numbering::by_component;
    const ElasticBar<dim> problem(options);
    BlockAMGData          data = data_of(problem);
    const std::string     message =
      CHECK_THROWS(InputError, C.initialize(problem.A, data));
    check_message(message, "not numbered by nodes");
    check_message(message, "entries in different nodes");
    check_message(message, "DoFRenumbering::support_point_wise");
    if (!options.reaction)
      check_message(message, "component by component");
    CHECK_EQUAL(C.m(), 0U);
    TrilinosWrappers::SparseMatrix A_trilinos;
    copy_to_trilinos(problem.A, A_trilinos);
    check_message(CHECK_THROWS(InputError, C.initialize(A_trilinos, data)),
                  "DoFRenumbering::support_point_wise");
  }



  /** Degrees of freedom of cubic elements as distribute_dofs() numbers them:
   * nodes of an edge are mixed, and have the same neighbours. */
  void
  check_mixed_nodes()
  {
    BarOptions options;
    options.degree    = 3;
    options.numbering = Numbering::by_cells;
    options.n_cells   = 2;
    const ElasticBar<2>  problem(options);
    BlockAMGData         data = data_of(problem);
    PreconditionBlockAMG C;
    DoFTools::extract_constant_modes(problem.dof_handler,
                                     ComponentMask(2, true),
                                     data.constant_modes);
    check_message(CHECK_THROWS(InputError, C.initialize(problem.A, data)),
                  "tells them apart");
  }



  /** Two unknowns a node of which only the sum of constants is in the kernel:
   * numbered by nodes, it is not taken for a numbering by components. */
  void
  check_coupled_laplacians()
  {
    const unsigned int     n = 40;
    DynamicSparsityPattern dynamic_pattern(2 * n);
    for (unsigned int i = 0; i < 2 * n; ++i)
      for (unsigned int j = 0; j < 2 * n; ++j)
        if (std::abs(int(i / 2) - int(j / 2)) < 2)
          dynamic_pattern.add(i, j);
    SparsityPattern pattern;
    pattern.copy_from(dynamic_pattern);
    SparseMatrix<double> A(pattern);
    for (unsigned int i = 0; i < 2 * n; ++i)
      {
        A.add(i, i, 1. + 2.);
        A.add(i, i ^ 1U, -1.);
        if (i >= 2)
          A.add(i, i - 2, -1.);
        if (i + 2 < 2 * n)
          A.add(i, i + 2, -1.);
      }
    BlockAMGData data;
    data.block_size = 2;
    PreconditionBlockAMG C;
    C.initialize(A, data);
    CHECK_EQUAL(C.m(), 2 * n);
  }



  void
  check_errors()
  {
    PreconditionBlockAMG C;
    Vector<double>       r(9), z(9);
    check_message(CHECK_THROWS(InputError, C.vmult(z, r)),
                  "call initialize() first");
    check_message(CHECK_THROWS(InputError, C.record()),
                  "call initialize() first");

    BarOptions options;
    options.n_cells = 8;
    const ElasticBar<2> problem(options);
    const auto refused = [&](const BlockAMGData &data, const std::string &why) {
      check_message(CHECK_THROWS(InputError, C.initialize(problem.A, data)),
                    why);
      CHECK_EQUAL(C.m(), 0U);
    };
    BlockAMGData data = data_of(problem);
    data.block_size   = 7;
    refused(data, "1 to 6 unknowns");
    data.block_size = 4; // 25 * 9 nodes
    refused(data, "no nodes of 4 unknowns");

    data = data_with_coordinates(problem);
    data.coordinates.pop_back();
    refused(data, "has 449 numbers");
    data = data_with_coordinates(problem);
    data.constant_modes.emplace_back(problem.b.size(), true);
    refused(data, "given in 2 ways");
    data = data_with_coordinates(problem);
    std::mt19937 generator(7);
    for (std::size_t i = problem.b.size() / 2 - 1; i > 0; --i)
      {
        const std::size_t j = generator() % (i + 1);
        std::swap(data.coordinates[2 * i], data.coordinates[2 * j]);
        std::swap(data.coordinates[2 * i + 1], data.coordinates[2 * j + 1]);
      }
    refused(data, "are not those of the nodes");
    data             = data_of(problem);
    data.block_size  = 1;
    data.coordinates = node_coordinates(problem.mapping, problem.dof_handler);
    refused(data, "are for elasticity");
    data = data_of(problem);
    data.modes.resize(7, Vector<double>(problem.b.size()));
    refused(data, "has 7 modes");
    data.modes.resize(2, Vector<double>(problem.b.size()));
    data.modes[1].reinit(3);
    refused(data, "modes[1] has 3 entries");
    data = data_of(problem);
    data.constant_modes.resize(2, std::vector<bool>(4));
    refused(data, "constant_modes[0] has 4 entries");
    data = data_of(problem);
    data.keys.resize(5);
    refused(data, "keys has 5 entries");

    C.initialize(problem.A, data_of(problem));
    check_message(CHECK_THROWS(InputError, C.vmult(z, r)), "has 9 entries");
    r.reinit(problem.b.size());
    check_message(CHECK_THROWS(InputError, C.vmult(r, r)), "different");
    std::ostringstream text;
    C.print_hierarchy(text);
    CHECK(text.str() == amg::print_hierarchy(C.record()));
    CHECK(C.memory_consumption() > problem.A.n_nonzero_elements() * 8);

    // A scalar problem: one constant.
    SparseMatrix<double>   laplacian;
    DynamicSparsityPattern dynamic_pattern(50);
    for (unsigned int i = 0; i < 50; ++i)
      for (unsigned int j = i == 0 ? 0 : i - 1; j < 50 && j < i + 2; ++j)
        dynamic_pattern.add(i, j);
    SparsityPattern pattern;
    pattern.copy_from(dynamic_pattern);
    laplacian.reinit(pattern);
    for (unsigned int i = 0; i < 50; ++i)
      for (unsigned int j = i == 0 ? 0 : i - 1; j < 50 && j < i + 2; ++j)
        laplacian.set(i, j, i == j ? 2. : -1.);
    data                           = BlockAMGData();
    data.options.coarse_size_limit = 5;
    C.initialize(laplacian, data);
    Vector<double> b(50), x(50);
    b = 1.;
    CHECK(solve(laplacian, C, b, x).n_iterations < 15);
    for (unsigned int i = 0; i < 50; ++i)
      CHECK_NEAR(x(i), 0.5 * (i + 1) * (50 - i), 1e-4);
  }
} // namespace



int
main(int argc, char **argv)
{
  const Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  BarOptions                             options;
  check_kinds_of_matrices<2>(options, 12);
  options.hanging_nodes = true;
  options.sliding       = true;
  check_kinds_of_matrices<3>(options, 16);
  options.degree  = 2;
  options.n_cells = 2;
  check_kinds_of_matrices<3>(options, 20);

  check_diagonals();
  check_data();
  check_update();

  options         = BarOptions();
  options.sliding = true;
  check_numbering<2>(options);
  check_numbering<3>(options);
  options.hanging_nodes = true;
  check_numbering<3>(options);
  options.reaction = true;
  check_numbering<2>(options);
  options.degree = 2;
  check_numbering<2>(options);
  options.degree = 3;
  check_numbering<2>(options);
  check_mixed_nodes();
  check_coupled_laplacians();
  check_errors();
  return check::result();
}
