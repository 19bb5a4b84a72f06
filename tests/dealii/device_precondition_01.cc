// SPDX-License-Identifier: LGPL-2.1-or-later
// The preconditioner on a device has the bits of the host's, on any mesh and
// number of ranks, and leaves vectors where they are.
#include <tessera/base/communication_mpi.h>
#include <tessera/base/counters.h>
#include <tessera/base/exceptions.h>
#include <tessera/dealii/device_vector.h>
#include <tessera/dealii/precondition_patch_multigrid.h>

#include <deal.II/base/mpi.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "dealii/node_positions.h"
#include "dealii/shuffled_box.h"
#include "device_emulation/device_test.h"

namespace
{
  using namespace tessera;
  using dealii_adapters::DeviceVector;
  using dealii_adapters::PatchMultigridData;
  using dealii_adapters::PreconditionPatchMultigrid;

  template <typename Number>
  using HostVector = dealii::LinearAlgebra::distributed::Vector<Number>;

  template <int dim>
  using OnDevice = PreconditionPatchMultigrid<dim, execution::Device>;

  static_assert(
    std::is_same<OnDevice<3>::AdditionalData,
                 PreconditionPatchMultigrid<3>::AdditionalData>::value,
    "The same data serve both.");



  /** NaN wherever nothing is written. */
  template <typename Number, int dim>
  DeviceVector<Number>
  poisoned(const dealii::DoFHandler<dim> &dof_handler,
           const device::Stream          &stream)
  {
    DeviceVector<Number> v(dof_handler.locally_owned_dofs(),
                           MPI_COMM_WORLD,
                           stream);
    v = std::numeric_limits<Number>::quiet_NaN();
    return v;
  }



  /** vmult() and Tvmult() for all kinds of vectors. */
  template <int dim>
  void
  check_equal_to_host(const dealii::Triangulation<dim> &triangulation,
                      const unsigned int                degree,
                      const PatchMultigridData         &data,
                      const bool                        renumber = false)
  {
    dealii::DoFHandler<dim> dof_handler(triangulation);
    dof_handler.distribute_dofs(dealii::FE_Q<dim>(degree));
    if (renumber)
      dealii::DoFRenumbering::Cuthill_McKee(dof_handler);
    const device::Stream            stream;
    PreconditionPatchMultigrid<dim> on_host;
    OnDevice<dim>                   on_device(stream);
    on_host.initialize(dof_handler, data);
    on_device.initialize(dealii::MappingQ1<dim>(), dof_handler, data);
    CHECK_EQUAL(on_device.m(), dof_handler.n_dofs());
    CHECK_EQUAL(on_device.n(), dof_handler.n_dofs());

    const auto positions = node_positions::positions_of_nodes(dof_handler);
    const auto check     = [&](const auto number) {
      using Number = std::decay_t<decltype(number)>;
      HostVector<Number> r(dof_handler.locally_owned_dofs(), MPI_COMM_WORLD),
        z(r), z_of_device(r);
      node_positions::set_random(r, positions, 1);
      auto device_r = poisoned<Number>(dof_handler, stream);
      device_r.copy_from_host(r);
      for (const bool adjoint : {false, true})
        {
          auto device_z = poisoned<Number>(dof_handler, stream);
          if (adjoint)
            {
              on_host.Tvmult(z, r);
              on_device.Tvmult(device_z, device_r);
            }
          else
            {
              on_host.vmult(z, r);
              on_device.vmult(device_z, device_r);
            }
          device_z.copy_to_host(z_of_device);
          bool is_equal = true;
          for (unsigned int i = 0; i < z.locally_owned_size(); ++i)
            is_equal =
              is_equal && z_of_device.local_element(i) == z.local_element(i);
          CHECK(is_equal);
          CHECK(z.l2_norm() > 0.);
        }
      // The argument is what it was.
      device_r.copy_to_host(z);
      z -= r;
      CHECK_EQUAL(z.linfty_norm(), 0.);
    };
    check(1.);
    check(1.f);

    // Another life.
    CHECK(on_device.memory_consumption() > 0);
    on_device.clear();
    CHECK_EQUAL(on_device.m(), 0U);
    on_device.initialize(dof_handler, data);
    check(1.);
  }



  PatchMultigridData
  data_with(const std::set<dealii::types::boundary_id> &dirichlet_ids,
            const bool                                  symmetric,
            const double                                reaction,
            const patch::LevelPrecision                 precision)
  {
    PatchMultigridData data;
    data.dirichlet_ids        = dirichlet_ids;
    data.symmetric            = symmetric;
    data.reaction_coefficient = reaction;
    data.level_precision      = precision;
    data.min_cells_per_rank   = 4;
    return data;
  }



