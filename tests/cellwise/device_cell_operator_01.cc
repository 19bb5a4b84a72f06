// SPDX-License-Identifier: LGPL-2.1-or-later
// The operator of cells on a device has the bits of the host's, in all layouts,
// as have the steps of iterations and the numbers they return.
#include <tessera/cellwise/cell_laplacian.h>
#include <tessera/cellwise/cell_operator.h>
#include <tessera/cellwise/device/device_cell_operator.h>

#include <cmath>
#include <limits>

#include "cellwise/device_fields.h"
#include "device_emulation/device_test.h"

namespace
{
  using namespace tessera;
  using namespace tessera::cellwise;

  // Incomplete blocks of cells and of threads.
#ifdef TESSERA_TEST_VARIANT_thread
  constexpr CellIndex n_cells = 37, n_owned = 33;
#else
  constexpr CellIndex n_cells = 149, n_owned = 101;
#endif

  const Communicator alone;

  bool
  same_number(const double a, const double b)
  {
    return a == b || (std::isnan(a) && std::isnan(b));
  }



  /** A number a lane, of one lane. */
  template <typename Number>
  struct ScalarLanes
  {
    using T = Number;
    using V = Number;

    static V
    set(const T x)
    {
      return x;
    }

    static V
    zero()
    {
      return 0;
    }

    static V
    fma(const V a, const V b, const V c)
    {
      return std::fma(a, b, c);
    }
  };



  template <int dim, int q, Layout layout>
  void
  check_float(const ReferenceCell       &cell,
              const ElementWeights<dim> &weights,
              const device::Stream      &stream)
  {
    constexpr int N = power(q, dim);
    using Primal    = PrimalField<float>;
    using Dual      = DualField<float>;
    const Primal u  = test::random_field<Primal>(n_cells, N);
    const Dual   b  = test::random_field<Dual>(n_cells, N);

    // The template of both, one cell after the other.
    std::vector<float> S(cell.inverse_eigenvectors.data(),
                         cell.inverse_eigenvectors.data() + q * q);
    const auto         lambda = cell_eigenvalues<dim>(cell, weights);
    std::vector<float> eigenvalues(lambda.begin(), lambda.end());
    Dual               Au(n_cells, N), r(n_cells, N);
    for (CellIndex c = 0; c < n_cells; ++c)
      apply_cell_laplacian<dim, q, ScalarLanes<float>>(
        S.data(),
        eigenvalues.data(),
        [&](const int k) { return u(c, k); },
        [&](const int k, const float v) {
          Au(c, k) = v;
          r(c, k)  = b(c, k) - v;
        });

    const DeviceCellOperator<dim, float, layout> A(cell, weights);
    using DeviceDual    = DeviceDualField<float, layout>;
    const auto device_u = test::on_device<layout>(u, stream);
    auto device_r = test::poisoned_on_device<DeviceDual>(n_cells, N, stream);
    A.vmult(device_r, device_u, stream);
    CHECK(test::same_on_device(device_r, Au, stream));
    auto device_b = test::on_device<layout>(b, stream);
    test::poison_on_device(device_r, stream);
    A.residual(device_r, device_b, device_u, stream);
    CHECK(test::same_on_device(device_r, r, stream));
    A.residual(device_b, device_b, device_u, stream);
    CHECK(test::same_on_device(device_b, r, stream));
  }



  template <int dim>
  void
  check_double(const ReferenceCell       &cell,
               const ElementWeights<dim> &weights,
               const device::Stream      &stream)
  {
    const int N    = power(cell.n_nodes, dim);
    using Primal   = PrimalField<double>;
    using Dual     = DualField<double>;
    const Primal u = test::random_field<Primal>(n_cells, N);
    const Dual   b = test::random_field<Dual>(n_cells, N);
    Dual         Au(n_cells, N), r(n_cells, N);

    const CellOperator<dim> on_host(cell, weights);
    on_host.vmult(Au, u);
    on_host.residual(r, b, u);

    const DeviceCellOperator<dim> A(cell, weights);
    constexpr Layout              layout = Layout::blocked;
    using DeviceDual                     = DeviceDualField<double>;
    const auto device_u                  = test::on_device<layout>(u, stream);
    auto device_r = test::poisoned_on_device<DeviceDual>(n_cells, N, stream);
    A.vmult(device_r, device_u, stream);
    CHECK(test::same_on_device(device_r, Au, stream));
    auto device_b = test::on_device<layout>(b, stream);
    test::poison_on_device(device_r, stream);
    A.residual(device_r, device_b, device_u, stream);
    CHECK(test::same_on_device(device_r, r, stream));
    A.residual(device_b, device_b, device_u, stream);
    CHECK(test::same_on_device(device_b, r, stream));
  }



