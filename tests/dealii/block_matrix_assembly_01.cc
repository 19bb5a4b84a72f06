// SPDX-License-Identifier: LGPL-2.1-or-later
// Nodes of vector-valued elements, and assembly of matrices of blocks under
// constraints against deal.II's own, on meshes with hanging nodes.
#include <tessera/base/exceptions.h>
#include <tessera/dealii/block_matrix_assembly.h>
#include <tessera/dealii/node_blocks.h>

#include <deal.II/base/function.h>
#include <deal.II/base/mpi.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/component_mask.h>
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/numerics/vector_tools.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check.h"

using namespace dealii;
using namespace tessera::dealii_adapters;
using tessera::InputError;
namespace sparse = tessera::sparse;

namespace
{
  std::mt19937 generator(5);

  double
  random_number()
  {
    return std::uniform_real_distribution<double>(-1., 1.)(generator);
  }



  void
  check_message(const std::string &message, const std::string &why)
  {
    CHECK(message.find(why) != std::string::npos);
    if (message.find(why) == std::string::npos)
      std::cerr << message << std::endl;
  }



  enum class Numbering
  {
    by_cells,
    random,
    component_wise
  };



  /** A mesh of a box with random refinement, and all kinds of constraints: a
   * clamped face with values, single components on another one, hanging nodes,
   * and an inner node at which one component depends on another. */
  template <int dim>
  struct Problem
  {
    Problem(const unsigned int degree,
            const unsigned int b,
            const Numbering    numbering)
      : fe(FE_Q<dim>(degree), b)
      , dof_handler(triangulation)
    {
      GridGenerator::hyper_cube(triangulation, 0., 1., /*colours:*/ true);
      triangulation.refine_global(dim == 2 ? 2 : 1);
      for (const auto &cell : triangulation.active_cell_iterators())
        if (random_number() > 0.2)
          cell->set_refine_flag();
      triangulation.execute_coarsening_and_refinement();
      dof_handler.distribute_dofs(fe);
      if (numbering == Numbering::random)
        DoFRenumbering::random(dof_handler);
      else if (numbering == Numbering::component_wise)
        DoFRenumbering::component_wise(dof_handler);
      constraints = make_constraints(1.);
    }

    AffineConstraints<double>
    make_constraints(const double factor) const
    {
      AffineConstraints<double> result;
      VectorTools::interpolate_boundary_values(
        dof_handler,
        0,
        Functions::ConstantFunction<dim>(0.5 * factor, fe.n_components()),
        result);
      ComponentMask first(fe.n_components(), false);
      first.set(0, true);
      VectorTools::interpolate_boundary_values(
        dof_handler,
        3,
        Functions::ConstantFunction<dim>(-0.25 * factor, fe.n_components()),
        result,
        first);
      DoFTools::make_hanging_node_constraints(dof_handler, result);
      if (fe.n_components() > 1)
        {
          // The last component of an unconstrained vertex, of which no other
          // constraint speaks.
          std::set<types::global_dof_index> masters;
          for (const auto &line : result.get_lines())
            for (const auto &entry : line.entries)
              masters.insert(entry.first);
          for (const auto &cell : dof_handler.active_cell_iterators())
            {
              const types::global_dof_index i = cell->vertex_dof_index(0, 0),
                                            j = cell->vertex_dof_index(
                                              0, fe.n_components() - 1);
              if (!result.is_constrained(i) && !result.is_constrained(j) &&
                  masters.count(j) == 0)
                {
                  result.add_line(j);
                  result.add_entry(j, i, 0.7);
                  result.set_inhomogeneity(j, 0.125 * factor);
                  break;
                }
            }
        }
      result.close();
      return result;
    }

    Triangulation<dim>        triangulation;
    FESystem<dim>             fe;
    DoFHandler<dim>           dof_handler;
    MappingQ1<dim>            mapping;
    AffineConstraints<double> constraints;
  };



