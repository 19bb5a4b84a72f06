// SPDX-License-Identifier: LGPL-2.1-or-later
// The linear operator that the preconditioner is: the cell-wise cycle, the same
// bits on any partition and numbering, its adjoint, positive definite with the
// rows of Dirichlet nodes, for all kinds of vectors.
#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/degree.h>
#include <tessera/dealii/precondition_patch_multigrid.h>
#include <tessera/patch/multigrid.h>

#include <deal.II/base/mpi.h>
#include <deal.II/distributed/shared_tria.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/mapping_q.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/lapack_full_matrix.h>
#include <deal.II/lac/vector.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "check.h"
#include "dealii/node_positions.h"
#include "dealii/shuffled_box.h"

using namespace tessera;
using cellwise::BoundaryCondition;
using cellwise::CellIndex;
using dealii::LinearAlgebra::distributed::Vector;
using dealii_adapters::PreconditionPatchMultigrid;
using mesh_generator::Box;
using mesh_generator::make_shuffled_box;
using node_positions::positions_of_nodes;
using node_positions::random_value;
using node_positions::set_random;
using Ids = std::set<dealii::types::boundary_id>;

namespace
{
  /** A vector without ghost entries, full of NaN. */
  template <typename Number, int dim>
  Vector<Number>
  poisoned_vector(const dealii::DoFHandler<dim> &dof_handler)
  {
    Vector<Number> v(dof_handler.locally_owned_dofs(),
                     dealii_compatibility::get_mpi_communicator(dof_handler));
    for (Number &x : v)
      x = std::numeric_limits<Number>::quiet_NaN();
    return v;
  }



  template <int dim>
  struct Case
  {
    std::array<int, dim>    n_cells;
    std::array<double, dim> cell_size;
    unsigned int            degree;
    Ids                     dirichlet; ///< as GridGenerator colours faces
    typename PreconditionPatchMultigrid<dim>::AdditionalData data;

    cellwise::GridDescription<dim>
    description() const
    {
      cellwise::GridDescription<dim> grid;
      grid.n_cells   = n_cells;
      grid.cell_size = cell_size;
      for (unsigned int d = 0; d < dim; ++d)
        for (unsigned int end = 0; end < 2; ++end)
          grid.boundary[d][end] = dirichlet.count(2 * d + end) > 0 ?
                                    BoundaryCondition::dirichlet :
                                    BoundaryCondition::neumann;
      return grid;
    }

    /** A mesh of it in the natural order, but for n_refinements halvings. */
    void
    make_mesh(dealii::Triangulation<dim> &triangulation,
              const unsigned int          n_refinements) const
    {
      std::vector<unsigned int> repetitions;
      dealii::Point<dim>        upper;
      for (unsigned int d = 0; d < dim; ++d)
        {
          repetitions.push_back(n_cells[d] >> n_refinements);
          upper[d] = n_cells[d] * cell_size[d];
        }
      dealii::GridGenerator::subdivided_hyper_rectangle(
        triangulation, repetitions, {}, upper, true);
      triangulation.refine_global(n_refinements);
    }
  };



  /** $C r$ by position, without deal.II: shares are found by counting copies.
   */
  template <int dim, typename Number>
  std::vector<double>
  cellwise_cycle(const Case<dim>           &test,
                 const std::vector<double> &r,
                 const bool                 adjoint)
  {
    const cellwise::CellGrid<dim> grid(test.description());
    const int                     p       = int(test.degree);
    const int                     n_nodes = cellwise::power(p + 1, dim);

    std::vector<std::uint64_t> node_of_copy;
    std::vector<int>           n_copies(r.size(), 0);
    std::vector<bool>          is_dirichlet(r.size(), false);
    for (CellIndex cell = 0; cell < grid.n_local(); ++cell)
      for (int k = 0; k < n_nodes; ++k)
        {
          std::uint64_t position = 0, stride = 1;
          bool          at_boundary = false;
          for (int d = 0, rest = k; d < dim; ++d, rest /= p + 1)
            {
              const int last = test.n_cells[d] * p;
              const int i    = grid.coordinates(cell)[d] * p + rest % (p + 1);
              at_boundary    = at_boundary ||
                            (i == 0 && test.dirichlet.count(2 * d) > 0) ||
                            (i == last && test.dirichlet.count(2 * d + 1) > 0);
              position += stride * i;
              stride *= last + 1;
            }
          node_of_copy.push_back(position);
          ++n_copies[position];
          is_dirichlet[position] = at_boundary;
        }

    cellwise::DualField<double> field(grid.n_local(), n_nodes);
    double                      max = 0.;
    for (std::size_t i = 0; i < node_of_copy.size(); ++i)
      {
        const std::uint64_t node = node_of_copy[i];
        const double value = is_dirichlet[node] ? 0. : r[node] / n_copies[node];
        field(CellIndex(i / n_nodes), int(i % n_nodes)) = value;
        max = std::fmax(max, std::abs(value));
      }
    patch::MultigridOptions options;
    options.post_smoothing = test.data.symmetric ?
                               patch::PostSmoothing::reversed :
                               patch::PostSmoothing::forward;
    options.colour_order   = test.data.colour_order;
    options.reaction       = test.data.reaction_coefficient;
    patch::Multigrid<dim, Number> multigrid(cellwise::DistributedGrid<dim>(
                                              test.description()),
                                            cellwise::ReferenceCell(p),
                                            options);
    const double                  factor = multigrid.cycle(field, max, adjoint);
    std::vector<double>           z      = r;
    for (std::size_t i = 0; i < node_of_copy.size(); ++i)
      if (!is_dirichlet[node_of_copy[i]])
        z[node_of_copy[i]] =
          factor *
          multigrid.correction()(CellIndex(i / n_nodes), int(i % n_nodes));
    return z;
  }



