// SPDX-License-Identifier: LGPL-2.1-or-later
// The Laplacian on a device is that of deal.II up to round-off, and the same
// bits on any number of ranks.
#include <tessera/base/communication_mpi.h>
#include <tessera/base/counters.h>
#include <tessera/base/exceptions.h>
#include <tessera/dealii/device_laplace_operator.h>

#include <deal.II/base/mpi.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <limits>
#include <set>
#include <string>
#include <vector>

#include "dealii/matrix_free_laplacian.h"
#include "dealii/node_positions.h"
#include "dealii/shuffled_box.h"
#include "device_emulation/device_test.h"

namespace
{
  using namespace tessera;
  using dealii_adapters::DeviceLaplaceOperator;
  using dealii_adapters::DeviceVector;
  using Ids        = std::set<dealii::types::boundary_id>;
  using HostVector = dealii::LinearAlgebra::distributed::Vector<double>;

  /** One product by the device, of entries that depend on where they are. */
  template <typename Number, int dim>
  HostVector
  product(const DeviceLaplaceOperator<dim> &A,
          const dealii::DoFHandler<dim>    &dof_handler)
  {
    DeviceVector<Number> x, y;
    A.initialize_dof_vector(x);
    y.reinit(x);
    y = std::numeric_limits<Number>::quiet_NaN();
    HostVector host(dof_handler.locally_owned_dofs(), x.get_mpi_communicator());
    node_positions::set_random(host,
                               node_positions::positions_of_nodes(dof_handler),
                               1);
    x.copy_from_host(host);
    A.vmult(y, x);
    y.copy_to_host(host);
    return host;
  }



  template <int dim>
  void
  check_product(const dealii::Triangulation<dim> &triangulation,
                const unsigned int                degree,
                const Ids                        &dirichlet_ids,
                const double                      reaction)
  {
    dealii::DoFHandler<dim> dof_handler(triangulation);
    dof_handler.distribute_dofs(dealii::FE_Q<dim>(degree));
    const matrix_free::Laplacian<dim> on_host(dof_handler,
                                              dirichlet_ids,
                                              reaction);
    const device::Stream              stream;
    DeviceLaplaceOperator<dim>        A(stream);
    CHECK_EQUAL(A.m(), 0U);
    typename DeviceLaplaceOperator<dim>::AdditionalData data;
    data.dirichlet_ids        = dirichlet_ids;
    data.reaction_coefficient = reaction;
    A.initialize(dealii::MappingQ1<dim>(), dof_handler, data);
    CHECK_EQUAL(A.m(), dof_handler.n_dofs());
    CHECK_EQUAL(A.n(), dof_handler.n_dofs());
    CHECK(A.memory_consumption() > 8 * dof_handler.n_locally_owned_dofs());

    HostVector x, expected;
    on_host.initialize_dof_vector(x);
    expected.reinit(x);
    node_positions::set_random(x,
                               node_positions::positions_of_nodes(dof_handler),
                               1);
    on_host.vmult(expected, x);
    const HostVector y = product<double>(A, dof_handler);
    HostVector       difference(y);
    difference -= expected;
    CHECK(difference.linfty_norm() <= 1e-13 * expected.linfty_norm());
    CHECK(expected.linfty_norm() > 0.);
    difference = product<float>(A, dof_handler);
    difference -= expected;
    CHECK(difference.linfty_norm() <= 1e-6 * expected.linfty_norm());

    // Symmetric, to the last bit of this function.
    DeviceVector<double> v, Av, ATv;
    A.initialize_dof_vector(v);
    v.copy_from_host(x);
    Av.reinit(v);
    ATv.reinit(v);
    A.vmult(Av, v);
    A.Tvmult(ATv, v);
    ATv -= Av;
    CHECK(ATv.all_zero());
  }



