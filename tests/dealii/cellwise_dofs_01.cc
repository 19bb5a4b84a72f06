// SPDX-License-Identifier: LGPL-2.1-or-later
// Box meshes are found whatever the order and orientation of their cells, the
// copies of a degree of freedom are where its support point is, and meshes that
// are no such grids are refused.
#include <tessera/base/communication_mpi.h>
#include <tessera/cellwise/reference_cell.h>
#include <tessera/dealii/cellwise_dofs.h>
#include <tessera/dealii/compatibility.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/point.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "check.h"
#include "dealii/shuffled_box.h"

using namespace tessera;
using dealii_adapters::BoxMesh;
using dealii_adapters::CellwiseDoFs;
using mesh_generator::Box;
using mesh_generator::make_shuffled_box;
using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

namespace
{
  using Ids = std::set<dealii::types::boundary_id>;

  /** A function that is different at all nodes. */
  template <int dim>
  double
  value_at(const dealii::Point<dim> &p)
  {
    double value = std::sin(3. * p[0] + 1.);
    for (unsigned int d = 1; d < dim; ++d)
      value = value * 1.7 + std::cos((2. + d) * p[d]);
    return value;
  }



  /** Check everything about a mesh that fills a box. */
  template <int dim>
  void
  test_mesh(const dealii::Triangulation<dim> &triangulation,
            const Box<dim>                   &box,
            const int                         degree)
  {
    const BoxMesh<dim> mesh(triangulation, {0, 2});
    for (unsigned int d = 0; d < dim; ++d)
      {
        CHECK_EQUAL(mesh.description().n_cells[d], box.n_cells[d]);
        CHECK_NEAR(mesh.description().cell_size[d] / box.cell_size[d],
                   1.,
                   1e-12);
        for (unsigned int end = 0; end < 2; ++end)
          CHECK((mesh.description().boundary[d][end] ==
                 cellwise::BoundaryCondition::dirichlet) ==
                (end == 0 && d < 2));
      }
    const cellwise::CellGrid<dim> grid         = mesh.grid();
    const Communicator            communicator = make_communicator(
      dealii_compatibility::get_mpi_communicator(triangulation));
    CHECK_EQUAL(communicator.sum(std::uint64_t(grid.n_owned())),
                triangulation.n_global_active_cells());
    CHECK_EQUAL(grid.n_global(), triangulation.n_global_active_cells());

    const dealii::MappingQ1<dim> mapping;
    dealii::Point<dim>           unit_point;
    for (unsigned int d = 0; d < dim; ++d)
      unit_point[d] = 0.3 - 0.1 * d;
    for (const auto &cell : triangulation.active_cell_iterators())
      if (!cell->is_artificial())
        {
          const dealii::Point<dim> expected =
            mapping.transform_unit_to_real_cell(cell, unit_point);
          const dealii::Point<dim> found = mesh.point(*cell, unit_point);
          for (unsigned int d = 0; d < dim; ++d)
            CHECK_NEAR(found[d], expected[d], 1e-13);
        }

    const dealii::FE_Q<dim> fe(degree);
    dealii::DoFHandler<dim> dof_handler(triangulation);
    dof_handler.distribute_dofs(fe);
    dealii::DoFRenumbering::hierarchical(dof_handler);
    const CellwiseDoFs<dim> dofs(dof_handler, mesh, grid);
    CHECK_EQUAL(dofs.degree(), degree);
    CHECK_EQUAL(dofs.n_cells(), grid.n_local());
    CHECK_EQUAL(dofs.n_nodes(), cellwise::power(degree + 1, dim));

    VectorType v(dof_handler.locally_owned_dofs(),
                 dealii::DoFTools::extract_locally_relevant_dofs(dof_handler),
                 MPI_COMM_WORLD);
    std::map<dealii::types::global_dof_index, dealii::Point<dim>> points;
    dealii::DoFTools::map_dofs_to_support_points(mapping, dof_handler, points);
    for (const auto &[index, point] : points)
      if (v.in_local_range(index))
        v(index) = value_at(point);
    v.update_ghost_values();

    // Each copy in an owned cell has the value of the point where it should be;
    // ghosts are zero.
    const cellwise::ReferenceCell reference(degree);
    const int                     q = degree + 1;
    cellwise::PrimalField<double> u;
    dofs.gather(u, v);
    CHECK_EQUAL(u.n_cells(), grid.n_local());
    double distance = 0.;
    for (cellwise::CellIndex cell = grid.n_owned(); cell < grid.n_local();
         ++cell)
      for (int k = 0; k < u.n_nodes(); ++k)
        CHECK_EQUAL(u(cell, k), 0.);
    for (cellwise::CellIndex cell = 0; cell < grid.n_owned(); ++cell)
      for (int k = 0; k < u.n_nodes(); ++k)
        {
          dealii::Point<dim> point;
          for (int d = 0, rest = k; d < dim; ++d, rest /= q)
            point[d] = box.lower[d] +
                       (grid.coordinates(cell)[d] + reference.nodes[rest % q]) *
                         box.cell_size[d];
          const double difference = std::abs(u(cell, k) - value_at(point));
          distance = difference <= distance ? distance : difference;
        }
    CHECK_NEAR(distance, 0., 1e-12);

    // And back.
    VectorType w(v);
    w.zero_out_ghost_values();
    w = 1e300;
    dofs.scatter(w, u);
    bool is_equal = true;
    for (unsigned int i = 0; i < v.locally_owned_size(); ++i)
      is_equal = is_equal && w.local_element(i) == v.local_element(i);
    CHECK(is_equal);

    // Element vectors: the pairing with a field is the sum over the cells.
    std::mt19937                           generator(5);
    std::uniform_real_distribution<double> distribution(-1., 1.);
    cellwise::DualField<double>            b(dofs.n_cells(), dofs.n_nodes());
    std::vector<double>                    element_vector(dofs.n_nodes());
    std::vector<dealii::types::global_dof_index> indices(dofs.n_nodes());
    const std::vector<unsigned int>              lexicographic =
      fe.get_poly_space_numbering_inverse();
    double expected = 0.;
    for (const auto &cell : dof_handler.active_cell_iterators())
      if (cell->is_locally_owned())
        {
          cell->get_dof_indices(indices);
          for (unsigned int k = 0; k < indices.size(); ++k)
            {
              element_vector[k] = distribution(generator);
              expected += element_vector[k] * v(indices[lexicographic[k]]);
            }
          dofs.add_element_vector(b, *cell, element_vector.data());
        }
    double found = 0.;
    for (cellwise::CellIndex cell = 0; cell < b.n_cells(); ++cell)
      for (int k = 0; k < b.n_nodes(); ++k)
        found += b(cell, k) * u(cell, k);
    CHECK_NEAR(found, expected, 1e-11);
  }