  template <int dim>
  std::vector<double>
  cellwise_cycle(const Case<dim>           &test,
                 const std::vector<double> &r,
                 const bool                 adjoint)
  {
    return test.data.level_precision ==
               patch::LevelPrecision::single_precision ?
             cellwise_cycle<dim, float>(test, r, adjoint) :
             cellwise_cycle<dim, double>(test, r, adjoint);
  }



  /** Whether entries are those of a vector by position, bit for bit. */
  template <typename VectorType>
  bool
  is_equal(const VectorType                 &v,
           const std::vector<std::uint64_t> &positions,
           const std::vector<double>        &expected)
  {
    bool equal = true;
    for (std::size_t i = 0; i < positions.size(); ++i)
      equal = equal && v.begin()[i] == typename VectorType::value_type(
                                         expected[positions[i]]);
    return equal;
  }



  /** One mesh of a case: all kinds of vectors and layouts of them, against the
   * cell-wise cycle. */
  template <int dim>
  void
  check_mesh(const Case<dim>                  &test,
             const dealii::Triangulation<dim> &triangulation,
             const bool                        renumber)
  {
    dealii::DoFHandler<dim> dof_handler(triangulation);
    dof_handler.distribute_dofs(dealii::FE_Q<dim>(test.degree));
    if (renumber)
      dealii::DoFRenumbering::Cuthill_McKee(dof_handler);
    PreconditionPatchMultigrid<dim> C;
    auto                            data = test.data;
    data.dirichlet_ids                   = test.dirichlet;
    C.initialize(dof_handler, data);
    CHECK_EQUAL(C.m(), dof_handler.n_dofs());
    CHECK_EQUAL(C.n(), dof_handler.n_dofs());
    CHECK(C.memory_consumption() >
          8 * dof_handler.n_locally_owned_dofs() + sizeof(C));

    const std::vector<std::uint64_t> positions =
      positions_of_nodes(dof_handler);
    std::vector<double> by_position(dof_handler.n_dofs());
    for (std::size_t i = 0; i < by_position.size(); ++i)
      by_position[i] = random_value(i, 1);
    const std::vector<double> z_expected =
      cellwise_cycle(test, by_position, false);
    const std::vector<double> zT_expected =
      cellwise_cycle(test, by_position, true);

    // Vectors without ghost entries, and with more of them than needed.
    const dealii::IndexSet relevant =
      dealii::DoFTools::extract_locally_relevant_dofs(dof_handler);
    for (const bool ghosted : {false, true})
      {
        Vector<double> r = poisoned_vector<double>(dof_handler), z = r;
        if (ghosted)
          for (auto *const v : {&r, &z})
            v->reinit(dof_handler.locally_owned_dofs(),
                      relevant,
                      r.get_mpi_communicator());
        set_random(r, positions, 1);
        if (ghosted)
          {
            r.update_ghost_values();
            z.update_ghost_values();
          }
        C.vmult(z, r);
        CHECK(is_equal(z, positions, z_expected));
        CHECK(!z.has_ghost_elements());
        CHECK(is_equal(r, positions, by_position));
        C.Tvmult(z, r);
        CHECK(is_equal(z, positions, zT_expected));
      }

    {
      std::vector<double> rounded;
      for (const double x : by_position)
        rounded.push_back(float(x));
      Vector<float> r = poisoned_vector<float>(dof_handler), z = r;
      set_random(r, positions, 1);
      C.vmult(z, r);
      CHECK(is_equal(z, positions, cellwise_cycle(test, rounded, false)));
    }

    if (dof_handler.n_locally_owned_dofs() == dof_handler.n_dofs() &&
        dealii::Utilities::MPI::n_mpi_processes(
          dealii_compatibility::get_mpi_communicator(triangulation)) == 1)
      {
        dealii::Vector<double> r(dof_handler.n_dofs()), z(r);
        for (double &x : z)
          x = std::numeric_limits<double>::quiet_NaN();
        set_random(r, positions, 1);
        C.vmult(z, r);
        CHECK(is_equal(z, positions, z_expected));
        C.Tvmult(z, r);
        CHECK(is_equal(z, positions, zT_expected));
      }

    // To be initialized again, and to be empty.
    C.initialize(dealii::MappingQ<dim>(3), dof_handler, data);
    Vector<double> r = poisoned_vector<double>(dof_handler), z = r;
    set_random(r, positions, 1);
    C.vmult(z, r);
    CHECK(is_equal(z, positions, z_expected));
    C.clear();
    CHECK_EQUAL(C.m(), 0U);
    CHECK_EQUAL(C.memory_consumption(), sizeof(C));
  }