  template <int dim>
  void
  check_nodes(const Problem<dim> &problem, const NodeBlocks<dim> &nodes)
  {
    const auto        &dof_handler = problem.dof_handler;
    const unsigned int b           = problem.fe.n_components();
    CHECK_EQUAL(nodes.block_size(), int(b));
    CHECK_EQUAL(nodes.n_dofs(), dof_handler.n_dofs());

    std::vector<Point<dim>> points(dof_handler.n_dofs());
    DoFTools::map_dofs_to_support_points(problem.mapping, dof_handler, points);

    // Every free degree of freedom has an entry, where its component and point
    // are; the nodes without entries are those that have no free ones.
    const std::size_t n_rows        = nodes.layout().n_owned();
    std::size_t       n_entries     = 0;
    std::uint64_t     n_constrained = 0;
    for (unsigned int c = 0; c < b; ++c)
      {
        ComponentMask mask(b, false);
        mask.set(c, true);
        for (const types::global_dof_index dof :
             DoFTools::extract_dofs(dof_handler, mask))
          {
            const std::int64_t entry = nodes.entry_of_dof(dof);
            const bool is_free       = !problem.constraints.is_constrained(dof);
            CHECK(entry >= 0 || !is_free);
            if (entry < 0)
              continue;
            ++n_entries;
            CHECK_EQUAL(nodes.dof_of_entry(entry), dof);
            CHECK_EQUAL(nodes.is_constrained(entry), !is_free);
            n_constrained += !is_free;
            CHECK_EQUAL(unsigned(entry % b), c);
            for (unsigned int d = 0; d < dim; ++d)
              CHECK_NEAR(nodes.coordinates()[entry / b * dim + d],
                         points[dof][d],
                         1e-14);
          }
      }
    CHECK_EQUAL(n_entries, n_rows * b);
    CHECK_EQUAL(nodes.n_constrained_components(), n_constrained);
    for (std::size_t node = 0; node < n_rows; ++node)
      {
        bool has_free = false;
        for (unsigned int c = 0; c < b; ++c)
          has_free = has_free || !nodes.is_constrained(node * b + c);
        CHECK(has_free);
      }
    CHECK_EQUAL(
      std::set<std::uint64_t>(nodes.keys().begin(), nodes.keys().end()).size(),
      n_rows);
  }



  template <int dim, typename VectorType>
  void
  check_copies(const Problem<dim> &problem, const NodeBlocks<dim> &nodes)
  {
    sparse::BlockVector<double> x = nodes.vector();
    for (std::size_t i = 0; i < x.n_owned_values(); ++i)
      x.data()[i] = nodes.is_constrained(i) ? 1e10 : random_number();
    VectorType u(problem.dof_handler.n_dofs());
    std::fill(u.begin(), u.end(), std::numeric_limits<double>::quiet_NaN());
    nodes.copy(x, problem.constraints, u);
    for (types::global_dof_index dof = 0; dof < u.size(); ++dof)
      if (!problem.constraints.is_constrained(dof))
        CHECK_EQUAL(u(dof), x.data()[nodes.entry_of_dof(dof)]);
      else
        {
          double value = problem.constraints.get_inhomogeneity(dof);
          for (const auto &[other, weight] :
               *problem.constraints.get_constraint_entries(dof))
            value += weight * u(other);
          CHECK_NEAR(u(dof), value, 1e-14);
        }
    sparse::BlockVector<double> y = nodes.vector();
    for (std::size_t i = 0; i < y.n_owned_values(); ++i)
      y.data()[i] = std::numeric_limits<double>::quiet_NaN();
    nodes.copy(u, y);
    for (std::size_t i = 0; i < y.n_owned_values(); ++i)
      CHECK_EQUAL(y.data()[i], nodes.is_constrained(i) ? 0. : x.data()[i]);

    VectorType other(problem.dof_handler.n_dofs() + 1);
    check_message(CHECK_THROWS(InputError, nodes.copy(other, y)), "n_dofs()");
    sparse::BlockVector<double> scalar(nodes.layout(), nodes.block_size() + 1);
    check_message(CHECK_THROWS(InputError, nodes.copy(u, scalar)), "blocks");
  }



  /** $\|A - B\|_F / \|B\|_F$ for a matrix of blocks and one of deal.II, over
   * rows of nodes that are block rows. */
  template <int dim>
  double
  difference(const NodeBlocks<dim>             &nodes,
             const sparse::BlockMatrix<double> &A,
             const SparseMatrix<double>        &B)
  {
    const int b       = nodes.block_size();
    double    squares = 0., squares_of_b = 0.;
    for (int i = 0; i < A.pattern().n_rows(); ++i)
      for (int r = 0; r < b; ++r)
        {
          std::map<types::global_dof_index, double> row;
          const auto dof = nodes.dof_of_entry(std::int64_t(i) * b + r);
          for (auto entry = B.begin(dof); entry != B.end(dof); ++entry)
            {
              row[entry->column()] -= entry->value();
              squares_of_b += std::pow(entry->value(), 2);
            }
          for (std::int64_t k = A.pattern().row_begin()[i];
               k < A.pattern().row_begin()[i + 1];
               ++k)
            for (int c = 0; c < b; ++c)
              row[nodes.dof_of_entry(
                std::int64_t(A.pattern().column_indices()[k]) * b + c)] +=
                A.block(k)[r * b + c];
          for (const auto &entry : row)
            squares += std::pow(entry.second, 2);
        }
    return std::sqrt(squares / squares_of_b);
  }