  template <int dim>
  std::size_t
  n_orientations(const dealii::Triangulation<dim> &triangulation)
  {
    const BoxMesh<dim>                                 mesh(triangulation, {});
    std::vector<dealii_adapters::CellOrientation<dim>> found;
    for (const auto &cell : triangulation.active_cell_iterators())
      if (std::find(found.begin(), found.end(), mesh.orientation(*cell)) ==
          found.end())
        found.push_back(mesh.orientation(*cell));
    return found.size();
  }



  template <int dim>
  void
  test_distributed(const std::vector<unsigned int> &coarse_cells,
                   const unsigned int               n_refinements,
                   const dealii::Point<dim>        &lower,
                   const dealii::Point<dim>        &upper,
                   const int                        degree)
  {
    dealii::parallel::distributed::Triangulation<dim> triangulation(
      MPI_COMM_WORLD);
    dealii::GridGenerator::subdivided_hyper_rectangle(
      triangulation, coarse_cells, lower, upper, true);
    triangulation.refine_global(n_refinements);
    Box<dim> box;
    box.lower = lower;
    for (unsigned int d = 0; d < dim; ++d)
      {
        box.n_cells[d]   = int(coarse_cells[d] << n_refinements);
        box.cell_size[d] = (upper[d] - lower[d]) / box.n_cells[d];
      }
    test_mesh(triangulation, box, degree);
  }



  /** The message with which a mesh is refused says why. */
  template <int dim>
  void
  check_refused(const dealii::Triangulation<dim> &triangulation,
                const std::string                &why)
  {
    const std::string message =
      CHECK_THROWS(InputError, (BoxMesh<dim>(triangulation, Ids{0})));
    CHECK(message.find(why) != std::string::npos);
    if (message.find(why) == std::string::npos)
      std::cerr << message << std::endl;
  }



