// SPDX-License-Identifier: LGPL-2.1-or-later
// Values go from vectors to the copies in cells and back as index lists say,
// whatever these are, with the values of other ranks.
#include <tessera/base/communication_session.h>
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/device/device_dof_copies.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "cellwise/device_fields.h"
#include "device_emulation/device_test.h"

namespace
{
  using namespace tessera;
  using namespace tessera::cellwise;

  constexpr double       nan      = std::numeric_limits<double>::quiet_NaN();
  constexpr unsigned int n_owned  = 1000;
  constexpr unsigned int n_ghosts = 57;

  /** Lists of random numbers; one in ten is a Dirichlet node. */
  DoFCopies
  random_copies(const int           dim,
                const int           degree,
                const CellIndex     n_cells,
                const Communicator &world)
  {
    std::mt19937 random(11 + world.rank());
    const auto   number_below = [&](const std::size_t n) {
      return (unsigned int)(random() % n);
    };
    const auto with_exceptions = [&](const std::size_t n) {
      return number_below(10) == 0 ? no_dof : number_below(n);
    };
    DoFCopies copies;
    copies.degree  = degree;
    copies.n_nodes = power(degree + 1, dim);
    copies.n_cells = n_cells;
    std::vector<RemoteItem> ghosts(n_ghosts);
    for (RemoteItem &ghost : ghosts)
      ghost = {number_below(world.n_ranks()), number_below(n_owned)};
    copies.plan = ExchangePlan(world, n_owned, ghosts);

    const std::size_t n_copies = std::size_t(n_cells) * copies.n_nodes;
    copies.dof_of_copy.resize(n_copies);
    for (unsigned int &dof : copies.dof_of_copy)
      dof = with_exceptions(n_owned + n_ghosts);
    copies.copy_of_dof.resize(n_owned);
    for (unsigned int &copy : copies.copy_of_dof)
      copy = with_exceptions(n_copies);
    copies.inner_faces.resize(n_cells);
    for (unsigned char &faces : copies.inner_faces)
      faces = (unsigned char)(number_below(1u << (2 * dim)));
    return copies;
  }



  /** $1/2$ for each face in the set that node k is on. */
  double
  share_of(const unsigned int faces, int k, const int degree)
  {
    int n = 0;
    for (int face = 0; face < 6; face += 2, k /= degree + 1)
      {
        n += k % (degree + 1) == 0 && (faces & (1u << face));
        n += k % (degree + 1) == degree && (faces & (2u << face));
      }
    return std::ldexp(1., -n);
  }



  template <typename Number>
  void
  check_copies(const int           dim,
               const int           degree,
               const CellIndex     n_cells,
               const Communicator &world)
  {
    const device::Stream stream;
    const DoFCopies      copies = random_copies(dim, degree, n_cells, world);
    const int            N      = copies.n_nodes;
    DeviceDoFCopies      on_device(copies, stream);
    CHECK_EQUAL(on_device.n_owned(), n_owned);

    std::mt19937                           random(3 + world.rank());
    std::uniform_real_distribution<double> uniform(-1., 1.);
    std::vector<Number>                    v(n_owned);
    for (Number &value : v)
      value = Number(uniform(random));
    std::vector<double> values(v.begin(), v.end());
    values.resize(n_owned + n_ghosts);
    GhostExchange<double>(copies.plan)
      .update_ghosts(values.data(), values.data() + n_owned);
    device::Memory<Number> device_v(v.data(), n_owned, stream);

    // The largest value is not one of a Dirichlet node; NaN is not hidden.
    double max = 0.;
    for (unsigned int i = 0; i < n_owned; ++i)
      if (copies.copy_of_dof[i] != no_copy)
        max = std::max(max, std::abs(values[i]));
    CHECK_EQUAL(on_device.max_abs(device_v.data()), max);
    unsigned int dirichlet = 0, other = n_owned - 1;
    while (copies.copy_of_dof[dirichlet] != no_copy)
      ++dirichlet;
    while (copies.copy_of_dof[other] == no_copy)
      --other;
    for (const double bad : {nan, std::numeric_limits<double>::infinity()})
      {
        std::vector<Number> w = v;
        w[dirichlet]          = Number(bad);
        device::Memory<Number> device_w(w.data(), n_owned, stream);
        CHECK_EQUAL(on_device.max_abs(device_w.data()), max);
        w[other] = Number(bad);
        device_w.copy_from_host(w.data(), stream);
        CHECK(std::isnan(on_device.max_abs(device_w.data())));
      }

    // Into fields with further cells, which keep what they have.
    auto u        = test::random_field<PrimalField<double>>(n_cells + 3, N);
    auto r        = test::random_field<DualField<double>>(n_cells + 3, N);
    auto device_u = test::on_device<Layout::blocked>(u, stream);
    auto device_r = test::on_device<Layout::blocked>(r, stream);
    for (CellIndex c = 0; c < n_cells; ++c)
      for (int k = 0; k < N; ++k)
        {
          const unsigned int dof   = copies.dof_of_copy[c * N + k];
          const double       value = dof == no_dof ? 0. : values[dof];
          u(c, k)                  = value;
          r(c, k) = share_of(copies.inner_faces[c], k, degree) * value;
        }
    on_device.gather(device_u, device_v.data());
    on_device.distribute(device_r, device_v.data());
    CHECK(test::same_on_device(device_u, u, stream));
    CHECK(test::same_on_device(device_r, r, stream));

    // Out of fields of all kinds.
    const double a             = 0.3;
    const auto   check_collect = [&](const auto &field, const auto &device_f) {
      device::Memory<Number> z(std::vector<Number>(n_owned, Number(nan)).data(),
                               n_owned,
                               stream);
      on_device.collect(z.data(), a, device_f, device_v.data());
      std::vector<Number> found(n_owned), expected = v;
      z.copy_to_host(found.data(), stream);
      for (unsigned int i = 0; i < n_owned; ++i)
        {
          const unsigned int copy = copies.copy_of_dof[i];
          if (copy != no_copy)
            expected[i] = Number(a * double(field(copy / N, copy % N)));
        }
      CHECK(found == expected);
    };
    check_collect(u, device_u);
    check_collect(r, device_r);
    check_collect(u, test::on_device<Layout::contiguous>(u, stream));
    auto w = test::random_field<PrimalField<float>>(n_cells, N);
    check_collect(w, test::on_device<Layout::contiguous>(w, stream));
  }
} // namespace



int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  return device_test::run([] {
    const Communicator world = Communicator::world();
#ifdef TESSERA_TEST_VARIANT_thread
    check_copies<double>(3, 3, 33, world);
#else
    for (const int dim : {2, 3})
      for (const int degree : {1, 2, 3})
        for (const CellIndex n_cells : {1, 32, 71})
          {
            check_copies<double>(dim, degree, n_cells, world);
            check_copies<float>(dim, degree, n_cells, world);
          }
#endif
  });
}