  template <int dim>
  double
  difference(const NodeBlocks<dim>             &nodes,
             const sparse::BlockVector<double> &a,
             const Vector<double>              &b)
  {
    double squares = 0., squares_of_b = 0.;
    for (std::size_t i = 0; i < a.n_owned_values(); ++i)
      {
        squares += std::pow(a.data()[i] - b(nodes.dof_of_entry(i)), 2);
        squares_of_b += std::pow(b(nodes.dof_of_entry(i)), 2);
      }
    return std::sqrt(squares / squares_of_b);
  }



  template <int dim>
  void
  check_assembly(const Problem<dim> &problem, const NodeBlocks<dim> &nodes)
  {
    const auto               &dof_handler = problem.dof_handler;
    const unsigned int        n           = problem.fe.n_dofs_per_cell();
    FullMatrix<double>        cell_matrix(n, n);
    Vector<double>            cell_rhs(n);
    AffineConstraints<double> constraints;
    constraints.copy_from(problem.constraints);

    DynamicSparsityPattern dynamic_pattern(dof_handler.n_dofs());
    DoFTools::make_sparsity_pattern(dof_handler,
                                    dynamic_pattern,
                                    constraints,
                                    /* keep constrained: */ false);
    SparsityPattern sparsity;
    sparsity.copy_from(dynamic_pattern);
    SparseMatrix<double> expected_A(sparsity);
    Vector<double>       expected_b(dof_handler.n_dofs());
    Vector<double>       expected_homogeneous_b(dof_handler.n_dofs());

    BlockMatrixAssembly<dim>    assembly(nodes, dof_handler, constraints);
    sparse::BlockMatrix<double> A             = assembly.matrix();
    sparse::BlockMatrix<double> only_A        = assembly.matrix();
    sparse::BlockVector<double> b             = nodes.vector();
    sparse::BlockVector<double> homogeneous_b = nodes.vector();

    // Twice, the second time with other values and inhomogeneities.
    for (const double factor : {1., -3.})
      {
        constraints.copy_from(problem.make_constraints(factor));
        assembly.set_inhomogeneities(constraints);
        expected_A             = 0.;
        expected_b             = 0.;
        expected_homogeneous_b = 0.;
        A.set_zero();
        only_A.set_zero();
        b.set_zero();
        homogeneous_b.set_zero();
        std::vector<types::global_dof_index> dofs(n);
        for (const auto &cell : dof_handler.active_cell_iterators())
          {
            for (unsigned int i = 0; i < n; ++i)
              {
                cell_rhs(i) = random_number();
                for (unsigned int j = 0; j < n; ++j)
                  cell_matrix(i, j) = random_number();
              }
            // Where the first component of a vertex at the upper end is
            // constrained, this becomes the mean.
            const unsigned int vertex   = 2 * nodes.block_size();
            cell_matrix(vertex, vertex) = 0.;
            cell->get_dof_indices(dofs);
            constraints.distribute_local_to_global(
              cell_matrix, cell_rhs, dofs, expected_A, expected_b);
            constraints.distribute_local_to_global(cell_rhs,
                                                   dofs,
                                                   expected_homogeneous_b);
            assembly.distribute_local_to_global(
              cell_matrix, cell_rhs, dofs, A, b);
            assembly.distribute_local_to_global(cell_matrix, dofs, only_A);
            assembly.distribute_local_to_global(cell_rhs, dofs, homogeneous_b);
          }
        CHECK(difference(nodes, A, expected_A) < 1e-14);
        CHECK(difference(nodes, b, expected_b) < 1e-14);
        CHECK(difference(nodes, homogeneous_b, expected_homogeneous_b) < 1e-14);
        CHECK(
          std::equal(A.values(), A.values() + A.n_values(), only_A.values()));
      }
    if (nodes.block_size() == 1)
      {
        // No more blocks than needed.
        std::size_t n_expected = 0;
        for (int i = 0; i < A.pattern().n_rows(); ++i)
          n_expected += sparsity.row_length(nodes.dof_of_entry(i));
        CHECK_EQUAL(A.pattern().n_blocks(), n_expected);
      }

    sparse::BlockMatrix<double> other(assembly.pattern(),
                                      {nodes.block_size(),
                                       nodes.block_size() + 1});
    cell_matrix = 0.;
    std::vector<types::global_dof_index> dofs(n);
    dof_handler.begin_active()->get_dof_indices(dofs);
    check_message(CHECK_THROWS(InputError,
                               assembly.distribute_local_to_global(cell_matrix,
                                                                   dofs,
                                                                   other)),
                  "matrix()");
    // Degrees of freedom of several cells.
    for (unsigned int i = 0; i < n; ++i)
      dofs[i] = i * (dof_handler.n_dofs() - 1) / (n - 1);
    check_message(
      CHECK_THROWS(InputError,
                   assembly.distribute_local_to_global(cell_matrix, dofs, A)),
      "get_dof_indices()");
    AffineConstraints<double> none;
    none.close();
    check_message(CHECK_THROWS(InputError, assembly.set_inhomogeneities(none)),
                  "differs");
    check_message(
      CHECK_THROWS(InputError,
                   BlockMatrixAssembly<dim>(nodes, dof_handler, none)),
      "Make the nodes again");
  }



