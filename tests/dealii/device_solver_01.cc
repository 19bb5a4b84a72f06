// SPDX-License-Identifier: LGPL-2.1-or-later
// deal.II's conjugate gradients with an operator and the preconditioner on a
// device do what they do on the host, and copy numbers only.
#include <tessera/base/communication_mpi.h>
#include <tessera/base/counters.h>
#include <tessera/dealii/device_laplace_operator.h>
#include <tessera/dealii/device_vector.h>
#include <tessera/dealii/precondition_patch_multigrid.h>

#include <deal.II/base/mpi.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/solver_richardson.h>

#include <cmath>
#include <set>
#include <vector>

#include "dealii/matrix_free_laplacian.h"
#include "dealii/node_positions.h"
#include "device_emulation/device_test.h"

namespace
{
  using namespace tessera;
  using dealii_adapters::DeviceLaplaceOperator;
  using dealii_adapters::PatchMultigridData;
  using dealii_adapters::PreconditionPatchMultigrid;
  using OnHost   = dealii::LinearAlgebra::distributed::Vector<double>;
  using OnDevice = dealii_adapters::DeviceVector<double>;

  /** An operator as users have it: $A + \mathrm{diag}(d)$. */
  template <typename Operator, typename VectorType>
  class Shifted
  {
  public:
    Shifted(const Operator &laplacian, const VectorType &diagonal)
      : A(laplacian)
      , d(diagonal)
      , product(diagonal)
    {}

    void
    vmult(VectorType &dst, const VectorType &src) const
    {
      A.vmult(dst, src);
      product = src;
      product.scale(d);
      dst += product;
    }

  private:
    const Operator    &A;
    const VectorType  &d;
    mutable VectorType product;
  };



  /** The norms of the residuals that a solver believes in. */
  template <typename Solver, typename VectorType, typename Operator, typename C>
  std::vector<double>
  solve(const Operator   &A,
        const C          &preconditioner,
        VectorType       &x,
        const VectorType &b)
  {
    dealii::SolverControl control(40, 1e-9 * b.l2_norm());
    control.enable_history_data();
    Solver solver(control);
    solver.solve(A, x, b, preconditioner);
    return control.get_history_data();
  }



  template <template <typename> class Solver>
  void
  check_solver(const unsigned int                          degree,
               const std::set<dealii::types::boundary_id> &dirichlet_ids,
               const bool                                  symmetric)
  {
    dealii::parallel::distributed::Triangulation<3> cube(MPI_COMM_WORLD);
    dealii::GridGenerator::hyper_cube(cube, 0., 1., true);
    cube.refine_global(2);
    dealii::DoFHandler<3> dof_handler(cube);
    dof_handler.distribute_dofs(dealii::FE_Q<3>(degree));
    const auto positions = node_positions::positions_of_nodes(dof_handler);

    PatchMultigridData data;
    data.dirichlet_ids        = dirichlet_ids;
    data.symmetric            = symmetric;
    data.reaction_coefficient = 2.;

    const matrix_free::Laplacian<3> laplacian(dof_handler, dirichlet_ids, 1.);
    // The diagonal is between 0 and 2 times the mass, about.
    OnHost b, d, x, x_of_device, r;
    for (OnHost *v : {&b, &d, &x, &x_of_device, &r})
      laplacian.initialize_dof_vector(*v);
    node_positions::set_random(b, positions, 1);
    node_positions::set_random(d, positions, 2);
    d.add(1.);
    d *= 1. / dof_handler.n_dofs();

    const Shifted<matrix_free::Laplacian<3>, OnHost> A(laplacian, d);
    PreconditionPatchMultigrid<3>                    C;
    C.initialize(dof_handler, data);
    const auto history = solve<Solver<OnHost>>(A, C, x, b);

    const device::Stream                     stream;
    DeviceLaplaceOperator<3>                 device_laplacian(stream);
    DeviceLaplaceOperator<3>::AdditionalData laplacian_data;
    laplacian_data.dirichlet_ids        = dirichlet_ids;
    laplacian_data.reaction_coefficient = 1.;
    device_laplacian.initialize(dof_handler, laplacian_data);
    OnDevice device_b, device_d, device_x;
    for (OnDevice *v : {&device_b, &device_d, &device_x})
      device_laplacian.initialize_dof_vector(*v);
    device_b.copy_from_host(b);
    device_d.copy_from_host(d);
    const Shifted<DeviceLaplaceOperator<3>, OnDevice> device_A(device_laplacian,
                                                               device_d);
    PreconditionPatchMultigrid<3, execution::Device>  device_C(stream);
    device_C.initialize(dof_handler, data);

    Counters::process().reset();
    const auto device_history =
      solve<Solver<OnDevice>>(device_A, device_C, device_x, device_b);
    const auto counted = Counters::process().snapshot();

    // As many iterations, and the same residuals, up to round-off that the
    // iteration multiplies.
    CHECK_EQUAL(device_history.size(), history.size());
    CHECK(history.size() > 3);
    for (unsigned int n = 0;
         n < std::min(history.size(), device_history.size());
         ++n)
      CHECK(std::abs(device_history[n] - history[n]) <=
            1e-12 * history[0] + 1e-6 * history[n]);
    device_x.copy_to_host(x_of_device);
    A.vmult(r, x_of_device);
    r -= b;
    CHECK(r.l2_norm() <= 1.01e-9 * b.l2_norm());
    x_of_device -= x;
    CHECK(x_of_device.linfty_norm() <= 1e-11 * x.linfty_norm());
    CHECK(x.linfty_norm() > 0.);

    // Seven numbers an iteration are many; messages are not what is meant.
    const auto sent = counted.value("exchange_bytes").total;
    const auto down = counted.value("device_to_host_bytes").total;
    CHECK(down <= sent + 8 * 7 * history.size());
    if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
      {
        CHECK_EQUAL(counted.value("device_to_host_bytes").largest, 8U);
        CHECK_EQUAL(counted.value("host_to_device_bytes").total, 0U);
      }
  }

  template <typename VectorType>
  using ConjugateGradients = dealii::SolverCG<VectorType>;
  template <typename VectorType>
  using Richardson = dealii::SolverRichardson<VectorType>;
} // namespace



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  return device_test::run([] {
    device::choose_device(make_communicator(MPI_COMM_WORLD));
    check_solver<ConjugateGradients>(3, {0, 1, 2, 3, 4, 5}, true);
    check_solver<ConjugateGradients>(2, {1, 4}, true);
    check_solver<Richardson>(3, {0, 1, 2, 3, 4, 5}, false);
  });
}