  /** The same bits from all cells in this process. */
  void
  check_partition()
  {
    const unsigned int degree = 3;
    const auto         make   = [](dealii::Triangulation<3> &mesh) {
      mesh_generator::make_shuffled_box(
        mesh,
        mesh_generator::Box<3>{{}, {{3, 4, 5}}, {{0.25, 0.3, 0.2}}},
        false);
    };
    dealii::parallel::distributed::Triangulation<3> distributed(MPI_COMM_WORLD);
    dealii::Triangulation<3>                        alone;
    make(distributed);
    make(alone);
    const device::Stream stream;
    std::vector<double>  by_position;
    for (const dealii::Triangulation<3> *mesh :
         {static_cast<const dealii::Triangulation<3> *>(&alone),
          static_cast<const dealii::Triangulation<3> *>(&distributed)})
      {
        dealii::DoFHandler<3> dof_handler(*mesh);
        dof_handler.distribute_dofs(dealii::FE_Q<3>(degree));
        DeviceLaplaceOperator<3>                 A(stream);
        DeviceLaplaceOperator<3>::AdditionalData data;
        data.dirichlet_ids = {1, 2};
        A.initialize(dof_handler, data);
        const HostVector y   = product<double>(A, dof_handler);
        const auto positions = node_positions::positions_of_nodes(dof_handler);
        if (by_position.empty())
          {
            by_position.resize(dof_handler.n_dofs());
            for (unsigned int i = 0; i < positions.size(); ++i)
              by_position[positions[i]] = y.local_element(i);
          }
        else
          {
            bool is_equal = true;
            for (unsigned int i = 0; i < positions.size(); ++i)
              is_equal =
                is_equal && y.local_element(i) == by_position[positions[i]];
            CHECK(is_equal);
          }
      }
  }



  bool
  says(const std::string &message, const std::string &words)
  {
    return message.find(words) != std::string::npos;
  }



  /** Messages alone cross to the host; wrong use is refused. */
  void
  check_use()
  {
    dealii::parallel::distributed::Triangulation<2> square(MPI_COMM_WORLD);
    dealii::GridGenerator::hyper_cube(square);
    square.refine_global(3);
    dealii::DoFHandler<2> dof_handler(square);
    dof_handler.distribute_dofs(dealii::FE_Q<2>(4));
    const device::Stream                     stream, other_stream;
    DeviceLaplaceOperator<2>                 A(stream);
    DeviceLaplaceOperator<2>::AdditionalData data;
    CHECK(says(CHECK_THROWS(InputError, A.initialize(dof_handler)),
               "degree 4 were asked for on a device"));
    dof_handler.distribute_dofs(dealii::FE_Q<2>(2));
    DeviceVector<double> x, y;
    CHECK(says(CHECK_THROWS(InputError, A.initialize_dof_vector(x)),
               "call initialize() first"));
    data.dirichlet_ids = {5};
    CHECK(says(CHECK_THROWS(InputError, A.initialize(dof_handler, data)),
               "has 5, which"));
    data.dirichlet_ids        = {};
    data.reaction_coefficient = std::numeric_limits<double>::quiet_NaN();
    CHECK(says(CHECK_THROWS(InputError, A.initialize(dof_handler, data)),
               "reaction_coefficient"));

    A.initialize(dof_handler);
    A.initialize_dof_vector(x);
    CHECK(says(CHECK_THROWS(InputError, A.vmult(x, x)), "different vectors"));
    CHECK(says(CHECK_THROWS(InputError, A.vmult(y, x)),
               "destination vector has 0 entries"));
    y.reinit(dof_handler.locally_owned_dofs(), MPI_COMM_WORLD, other_stream);
    CHECK(says(CHECK_THROWS(InputError, A.vmult(x, y)),
               "source vector is on another stream"));
    y.reinit(x);
    x = 1.;
    Counters::process().reset();
    A.vmult(y, x);
    stream.synchronize();
    const auto counted = Counters::process().snapshot();
    const auto sent    = counted.value("exchange_bytes").total;
    CHECK_EQUAL(counted.value("device_to_host_bytes").total, sent);
    if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
      CHECK_EQUAL(counted.value("host_to_device_bytes").total, 0U);
    // Constants are in the kernel of the Laplacian, away from the boundary.
    CHECK(y.linfty_norm() > 0.5);
    A.clear();
    CHECK_EQUAL(A.m(), 0U);
    CHECK_EQUAL(A.memory_consumption(), 0U);
  }
} // namespace



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  return device_test::run([] {
    device::choose_device(make_communicator(MPI_COMM_WORLD));
    {
      dealii::parallel::distributed::Triangulation<3> cube(MPI_COMM_WORLD);
      dealii::GridGenerator::hyper_cube(cube, 0., 1., true);
      cube.refine_global(2);
      check_product(cube, 3, {0, 1, 2, 3, 4, 5}, 0.);
      check_product(cube, 2, {3}, 100.);
      check_product(cube, 1, {}, 0.);
    }
    {
      dealii::parallel::distributed::Triangulation<2> rotated(MPI_COMM_WORLD);
      mesh_generator::make_shuffled_box(
        rotated, mesh_generator::Box<2>{{}, {{7, 9}}, {{0.5, 0.6}}}, true);
      check_product(rotated, 3, {1, 2}, 2.);
      check_product(rotated, 1, {0, 1, 2, 3}, 0.);
    }
    check_partition();
    check_use();
  });
}