  /** The keys of nodes by their places. */
  template <int dim>
  std::map<std::array<double, dim>, std::uint64_t>
  keys_by_point(const NodeBlocks<dim> &nodes)
  {
    std::map<std::array<double, dim>, std::uint64_t> result;
    for (std::size_t i = 0; i < nodes.keys().size(); ++i)
      {
        std::array<double, dim> point;
        for (unsigned int d = 0; d < dim; ++d)
          point[d] = std::round(nodes.coordinates()[i * dim + d] * 1e6);
        result[point] = nodes.keys()[i];
      }
    return result;
  }



  template <int dim>
  void
  check_problem(const unsigned int degree,
                const unsigned int b,
                const Numbering    numbering)
  {
    Problem<dim>          problem(degree, b, numbering);
    const NodeBlocks<dim> nodes(problem.mapping,
                                problem.dof_handler,
                                problem.constraints);
    check_nodes(problem, nodes);
    check_copies<dim, Vector<double>>(problem, nodes);
    check_copies<dim, LinearAlgebra::distributed::Vector<double>>(problem,
                                                                  nodes);
    check_assembly(problem, nodes);

    DoFRenumbering::random(problem.dof_handler);
    problem.constraints = problem.make_constraints(1.);
    const NodeBlocks<dim> shuffled(problem.mapping,
                                   problem.dof_handler,
                                   problem.constraints);
    CHECK(keys_by_point(nodes) == keys_by_point(shuffled));
  }



  /** Displacements of a small rotation and the rest are combinations of the
   * modes; and these are orthonormal. */
  template <int dim>
  void
  check_rigid_body_modes()
  {
    const Problem<dim>                problem(2, dim, Numbering::random);
    const std::vector<Vector<double>> modes =
      rigid_body_modes(problem.mapping, problem.dof_handler);
    CHECK_EQUAL(modes.size(), std::size_t(dim == 2 ? 3 : 6));
    for (std::size_t i = 0; i < modes.size(); ++i)
      for (std::size_t j = 0; j < modes.size(); ++j)
        CHECK_NEAR(modes[i] * modes[j], i == j ? 1. : 0., 1e-13);

    std::vector<Point<dim>> points(problem.dof_handler.n_dofs());
    DoFTools::map_dofs_to_support_points(problem.mapping,
                                         problem.dof_handler,
                                         points);
    Vector<double> u(problem.dof_handler.n_dofs());
    for (unsigned int c = 0; c < dim; ++c)
      {
        ComponentMask mask(dim, false);
        mask.set(c, true);
        for (const auto dof : DoFTools::extract_dofs(problem.dof_handler, mask))
          u(dof) = 0.5 + c + (c == 0 ? -points[dof][1] : 0.) +
                   (c == 1 ? points[dof][0] : 0.);
      }
    Vector<double> rest = u;
    for (const Vector<double> &mode : modes)
      rest.add(-(mode * u), mode);
    CHECK(rest.l2_norm() < 1e-13 * u.l2_norm());
  }