  /** Partitions and numberings of the same box. */
  template <int dim>
  void
  check_meshes(const Case<dim> &test)
  {
    {
      dealii::Triangulation<dim> serial;
      test.make_mesh(serial, 0);
      check_mesh(test, serial, true);
    }
    {
      dealii::parallel::distributed::Triangulation<dim> distributed(
        MPI_COMM_WORLD);
      test.make_mesh(distributed, 1);
      check_mesh(test, distributed, false);
    }
    {
      // deal.II cannot hand rotated cells to p4est in three dimensions.
      dealii::parallel::distributed::Triangulation<dim> shuffled(
        MPI_COMM_WORLD);
      make_shuffled_box(shuffled,
                        Box<dim>{{}, test.n_cells, test.cell_size},
                        dim == 2);
      check_mesh(test, shuffled, false);
    }
    {
      using Shared = dealii::parallel::shared::Triangulation<dim>;
      Shared rotated(MPI_COMM_WORLD,
                     Shared::none,
                     true,
                     Shared::partition_zorder);
      make_shuffled_box(rotated,
                        Box<dim>{{}, test.n_cells, test.cell_size},
                        true);
      check_mesh(test, rotated, false);
    }
    for (const bool has_artificial_cells : {false, true})
      {
        dealii::parallel::shared::Triangulation<dim> shared(
          MPI_COMM_WORLD,
          dealii::Triangulation<dim>::none,
          has_artificial_cells,
          dealii::parallel::shared::Triangulation<dim>::partition_zorder);
        test.make_mesh(shared, 0);
        check_mesh(test, shared, false);
      }
  }



  /** Linear, with the transposed matrix as adjoint, symmetric if asked for;
   * with rows of Dirichlet nodes. */
  template <int dim>
  void
  check_algebra(const Case<dim> &test)
  {
    dealii::parallel::distributed::Triangulation<dim> triangulation(
      MPI_COMM_WORLD);
    test.make_mesh(triangulation, 1);
    dealii::DoFHandler<dim> dof_handler(triangulation);
    dof_handler.distribute_dofs(dealii::FE_Q<dim>(test.degree));
    PreconditionPatchMultigrid<dim> C;
    auto                            data = test.data;
    data.dirichlet_ids                   = test.dirichlet;
    C.initialize(dof_handler, data);

    const std::vector<std::uint64_t> positions =
      positions_of_nodes(dof_handler);
    Vector<double> r = poisoned_vector<double>(dof_handler);
    Vector<double> s = r, t = r, Cr = r, Cs = r, Ct = r, CTs = r;
    set_random(r, positions, 1);
    set_random(s, positions, 2);
    t.equ(0.3, r);
    t.add(-7., s);
    C.vmult(Cr, r);
    C.vmult(Cs, s);
    C.vmult(Ct, t);
    C.Tvmult(CTs, s);

    const bool in_float =
      test.data.level_precision == patch::LevelPrecision::single_precision;
    const double tolerance = in_float ? 1e-5 : 1e-13;
    const double scale     = std::sqrt((Cr * r) * (Cs * s));
    CHECK(Cr * r > 0. && Cs * s > 0.);
    CHECK_NEAR((Cr * s) / scale, (r * CTs) / scale, tolerance);
    const double asymmetry = std::abs(Cr * s - r * Cs) / scale;
    if (test.data.symmetric)
      CHECK(asymmetry < tolerance);
    else if (!in_float)
      CHECK(asymmetry > 1e-9);

    Ct.add(-0.3, Cr);
    Ct.add(7., Cs);
    CHECK(Ct.l2_norm() < tolerance * Cs.l2_norm());
  }