  /** @param[in] bad A number that is put into one cell of u, b and d. */
  template <int dim, typename Number>
  void
  check_steps(const ReferenceCell       &cell,
              const ElementWeights<dim> &weights,
              const CellIndex            bad_cell,
              const double               bad,
              const device::Stream      &stream)
  {
    const int        N       = power(cell.n_nodes, dim);
    constexpr Layout blocked = Layout::blocked;
    const double     a = 0.7, beta = -0.3, alpha = 1.7;
    using Primal = PrimalField<double>;
    using Dual   = DualField<double>;
    Primal     u = test::random_field<Primal>(n_cells, N);
    Primal     d = test::random_field<Primal>(n_cells, N);
    Dual       b = test::random_field<Dual>(n_cells, N);
    Dual       r = test::random_field<Dual>(n_cells, N);
    const auto z = test::random_field<PrimalField<Number>>(n_cells, N);
    if (bad_cell != no_cell)
      {
        b(bad_cell, N - 1) = bad;
        d(bad_cell, 0)     = bad;
      }

    const CellOperator<dim>            on_host(cell, weights);
    const DeviceIterationOperator<dim> A(cell, weights);
    CellReductions                     reductions(n_cells);
    auto       device_u = test::on_device<blocked>(u, stream);
    auto       device_d = test::on_device<blocked>(d, stream);
    auto       device_r = test::on_device<blocked>(r, stream);
    const auto device_b = test::on_device<blocked>(b, stream);
    const auto device_z = test::on_device<Layout::contiguous>(z, stream);

    const double energy =
      on_host.update_direction(d, beta, a, z, n_owned, alone);
    CHECK(same_number(
      A.update_direction(
        device_d, beta, a, device_z, n_owned, alone, reductions, stream),
      energy));
    CHECK(test::same_on_device(device_d, d, stream));

    double largest = on_host.step(u, r, alpha, d, n_owned, alone);
    CHECK(same_number(A.step(device_u,
                             device_r,
                             alpha,
                             device_d,
                             n_owned,
                             alone,
                             reductions,
                             stream),
                      largest));
    CHECK(test::same_on_device(device_u, u, stream));
    CHECK(test::same_on_device(device_r, r, stream));
    CHECK_EQUAL(std::isnan(largest), bad_cell != no_cell && bad_cell < n_owned);

    largest = on_host.correct(u, a, z, r, b, n_owned, alone);
    test::poison_on_device(device_r, stream);
    CHECK(same_number(A.correct(device_u,
                                a,
                                device_z,
                                device_r,
                                device_b,
                                n_owned,
                                alone,
                                reductions,
                                stream),
                      largest));
    CHECK(test::same_on_device(device_u, u, stream));
    CHECK(test::same_on_device(device_r, r, stream));
    CHECK_EQUAL(std::isnan(largest), bad_cell != no_cell && bad_cell < n_owned);
  }



  template <int dim, int degree>
  void
  check_degree(const ElementWeights<dim> &weights)
  {
    const device::Stream stream;
    const ReferenceCell  cell(degree);
    check_double<dim>(cell, weights, stream);
    check_float<dim, degree + 1, Layout::blocked>(cell, weights, stream);
    check_float<dim, degree + 1, Layout::contiguous>(cell, weights, stream);
    check_steps<dim, double>(cell, weights, no_cell, 0., stream);
    check_steps<dim, float>(cell, weights, no_cell, 0., stream);
#ifndef TESSERA_TEST_VARIANT_thread
    for (const CellIndex c : {0, n_owned - 1, n_owned, n_cells - 1})
      for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                               -std::numeric_limits<double>::infinity()})
        check_steps<dim, float>(cell, weights, c, bad, stream);
#endif
  }



  template <int dim>
  void
  check_dimension(const ElementWeights<dim> &weights)
  {
    check_degree<dim, 1>(weights);
    check_degree<dim, 2>(weights);
    check_degree<dim, 3>(weights);
    const std::string message =
      CHECK_THROWS(InputError,
                   DeviceCellOperator<dim>(ReferenceCell(4), weights));
    CHECK(message.find("degree 4") != std::string::npos);
    CHECK(message.find("host") != std::string::npos);
  }
} // namespace

int
main()
{
  return device_test::run([] {
    check_dimension<2>(ElementWeights<2>({{0.5, 2.}}, 3.));
    check_dimension<3>(ElementWeights<3>({{0.3, 1., 4.}}, 0.5));
  });
}