  template <int dim>
  void
  check_refused(const FiniteElement<dim> &fe, const std::string &why)
  {
    Triangulation<dim> triangulation;
    GridGenerator::hyper_cube(triangulation);
    DoFHandler<dim> dof_handler(triangulation);
    dof_handler.distribute_dofs(fe);
    AffineConstraints<double> constraints;
    constraints.close();
    check_message(
      CHECK_THROWS(InputError,
                   NodeBlocks<dim>(MappingQ1<dim>(), dof_handler, constraints)),
      why);
    check_message(CHECK_THROWS(InputError,
                               rigid_body_modes(MappingQ1<dim>(), dof_handler)),
                  why);
  }



  void
  check_errors()
  {
    check_refused<2>(FESystem<2>(FE_Q<2>(2), 2, FE_Q<2>(1), 1),
                     "the element is FESystem");
    check_refused<2>(FE_DGQ<2>(2), "the element is FE_DGQ");
    check_refused<3>(FESystem<3>(FE_Q<3>(1), 7), "1 to 6");

    Triangulation<2> triangulation;
    GridGenerator::hyper_cube(triangulation);
    DoFHandler<2>             dof_handler(triangulation);
    AffineConstraints<double> constraints;
    const MappingQ1<2>        mapping;
    check_message(
      CHECK_THROWS(InputError,
                   NodeBlocks<2>(mapping, dof_handler, constraints)),
      "distribute_dofs()");
    dof_handler.distribute_dofs(FE_Q<2>(1));
    check_message(CHECK_THROWS(InputError,
                               rigid_body_modes(mapping, dof_handler)),
                  "has 1");
    DoFTools::make_zero_boundary_constraints(dof_handler, constraints);
    check_message(
      CHECK_THROWS(InputError,
                   NodeBlocks<2>(mapping, dof_handler, constraints)),
      "close()");
    constraints.close();
    check_message(
      CHECK_THROWS(InputError,
                   NodeBlocks<2>(mapping, dof_handler, constraints)),
      "nothing to solve for");

    Triangulation<2> triangles;
    GridGenerator::subdivided_hyper_cube_with_simplices(triangles, 2);
    DoFHandler<2> simplices(triangles);
    simplices.distribute_dofs(FE_SimplexP<2>(1));
    check_message(CHECK_THROWS(InputError,
                               NodeBlocks<2>(MappingFE<2>(FE_SimplexP<2>(1)),
                                             simplices,
                                             constraints)),
                  "quadrilaterals");
  }



  /** Coordinates for a matrix of numbers are those of its rows; numberings that
   * are not by nodes are noticed. */
  template <int dim>
  void
  check_node_coordinates()
  {
    Problem<dim>            problem(3, dim, Numbering::by_cells);
    std::vector<Point<dim>> points(problem.dof_handler.n_dofs());
    for (const bool by_component : {false, true})
      {
        if (by_component)
          DoFRenumbering::component_wise(problem.dof_handler);
        check_message(CHECK_THROWS(InputError,
                                   node_coordinates(problem.mapping,
                                                    problem.dof_handler)),
                      "support_point_wise");
      }
    DoFRenumbering::support_point_wise(problem.dof_handler);
    const std::vector<double> found =
      node_coordinates(problem.mapping, problem.dof_handler);
    DoFTools::map_dofs_to_support_points(problem.mapping,
                                         problem.dof_handler,
                                         points);
    CHECK_EQUAL(found.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      for (unsigned int d = 0; d < dim; ++d)
        CHECK_NEAR(found[i / dim * dim + d], points[i][d], 1e-14);
  }
} // namespace



int
main(int argc, char **argv)
{
  const Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  check_problem<2>(1, 2, Numbering::by_cells);
  check_problem<2>(2, 1, Numbering::random);
  check_problem<2>(3, 2, Numbering::component_wise);
  check_problem<2>(1, 4, Numbering::component_wise);
  check_problem<3>(1, 3, Numbering::random);
  check_problem<3>(2, 3, Numbering::by_cells);
  check_problem<3>(2, 1, Numbering::by_cells);
  check_rigid_body_modes<2>();
  check_rigid_body_modes<3>();
  check_node_coordinates<2>();
  check_node_coordinates<3>();
  check_errors();
  return check::result();
}