  /** The whole matrix of a small one. */
  void
  check_positive_definite(const Ids         &dirichlet,
                          const unsigned int degree,
                          const double       reaction)
  {
    dealii::Triangulation<2> triangulation;
    Case<2>{{{4, 6}}, {{0.5, 0.4}}, degree, dirichlet, {}}.make_mesh(
      triangulation, 0);
    dealii::DoFHandler<2> dof_handler(triangulation);
    dof_handler.distribute_dofs(dealii::FE_Q<2>(degree));
    PreconditionPatchMultigrid<2>                 C;
    PreconditionPatchMultigrid<2>::AdditionalData data;
    data.dirichlet_ids        = dirichlet;
    data.level_precision      = patch::LevelPrecision::double_precision;
    data.reaction_coefficient = reaction;
    C.initialize(dof_handler, data);

    dealii::IndexSet fixed(dof_handler.n_dofs());
    if (!dirichlet.empty()) // deal.II means all boundary ids by that
      fixed = dealii::DoFTools::extract_boundary_dofs(dof_handler,
                                                      dealii::ComponentMask(),
                                                      dirichlet);
    const unsigned int               n = dof_handler.n_dofs();
    dealii::LAPACKFullMatrix<double> matrix(n);
    dealii::Vector<double>           unit(n), column(n);
    double                           off_diagonal = 0.;
    for (unsigned int j = 0; j < n; ++j)
      {
        unit    = 0.;
        unit(j) = 1.;
        C.vmult(column, unit);
        for (unsigned int i = 0; i < n; ++i)
          {
            matrix(i, j) = column(i);
            if (fixed.is_element(i) || fixed.is_element(j))
              off_diagonal =
                std::fmax(off_diagonal,
                          std::abs(column(i) - (i == j ? 1. : 0.)));
          }
      }
    CHECK_EQUAL(off_diagonal, 0.);
    CHECK(fixed.n_elements() > 0 || dirichlet.empty());

    dealii::FullMatrix<double> eigenvectors;
    dealii::Vector<double>     eigenvalues;
    matrix.compute_eigenvalues_symmetric(
      -1e10, 1e10, 1e-14, eigenvalues, eigenvectors);
    CHECK_EQUAL(eigenvalues.size(), n);
    CHECK(eigenvalues(0) > 1e-5);
  }
} // namespace



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);

  // Sizes that no rounding changes, however a mesh comes about.
  Case<3> cube{{{4, 4, 4}}, {{0.5, 0.375, 0.625}}, 3, {0, 1, 2, 3, 4, 5}, {}};
  Case<3> slab{{{4, 6, 8}}, {{0.5, 0.375, 0.625}}, 2, {0, 5}, {}};
  slab.data.symmetric          = false;
  slab.data.colour_order       = patch::ColourOrder::even_first;
  slab.data.min_cells_per_rank = 8;
  Case<2> sheet{{{8, 12}}, {{0.25, 0.375}}, 5, {1, 2, 3}, {}};
  sheet.data.level_precision    = patch::LevelPrecision::double_precision;
  sheet.data.min_cells_per_rank = 1;
  Case<2> neumann{{{4, 8}}, {{0.25, 0.375}}, 2, {}, {}};
  neumann.data.reaction_coefficient = 0.7;
  slab.data.reaction_coefficient    = 100.;
  // So few cells that some of four ranks have none.
  const Case<2> single{{{2, 2}}, {{1., 1.}}, 1, {0, 1, 2, 3}, {}};

  check_meshes(cube);
  check_meshes(slab);
  check_meshes(sheet);
  check_meshes(neumann);
  check_meshes(single);

  for (const bool symmetric : {true, false})
    for (const auto precision : {patch::LevelPrecision::single_precision,
                                 patch::LevelPrecision::double_precision})
      {
        const auto check = [&](auto test) {
          test.data.symmetric       = symmetric;
          test.data.level_precision = precision;
          check_algebra(test);
        };
        check(cube);
        check(slab);
        check(sheet);
        check(neumann);
      }
  check_positive_definite({0, 1, 2, 3}, 2, 0.);
  check_positive_definite({2}, 3, 0.);
  check_positive_definite({}, 3, 1.);
  return check::result();
}