  void
  check_bits()
  {
    constexpr auto in_float  = patch::LevelPrecision::single_precision;
    constexpr auto in_double = patch::LevelPrecision::double_precision;
    {
      dealii::parallel::distributed::Triangulation<3> cube(MPI_COMM_WORLD);
      dealii::GridGenerator::hyper_cube(cube, 0., 1., true);
      cube.refine_global(2);
      check_equal_to_host(cube,
                          3,
                          data_with({0, 1, 2, 3, 4, 5}, true, 0., in_float));
      check_equal_to_host(cube, 2, data_with({4}, false, 3., in_double));
      check_equal_to_host(cube, 1, data_with({}, true, 1., in_float));
    }
    {
      // Ranks have cells that are all over the box.
      dealii::parallel::distributed::Triangulation<3> shuffled(MPI_COMM_WORLD);
      mesh_generator::make_shuffled_box(
        shuffled,
        mesh_generator::Box<3>{{}, {{4, 6, 2}}, {{0.25, 0.25, 0.3}}},
        false);
      check_equal_to_host(shuffled,
                          3,
                          data_with({0, 2, 5}, false, 0., in_float));
    }
    {
      dealii::parallel::distributed::Triangulation<2> rotated(MPI_COMM_WORLD);
      mesh_generator::make_shuffled_box(
        rotated, mesh_generator::Box<2>{{}, {{12, 8}}, {{0.5, 0.6}}}, true);
      check_equal_to_host(rotated, 3, data_with({1, 2}, true, 2., in_double));
      check_equal_to_host(rotated,
                          2,
                          data_with({0, 1, 2, 3}, true, 0., in_float));
      if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
        check_equal_to_host(rotated,
                            1,
                            data_with({3}, true, 0., in_float),
                            true);
    }
  }



  /** Two numbers and messages, no vectors; in the first application, too. */
  void
  check_counters()
  {
    dealii::parallel::distributed::Triangulation<3> cube(MPI_COMM_WORLD);
    dealii::GridGenerator::hyper_cube(cube);
    cube.refine_global(2);
    dealii::DoFHandler<3> dof_handler(cube);
    dof_handler.distribute_dofs(dealii::FE_Q<3>(3));
    const device::Stream stream;
    OnDevice<3>          C(stream);
    C.initialize(dof_handler);
    auto r = poisoned<double>(dof_handler, stream), z = r;
    r = 1.;

    for (unsigned int application = 0; application < 2; ++application)
      {
        Counters::process().reset();
        C.vmult(z, r);
        stream.synchronize();
        const auto counted = Counters::process().snapshot();
        const auto down    = counted.value("device_to_host_bytes").total,
                   up      = counted.value("host_to_device_bytes").total;
        if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
          {
            CHECK_EQUAL(down, 8U);
            CHECK_EQUAL(up, 0U);
          }
        else
          {
            const auto sent = counted.value("exchange_bytes").total;
            CHECK(sent > 0);
            CHECK(down <= sent + 8);
          }
      }
    CHECK(z.l2_norm() > 0.);
  }



  bool
  says(const std::string &message, const std::string &words)
  {
    return message.find(words) != std::string::npos;
  }



  void
  check_errors()
  {
    dealii::parallel::distributed::Triangulation<2> square(MPI_COMM_WORLD);
    dealii::GridGenerator::hyper_cube(square);
    square.refine_global(2);
    dealii::DoFHandler<2> dof_handler(square);
    dof_handler.distribute_dofs(dealii::FE_Q<2>(4));
    const device::Stream stream, other_stream;
    OnDevice<2>          C(stream);
    CHECK(says(CHECK_THROWS(InputError, C.initialize(dof_handler)),
               "degree 4 were asked for on a device"));

    dof_handler.distribute_dofs(dealii::FE_Q<2>(2));
    auto r = poisoned<double>(dof_handler, stream), z = r;
    r = 1.;
    CHECK(
      says(CHECK_THROWS(InputError, C.vmult(z, r)), "call initialize() first"));
    PatchMultigridData data;
    data.dirichlet_ids = {7};
    CHECK(says(CHECK_THROWS(InputError, C.initialize(dof_handler, data)),
               "has 7, which"));
    data.dirichlet_ids = {};
    CHECK(says(CHECK_THROWS(InputError, C.initialize(dof_handler, data)),
               "singular"));
    data.reaction_coefficient = -1.;
    CHECK(says(CHECK_THROWS(InputError, C.initialize(dof_handler, data)),
               "reaction_coefficient"));
    C.initialize(dof_handler);
    CHECK(says(CHECK_THROWS(InputError, C.vmult(r, r)), "different vectors"));
    DeviceVector<double> nothing;
    CHECK(says(CHECK_THROWS(InputError, C.vmult(nothing, r)),
               "destination vector has 0 entries"));
    CHECK(says(CHECK_THROWS(InputError, C.Tvmult(z, nothing)),
               "source vector has 0 entries"));
    const auto elsewhere = poisoned<double>(dof_handler, other_stream);
    CHECK(says(CHECK_THROWS(InputError, C.vmult(z, elsewhere)),
               "source vector is on another stream"));

    // On one rank alone; the others hear of it.
    const bool is_last =
      dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) + 1 ==
      dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
    CHECK_THROWS(InputError, C.vmult(z, is_last ? nothing : r));

    // And it still works; NaN is not hidden, wherever it is.
    C.vmult(z, r);
    CHECK(z * r > 0.);
    HostVector<double> host(dof_handler.locally_owned_dofs(), MPI_COMM_WORLD);
    host = 1.;
    if (is_last)
      host.local_element(host.locally_owned_size() / 2) =
        std::numeric_limits<double>::quiet_NaN();
    r.copy_from_host(host);
    C.vmult(z, r);
    CHECK(std::isnan(z.l2_norm()));
  }
} // namespace



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  return device_test::run([] {
    device::choose_device(make_communicator(MPI_COMM_WORLD));
    check_bits();
    check_counters();
    check_errors();
  });
}