  void
  test_refused_meshes()
  {
    {
      dealii::Triangulation<2> empty;
      check_refused(empty, "no cells");
    }
    {
      dealii::Triangulation<2> hanging_nodes;
      dealii::GridGenerator::hyper_cube(hanging_nodes);
      hanging_nodes.refine_global(1);
      hanging_nodes.begin_active()->set_refine_flag();
      hanging_nodes.execute_coarsening_and_refinement();
      check_refused(hanging_nodes, "hanging nodes");
    }
    {
      dealii::Triangulation<2> simplices;
      dealii::GridGenerator::subdivided_hyper_cube_with_simplices(simplices, 2);
      check_refused(simplices, "simplices");
    }
    {
      dealii::Triangulation<3> l_shape;
      dealii::GridGenerator::hyper_L(l_shape);
      l_shape.refine_global(1);
      check_refused(l_shape, "56 cells do not fill a box that has room for 64");
    }
    {
      dealii::Triangulation<2> graded;
      dealii::GridGenerator::subdivided_hyper_rectangle(
        graded,
        std::vector<std::vector<double>>{{0.5, 0.25, 0.25}, {0.5, 0.5}},
        dealii::Point<2>(),
        dealii::Point<2>(1., 1.),
        false);
      check_refused(graded, "in direction 0 cells are between 0.25 and 0.5");
    }
    {
      dealii::Triangulation<2> slit;
      dealii::GridGenerator::hyper_cube_slit(slit, 0., 1.);
      slit.refine_global(1);
      check_refused(slit, "slit");
    }
    {
      dealii::Triangulation<2> periodic;
      dealii::GridGenerator::hyper_cube(periodic, 0., 1., true);
      std::vector<dealii::GridTools::PeriodicFacePair<
        dealii::Triangulation<2>::cell_iterator>>
        pairs;
      dealii::GridTools::collect_periodic_faces(periodic, 0, 1, 0, pairs);
      periodic.add_periodicity(pairs);
      check_refused(periodic, "periodic");
    }
    {
      // Its cell is as wide as its bounding box.
      dealii::Triangulation<2> rotated;
      dealii::GridGenerator::hyper_cube(rotated);
      dealii::GridTools::rotate(0.3, rotated);
      check_refused(rotated, "cell with the centre");
    }
    for (const double shift : {1e-9, 1e-4})
      {
        dealii::Triangulation<3> distorted;
        dealii::GridGenerator::subdivided_hyper_cube(distorted, 3);
        // The vertices of a mesh can only be reached through its cells.
        for (const auto &cell : distorted.active_cell_iterators())
          for (const unsigned int v : cell->vertex_indices())
            if (cell->vertex(v).distance({1. / 3., 1. / 3., 1. / 3.}) < 1e-3)
              cell->vertex(v)[1] += shift;
        check_refused(distorted, "in direction 1 cells are between");
      }
    {
      dealii::Triangulation<3> sheared;
      dealii::GridGenerator::subdivided_hyper_cube(sheared, 2);
      dealii::GridTools::transform(
        [](const dealii::Point<3> &p) {
          return dealii::Point<3>(p[0] + p[1], p[1], p[2]);
        },
        sheared);
      check_refused(sheared, "cell with the centre");
    }
    {
      dealii::Triangulation<2> mixed;
      dealii::GridGenerator::hyper_cube(mixed, 0., 1., true);
      mixed.refine_global(1);
      mixed.begin_active()->face(0)->set_boundary_id(1);
      check_refused(mixed, "The lower end of the box in direction 0 has");
    }
  }



  void
  check_element(const dealii::FiniteElement<2> &fe, const bool is_accepted)
  {
    dealii::Triangulation<2> triangulation;
    dealii::GridGenerator::hyper_cube(triangulation);
    triangulation.refine_global(1);
    const BoxMesh<2>      mesh(triangulation, {0});
    dealii::DoFHandler<2> dof_handler(triangulation);
    dof_handler.distribute_dofs(fe);
    if (is_accepted)
      CHECK_EQUAL(CellwiseDoFs<2>(dof_handler, mesh, mesh.grid()).degree(),
                  int(fe.degree));
    else
      {
        const std::string message =
          CHECK_THROWS(InputError,
                       CellwiseDoFs<2>(dof_handler, mesh, mesh.grid()));
        CHECK(message.find(fe.get_name()) != std::string::npos);
      }
  }
} // namespace



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);

  test_distributed<2>({1, 1}, 2, {0., 0.}, {1., 1.}, 3);
  test_distributed<2>({3, 2}, 1, {-1., 0.3}, {2.1, 5.}, 7);
  test_distributed<3>({1, 1, 1}, 2, {0., 0., 0.}, {1., 1., 1.}, 3);
  test_distributed<3>({3, 2, 4}, 1, {100., -0.1, 1.}, {101., 0.2, 1e3}, 2);
  // Cells that are narrow for their coordinates.
  test_distributed<2>({3, 2}, 2, {1e3, 0.}, {1e3 + 1e-6, 1.}, 1);

  if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
    {
      for (const bool rotate : {false, true})
        {
          const Box<2>             flat{{-0.3, 0.7}, {{5, 3}}, {{0.1, 0.3}}};
          dealii::Triangulation<2> rectangle;
          make_shuffled_box(rectangle, flat, rotate);
          test_mesh(rectangle, flat, 4);

          const Box<3> solid{{1., -7., 0.1}, {{2, 4, 3}}, {{0.1, 0.3, 0.2}}};
          dealii::Triangulation<3> cuboid;
          make_shuffled_box(cuboid, solid, rotate);
          test_mesh(cuboid, solid, 3);
          CHECK((n_orientations(cuboid) > 10) == rotate);
        }
      test_refused_meshes();
      for (const unsigned int degree : {1, 7})
        check_element(dealii::FE_Q<2>(degree), true);
      check_element(dealii::FE_Q<2>(8), false);
      check_element(dealii::FE_DGQ<2>(3), false);
      check_element(dealii::FE_Q<2>(
                      dealii::QIterated<1>(dealii::QTrapezoid<1>(), 3)),
                    false);
      check_element(dealii::FESystem<2>(dealii::FE_Q<2>(2), 1), false);
    }
  return check::result();
}
