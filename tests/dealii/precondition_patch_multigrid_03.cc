// SPDX-License-Identifier: LGPL-2.1-or-later
// What the preconditioner refuses: on all ranks, with messages that say what
// was found.
#include <tessera/base/exceptions.h>
#include <tessera/dealii/precondition_patch_multigrid.h>

#include <deal.II/base/mpi.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_q_hierarchical.h>
#include <deal.II/fe/fe_q_iso_q1.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_q.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/fe/mapping_q_eulerian.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/manifold_lib.h>
#include <deal.II/hp/fe_collection.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/vector.h>

#include <iostream>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "check.h"

using namespace tessera;
using dealii::LinearAlgebra::distributed::Vector;
using dealii_adapters::PreconditionPatchMultigrid;
using Ids = std::set<dealii::types::boundary_id>;

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
  void
  check_refused(const dealii::Triangulation<dim> &triangulation,
                const dealii::FiniteElement<dim> &fe,
                const std::string                &why,
                const Ids                        &dirichlet = {0},
                const dealii::Mapping<dim>       *mapping   = nullptr)
  {
    dealii::DoFHandler<dim> dof_handler(triangulation);
    dof_handler.distribute_dofs(fe);
    PreconditionPatchMultigrid<dim>                          C;
    typename PreconditionPatchMultigrid<dim>::AdditionalData data;
    data.dirichlet_ids    = dirichlet;
    const auto initialize = [&] {
      if (mapping == nullptr)
        C.initialize(dof_handler, data);
      else
        C.initialize(*mapping, dof_handler, data);
    };
    check_message(CHECK_THROWS(InputError, initialize()), why);
    CHECK_EQUAL(C.m(), 0U);
  }



  void
  check_refused_elements()
  {
    dealii::parallel::distributed::Triangulation<2> triangulation(
      MPI_COMM_WORLD);
    dealii::GridGenerator::hyper_cube(triangulation);
    triangulation.refine_global(2);
    check_refused(triangulation, dealii::FE_Q<2>(8), "FE_Q<2>(8)");
    check_refused(triangulation, dealii::FE_DGQ<2>(2), "FE_DGQ<2>(2)");
    check_refused(triangulation,
                  dealii::FE_Q_Hierarchical<2>(2),
                  "FE_Q_Hierarchical<2>(2)");
    check_refused(triangulation,
                  dealii::FE_Q_iso_Q1<2>(2),
                  "FE_Q_iso_Q1<2>(2)");
    check_refused(triangulation,
                  dealii::FESystem<2>(dealii::FE_Q<2>(2), 2),
                  "FESystem<2>[FE_Q<2>(2)^2]");

    PreconditionPatchMultigrid<2> C;
    dealii::DoFHandler<2>         dof_handler(triangulation);
    check_message(CHECK_THROWS(InputError, C.initialize(dof_handler)),
                  "distribute_dofs()");
    dof_handler.distribute_dofs(
      dealii::hp::FECollection<2>(dealii::FE_Q<2>(1), dealii::FE_Q<2>(2)));
    check_message(CHECK_THROWS(InputError, C.initialize(dof_handler)), "(hp)");
  }



  void
  check_refused_meshes()
  {
    using dealii::Point;
    const dealii::FE_Q<2> fe(2);
    {
      dealii::parallel::distributed::Triangulation<2> shell(MPI_COMM_WORLD);
      dealii::GridGenerator::hyper_shell(shell, {}, 0.5, 1.);
      check_refused(shell, fe, "not a uniform grid of a box");
    }
    {
      dealii::parallel::distributed::Triangulation<2> hanging(MPI_COMM_WORLD);
      dealii::GridGenerator::hyper_cube(hanging);
      hanging.refine_global(2);
      for (const auto &cell : hanging.active_cell_iterators())
        if (cell->is_locally_owned() && cell->center().norm() < 0.3)
          cell->set_refine_flag();
      hanging.execute_coarsening_and_refinement();
      check_refused(hanging, fe, "hanging nodes");
    }
    {
      dealii::Triangulation<2> graded;
      dealii::GridGenerator::subdivided_hyper_rectangle(
        graded,
        std::vector<std::vector<double>>{{0.5, 0.25, 0.25}, {0.5, 0.5}},
        Point<2>(),
        Point<2>(1., 1.),
        false);
      check_refused(graded, fe, "cells are between 0.25 and 0.5 wide");
    }
    {
      dealii::Triangulation<2> thin;
      dealii::GridGenerator::subdivided_hyper_rectangle(thin,
                                                        {4, 1},
                                                        Point<2>(),
                                                        Point<2>(4., 1.));
      check_refused(thin, fe, "direction 1 has 1");
    }
    {
      dealii::parallel::distributed::Triangulation<2> odd(MPI_COMM_WORLD);
      dealii::GridGenerator::subdivided_hyper_rectangle(odd,
                                                        {403, 2},
                                                        Point<2>(),
                                                        Point<2>(403., 2.));
      check_refused(odd, dealii::FE_Q<2>(1), "can be halved more often", {0});
    }
    {
      dealii::parallel::distributed::Triangulation<2> mixed(MPI_COMM_WORLD);
      dealii::GridGenerator::hyper_cube(mixed, 0., 1., true);
      mixed.refine_global(2);
      check_refused(mixed, fe, "singular", {});
      check_refused(mixed, fe, "has 17, which is", {17});
      check_refused(mixed, fe, "has 99, which is", {0, 99});
      for (const auto &cell : mixed.cell_iterators_on_level(0))
        cell->face(0)->set_boundary_id(0);
      for (const auto &cell : mixed.active_cell_iterators())
        for (const auto &face : cell->face_iterators())
          if (face->at_boundary() &&
              face->center().distance({0., 0.875}) < 1e-10)
            face->set_boundary_id(5);
      check_refused(mixed, fe, "lower end of the box in direction 0", {0});
    }
  }



  void
  check_refused_coefficient(const double c)
  {
    dealii::parallel::distributed::Triangulation<2> triangulation(
      MPI_COMM_WORLD);
    dealii::GridGenerator::hyper_cube(triangulation);
    triangulation.refine_global(2);
    dealii::DoFHandler<2> dof_handler(triangulation);
    dof_handler.distribute_dofs(dealii::FE_Q<2>(1));
    PreconditionPatchMultigrid<2>::AdditionalData data;
    data.reaction_coefficient = c;
    PreconditionPatchMultigrid<2> C;
    check_message(CHECK_THROWS(InputError, C.initialize(dof_handler, data)),
                  "reaction_coefficient is");
  }



  /** Mappings that leave cells as they are, and others. */
  template <int dim>
  void
  check_mappings()
  {
    dealii::parallel::distributed::Triangulation<dim> triangulation(
      MPI_COMM_WORLD);
    dealii::GridGenerator::hyper_cube(triangulation, 3., 4.);
    triangulation.refine_global(2);
    const dealii::FE_Q<dim> fe(2);

    // A displacement of all points, and one of a single rank's.
    const dealii::FESystem<dim> displacements(fe, dim);
    dealii::DoFHandler<dim>     displaced(triangulation);
    displaced.distribute_dofs(displacements);
    for (const double size : {0., 1e-10, 1e-6, 0.05})
      {
        Vector<double> displacement(
          displaced.locally_owned_dofs(),
          dealii::DoFTools::extract_locally_relevant_dofs(displaced),
          MPI_COMM_WORLD);
        if (displaced.n_locally_owned_dofs() > 0 &&
            displaced.locally_owned_dofs().is_element(0))
          displacement(0) = size;
        displacement.update_ghost_values();
        const dealii::MappingQEulerian<dim, Vector<double>, dim> mapping(
          2, displaced, displacement);
        if (size < 1e-8)
          {
            dealii::DoFHandler<dim> dof_handler(triangulation);
            dof_handler.distribute_dofs(fe);
            PreconditionPatchMultigrid<dim> C;
            C.initialize(mapping, dof_handler);
            CHECK_EQUAL(C.m(), dof_handler.n_dofs());
          }
        else
          check_refused<dim>(
            triangulation, fe, "mapping moves points", {0}, &mapping);
      }

    // A curved manifold: looked at by mappings of higher degree only.
    triangulation.set_all_manifold_ids_on_boundary(7);
    triangulation.set_manifold(7,
                               dealii::SphericalManifold<dim>(
                                 3.5 * dealii::Point<dim>::unit_vector(0)));
    dealii::DoFHandler<dim> dof_handler(triangulation);
    dof_handler.distribute_dofs(dealii::FE_Q<dim>(1));
    PreconditionPatchMultigrid<dim> C;
    C.initialize(dealii::MappingQ1<dim>(), dof_handler);
    CHECK_EQUAL(C.m(), dof_handler.n_dofs());
    const dealii::MappingQ<dim> curved(2);
    check_refused<dim>(triangulation,
                       dealii::FE_Q<dim>(1),
                       "mapping moves points",
                       {0},
                       &curved);
  }



  void
  check_wrong_use()
  {
    for (const double c : {-1.,
                           std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()})
      check_refused_coefficient(c);

    dealii::parallel::distributed::Triangulation<2> triangulation(
      MPI_COMM_WORLD);
    dealii::GridGenerator::hyper_cube(triangulation);
    triangulation.refine_global(2);
    dealii::DoFHandler<2> dof_handler(triangulation);
    dof_handler.distribute_dofs(dealii::FE_Q<2>(2));
    PreconditionPatchMultigrid<2> C;
    Vector<double> r(dof_handler.locally_owned_dofs(), MPI_COMM_WORLD), z(r);
    r = 1.;
    check_message(CHECK_THROWS(InputError, C.vmult(z, r)),
                  "call initialize() first");
    C.initialize(dof_handler);
    check_message(CHECK_THROWS(InputError, C.vmult(r, r)), "different vectors");

    // Of another size, or spread in another way; on one rank only, too.
    dealii::Vector<double> small(7), all(dof_handler.n_dofs());
    check_message(CHECK_THROWS(InputError, C.vmult(all, small)),
                  "source vector has 7 entries");
    check_message(CHECK_THROWS(InputError, C.Tvmult(small, all)),
                  dof_handler.n_locally_owned_dofs() == dof_handler.n_dofs() ?
                    "destination vector has 7 entries" :
                    "vector has");
    const unsigned int n_ranks =
      dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
    if (n_ranks > 1)
      {
        CHECK_THROWS(InputError, C.vmult(all, all));
        // Everything belongs to the last rank.
        const bool is_last = dealii::Utilities::MPI::this_mpi_process(
                               MPI_COMM_WORLD) == n_ranks - 1;
        dealii::IndexSet owned(dof_handler.n_dofs());
        if (is_last)
          owned.add_range(0, dof_handler.n_dofs());
        Vector<double> elsewhere(owned, MPI_COMM_WORLD);
        check_message(CHECK_THROWS(InputError, C.vmult(elsewhere, r)),
                      "destination vector");
      }

    // And it still works.
    C.vmult(z, r);
    CHECK(z * r > 0.);
  }
} // namespace



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  check_refused_elements();
  check_refused_meshes();
  check_mappings<2>();
  check_mappings<3>();
  check_wrong_use();
  return check::result();
}
